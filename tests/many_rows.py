"""Tables and orders that are published in memory, in pieces and by an engine alike."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio import Policy

#: Subdomains of ``pay``.
TREE = {"lowest": 0, "highest": 99, "width": 10}
#: By name: a target for ``pay``, and what else is demanded.
TARGETS = {
    "uniform": ({"distribution": "uniform"}, {}),
    "same by part": ({"distribution": "same", "by": ["sex"]}, {}),
    "normal over a range": ({"distribution": "normal", "tree": TREE}, {}),
    "zipf and shift": ({"distribution": "zipf", "tree": TREE}, {"shift": 0.05}),
    "personal": ({"distribution": "uniform", "tree": TREE}, {"personal": "level"}),
    "personal by part": (
        {"distribution": "same", "by": ["sex"], "tree": TREE},
        {"personal": "level"},
    ),
}
_PATIENTS = {
    "columns": {
        "age": "quasi",
        "zip": "quasi",
        "disease": {"role": "sensitive", "harmless": ["d0", None]},
        "drug": "sensitive",
        "cost": {"role": "sensitive", "harmless": ["0", "0.25"]},
        "vote": "sensitive",
        "ward": "plain",
    },
    "privacy": {"k": 5, "exposure": 0.4},
    "method": "projections",
    "generalise": "mondrian",
}


def pay(rows, seed=2):
    """People with what they earn and the level each of them demands."""
    chance = np.random.default_rng(seed)
    levels = ("0", "1", "2", None, "3", "[0, 99]")
    return pl.DataFrame(
        {
            "age": chance.integers(18, 24, rows),
            "sex": pl.Series([("f", "m", None)[n] for n in chance.integers(0, 3, rows)]),
            "job": [f"job\n{n}" for n in chance.integers(0, 5, rows)],
            "pay": np.clip(chance.normal(50, 18, rows), 0, 99).astype(np.int64),
            "level": pl.Series([levels[n] for n in chance.integers(0, 6, rows)]),
        }
    )


def order_of_pay(path, target, **privacy):
    """Disguise what people earn."""
    return Policy(
        source=str(path),
        columns={"age": "quasi", "sex": "quasi", "job": "plain", "pay": "sensitive"},
        privacy={"target": {"pay": target}, **privacy},
    )


def ranges_of_pay(publication):
    """How often each range is published in groups of each size."""
    tables = [table.name for table in publication.release.manifest.tables]
    people, values = (publication.release.frames[name] for name in tables[:2])
    joined = values.join(people.group_by("group").len("people"), on="group")
    return joined.group_by("people", "pay_min", "pay_max").len("n").sort(pl.all())


def order_by_file_of_weights(folder):
    """Disguise what people earn, by a file with a target for each sex."""
    pay(600).write_csv(folder / "people.csv")
    weights = [(sex, 10 * cell, cell + 1) for sex in ("f", "m", None) for cell in range(10)]
    weights = pl.DataFrame(weights, schema=["sex", "value", "weight"], orient="row")
    weights.write_csv(folder / "weights.csv")
    named = {"file": str(folder / "weights.csv"), "column": "value", "weight": "weight"}
    return order_of_pay(folder / "people.csv", {**named, "by": ["sex"], "tree": TREE})


def order_of_marks(folder):
    """Disguise labels that have an order."""
    grades = ["bad", "fair", "good", "very good", "best"]
    chance = np.random.default_rng(5)
    ages, marks = chance.integers(18, 30, 500), chance.integers(0, 5, 500)
    frame = pl.DataFrame({"age": ages, "mark": [grades[n] for n in marks]})
    frame.write_parquet(folder / "people.parquet")
    return Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "mark": {"role": "sensitive", "domain": grades}},
        privacy={"target": {"mark": "uniform"}},
    )


def patients(rows, seed=4):
    """People with several secrets, two of which say much of each other."""
    chance = np.random.default_rng(seed)
    disease = chance.integers(0, 6, rows)
    drug = (disease + chance.integers(0, 2, rows)) % 6
    return pl.DataFrame(
        {
            "age": chance.integers(18, 90, rows),
            "zip": chance.integers(100, 140, rows),
            "disease": pl.Series([f"d{n}" for n in disease]).set(pl.Series(disease == 5), None),
            "drug": [f"m{n}" for n in drug],
            "cost": pl.Series(chance.integers(0, 9, rows) / 4),
            "vote": [("a", "b", "c")[n] for n in chance.integers(0, 3, rows)],
            "ward": [f"w{n // 2}" for n in disease],
        }
    )


def order_of_patients(path, **more):
    """Publish the secrets of patients in several tables."""
    source = path if isinstance(path, dict) else str(path)
    return Policy(source=source, **{**_PATIENTS, **more})


def binned_patients(path, bins):
    """The same, with some columns measured by bins."""
    columns = {
        name: dict(said) if isinstance(said, dict) else {"role": said}
        for name, said in _PATIENTS["columns"].items()
    }
    for name, number in bins.items():
        columns[name]["bins"] = number
    return order_of_patients(path, columns=columns)


def order_of_two_secrets(folder):
    """Publish two columns, one of which follows from the other, in a table each."""
    values = np.random.default_rng(6).integers(0, 1000, 3000)
    frame = pl.DataFrame(
        {
            "age": [n % 2 for n in range(len(values))],
            "one": [f"a{n}" for n in values],
            "other": [f"b{n if n % 2 else 0}" for n in values],
        }
    )
    frame.write_parquet(folder / "people.parquet", row_group_size=500)
    return Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "one": "sensitive", "other": "sensitive"},
        privacy={"k": 2, "exposure": 0.0},
        method="projections",
        generalise="mondrian",
    )


def check_shuffled(release, folder):
    """No row of one table of two secrets tells the place of another."""
    one = release.frames["people_1"].get_column("one").str.slice(1)
    other = release.frames["people_2"].get_column("other").str.slice(1)
    assert (one == other).mean() < 0.05
    assert not one.equals(pl.read_parquet(folder / "people.parquet").get_column("one").str.slice(1))

"""The verifier in Spark says what it says in DuckDB, of sound releases and of damaged ones."""

import json
import math
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest

import disguise_releases
import projected_releases
from papilio import Policy, publish
from papilio.engines.spark.write import tallied
from papilio.errors import EngineError
from papilio.families.engines.spark import opened
from papilio.families.engines.spark.opened import spark_text
from papilio.families.engines.spark.verify import verify_with_spark
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.verify import verify
from parts import declare, rehash, save_in_parts
from sizes import some, spread

ILLNESSES = """flu,airways,*
cold,airways,*
gout,joints,*
sprain,joints,*
"""


def patients(rows=240, seed=3):
    """People with every kind of column, and with NULL in most of them."""
    chance = random.Random(seed)

    def some(make):
        return [None if chance.random() < 0.05 else make() for _ in range(rows)]

    return pl.DataFrame(
        {
            "age": some(lambda: chance.randrange(20, 80)),
            "pay": some(lambda: chance.randrange(100) / 8),
            "born": pl.Series(some(lambda: chance.randrange(20_000)), dtype=pl.Int32).cast(pl.Date),
            "seen": pl.Series(some(lambda: chance.randrange(10**15))).cast(pl.Datetime("us")),
            "code": some(lambda: str(chance.randrange(10_000, 30_000))),
            'it\'s "so"': some(lambda: chance.choice(["a'b", 'c"d', "e`f", "\\n"])),
            "illness": some(lambda: chance.choice(["flu", "cold", "gout", "sprain"])),
            "visits": some(lambda: chance.randrange(9)),
            "pain": some(lambda: chance.choice(["none", "mild", "strong"])),
            "cared": [chance.random() < 0.5 for _ in range(rows)],
        }
    )


QUASI = {
    "age": "quasi",
    "pay": "quasi",
    'it\'s "so"': "quasi",
    "code": {"role": "quasi", "hierarchy": {"prefix": [3, 1]}},
}
SENSITIVE = {"illness": "sensitive", "visits": "sensitive", "cared": "sensitive"}
#: By name: columns, privacy and what else a policy says.
ORDERS = {
    "cells": (QUASI | SENSITIVE, {"k": 4}, {}),
    "texts": (QUASI | SENSITIVE, {"k": 4}, {"cells": "text"}),
    "days": ({"born": "quasi", "seen": "quasi", "visits": "plain"}, {"k": 5}, {}),
    "levels": (
        {
            "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
            "code": {"role": "quasi", "hierarchy": {"prefix": [3, 1]}},
            "born": {"role": "quasi", "hierarchy": {"dates": ["year", "decade"]}},
        },
        {"k": 3},
        {"method": "incognito"},
    ),
    "diverse": (
        {"age": "quasi", "code": "quasi"} | SENSITIVE,
        {
            "k": 2,
            "l": {"illness": [2, {"entropy": 1.9}, {"recursive": [4, 2]}], "visits": 3},
        },
        {},
    ),
    "close": (
        {
            "age": "quasi",
            "illness": {"role": "sensitive", "hierarchy": "illness.csv"},
            "visits": "sensitive",
            "pain": {"role": "sensitive", "domain": ["none", "mild", "bad", "strong"]},
            "cared": "sensitive",
        },
        {
            "k": 2,
            "t": {
                "illness": {"t": 0.4, "distance": "hierarchical"},
                "visits": {"t": 0.2, "distance": "ordered"},
                "pain": {"t": 0.3, "distance": "ordered"},
                "cared": {"t": 0.3, "n": 40},
            },
        },
        {},
    ),
    "shared": (
        {"age": "quasi", "pay": "quasi", "code": "quasi", "illness": "sensitive"},
        {"k": 4, "collusion_k": 2},
        {"recipients": {"clinic": ["age", "code"], "insurer": ["age", "pay"], "press": []}},
    ),
}


@cache
def generalised(name, folder):
    columns, privacy, more = ORDERS[name]
    text = json.dumps({"papilio": 1, "columns": columns, "privacy": privacy, **more})
    policy = Policy.parse(text, base=Path(folder))
    return publish(patients(), policy, name="people", seed=1)


@pytest.fixture(scope="module")
def release_of(tmp_path_factory):
    folder = tmp_path_factory.mktemp("orders")
    (folder / "illness.csv").write_text(ILLNESSES)
    return lambda name: generalised(name, str(folder))


@pytest.fixture
def both(session, tmp_path):
    """``both(release)``: the verdict that DuckDB and Spark agree on."""

    def judge(release):
        directory = release if isinstance(release, Path) else release.save(tmp_path / "release")
        here, there = verify(directory), verify_with_spark(directory, session)
        assert there == here
        return there

    return judge


def changed(release, table, **cells):
    """Put other values into the first rows of columns of a table."""
    frame = release.frames[table]
    for name, values in cells.items():
        kept = frame[name].to_list()
        kept[: len(values)] = values
        frame = frame.with_columns(pl.Series(name, kept, dtype=frame[name].dtype))
    return replace(release, frames={**release.frames, table: frame})


def claiming(release, number, **parameters):
    claims = list(release.manifest.claims)
    told = {**claims[number].parameters, **parameters}
    claims[number] = replace(claims[number], parameters=told)
    return replace(release, manifest=replace(release.manifest, claims=tuple(claims)))


def violated(verdict):
    return {f.claim for f in verdict.findings if f.status is Status.VIOLATED}


# Sound releases.


@pytest.mark.parametrize("name", some(ORDERS, "cells", "close", "shared"))
def test_sound_generalised_releases(both, release_of, name):
    assert both(release_of(name)).holds


@pytest.mark.parametrize("kind", some(["parts", "fakes", "shift", "personal", "width"]))
def test_sound_disguised_releases(both, kind):
    release, _ = disguise_releases.release_of(kind, seed=2)
    assert both(release).holds


def staff(kind, nulls):
    pay = [kind(100 + 7 * n - 9 * (n % 4)) / (8 if kind is float else 1) for n in range(24)]
    pay = [None if nulls and n % 6 == 2 else value for n, value in enumerate(pay)]
    kinds = pl.Float64 if kind is float else pl.Int64
    return pl.DataFrame(
        {"age": range(20, 44), "job": ["cook", "nurse"] * 12, "pay": pl.Series(pay).cast(kinds)}
    )


@cache
def permuted(kind=int, nulls=True):
    policy = Policy(
        columns={"age": "quasi", "job": "plain", "pay": "sensitive"},
        privacy={"k": 3, "e": 12.5 if kind is float else 10},
        method="permutation",
    )
    return publish(staff(kind, nulls), policy, name="staff", seed=1)


@pytest.mark.parametrize("kind", some([int, float]))
@pytest.mark.parametrize("nulls", [False, True])
def test_sound_permuted_releases(both, kind, nulls):
    assert both(permuted(kind, nulls)).holds


def test_sound_projected_release(both):
    assert both(projected_releases.release()).holds


def test_release_in_parts(both, release_of, tmp_path):
    assert both(save_in_parts(release_of("cells"), tmp_path / "parts", parts=4)).holds


# Damaged ones.

CELLS = {
    "swapped bounds": ("cells", "cells of people", {"age_min": [99], "age_max": [20]}),
    "one bound": ("cells", "cells of people", {"pay_min": [None]}),
    "infinite bound": ("cells", "cells of people", {"pay_max": [math.inf]}),
    "no number": ("cells", "cells of people", {"pay_max": [math.nan]}),
    "another set": ("cells", "cells of people", {'it\'s "so"': ['["b","a"]']}),
    "no label": ("cells", "cells of people", {"code": ["12**"]}),
    "no text": ("texts", "cells of people", {"age": ["[40, 30]"]}),
    "a day alone": ("days", "k-anonymity", {"seen_min": [None], "seen_max": [None]}),
    "another level": ("levels", "level of people", {"code": ["123*"]}),
    "small class": ("shared", "k-anonymity", {"age_min": [1], "age_max": [1]}),
}


@pytest.mark.parametrize("case", spread(CELLS, 2))
def test_damaged_cells(both, release_of, case):
    name, claim, cells = CELLS[case]
    assert claim in violated(both(changed(release_of(name), "people", **cells)))


def test_values_of_a_class_made_equal(both, release_of):
    release = release_of("diverse")
    frame = release.frames["people"].sort("age_min", "age_max", "code")
    damaged = replace(release, frames={"people": frame})
    verdict = both(changed(damaged, "people", illness=["flu"] * 12, visits=[1] * 12))
    assert {"distinct-l-diversity", "entropy-l-diversity", "recursive-l-diversity"} <= violated(
        verdict
    )


@pytest.mark.parametrize("distance", ["hierarchical", "ordered", "equal"])
def test_values_too_far(both, release_of, distance):
    release = release_of("close")
    claims = [
        replace(c, parameters={**c.parameters, "t": 0.05})
        for c in release.manifest.claims
        if c.parameters.get("distance") == distance
    ]
    stricter = replace(release, manifest=replace(release.manifest, claims=tuple(claims)))
    verdict = both(stricter)
    assert len(violated(verdict)) >= 1
    assert verdict.status is Status.VIOLATED


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_every_class_is_measured_alike(both, release_of, share):
    """All claims, each at several thresholds: both count the same classes and rows."""
    release = release_of("close")
    claims = tuple(
        replace(c, parameters={**c.parameters, **({"t": share} if "t" in c.parameters else {})})
        for c in release.manifest.claims
    )
    both(replace(release, manifest=replace(release.manifest, claims=claims)))


def test_order_without_a_value(both, release_of):
    release = release_of("close")
    number = next(
        n for n, c in enumerate(release.manifest.claims) if c.parameters.get("column") == "pain"
    )
    assert "t-closeness" in violated(both(claiming(release, number, order=["none", "mild"])))


def test_more_claimed_than_holds(both, release_of):
    assert "k-anonymity" in violated(both(claiming(release_of("shared"), 0, k=9)))


def test_row_left_out(both, release_of):
    release = release_of("cells")
    frames = {"people": release.frames["people"].tail(-1)}
    assert "rows of people" in violated(both(replace(release, frames=frames)))


def test_table_without_rows(both, release_of):
    release = release_of("diverse")
    frames = {"people": release.frames["people"].head(0)}
    assert not both(replace(release, frames=frames)).holds


@pytest.mark.parametrize(
    ("table", "cells", "claim"),
    spread(
        [
            ("staff", {"group": [2, 2, 2, 2]}, "groups"),
            ("staff", {"group": [None]}, "groups"),
            ("staff_values", {"pay": [1, 2, 3]}, "help of staff_help"),
            ("staff_values", {"pay": [None] * 9}, "ke-anonymity"),
            ("staff_help", {"sum_hi": [1]}, "help of staff_help"),
            ("staff_help", {"hits": [77]}, "help of staff_help"),
            ("staff_help", {"avg_lo": [0.5]}, "help of staff_help"),
        ],
        2,
    ),
)
def test_damaged_permuted_releases(both, table, cells, claim):
    assert claim in violated(both(changed(permuted(), table, **cells)))


@pytest.mark.parametrize("e", [10, 12.5, 1e9])
@pytest.mark.parametrize("kind", some([int, float]))
def test_distances_between_values(both, kind, e):
    both(claiming(permuted(kind), 0, e=e))


def test_values_that_are_no_numbers(session, tmp_path):
    damaged = changed(permuted(float, nulls=False), "staff_values", pay=[math.nan])
    directory = damaged.save(tmp_path / "release")
    assert "cells of staff_values" in violated(verify(directory))
    assert "cells of staff_values" in violated(verify_with_spark(directory, session))


@pytest.mark.parametrize("kind", some(["fakes", "personal"]))
@pytest.mark.parametrize(
    ("table", "cells"),
    [
        ("people_values", {"salary_min": [30], "salary_max": [60]}),
        ("people_values", {"salary_min": [31]}),
        ("people_values", {"group": [1, 1, 1]}),
        ("people", {"group": [99]}),
        ("people_help", {"sum_lo": [-1], "max_hi": [7]}),
        ("people_help", {"hits": [50]}),
    ],
)
def test_damaged_disguised_releases(both, kind, table, cells):
    release, _ = disguise_releases.release_of(kind, seed=2)
    both(changed(release, table, **cells))


def test_disguised_release_with_another_target(both):
    release, _ = disguise_releases.release_of("parts", seed=2)
    text = release.hierarchies["target_tree.csv"]
    lines = text.splitlines()
    heavier = [*lines[:-1], lines[-1].rpartition(",")[0] + ",7", ""]
    files = {"target_tree.csv": "\n".join(heavier)}
    assert not both(replace(release, hierarchies=files)).holds


def test_projections_that_share_a_key(both):
    """Two columns under other names that number the rows of their tables alike."""
    release = projected_releases.release()
    one, other = list(release.frames)[:2]
    frames, tables = dict(release.frames), []
    for table in release.manifest.tables:
        columns = table.columns
        if table.name in (one, other):
            key = f"key of {table.name}"
            added = PublishedColumn(key, "plain", "numeric", "value", (key,))
            frames[table.name] = frames[table.name].with_columns(pl.int_range(pl.len()).alias(key))
            columns = (*columns, added)
        tables.append(replace(table, columns=columns))
    joined = replace(
        release, frames=frames, manifest=replace(release.manifest, tables=tuple(tables))
    )
    assert "keys of the plan" in violated(both(joined))


# Files.


def test_lost_and_damaged_parts(both, release_of, tmp_path):
    target = save_in_parts(release_of("cells"), tmp_path / "parts")
    path = target / "people.00002.parquet"
    content = path.read_bytes()
    path.unlink()
    assert {"files", "tables"} <= violated(both(target))
    path.write_bytes(content[: len(content) // 2])
    assert "tables" in violated(both(rehash(target)))
    part = pl.read_parquet(target / "people.00001.parquet")
    part.with_columns(pl.col("visits").cast(pl.Int32)).write_parquet(path)
    assert "tables" in violated(both(rehash(target)))


def test_damaged_page(both, release_of, tmp_path):
    directory = release_of("cells").save(tmp_path / "damaged")
    path = directory / "people.parquet"
    content = bytearray(path.read_bytes())
    content[4:400] = random.Random(1).randbytes(396)
    path.write_bytes(content)
    assert not both(rehash(directory)).holds


def test_nothing_is_left(session, release_of, tmp_path):
    directory = release_of("close").save(tmp_path / "release")
    before = len(session.catalog.listTables())
    assert verify_with_spark(directory, session).holds
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert len(session.catalog.listTables()) == before


def test_folder_for_work(session, release_of, tmp_path, monkeypatch):
    directory = release_of("close").save(tmp_path / "release")
    work = tmp_path / "work"
    work.mkdir()
    seen = []
    monkeypatch.setattr(
        "papilio.families.engines.spark.verify.judge",
        lambda one, promise: (
            seen.extend((one.work.parent, one.work.stat().st_mode & 0o777)) or Verdict(())
        ),
    )
    verify_with_spark(directory, session, work=work)
    assert seen == [work, 0o700]
    assert list(work.iterdir()) == []


# What comes back, and what is refused.


def test_only_counts_come_back(session, tmp_path):
    """Ten times the rows, as many distinct texts: not a row more comes back."""
    policy = Policy(columns=QUASI | SENSITIVE, privacy={"k": 4, "l": {"illness": 2}})
    collected = []
    for copies in (1, 10):
        frame = pl.concat([patients()] * copies)
        directory = publish(frame, policy, name="p", seed=1).save(tmp_path / str(copies))
        with tallied() as tally:
            assert verify_with_spark(directory, session).holds
        texts = Release.open(directory).frames["p"].select("code", 'it\'s "so"')
        distinct = sum(texts[name].n_unique() for name in texts.columns)
        assert tally.rows <= distinct + len(tally.entries)
        collected.append(len(tally.entries))
    assert collected[0] == collected[1]


def test_too_many_cells(session, release_of, tmp_path, monkeypatch):
    directory = release_of("cells").save(tmp_path / "release")
    monkeypatch.setattr(opened, "MOST_ROWS", 3)
    with pytest.raises(EngineError) as caught:
        verify_with_spark(directory, session)
    assert caught.value.reason == "too-many-cells"


def test_text_files(session, release_of, tmp_path):
    directory = release_of("cells").save(tmp_path / "release", format="csv")
    with pytest.raises(EngineError) as caught:
        verify_with_spark(directory, session)
    assert caught.value.reason == "not-parquet"


def test_names_with_wildcards(session, release_of, tmp_path):
    directory = release_of("cells").save(tmp_path / "release [1]")
    with pytest.raises(EngineError) as caught:
        verify_with_spark(directory, session)
    assert caught.value.reason == "wildcards"


def test_other_kinds(session, release_of, tmp_path):
    directory = release_of("cells").save(tmp_path / "release")
    declare(directory, lambda told: told.update(kind="linked"))
    with pytest.raises(EngineError) as caught:
        verify_with_spark(directory, session)
    assert caught.value.reason == "kind-not-distributed"


def test_file_of_a_table_nobody_describes(both, release_of, tmp_path):
    directory = release_of("cells").save(tmp_path / "release")
    (directory / "others.parquet").write_bytes((directory / "people.parquet").read_bytes())
    extra = {"name": "others.parquet", "sha256": "", "table": "others"}
    declare(directory, lambda told: told["files"].append(extra))
    assert "tables" in violated(both(directory))


# The text.


def test_text_for_spark():
    statement = (
        'SELECT "a""b", \'it\'\'s \\ "x"\' AS t FROM "my table" AS m '
        'JOIN verifying.class_values USING ("from") WHERE "verifying.x" = \'verifying.y\''
    )
    assert spark_text(statement, {"my table": "v_1"}, "p") == (
        "SELECT `a\"b`, 'it\\'s \\\\ \"x\"' AS t FROM v_1 AS m "
        "JOIN p_class_values USING (`from`) WHERE `verifying.x` = 'verifying.y'"
    )


def test_questions_beside_the_protocol(session, release_of, tmp_path):
    """What checks with an original ask is answered as well."""
    directory = release_of("cells").save(tmp_path / "release")
    work = tmp_path / "work"
    work.mkdir()
    with opened.open_in_spark(directory, session, work) as release:
        (counts,) = release.arrays('SELECT count(*) AS n FROM "people"')
        assert counts.tolist() == [240]
        release.execute('SELECT count(*) FROM "people"')
        assert release.types("people")["pay_min"] == "DOUBLE"

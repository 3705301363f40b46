"""More rows than memory: the same release as in memory, from every kind of file."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import date, datetime, time, timedelta

import numpy as np
import polars as pl
import pytest

from on_disk import left_behind, ordered, publish_both, publish_on_disk, table_of
from papilio.errors import VerificationError
from papilio.policy.policy import Policy
from papilio.verify import judge
from papilio.verify.verdict import finding
from papilio.workflow.publish import publish_to
from sizes import some

#: What the verifier finds where the order of lines says nothing.
NOTHING = finding("order of lines", "says nothing", "not looked at", holds=True)

COLUMNS = {
    "name": "identifier",
    "age": "quasi",
    "born": "quasi",
    "job": {"role": "quasi", "type": "category"},
    "postcode": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [3, 2, 1]}},
    "tax": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
    "ill": "quasi",
    "disease": "sensitive",
    "salary": "sensitive",
    "seen": "plain",
    "remark": "plain",
}


def people(rows=1500, seed=5):
    """Rows of all types, with NULL, line breaks and quotes in text."""
    random = np.random.default_rng(seed)
    days = [date(1960, 1, 1) + timedelta(days=int(n)) for n in random.integers(0, 9000, rows)]
    frame = pl.DataFrame(
        {
            "name": [f"person {n}" for n in range(rows)],
            "age": random.integers(17, 80, rows),
            "born": days,
            "job": random.choice(["clerk", 'a "boss"', "line\nbreak", "nurse, head"], rows),
            "postcode": [str(1000 + 7 * n) for n in random.integers(0, 90, rows)],
            "tax": random.integers(0, 40, rows),
            "ill": random.random(rows) < 0.3,
            "disease": random.choice(["flu", "hiv", "none", "ulcer"], rows),
            "salary": random.integers(900, 4000, rows) / 2,
            "seen": [datetime(2020, 1, 1) + timedelta(minutes=int(n)) for n in range(rows)],
            "remark": [f"remark\n{n}" for n in range(rows)],
        }
    )
    holes = {name: random.random(rows) < 0.04 for name in frame.columns if name != "name"}
    return frame.with_columns(
        pl.when(pl.Series(hole)).then(None).otherwise(pl.col(name)).alias(name)
        for name, hole in holes.items()
    )


def policy_for(source, privacy=None, **more):
    chosen = {"privacy": privacy or {"k": 4}, "method": "mondrian", **more}
    return Policy(source=str(source), columns=COLUMNS, **chosen)


@pytest.fixture
def small_blocks(monkeypatch):
    """Many batches of a small file."""
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 190)
    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 3000)
    monkeypatch.setattr("papilio.families.engines.disk.rows_on_disk.WINDOW", 170)


def write(frame, folder, kind):
    if kind == "folder":
        (folder / "people").mkdir()
        half = frame.height // 2
        frame[:half].with_columns(pl.col("age").cast(pl.Int16)).write_parquet(
            folder / "people" / "a.parquet"
        )
        frame[half:].write_parquet(folder / "people" / "b.parquet")
        return folder / "people"
    source = folder / f"people.{kind}"
    if kind == "parquet":
        frame.write_parquet(source, row_group_size=400)
    else:
        frame.write_csv(source, separator="\t" if kind == "tsv" else ",")
    return source


def judged(publication):
    """What was found, but for how that was told where it depends on the files."""
    telling = ("files", "truthfulness", "order of lines", "order of the source")
    return [
        replace(each, measured="") if each.claim in telling else each
        for each in publication.verdict.findings
    ]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", some(["parquet", "csv", "tsv", "folder"], "csv"))
@pytest.mark.parametrize(
    "privacy",
    some([{"k": 3, "l": {"disease": 2}, "t": {"salary": 0.5}}, {"k": 4}]),
)
def test_the_same_release_as_in_memory(tmp_path, kind, privacy):
    policy = policy_for(write(people(), tmp_path, kind), privacy)
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    assert len(list((tmp_path / "pieces").glob("*.parquet"))) > 6
    assert table_of(pieces).equals(table_of(memory))
    assert pieces.release.manifest.claims == memory.release.manifest.claims
    assert pieces.release.manifest.tables == memory.release.manifest.tables
    assert judged(pieces) == judged(memory)
    assert pieces.left_out == memory.left_out
    assert left_behind(tmp_path) == []


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", some(["parquet", "csv"]))
def test_columns_with_too_many_values_are_still_read_exactly(tmp_path, kind):
    frame = people()
    source = write(frame, tmp_path, kind)
    policy = policy_for(source)
    pieces = publish_on_disk(tmp_path / "pieces", policy, values=95)
    memory = publish_to(tmp_path / "memory", policy)
    carried = ["disease", "salary", "seen", "remark"]
    assert table_of(pieces).schema == table_of(memory).schema
    assert ordered(table_of(pieces).select(carried)).equals(
        ordered(table_of(memory).select(carried))
    )
    assert pieces.release.verify(original=policy).holds


@pytest.mark.parametrize("values", some([3, 100_000]))
@pytest.mark.parametrize(
    ("cells", "last", "dtype"),
    some(
        [
            (["1", "2", "3", "4"], "4.5", pl.Float64),
            (["1", "2", "3", "4"], "99999999999999999999", pl.String),
            (["1", "2", "3", "4"], "017", pl.String),
            (["1", "2", "3", "4"], "-7", pl.Int64),
            (
                ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"],
                "2020-01-05 10:30",
                pl.Datetime,
            ),
            (["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"], "2020-13-05", pl.String),
            (["true", "false", "TRUE", "False"], "true", pl.Boolean),
            (["true", "false", "TRUE", "False"], "1", pl.String),
        ],
        first=5,
    ),
)
@pytest.mark.usefixtures("small_blocks")
def test_a_type_that_shows_in_the_last_block_is_found(tmp_path, values, cells, last, dtype):
    rows = [f"{n % 50},{cells[n % 4]}" for n in range(2000)]
    (tmp_path / "t.csv").write_text("\n".join(["age,cell", *rows, f"3,{last}"]) + "\n")
    policy = Policy(
        source=str(tmp_path / "t.csv"),
        columns={"age": "quasi", "cell": "plain"},
        privacy={"k": 5},
        method="mondrian",
    )
    pieces = publish_on_disk(tmp_path / "pieces", policy, piece_rows=400, values=values)
    memory = publish_to(tmp_path / "memory", policy)
    assert table_of(pieces).equals(table_of(memory))
    assert table_of(pieces).schema["cell"] == dtype


@pytest.mark.usefixtures("small_blocks")
def test_many_decimals_in_text_are_cut_between_bins(tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.families.engines.meanings.BINS", 32)
    monkeypatch.setattr("papilio.families.engines.disk.count_pass.SUMMARY", 64)
    lines = [f"{n * 37 % 1999 / 8},{n % 3}" for n in range(2000)]
    (tmp_path / "t.csv").write_text("\n".join(["pay,ill", *lines]) + "\n,1\n,2\n")
    policy = Policy(
        source=str(tmp_path / "t.csv"),
        columns={"pay": "quasi", "ill": "sensitive"},
        privacy={"k": 5},
        method="mondrian",
    )
    pieces = publish_on_disk(tmp_path / "pieces", policy, piece_rows=400, values=50)
    assert len(list((tmp_path / "pieces").glob("*.parquet"))) > 3
    assert pieces.release.verify(original=policy).holds
    widths = table_of(pieces).select(pl.col("pay_max") - pl.col("pay_min")).to_series()
    # In memory every class of about five neighbours spans some five eighths.
    assert widths.drop_nulls().median() < 2


def test_a_class_larger_than_a_piece_is_published_in_parts(tmp_path):
    frame = pl.DataFrame(
        {
            "age": [30, 40] * 1000,
            "pay": [1.5, None, 2.5, 7.0] * 500,
            "n": range(2000),
            "d": ["a", "b"] * 1000,
        }
    )
    frame.write_parquet(tmp_path / "t.parquet")
    policy = Policy(
        source=str(tmp_path / "t.parquet"),
        columns={"age": "quasi", "pay": "quasi", "d": "sensitive", "n": "plain"},
        privacy={"k": 2, "t": {"d": 0.0}},
        method="mondrian",
    )
    for values in (100_000, 2):
        pieces = publish_on_disk(
            tmp_path / f"pieces{values}", policy, piece_rows=300, values=values
        )
        memory = publish_to(tmp_path / f"memory{values}", policy)
        assert len(list((tmp_path / f"pieces{values}").glob("*.parquet"))) > 5
        assert table_of(pieces).equals(table_of(memory))


def test_a_class_in_parts_needs_no_column_beside_the_quasi_identifiers(tmp_path):
    pl.DataFrame({"age": [30, 40] * 1000}).write_parquet(tmp_path / "t.parquet")
    policy = Policy(
        source=str(tmp_path / "t.parquet"),
        columns={"age": "quasi"},
        privacy={"k": 2},
        method="mondrian",
    )
    pieces = publish_on_disk(tmp_path / "pieces", policy, piece_rows=300)
    assert len(list((tmp_path / "pieces").glob("*.parquet"))) > 5
    assert table_of(pieces).get_column("age_min").value_counts().sort("age_min").rows() == [
        (30, 1000),
        (40, 1000),
    ]


def test_nothing_of_the_order_of_the_source_is_left(tmp_path):
    rows = 4000
    frame = pl.DataFrame({"age": [n % 40 for n in range(rows)], "row": range(rows)})
    frame.write_parquet(tmp_path / "t.parquet")
    policy = Policy(
        source=str(tmp_path / "t.parquet"),
        columns={"age": "quasi", "row": "plain"},
        privacy={"k": 50},
        method="mondrian",
    )
    publish_on_disk(tmp_path / "out", policy, piece_rows=500)
    for file in sorted((tmp_path / "out").glob("*.parquet")):
        part = pl.read_parquet(file)
        for _, own in part.group_by("age_min"):
            steps = own.get_column("row").diff().drop_nulls()
            # In the order of the source every step would be upwards; by chance half of them are.
            assert 0.25 < (steps > 0).mean() < 0.75


@pytest.mark.long
def test_files_are_numbered_by_chance(tmp_path):
    frame = pl.DataFrame({"age": range(2000)})
    frame.write_parquet(tmp_path / "t.parquet")
    policy = Policy(
        source=str(tmp_path / "t.parquet"), columns={"age": "quasi"}, privacy={"k": 5},
        method="mondrian",
    )  # fmt: skip
    orders = set()
    for run in range(3):
        publish_on_disk(tmp_path / f"out{run}", policy, piece_rows=200)
        files = sorted((tmp_path / f"out{run}").glob("*.parquet"))
        orders.add(tuple(pl.read_parquet(file).get_column("age_min").min() for file in files))
    assert len(orders) > 1


@pytest.mark.parametrize("kind", some(["parquet", "csv"]))
def test_several_recipients_and_text_cells(tmp_path, kind):
    source = write(people(), tmp_path, "parquet")
    policy = policy_for(
        source,
        {"k": 4, "collusion_k": 2},
        recipients={"a": ["age", "born", "job"], "b": ["job", "postcode", "tax", "ill"]},
        method="butterfly",
        cells="text",
    )
    pieces = publish_on_disk(tmp_path / "pieces", policy, piece_rows=600, format=kind)
    memory = publish_to(tmp_path / "memory", policy, format=kind)
    assert pieces.release.manifest.claims == memory.release.manifest.claims
    assert [found.claim for found in judged(pieces)] == [found.claim for found in judged(memory)]
    assert pieces.release.verify(original=policy).holds


def test_a_seed_makes_it_repeatable_and_is_told(tmp_path):
    policy = policy_for(write(people(), tmp_path, "parquet"))
    runs = [publish_on_disk(tmp_path / f"o{n}", policy, seed=7) for n in range(2)]
    for first, second in zip(
        sorted((tmp_path / "o0").iterdir()), sorted((tmp_path / "o1").iterdir()), strict=True
    ):
        assert first.read_bytes() == second.read_bytes()
    assert runs[0].release.manifest.seeded


def test_times_and_declared_labels_are_carried(tmp_path):
    rows = 300
    frame = pl.DataFrame(
        {
            "age": [n % 30 for n in range(rows)],
            "at": [time(n % 24, 5) for n in range(rows)],
            "code": range(rows),
        }
    )
    frame.write_parquet(tmp_path / "t.parquet")
    policy = Policy(
        source=str(tmp_path / "t.parquet"),
        columns={"age": "quasi", "at": "plain", "code": {"role": "plain", "type": "category"}},
        privacy={"k": 3},
        method="mondrian",
    )
    for values in (10, 1000):
        pieces = publish_on_disk(tmp_path / f"p{values}", policy, piece_rows=90, values=values)
        memory = publish_to(tmp_path / f"m{values}", policy)
        assert table_of(pieces).equals(table_of(memory))


@pytest.mark.usefixtures("small_blocks")
def test_compressed_files_of_a_folder_with_texts_for_null(tmp_path):
    folder = tmp_path / "people"
    folder.mkdir()
    lines = [f" {n % 40} ,{'?' if n % 7 == 0 else 'flu'},{n % 5 or 'none'}" for n in range(1200)]
    for name, part in (("a", lines[:600]), ("b", lines[600:])):
        with gzip.open(folder / f"{name}.csv.gz", "wt") as file:
            file.write("\n".join(["age,ill,grade", *part]) + "\n")
    policy = Policy(
        source={"file": str(folder), "null": ["?", "none"]},
        columns={"age": "quasi", "grade": "quasi", "ill": "sensitive"},
        privacy={"k": 4, "l": {"ill": 2}},
        method="mondrian",
    )
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    assert table_of(pieces).equals(table_of(memory))
    assert "grade_null" in table_of(pieces).columns


@pytest.mark.long
@pytest.mark.usefixtures("small_blocks")
def test_files_of_a_folder_with_their_columns_in_another_order(tmp_path):
    folder = tmp_path / "people"
    folder.mkdir()
    frame = people(600)
    frame[:300].write_csv(folder / "a.csv")
    frame[300:].select(reversed(frame.columns)).write_csv(folder / "b.csv")
    policy = policy_for(folder)
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    assert table_of(pieces).equals(table_of(memory))


@pytest.mark.long
@pytest.mark.usefixtures("small_blocks")
def test_a_query_is_run_once_and_published_as_in_memory(tmp_path):
    write(people(), tmp_path, "parquet")
    query = f"SELECT *, age > 40 AS old FROM '{tmp_path}/people.parquet'"
    policy = Policy(source={"sql": query}, columns=COLUMNS, privacy={"k": 4}, method="mondrian")
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    assert table_of(pieces).equals(table_of(memory))
    assert pieces.left_out == memory.left_out == ("old",)
    assert left_behind(tmp_path) == []


def test_lines_in_the_order_of_the_source_are_not_written(tmp_path, monkeypatch):
    policy = policy_for(write(people().drop_nulls(), tmp_path, "parquet"), {"k": 30})

    def ordered(classes, _):
        parts = np.split(classes.rows, classes.starts[1:-1])
        return replace(classes, rows=np.concatenate([np.sort(each) for each in parts]))

    monkeypatch.setattr("papilio.families.generalising.publish.shuffle", ordered)
    # By the release alone nobody can tell, if nothing in it goes with the order of the source.
    monkeypatch.setattr(judge, "check_order", lambda _: NOTHING)
    with pytest.raises(VerificationError, match=r"of the source: in . of . files it follows"):
        publish_on_disk(tmp_path / "out", policy, piece_rows=400)
    assert left_behind(tmp_path) == []


def test_numbers_of_32_bits_are_published_as_their_owner_wrote_them(tmp_path):
    tenths = [place % 40 / 10 for place in range(800)]
    frame = pl.DataFrame(
        {"x": pl.Series(tenths, dtype=pl.Float32), "y": range(800), "z": ["a", "b"] * 400}
    )
    frame.write_parquet(tmp_path / "tenths.parquet")
    policy = Policy(
        source=str(tmp_path / "tenths.parquet"),
        columns={"x": "quasi", "y": "quasi", "z": "sensitive"},
        privacy={"k": 5},
        method="mondrian",
    )
    pieces, memory = publish_both(tmp_path, policy)
    for made in (pieces, memory):
        ends = table_of(made).select("x_min", "x_max").unpivot().get_column("value")
        assert set(ends) <= set(tenths)

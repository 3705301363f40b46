"""Parquet files that say untrue or unasked-for things about themselves, with true hashes.

Readers believe them: a database that takes the smallest and the largest value from the footer puts
20 000 different rows into one class.
"""

import base64
import random

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forged_parquet import (
    BINARY,
    I32,
    I64,
    LIST,
    STRUCT,
    columns_of,
    forge,
    groups_of,
    metadata_of,
    say,
    whole,
)
from papilio.errors import ReleaseError
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.ask import ask
from papilio.workflow.verify import verify
from parts import rehash
from sizes import spread

ROWS = 20_000
COLUMNS = (
    PublishedColumn("age", "quasi", "numeric", "range", ("age_min", "age_max")),
    PublishedColumn("ill", "sensitive", "category", "value", ("ill",)),
)


def different_rows():
    ages = list(range(ROWS))
    random.Random(1).shuffle(ages)
    return pl.DataFrame({"age_min": ages, "age_max": ages, "ill": ["flu", "cold"] * (ROWS // 2)})


def save(tmp_path, frame, k=5):
    claim = Claim("k-anonymity", "people", "everyone", ("age",), {"k": k})
    table = PublishedTable("people", COLUMNS, frame.height)
    manifest = Manifest("generalised", "mondrian", (claim,), (table,))
    return Release(manifest, {"people": frame}).save(tmp_path / "release")


def ages_of(footer):
    return [c for c in columns_of(footer) if metadata_of(c)[3][1][1][0] != b"ill"]


def _all_ages(smallest, largest, nulls=0, **more):
    def change(footer):
        for chunk in ages_of(footer):
            say(chunk, whole(smallest), whole(largest), nulls, **more)

    return change


def _old_fields(footer):
    for chunk in ages_of(footer):
        metadata_of(chunk)[12] = (STRUCT, {1: (BINARY, whole(9)), 2: (BINARY, whole(0))})


def _one_group(footer):
    last = groups_of(footer)[-1][1][1][1][0]
    say(last, whole(0), whole(0))


def _in_chunk(number, kind, value):
    def change(footer):
        ages_of(footer)[0][number] = (kind, value)

    return change


def _in_column(number, kind, value):
    def change(footer):
        metadata_of(ages_of(footer)[0])[number] = (kind, value)

    return change


def _fewer_rows(footer):
    """The footer tells half of the rows, the pages hold all."""
    footer[3] = (I64, footer[3][1] // 2)
    for group in groups_of(footer):
        group[3] = (I64, group[3][1] // 2)
    for chunk in columns_of(footer):
        metadata_of(chunk)[5] = (I64, metadata_of(chunk)[5][1] // 2)


def _other_total(footer):
    footer[3] = (I64, 57)


def _other_indexes(footer):
    """The pages of one column are told to be where those of another are."""
    one, other = ages_of(footer)[:2]
    one[4], one[5] = other[4], other[5]


def _other_summaries(footer):
    """An index tells the smallest and largest value of another row group."""
    first, last = ages_of(footer)[0], ages_of(footer)[-1]
    first[6], first[7] = last[6], last[7]


def _sorted(footer):
    groups_of(footer)[0][4] = (LIST, (STRUCT, [{1: (I32, 0), 2: (2, None), 3: (2, None)}]))


def _metadata(key, value):
    def change(footer):
        entry = {1: (BINARY, key), 2: (BINARY, value)}
        footer[5] = (LIST, (STRUCT, [*footer[5][1][1], entry]))

    return change


def _words_for_arrow(footer):
    field = pa.field("age_min", pa.int64(), metadata={"source": "patients of Dr. Miller"})
    schema = pa.schema([field, pa.field("age_max", pa.int64()), pa.field("ill", pa.string())])
    text = base64.b64encode(schema.serialize().to_pybytes())
    footer[5] = (LIST, (STRUCT, [{1: (BINARY, b"ARROW:schema"), 2: (BINARY, text)}]))


def _writer(footer):
    footer[6] = (BINARY, b"Polars version 2.0 (build of Dr. Miller, ward 7)")


def _renamed(name):
    def change(footer):
        footer[2][1][1][1][4] = (BINARY, name)
        for chunk in columns_of(footer)[::3]:
            metadata_of(chunk)[3] = (LIST, (BINARY, [name]))
        footer.pop(5)

    return change


LIES = {
    "few values": (_all_ages(0, 100), "untrue"),
    "one value": (_all_ages(5, 5), "untrue"),
    "all NULL": (_all_ages(0, 0, nulls=5000), "untrue"),
    "too wide": (_all_ages(-5, 10**9), "untrue"),
    "old fields": (_old_fields, "untrue"),
    "one row group": (_one_group, "untrue"),
    "distinct values": (_all_ages(0, 19_999, distinct=3), "different values"),
    "summaries of pages": (_other_summaries, "untrue"),
    "places of pages": (_other_indexes, "elsewhere"),
    "Bloom filter": (_in_column(14, I64, 4), "Bloom"),
    "column of another file": (_in_chunk(1, BINARY, b"../other.parquet"), "another file"),
    "metadata of a column": (
        _in_column(8, LIST, (STRUCT, [{1: (BINARY, b"k"), 2: (BINARY, b"v")}])),
        "metadata",
    ),
    "sorted": (_sorted, "sorted"),
    "fewer rows": (_fewer_rows, "values than of rows"),
    "another total": (_other_total, "number of rows"),
    "encrypted": (_in_chunk(8, STRUCT, {}), "encrypted"),
    "unknown field": (_in_chunk(99, I32, 1), "unknown"),
    "metadata": (_metadata(b"source", b"/home/miller/patients.csv"), "metadata"),
    "metadata of pandas": (_metadata(b"pandas", b'{"columns": ["name"]}'), "metadata"),
    "metadata of Arrow": (_words_for_arrow, "metadata"),
    "writer": (_writer, "writer"),
    "NUL in a name": (_renamed(b"age\x00_min"), "name"),
    "escape in a name": (_renamed(b"age\x1b[31m"), "name"),
    "name in another encoding": (_renamed(b"age\xff"), "UTF-8"),
    "two columns of one name": (_renamed(b"age_max"), "one name"),
}


@pytest.mark.parametrize("lie", spread(LIES, 6))
def test_no_reader_believes_a_forged_footer(tmp_path, lie):
    change, words = LIES[lie]
    target = save(tmp_path, different_rows())
    path = target / "people.parquet"
    different_rows().write_parquet(path, row_group_size=5000)
    forge(path, change)
    rehash(target)
    verdict = verify(target)
    assert verdict.status is Status.VIOLATED
    (files,) = (each for each in verdict.findings if each.claim == "files")
    assert words in files.measured
    assert "Miller" not in files.measured
    for read in (Release.open, lambda place: ask(place, "SELECT count(*) FROM people")):
        with pytest.raises(ReleaseError) as caught:
            read(target)
        assert words in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("nulls", [0, 5000])
def test_different_rows_are_not_one_class(tmp_path, nulls):
    """Even where a file without statistics is believed, k is counted from rows."""
    target = save(tmp_path, different_rows())
    claims = {each.claim: each for each in verify(target).findings}
    assert claims["k-anonymity"].measured.startswith("k = 1 over 20000 classes")
    forge(target / "people.parquet", _all_ages(0, 100, nulls))
    rehash(target)
    assert verify(target).status is Status.VIOLATED


def _by_polars(frame, path):
    frame.write_parquet(path, row_group_size=7)


def _by_arrow(frame, path):
    pq.write_table(frame.to_arrow(), path, row_group_size=7)


def _by_arrow_2(frame, path):
    pq.write_table(frame.to_arrow(), path, data_page_version="2.0", compression="gzip")


@pytest.mark.parametrize("write", [_by_polars, _by_arrow, _by_arrow_2])
def test_true_statistics_are_accepted(tmp_path, write):
    ages = [20, 20, None, 30, 30, -5, -5, 2**40, 2**40, None]
    ills = ["", "é" * 99, None, "\U0001f600" * 40, "flu"] * 2
    frame = pl.DataFrame({"age_min": ages, "age_max": ages, "ill": ills})
    shown = save(tmp_path, frame, k=2)
    write(frame, shown / "people.parquet")
    rehash(shown)
    assert {f.claim: f.status for f in verify(shown).findings}["files"] is Status.HOLDS
    assert Release.open(shown).frames["people"].equals(frame)


def test_papilio_writes_no_statistics_and_no_metadata(tmp_path):
    frame = different_rows().with_columns(
        ill=pl.Series(["flu", "cold"] * (ROWS // 2), dtype=pl.Enum(["flu", "cold", "unseen"]))
    )
    path = save(tmp_path, frame) / "people.parquet"
    written = pq.read_metadata(path)
    chunks = [
        written.row_group(group).column(column)
        for group in range(written.num_row_groups)
        for column in range(written.num_columns)
    ]
    assert not any(chunk.is_stats_set for chunk in chunks)
    assert set(written.metadata) == {b"ARROW:schema"}
    assert not any(field.metadata for field in pq.read_schema(path))
    assert pl.read_parquet(path).schema["ill"] == pl.String


def test_a_bomb_of_rows(tmp_path):
    """Runs of equal cells take no room: a small file may say to have any number of rows."""
    target = save(tmp_path, different_rows())
    nothing = pa.table({"age_min": pa.nulls(30_000_000, pa.int64())})
    pq.write_table(
        nothing,
        target / "people.parquet",
        row_group_size=30_000_000,
        max_rows_per_page=30_000_000,
        write_batch_size=30_000_000,
    )
    rehash(target)
    (files,) = (each for each in verify(target).findings if each.claim == "files")
    assert "cells than its size allows" in files.measured


def test_a_bomb_of_bytes(tmp_path):
    target = save(tmp_path, different_rows())
    long = pa.table({"ill": pa.array(["x" * (150 << 20)] * 2, pa.large_string())})
    pq.write_table(
        long,
        target / "people.parquet",
        compression="zstd",
        use_dictionary=False,
        write_statistics=False,
    )
    rehash(target)
    (files,) = (each for each in verify(target).findings if each.claim == "files")
    assert "unpacks to far more" in files.measured


def test_columns_within_columns(tmp_path):
    target = save(tmp_path, different_rows())
    pq.write_table(pa.table({"ill": [[["flu"]]]}), target / "people.parquet")
    rehash(target)
    (files,) = (each for each in verify(target).findings if each.claim == "files")
    assert "columns within columns" in files.measured

"""No cell of the data may appear in a finding or an exception, whatever is damaged."""

import json
import traceback

import numpy as np
import polars as pl
import pytest
from damage import Sample, release_of

from papilio.errors import PapilioError
from papilio.families.classes import Classes
from papilio.policy.policy import Policy
from sizes import spread

MARK = "Zebra"
NUMBER = 7654321

#: What a marked cell of each published column looks like.
CELLS = {
    "name": f'["{MARK}one","{MARK}two"]',
    "code": f"{MARK}99",
    "city": f"{MARK}ville",
    "pet": f'["{MARK}cat"]',
    "age_min": NUMBER * 10,
    "age_max": NUMBER * 10,
    "illness": f"{MARK}itis",
    "pay": NUMBER * 10,
}


@pytest.fixture(params=["parquet", "csv"])
def marked(request, tmp_path):
    return marked_release(tmp_path, request.param)


@pytest.fixture
def marked_csv(tmp_path):
    return marked_release(tmp_path, "csv")


def marked_release(tmp_path, form):
    """A release of which every value carries a mark."""
    rows = 6
    frame = pl.DataFrame(
        {
            "name": [f"{MARK}{n % 2}" for n in range(rows)],
            "code": [f"{MARK}{n}" for n in range(rows)],
            "city": [f"{MARK}{n % 3}" for n in range(rows)],
            "pet": [f"{MARK}{n}" for n in range(rows)],
            "age": [NUMBER + n for n in range(rows)],
            "illness": [f"{MARK}{n}" for n in range(rows)],
            "pay": [NUMBER + n for n in range(rows)],
        }
    )
    paths = "".join(f"{MARK}{n},{MARK}land,All\n" for n in range(3))
    (tmp_path / "cities.csv").write_text(paths)
    policy = Policy.parse(
        f"""
        papilio: 1
        columns:
          name: quasi
          code: {{role: quasi, hierarchy: {{prefix: [{len(MARK)}]}}}}
          city: {{role: quasi, hierarchy: cities.csv}}
          pet: {{role: quasi, hierarchy: automatic}}
          age: quasi
          illness: sensitive
          pay: plain
        privacy: {{k: 3}}
        """,
        base=tmp_path,
    )
    classes = Classes(np.arange(rows, dtype=np.int32), np.array([0, 3, 6]))
    target = tmp_path / "release"
    release_of(frame, policy, classes).save(target, format=form)
    return Sample(target, policy, frame)


def assert_silent(sample):
    """Judge, and look for marks in everything that comes out."""
    try:
        verdict = sample.verdict(original=True)
    except PapilioError:
        text = traceback.format_exc()
    else:
        assert not verdict.holds
        text = json.dumps(verdict.to_dict()) + repr(verdict)
    assert MARK not in text
    assert str(NUMBER)[:5] not in text


def test_the_marks_are_there(marked):
    content = marked.published.write_json()
    assert MARK in content
    assert str(NUMBER) in content
    assert marked.verdict(original=True).holds


@pytest.mark.parametrize("column", spread(CELLS, 4))
def test_damaged_cell(marked, column):
    marked.change(0, **{column: CELLS[column]})
    assert_silent(marked)


@pytest.mark.parametrize("column", ["age_min", "pay"])
def test_number_that_became_text(marked, column):
    frame = marked.published.with_columns(pl.format(f"{MARK}{{}}", column).alias(column))
    assert_silent(marked.rewrite(frame))


@pytest.mark.parametrize("column", ["age_min", "pay"])
def test_one_number_that_became_text_in_csv(marked_csv, column):
    """DuckDB's own message about such a cell would quote it."""
    frame = marked_csv.published
    values = frame[column].cast(pl.String).to_list()
    values[-1] = f"{MARK}{NUMBER}"
    assert_silent(marked_csv.rewrite(frame.with_columns(pl.Series(column, values))))


def test_dropped_row(marked):
    assert_silent(marked.rewrite(marked.published[1:]))


def test_torn_file(marked):
    content = marked.file.read_bytes()
    marked.file.write_bytes(content[: len(content) // 2])
    assert_silent(marked.rehash())


def test_torn_line(marked_csv):
    content = marked_csv.file.read_bytes()
    marked_csv.file.write_bytes(content + f'{MARK},"{NUMBER}\n'.encode())
    assert_silent(marked_csv.rehash())


def test_damage_in_the_middle(marked):
    content = bytearray(marked.file.read_bytes())
    middle = len(content) // 3
    content[middle : middle + 40] = b"\xff" * 40
    marked.file.write_bytes(content)
    assert_silent(marked.rehash())


def test_hierarchy_without_its_labels(marked):
    (file,) = marked.directory.glob("hierarchy_*.csv")
    file.write_text(f"{MARK},{NUMBER}\n{MARK},other\n")
    assert_silent(marked.rehash())


def test_values_in_the_manifest(marked):
    """Names of columns are public, values where names belong are the forger's own doing."""
    manifest = marked.manifest
    manifest["tables"][0]["rows"] = f"{MARK}{NUMBER}"
    assert_silent(marked.declare(manifest))


def test_another_original(marked):
    other = marked.frame.with_columns(illness=pl.lit(f"{MARK}x"))
    assert_silent(Sample(marked.directory, marked.policy, other))

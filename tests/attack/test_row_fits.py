"""Which published cells cover a value of the original, against reading them one by one."""

import json

import polars as pl
import pytest

from papilio import K, Policy, publish
from papilio.attack.known_children import covering
from papilio.policy.apply import order_of

FRAME = pl.DataFrame(
    {
        "age": [20, None, 31, 31, 47, 52, None, 60],
        "job": ["a", "b", None, "c", "c", "d", "a", None],
        "town": ["1010", "1011", "1100", "2000", "1010", "2001", "2000", "1100"],
    }
)
COLUMNS = {
    "age": "quasi",
    "job": "quasi",
    "town": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [2, 1]}},
}


def in_range(row, value):
    if value is None:
        return row["age_null"]
    return row["age_min"] is not None and row["age_min"] <= value <= row["age_max"]


def under(row, value):
    label = row["town"]
    return label in (value, "*") or (label.endswith("*") and value.startswith(label[:-1]))


FITS = {
    "age": in_range,
    "job": lambda row, value: value in json.loads(row["job"]),
    "town": under,
}


@pytest.mark.parametrize("k", [1, 2, 3, 8])
@pytest.mark.parametrize("name", COLUMNS)
def test_covers_what_the_cell_says(name, k):
    policy = Policy(columns=COLUMNS, privacy=K(k), method="mondrian")
    release = publish(FRAME, policy)
    published = release.frames["table"]
    (column,) = (each for each in release.manifest.tables[0].columns if each.name == name)
    table = order_of(FRAME, policy, "table")[0].table
    (described,) = (each for each in table.columns if each.name == name)
    fits = covering(column, published, described, table.frame.get_column(name))
    for row, value in enumerate(FRAME.get_column(name)):
        expected = [FITS[name](each, value) for each in published.iter_rows(named=True)]
        assert fits(row).tolist() == expected
        assert any(expected)

"""NULL is a value of its own: equal to NULL and to nothing else."""

import numpy as np
import polars as pl
import pytest
from damage import assert_holds, assert_violated, release_of

from papilio.families.classes import Classes
from papilio.policy.policy import Policy
from papilio.workflow.verify import verify

POLICIES = {
    "range": ("quasi", [5, 6]),
    "set": ("quasi", ["a", "b"]),
    "prefix": ({"role": "quasi", "hierarchy": {"prefix": [1]}}, ["ab", "cd"]),
    "intervals": ({"role": "quasi", "hierarchy": {"intervals": [5]}}, [5, 11]),
    "automatic": ({"role": "quasi", "hierarchy": "automatic"}, ["a", "b"]),
}


def released(kind, values, sizes, k, cells="bounds"):
    """A table of one quasi-identifier, its rows in classes of these sizes."""
    role, _ = POLICIES[kind]
    frame = pl.DataFrame({"q": values, "s": [f"s{n}" for n in range(len(values))]})
    policy = Policy(columns={"q": role, "s": "sensitive"}, privacy={"k": k}, cells=cells)
    rows = np.arange(len(values), dtype=np.int32)
    return release_of(frame, policy, Classes(rows, np.cumsum([0, *sizes]))), policy, frame


def k_of(verdict):
    (found,) = [f for f in verdict.findings if f.claim == "k-anonymity"]
    return int(found.measured.split(" ")[2])


@pytest.mark.parametrize("cells", ["bounds", "text"])
@pytest.mark.parametrize("kind", POLICIES)
def test_five_equal_rows_and_one_null_are_1_anonymous(kind, cells):
    value = POLICIES[kind][1][0]
    release, policy, frame = released(kind, [value] * 5 + [None], [5, 1], k=2, cells=cells)
    verdict = verify(release, original=policy, data=frame)
    assert_violated(verdict, "k-anonymity")
    assert k_of(verdict) == 1


@pytest.mark.parametrize("cells", ["bounds", "text"])
@pytest.mark.parametrize("kind", POLICIES)
def test_rows_with_null_are_a_class_together(kind, cells):
    value = POLICIES[kind][1][0]
    release, policy, frame = released(kind, [value] * 5 + [None] * 3, [5, 3], k=3, cells=cells)
    verdict = verify(release, original=policy, data=frame)
    assert_holds(verdict)
    assert k_of(verdict) == 3


@pytest.mark.parametrize("cells", ["bounds", "text"])
@pytest.mark.parametrize("kind", POLICIES)
def test_a_class_may_mix_null_with_values(kind, cells):
    one, other = POLICIES[kind][1]
    release, policy, frame = released(kind, [one, None, other, None], [4], k=4, cells=cells)
    verdict = verify(release, original=policy, data=frame)
    assert_holds(verdict)
    assert k_of(verdict) == 4


@pytest.mark.parametrize("kind", POLICIES)
def test_null_is_not_any_value(kind):
    """A cell that says NULL is not true of a value, and one that says a value not of NULL."""
    one, other = POLICIES[kind][1]
    release, policy, frame = released(kind, [one, one, None, None], [2, 2], k=2)
    for wrong in ([one, one, None, one], [one, None, None, None], [one, one, None, other]):
        data = frame.with_columns(q=pl.Series(wrong, dtype=frame["q"].dtype))
        assert_violated(verify(release, original=policy, data=data), "truthfulness")


def test_nulls_of_sensitive_values_are_values():
    frame = pl.DataFrame({"q": [1, 1], "s": [None, "x"]})
    policy = Policy(columns={"q": "quasi", "s": "sensitive"}, privacy={"k": 2})
    release = release_of(frame, policy, Classes(np.arange(2, dtype=np.int32), np.array([0, 2])))
    assert_holds(verify(release, original=policy, data=frame))
    for wrong in (["x", "x"], [None, None]):
        data = frame.with_columns(s=pl.Series(wrong, dtype=pl.String))
        assert_violated(verify(release, original=policy, data=data), "truthfulness")


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_columns_that_are_null_throughout(tmp_path, form):
    """In a CSV file nothing shows their types."""
    frame = pl.DataFrame(
        {"age": [None] * 4, "born": [None] * 4, "pay": [None] * 4, "ok": [None] * 4},
        schema={"age": pl.Int64, "born": pl.Date, "pay": pl.Float64, "ok": pl.Boolean},
    )
    policy = Policy(
        columns={"age": "quasi", "born": "quasi", "pay": "sensitive", "ok": "plain"},
        privacy={"k": 4},
    )
    classes = Classes(np.arange(4, dtype=np.int32), np.array([0, 4]))
    release_of(frame, policy, classes).save(tmp_path / "release", format=form)
    assert_holds(verify(tmp_path / "release", original=policy, data=frame))
    data = frame.with_columns(pay=pl.Series([None, None, None, 1.5]))
    assert_violated(verify(tmp_path / "release", original=policy, data=data), "truthfulness")


def test_one_column_of_text_with_null_in_csv(tmp_path):
    """A row that is NULL throughout is an empty line."""
    frame = pl.DataFrame({"q": ["a", "a", None, None, "", ""]})
    policy = Policy(columns={"q": {"role": "quasi", "hierarchy": "automatic"}}, privacy={"k": 2})
    classes = Classes(np.arange(6, dtype=np.int32), np.array([0, 2, 4, 6]))
    release_of(frame, policy, classes).save(tmp_path / "release", format="csv")
    verdict = verify(tmp_path / "release", original=policy, data=frame)
    assert_holds(verdict)

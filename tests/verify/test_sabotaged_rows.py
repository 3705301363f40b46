"""Rows that were dropped, repeated, moved or changed."""

from itertools import product

import polars as pl
import pytest
from damage import KINDS, assert_only_violated, assert_violated, status_of

from papilio.errors import ReleaseError
from papilio.verify.verdict import Status
from sizes import some, spread

FORMATS = some(["parquet", "csv"])


@pytest.mark.parametrize("form", FORMATS)
def test_dropped_row(damaged, form):
    sample = damaged("sets", form, "text")
    frame = sample.published
    assert_violated(sample.rewrite(frame[1:], rows=frame.height).verdict(), "rows of people")


@pytest.mark.parametrize("kind", KINDS)
def test_dropped_row_the_manifest_does_not_count(damaged, kind):
    sample = damaged(kind)
    crowded = max(sample.classes().values(), key=len)
    assert len(crowded) > 3
    frame = sample.published.with_row_index().filter(pl.col("index") != crowded[0]).drop("index")
    sample.rewrite(frame)
    assert_only_violated(sample.verdict(original=True), "truthfulness", "promised rows")


@pytest.mark.parametrize("share", [float("nan"), float("inf")])
def test_share_left_out_that_is_no_number(damaged, share):
    sample = damaged()
    manifest = sample.manifest
    manifest["tables"][0]["left_out_at_most"] = share
    with pytest.raises(ReleaseError, match=r"release\.json"):
        sample.declare(manifest).verdict(original=True)


@pytest.mark.parametrize("share", [-0.1, 1.0, 7.0])
def test_share_left_out_that_is_none(damaged, share):
    sample = damaged()
    manifest = sample.manifest
    manifest["tables"][0]["left_out_at_most"] = share
    assert_violated(sample.declare(manifest).verdict(original=True), "rows of people")


def test_rows_left_out_as_the_policy_says(damaged):
    """So many rows may be missing, if the policy allows it, but what is there must be true."""
    sample = damaged()
    frame = sample.published
    assert frame.height == 19
    crowded = max(sample.classes().values(), key=len)
    sample.rewrite(frame.with_row_index().filter(pl.col("index") != crowded[0]).drop("index"))
    manifest = sample.manifest
    for share, holds in ((0.0, False), (0.05, False), (0.06, True), (0.5, True)):
        manifest["tables"][0]["left_out_at_most"] = share
        verdict = sample.declare(manifest).verdict(original=True)
        assert (status_of(verdict, "truthfulness") == {Status.HOLDS}) is holds
        # What the manifest allows itself is no part of the policy.
        assert_violated(verdict, "promised rows")
    sample.change(0, disease="d9")
    manifest["tables"][0]["left_out_at_most"] = 0.5
    assert_violated(sample.rehash().verdict(original=True), "truthfulness")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_duplicated_row(damaged, kind, form):
    sample = damaged(kind, form, "text")
    frame = sample.published
    sample.rewrite(pl.concat([frame, frame[:1]]))
    assert_only_violated(sample.verdict(original=True), "truthfulness", "promised rows")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_row_instead_of_another(damaged, kind, form):
    """One row of a class twice and another of it not at all: sizes stay."""
    sample = damaged(kind, form, "bounds")
    frame = sample.published
    one, other = next(
        (rows[0], row)
        for rows in sample.classes().values()
        for row in rows
        if frame.row(row) != frame.row(rows[0])
    )
    values = {name: frame[name][one] for name in ("disease", "visits")}
    sample.change(other, **values)
    assert_only_violated(sample.verdict(original=True), "truthfulness")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_class_below_k(damaged, kind, form):
    sample = damaged(kind, form, "text").tighten()
    small = sample.smallest()
    frame = sample.published.with_row_index().filter(pl.col("index") != small[0]).drop("index")
    assert_violated(sample.rewrite(frame).verdict(), "k-anonymity")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("cells", ["bounds", "text"])
@pytest.mark.parametrize("kind", KINDS)
def test_row_moved_to_another_class(damaged, kind, form, cells):
    sample = damaged(kind, form, cells).tighten()
    small = sample.smallest()
    elsewhere = next(cells for cells, rows in sample.classes().items() if rows != small)
    sample.change(small[0], **dict(zip(sample.quasi_names, elsewhere, strict=True)))
    assert_violated(sample.verdict(), "k-anonymity")


@pytest.mark.parametrize("form", spread(FORMATS, 2))
@pytest.mark.parametrize("kind", KINDS)
def test_rows_exchanged_between_classes(damaged, kind, form):
    """Two rows take each other's cells: sizes and totals stay, only the truth is gone."""
    sample = damaged(kind, form, "bounds")
    frame = sample.published
    values, cells = ["disease", "visits"], sample.quasi_names
    for one, other in product(*sorted(sample.classes().values(), key=len)[:2]):
        swapped = frame.with_row_index().with_columns(
            pl.col("index").replace({one: other, other: one})
        )
        moved = frame.select(cells).hstack(frame.select(values)[swapped["index"].to_list()])
        sample.rewrite(moved.select(frame.columns))
        if not sample.verdict(original=True).holds:
            break
    assert_only_violated(sample.verdict(original=True), "truthfulness")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("value", ["d9", "", "NULL", None])
def test_changed_sensitive_value(damaged, form, value):
    sample = damaged("prefix", form)
    row = sample.published["disease"].is_not_null().arg_max()
    sample.change(row, disease=value)
    assert_only_violated(sample.verdict(original=True), "truthfulness")


def test_invented_sensitive_value(damaged):
    sample = damaged()
    row = sample.published["disease"].is_null().arg_max()
    sample.change(row, disease="d1")
    assert_violated(sample.verdict(original=True), "truthfulness")

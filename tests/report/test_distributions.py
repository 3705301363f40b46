import json
import math
from datetime import UTC, datetime
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from releases import calendar_table, release_of

from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.rules import PathsRule
from papilio.data.table import ColumnType
from papilio.errors import DataError
from papilio.families.generalising.distributions import MISSING, OTHER, distributions
from tables import column, quasi_tables, table


def possible(cell, described, source):
    """Oracle: what one cell may be, as [(share, value or (low, high))]."""
    occurring = source.to_list()
    if described.hierarchy is not None:
        tree = build(described.hierarchy, source, described.type, described.name)
        node = tree.labels.index(cell[0])
        leaves = tree.leaves[tree.first[node] : tree.last[node] + 1]
        typed = {str(value) if value is not None else None: value for value in occurring}
        return [(Fraction(1, len(leaves)), typed[leaf]) for leaf in leaves]
    if not described.type.ordered:
        members = [str(m).lower() if isinstance(m, bool) else m for m in json.loads(cell[0])]
        return [(Fraction(1, len(members)), member) for member in members]
    low, high, null = (*cell, False)[:3]
    if low is None:
        return [(Fraction(1), None)]
    if source.dtype.is_integer():
        values = [*range(low, high + 1), *([None] if null else [])]
        return [(Fraction(1, len(values)), value) for value in values]
    some = Fraction(1, 2) if null else Fraction(1)
    return [(some, (low, high)), *([(some, None)] if null else [])]


def share_in(bar, what, axis):
    """Oracle: how much of one possibility lies in a bar."""
    if what is None:
        return bar.label == MISSING
    if axis == "label":
        text = str(what).lower() if isinstance(what, bool) else what
        if isinstance(what, tuple):
            return bar.label == repr(what[0]).removesuffix(".0")
        return bar.label in (str(text), str(text).removesuffix(".0"))
    if bar.low is None:
        return False
    if not isinstance(what, tuple):
        return bar.low <= what < bar.high
    low, high = what
    if low == high:
        return bar.low <= low < bar.high
    return max(0.0, min(high, bar.high) - max(low, bar.low)) / (high - low)


@given(quasi_tables(), st.integers(1, 5), st.booleans())
@settings(max_examples=100, deadline=None)
def test_equal_a_row_by_row_count(original, k, text):
    release = release_of(original, k)
    frame = release.frames[original.name]
    described = {each.name: each for each in original.columns}
    published = {each.name: each for each in release.manifest.table(original.name).columns}
    shown = distributions(release_of(original, k, text=text), original)
    assert [each.column for each in shown] == [
        c.name for c in original.columns if c.role == "quasi"
    ]
    for each in shown:
        source = original.frame.get_column(each.column)
        cells = frame.select(published[each.column].published).rows()
        guesses = [
            (share, what)
            for cell in cells
            for share, what in possible(cell, described[each.column], source)
        ]
        for bar in each.bars:
            after = sum(share * share_in(bar, what, each.axis) for share, what in guesses)
            before = sum(share_in(bar, value, each.axis) for value in source)
            assert math.isclose(bar.after * len(cells), after, abs_tol=1e-9)
            assert math.isclose(bar.before * len(source), before, abs_tol=1e-9)


@given(quasi_tables(max_rows=20), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_are_shares_that_sum_to_one(original, k):
    for each in distributions(release_of(original, k), original):
        assert math.isclose(sum(bar.before for bar in each.bars), 1)
        assert math.isclose(sum(bar.after for bar in each.bars), 1)
        assert all(bar.before >= 0 and bar.after >= 0 for bar in each.bars)
        assert 0 <= each.moved <= 1 + 1e-9


def test_nothing_moves_where_nothing_is_generalised():
    original = calendar_table()
    for each in distributions(release_of(original, 1), original):
        assert each.moved == pytest.approx(0)


@pytest.mark.parametrize("text", [False, True])
def test_dates_are_spread_over_days(text):
    original = calendar_table()
    born, seen, left, size = distributions(release_of(original, 12, text=text), original)
    assert (born.axis, seen.axis, left.axis, size.axis) == ("date", "date", "date", "number")
    days = original.frame.get_column("born")
    all_days = (days.max() - days.min()).days + 1
    first = born.bars[0]
    start = datetime.fromtimestamp(first.low / 1000, UTC).date()
    end = datetime.fromtimestamp(first.high / 1000, UTC).date()
    assert start <= days.min() < end
    assert first.after == pytest.approx((end - days.min()).days / all_days)
    # One class: the root of a hierarchy, spread over its twelve leaves, NULL among them.
    assert left.bars[-1].label == MISSING
    assert left.bars[-1].after == pytest.approx(1 / 12)
    assert left.bars[-1].before == pytest.approx(1 / 12)


def test_many_labels_are_cut_to_twenty_and_others():
    values = [f"v{i:02}" for i in range(30) for _ in range(i + 1)]
    original = table(job=(pl.Series(values), column("job")))
    (shown,) = distributions(release_of(original, 1), original)
    assert [bar.label for bar in shown.bars] == [*(f"v{i:02}" for i in range(29, 9, -1)), OTHER]
    assert shown.bars[-1].before == pytest.approx(sum(range(1, 11)) / len(values))


def test_a_declared_domain_keeps_its_order():
    series = pl.Series(["low", "high", "high", "middle"])
    domain = ("low", "middle", "high", "extreme")
    original = table(risk=(series, column("risk", domain=domain)))
    (shown,) = distributions(release_of(original, 4), original)
    assert [bar.label for bar in shown.bars] == list(domain)
    assert [bar.before for bar in shown.bars] == [0.25, 0.25, 0.5, 0]


def test_leaves_of_a_file_that_are_no_numbers_make_labels(tmp_path):
    (tmp_path / "age.csv").write_text("1,young,*\n2,young,*\nunknown,rest,*\n")
    described = column("age", ColumnType.NUMERIC, hierarchy=PathsRule(tmp_path / "age.csv"))
    original = table(age=(pl.Series([1, 2, 2, 1]), described))
    (shown,) = distributions(release_of(original, 4), original)
    assert shown.axis == "label"
    assert {bar.label: bar.after for bar in shown.bars} == {"1": 0.5, "2": 0.5, "unknown": 0}


@pytest.mark.parametrize("name", ["job", "zip"])
def test_refuse_another_original_without_naming_values(name, tmp_path):
    (tmp_path / "zip.csv").write_text("ash,tree,*\nelm,tree,*\n")
    rule = PathsRule(tmp_path / "zip.csv") if name == "zip" else None
    made = table(**{name: (pl.Series(["ash", "elm"] * 2), column(name, hierarchy=rule))})
    release = release_of(made, 2)
    (tmp_path / "zip.csv").write_text("fir,bush,*\noak,bush,*\n")
    other = table(**{name: (pl.Series(["fir", "oak"] * 2), column(name, hierarchy=rule))})
    with pytest.raises(DataError) as caught:
        distributions(release, other)
    assert caught.value.reason == "other-original"
    assert not any(word in str(caught.value) for word in ("ash", "elm", "tree", "fir"))


def test_missing_counts_as_one_more_value_or_as_half():
    whole = column("age", ColumnType.NUMERIC)
    original = table(
        age=(pl.Series([1, 4, None]), whole),
        pay=(pl.Series([0.0, 1.0, None]), column("pay", ColumnType.NUMERIC)),
    )
    age, pay = distributions(release_of(original, 3), original)
    assert [bar.after for bar in age.bars] == pytest.approx([1 / 5] * 5)
    assert pay.bars[-1].label == MISSING
    assert pay.bars[-1].after == pytest.approx(1 / 2)
    assert pay.bars[0].after == pytest.approx(pay.bars[1].after)

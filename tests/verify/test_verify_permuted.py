"""True permuted releases hold, whatever the data; exact comparisons at the edge."""

from __future__ import annotations

import math

import polars as pl
import pytest
from damage import assert_holds, assert_violated
from hypothesis import given
from hypothesis import strategies as st

from oracles import ke_partition as oracle
from papilio import KE, Policy, publish
from papilio.families.permutation.make import permutation
from papilio.families.permutation.methods.value_counts import sort_values
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.workflow.verify import verify
from sizes import examples

ROLES = {"age": "quasi", "job": "plain", "pay": "sensitive"}
WHOLE = st.integers(-30, 30)
REAL = st.floats(-50, 50, width=32).map(lambda value: value + 0.0)


@st.composite
def tables(draw):
    values = draw(
        st.lists(
            st.one_of(st.none(), draw(st.sampled_from((WHOLE, REAL)))), min_size=2, max_size=25
        )
    )
    size = len(values)
    ages = draw(st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=size, max_size=size))
    jobs = draw(st.lists(st.sampled_from("ab"), min_size=size, max_size=size))
    real = any(isinstance(value, float) for value in values)
    pay = pl.Series("pay", values, dtype=pl.Float64 if real else pl.Int64)
    return pl.DataFrame([pl.Series("age", ages, dtype=pl.Int64), pl.Series("job", jobs), pay])


@examples(40)
@given(
    tables(),
    st.integers(1, 4),
    st.sampled_from(("0", "1", "7.5")),
    st.sampled_from(("sum", "max", "max-exact", "groups", "random")),
)
def test_a_release_is_confirmed_with_its_original(frame, k, e, minimise):
    if oracle.is_ke_anonymous(frame.get_column("pay").to_list(), k, e):
        policy = Policy(columns=ROLES, privacy=KE(k, e), minimise=minimise)
        release = publish(frame, policy)
        assert_holds(release.verify(original=policy, data=frame))
        assert release.tables["table"].height == frame.height


def claiming(release, **parameters):
    """The same release with another claim."""
    (claim,) = release.manifest.claims
    other = type(claim)(**{**vars(claim), "parameters": claim.parameters | parameters})
    manifest = type(release.manifest)(**{**vars(release.manifest), "claims": (other,)})
    return Release(manifest, release.frames)


@pytest.mark.parametrize("kind", [int, float])
def test_the_claim_is_checked_exactly(kind):
    values = [0, 3, 7, 12] if kind is int else [0.1, 0.2, 0.7, 0.8]
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": list("abab"), "pay": map(kind, values)})
    if kind is float:
        frame = frame.with_columns(pay=pl.Series(values))
    release = publish(frame, Policy(columns=ROLES, privacy=KE(2), minimise="max"))
    values = release.tables["table_values"]
    widths = values.group_by("group").agg(pl.col("pay").max() - pl.col("pay").min())
    least = widths.get_column("pay").min()
    assert_holds(verify(claiming(release, e=math.nextafter(least, 0) if kind is float else least)))
    assert_violated(verify(claiming(release, e=math.nextafter(least, math.inf))), "ke-anonymity")
    assert_violated(verify(claiming(release, k=3)), "ke-anonymity")


def test_minus_zero_is_zero():
    frame = pl.DataFrame({"age": [1, 2, 3], "job": list("aba"), "pay": [0.0, -0.0, 1.0]})
    release = publish(frame, Policy(columns=ROLES, privacy=KE(2)))
    assert_violated(verify(claiming(release, k=3)), "ke-anonymity")


@pytest.mark.parametrize("name", ["group", "Group", "GROUP_"])
def test_a_column_that_is_called_like_ours(name, tmp_path):
    roles = {"group": "quasi", name: "quasi", "hits": "quasi", "sum_lo": "plain", "g": "sensitive"}
    frame = pl.DataFrame({key: list(range(6)) for key in roles} | {"g": [1, 5, 3, 9, 7, None]})
    if name == "Group":
        del roles["group"]
        frame = frame.drop("group")
    policy = Policy(columns=roles, privacy=KE(2, 1))
    release = publish(frame, policy, name="values")
    assert_holds(release.verify(original=policy, data=frame))
    wanted = "group__" if name == "GROUP_" else "group_"
    assert release.frames["values"].columns[-1] == wanted
    release.save(tmp_path / "release", format="csv")
    assert_holds(verify(tmp_path / "release", original=policy, data=frame))


def test_identifiers_and_the_order_of_rows_do_not_leave():
    frame = pl.DataFrame(
        {"name": [f"n{i}" for i in range(200)], "age": list(range(200)), "pay": list(range(200))}
    )
    columns = {"name": "identifier", "age": "quasi", "pay": "sensitive"}
    release = publish(frame, Policy(columns=columns, privacy=KE(5, 10)))
    assert all("name" not in table.columns for table in release.tables.values())
    people, values = release.frames["table"], release.frames["table_values"]
    for table, name in ((people, "age"), (values, "pay")):
        ordered = [part.get_column(name).is_sorted() for _, part in table.group_by("group")]
        assert sum(ordered) < len(ordered) / 2
        assert not table.get_column(name).is_sorted()
    groups = values.group_by("group").agg(pl.col("pay").min()).sort("group").get_column("pay")
    assert not groups.is_sorted()
    assert not groups.is_sorted(descending=True)


def test_zipped_tables_are_a_random_permutation():
    """Every value of a group is seen beside every person of it."""
    column = sort_values(pl.Series([10, 20, 30]))
    seen = set()
    for seed in range(60):
        found = permutation(column, KeAnonymity("pay", 3), "sum", Randomness(seed))
        seen.add(tuple(sorted(zip(found.people.rows, found.values.rows, strict=True))))
    assert len(seen) == 6


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_frames_come_back_as_they_came(kind):
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": list("abab"), "pay": [1, 5, None, 9]})
    given_as = {"pandas": frame.to_pandas, "polars": frame.clone, "arrow": frame.to_arrow}[kind]()
    release = publish(given_as, Policy(columns=ROLES, privacy=KE(2, 1)))
    assert list(release.tables) == ["table", "table_values", "table_help"]
    assert all(type(table) is type(given_as) for table in release.tables.values())

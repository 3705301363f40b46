"""Projections from a policy to a release, and what must hold of every one."""

import re
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import projected_releases as small
from oracles import projections as oracle
from papilio.errors import DataError, InfeasibleError, PolicyError
from papilio.families.projections.make import plan_projections
from papilio.measure.losses import exposure
from papilio.policy.apply import order_of
from papilio.verify.verdict import Status
from papilio.workflow.ask import ask
from papilio.workflow.verify import verify
from sizes import examples, some, spread

FLAT = {
    "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20, 40]}},
    "sex": "quasi",
}


def sensitive_of(release):
    return [
        [c.name for c in table.columns if c.role == "sensitive"]
        for table in release.manifest.tables
    ]


@pytest.mark.parametrize(
    "generalise", some([None, "hybrid", "mondrian", "bottom-up", "incognito"], None, "incognito")
)
@pytest.mark.parametrize("plan", some(["greedy", "exact"]))
def test_releases_verify_beside_the_original(generalise, plan):
    made = small.policy(
        small.COLUMNS | FLAT,
        generalise=generalise,
        plan=plan,
        privacy={"exposure": 0.3, "t": 0.7, "l": {"drug": 2}},
    )
    release = small.release(made=made)
    assert release.manifest.method == f"projections ({plan} plan, {generalise or 'hybrid'})"
    verdict = verify(release, original=made, data=small.people())
    assert verdict.holds, [f for f in verdict.findings if f.status is not Status.HOLDS]


def test_names_columns_and_claims():
    release = small.release()
    names = [table.name for table in release.manifest.tables]
    assert names == [f"people_{number}" for number in range(1, len(names) + 1)]
    assert len(names) > 1
    flat = [name for names in sensitive_of(release) for name in names]
    assert sorted(flat) == ["drug", "illness", "job", "pay", "signs=x", "signs=y"]
    towns = [
        table for table in release.manifest.tables if "town" in {c.name for c in table.columns}
    ]
    assert len(towns) == 1
    assert {claim.table for claim in release.manifest.claims} == set(names)


@pytest.mark.long
def test_tables_are_shuffled_independently():
    rows = 60
    frame = pl.DataFrame(
        {
            "age": [30] * rows,
            "one": [f"a{i % 10}" for i in range(rows)],
            "two": [f"b{i % 6}" for i in range(rows)],
        }
    )
    made = small.policy(
        {"age": "quasi", "one": "sensitive", "two": "sensitive"}, privacy={"exposure": 0.0}
    )
    equal = []
    for seed in range(30):
        frames = small.release(frame, made, seed).frames
        pairs = zip(frames["people_1"]["one"], frames["people_2"]["two"], strict=True)
        # i mod 30 tells both values; of 30 equally likely pairs 30 are true ones out of 60.
        true = {(f"a{i % 10}", f"b{i % 6}") for i in range(rows)}
        equal.append(sum(pair in true for pair in pairs) / rows)
    assert 0.42 < sum(equal) / len(equal) < 0.58


def test_ratios_are_those_of_the_definition():
    frame, made = small.people(), small.policy()
    order, _ = order_of(frame, made, "people")
    planned = plan_projections(order, made)
    columns = [order.table.frame[name].to_list() for name in planned.names]
    harmless = [("none",) if name == "illness" else () for name in planned.names]
    best = planned.best
    assert best.association_loss == pytest.approx(
        oracle.association_loss(columns, best.plan), abs=1e-12
    )
    assert best.exposure == pytest.approx(oracle.exposure(columns, best.plan, harmless), abs=1e-12)


@given(st.integers(0, 10**6), st.floats(0.05, 0.9))
@examples(15)
def test_exact_is_never_worse_than_greedy(seed, limit):
    frame = small.people(30, seed)
    found = {}
    for plan in ("greedy", "exact"):
        made = small.policy(plan=plan, privacy={"exposure": limit})
        order, _ = order_of(frame, made, "people")
        found[plan] = plan_projections(order, made).best
        assert found[plan].exposure <= limit + 1e-12
    assert found["exact"].association_loss <= found["greedy"].association_loss + 1e-12


def test_without_limits_everything_goes_into_one_table():
    release = small.release(made=small.policy(privacy={}))
    assert len(release.manifest.tables) == 1


def test_only_a_limit_on_the_loss_exposes_as_little_as_it_allows():
    frame = small.people()
    loose, tight = (
        plan_projections(order_of(frame, made, "people")[0], made).best
        for made in (
            small.policy(privacy={"association_loss": 0.9}),
            small.policy(privacy={"association_loss": 0.1}),
        )
    )
    assert loose.exposure < tight.exposure
    assert tight.association_loss <= 0.1


def test_limits_that_no_plan_meets():
    made = small.policy(privacy={"exposure": 0.01, "association_loss": 0.05})
    with pytest.raises(InfeasibleError) as caught:
        small.release(made=made)
    assert caught.value.reason == "no-plan"
    assert "association_loss of" in caught.value.nearest
    assert "exposure of" in caught.value.nearest


def test_what_the_message_says_can_be_met_can_be_met():
    made = small.policy(privacy={"exposure": 0.01, "association_loss": 0.05})
    with pytest.raises(InfeasibleError) as caught:
        small.release(made=made)
    loss, exposed = map(float, re.findall(r"of (\d\.\d+)", caught.value.nearest))
    for privacy in (
        {"exposure": 0.1, "association_loss": loss},
        {"exposure": exposed, "association_loss": 0.05},
    ):
        assert small.release(made=small.policy(privacy=privacy)).manifest.tables


def test_a_limit_on_the_loss_of_quasi_identifiers_keeps_columns_apart():
    demanded = {"t": 0.25}
    free = small.release(made=small.policy(privacy=demanded))
    assert len(free.manifest.tables) == 1
    for plan in ("greedy", "exact"):
        made = small.policy(privacy=demanded | {"generalisation_loss": 0.15}, plan=plan)
        tight = small.release(made=made)
        assert len(tight.manifest.tables) > 1
        assert verify(tight, original=made, data=small.people()).holds


def test_a_column_that_loses_too_much_by_itself():
    made = small.policy(privacy={"t": 0.01, "generalisation_loss": 0.01})
    with pytest.raises(InfeasibleError) as caught:
        small.release(made=made)
    assert caught.value.reason == "too-much-loss"


def test_too_many_columns_for_an_exact_plan():
    rows = {f"s{i}": [i % 2, 1, 0, 1] for i in range(17)}
    frame = pl.DataFrame({"age": [1, 2, 3, 4], **rows})
    columns = {"age": "quasi"} | dict.fromkeys(rows, "sensitive")
    with pytest.raises(PolicyError) as caught:
        small.release(frame, small.policy(columns, plan="exact", privacy={"k": 2}))
    assert caught.value.faults[0].where == "plan"
    release = small.release(frame, small.policy(columns, privacy={"k": 2}))
    assert "greedy" in release.manifest.method


def test_two_columns_that_could_be_joined_on():
    made = small.policy(small.JOINED_COLUMNS, privacy={"exposure": 0.0})
    with pytest.raises(DataError) as caught:
        small.release(small.JOINED, made)
    assert caught.value.reason == "shared-key"
    assert "'number' and 'place'" in str(caught.value)


def test_projected_tables_answer_queries():
    frame = small.people()
    answer = ask(small.release(), "SELECT count(*) FROM people_1 WHERE age > 40")
    (row,) = answer.rows
    (bounds,) = row.answers.values()
    true = frame.filter(pl.col("age") > 40).height
    assert bounds.lo <= true <= bounds.hi


# -- cases at the edge ---------------------------------------------------------------------------


def test_one_sensitive_column():
    frame = small.people().select("age", "sex", "illness")
    columns = {name: small.COLUMNS[name] for name in frame.columns}
    made = small.policy(columns, privacy={"exposure": 0.0, "association_loss": 0.0})
    release = small.release(frame, made)
    assert sensitive_of(release) == [["illness"]]
    assert verify(release, original=made, data=frame).holds


def edge(one, two, **limits):
    frame = pl.DataFrame({"age": [20 + i % 9 for i in range(len(one))], "one": one, "two": two})
    columns = {"age": "quasi", "one": "sensitive", "two": "sensitive"}
    made = small.policy(columns, privacy=limits)
    release = small.release(frame, made)
    assert verify(release, original=made, data=frame).holds
    return sensitive_of(release)


def test_independent_columns_can_be_apart_at_no_loss():
    one, two = [i // 6 % 2 for i in range(24)], [i % 6 for i in range(24)]
    assert edge(one, two, association_loss=0.0) == [["one"], ["two"]]


def test_columns_that_determine_each_other_stay_together():
    one = [i % 4 for i in range(24)]
    assert edge(one, [f"v{i}" for i in one], association_loss=0.5) == [["one", "two"]]


def test_a_column_with_one_value():
    one = [i % 4 for i in range(24)]
    assert edge(one, ["same"] * 24, association_loss=0.0) == [["one"], ["two"]]
    # It says nothing, but next to the other it gives that away to who knows it.
    assert edge(one, ["same"] * 24, exposure=0.0) == [["one"], ["two"]]


def test_only_harmless_values_expose_nothing():
    one, two = [i % 3 for i in range(24)], [i % 3 + i // 3 % 2 for i in range(24)]
    frame = pl.DataFrame({"age": [20 + i % 9 for i in range(24)], "one": one, "two": two})
    columns = {
        "age": "quasi",
        "one": {"role": "sensitive", "harmless": [0, 1, 2]},
        "two": {"role": "sensitive", "harmless": [0, 1, 2, 3]},
    }
    made = small.policy(columns, privacy={"exposure": 0.0})
    release = small.release(frame, made)
    assert sensitive_of(release) == [["one", "two"]]
    assert verify(release, original=made, data=frame).holds


def test_hierarchies_of_sensitive_columns_have_a_file_per_table():
    tree = {"role": "sensitive", "hierarchy": "automatic"}
    frame = small.people().select("age", "sex", "illness", "job")
    columns = {"age": "quasi", "sex": "quasi", "illness": tree, "job": tree}
    made = small.policy(columns, privacy={"exposure": 0.0, "t": 0.5})
    release = small.release(frame, made)
    assert len(release.manifest.tables) == 2
    assert len(release.hierarchies) == 2
    assert verify(release, original=made, data=frame).holds


@pytest.mark.parametrize("value", spread(["none", "nan", "1,5", "inf"], 2))
def test_harmless_values_of_numbers_are_numbers(value):
    release = small.release()
    odd = small.policy(small.COLUMNS | {"pay": {"role": "sensitive", "harmless": [value]}})
    for run in (
        lambda: small.release(made=odd),
        lambda: verify(release, original=odd, data=small.people()),
    ):
        with pytest.raises(PolicyError, match="its harmless values are numbers or null"):
            run()


# -- columns of many values ----------------------------------------------------------------------


def many_values(rows=2000, seed=3):
    """Illness and drug hang together; pay and rent are independent and have many values."""
    chance = np.random.default_rng(seed)
    ill = chance.integers(0, 4, rows)
    drug = np.where(chance.random(rows) < 0.9, ill, chance.integers(0, 4, rows))
    return pl.DataFrame(
        {
            "age": chance.integers(18, 90, rows),
            "illness": [f"i{i}" for i in ill],
            "drug": [f"d{i}" for i in drug],
            "pay": chance.integers(1000, 6000, rows),
            "rent": chance.integers(200, 5200, rows),
        }
    )


def many_values_policy(**privacy):
    sensitive = dict.fromkeys(("illness", "drug", "pay", "rent"), "sensitive")
    return small.policy({"age": "quasi", **sensitive}, privacy={"k": 5, **privacy})


def test_columns_of_many_values_do_not_look_dependent():
    """Their 7.1 nats are chance; illness and drug, with 1.0, must not be cut for them."""
    made = many_values_policy(exposure=0.4)
    order, _ = order_of(many_values(), made, "people")
    planned = plan_projections(order, made)
    together = next(table for table in planned.tables if "illness" in table)
    assert "drug" in together
    known = planned.known.information
    assert known[0, 1] > 1
    assert known[2, 3] < 0.01
    # What the old plan exposed, 0.37 as it was stated then.
    cut = [(0, 2, 3), (1,)]
    assert exposure(planned.known, cut) == pytest.approx(0.47, abs=0.01)


def test_the_verifier_does_not_believe_in_chance_either():
    frame, made = many_values(600), many_values_policy(exposure=0.4)
    release = small.release(frame, made)
    assert verify(release, original=made, data=frame).holds
    strict = many_values_policy(exposure=0.4, association_loss=0.0001)
    found = verify(release, original=strict, data=frame)
    (loss,) = (each for each in found.findings if each.claim == "association loss")
    order, _ = order_of(frame, made, "people")
    best = plan_projections(order, made).best
    assert float(loss.measured) == pytest.approx(best.association_loss, abs=1e-6)


@pytest.mark.parametrize("kind", ["whole", "broken", "date"])
def test_bins_are_verified_as_they_are_planned(kind):
    frame = many_values(300).with_columns(rent=pl.col("pay") // 3 + pl.col("rent") // 50)
    if kind == "broken":
        frame = frame.with_columns(pl.col("pay") / 7, pl.col("rent") * 0.1)
    if kind == "date":
        dates = pl.lit(date(1970, 1, 1)) + pl.duration(days=pl.col("pay"))
        frame = frame.with_columns(pay=dates)
    gaps = pl.when(pl.int_range(pl.len()) % 7 > 0)
    frame = frame.with_columns(pay=gaps.then("pay"))
    columns = {
        "age": "quasi",
        "illness": "sensitive",
        **{key: {"role": "sensitive", "bins": 4} for key in ("pay", "rent")},
    }
    made = small.policy(columns, privacy={"exposure": 0.4})
    order, _ = order_of(frame, made, "people")
    planned = plan_projections(order, made)
    assert planned.tables == (("illness",), ("pay", "rent"))
    release = small.release(frame, made)
    found = verify(release, original=made, data=frame)
    assert found.holds
    told = {each.claim: each.measured for each in found.findings}
    assert float(told["exposure"]) == pytest.approx(planned.best.exposure, abs=1e-6)
    assert float(told["association loss"]) == pytest.approx(planned.best.association_loss, abs=1e-6)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"role": "quasi", "bins": 4}, "sensitive column of numbers or dates"),
        ({"role": "plain", "bins": 4}, "sensitive column of numbers or dates"),
        ({"role": "sensitive", "bins": 4, "type": "category"}, "of numbers or dates"),
        ({"role": "sensitive", "bins": 4, "values": "several"}, "of numbers or dates"),
        ({"role": "sensitive", "bins": 1}, "at least 2"),
        ({"role": "sensitive", "bins": 4}, "bins are for numbers and dates, and the column is"),
    ],
)
def test_bins_where_they_mean_nothing(said, message):
    frame = many_values(40).select("age", "illness", "drug")
    with pytest.raises(PolicyError) as caught:
        small.release(frame, small.policy({"age": "quasi", "drug": "sensitive", "illness": said}))
    assert message in str(caught.value)

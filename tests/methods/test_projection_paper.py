"""Examples 1 to 3 of Fang, Ashrafi and Ng as known answers."""

from itertools import product

import numpy as np
import polars as pl
import pytest

import projected_releases as small
from papilio.families.projections.methods.exact_plan import exact_plans
from papilio.families.projections.methods.plan import Limits, weigh
from papilio.kernels.demand import class_meets
from papilio.measure.dependencies import dependencies
from papilio.measure.losses import association_loss, exposure
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness

SENSITIVE = ("diagnosis", "family_history", "job")


@pytest.fixture(scope="module")
def original():
    policy = Policy(columns=small.PAPER_COLUMNS, privacy={"k": 2})
    return order_of(small.PAPER, policy, "people")[0].table


def closeness(original, column, partition):
    """Smallest of some t that all classes satisfy."""
    for t in ("0", "0.249999999", "0.25", "0.499999999", "0.5", "1"):
        demand = demand_of((TCloseness(column, t),), original)
        if all(class_meets(demand, np.array(rows, np.int32)) for rows in partition):
            return float(t)
    return None


@pytest.mark.parametrize(
    ("table", "expected"),
    [("b", (0.5, 0.25, 0.25)), ("c", (0.25, 0.5, 0.25)), ("d", (0.25, 0.25, 0.5))],
)
def test_example_1_closeness_of_the_tables(original, table, expected):
    partition = small.PARTITIONS[table]
    found = tuple(closeness(original, column, partition) for column in SENSITIVE)
    assert found == expected


@pytest.mark.parametrize(("table", "worst"), [("b", 0), ("c", 1), ("d", 2)])
def test_example_1_each_table_has_a_class_with_one_value(table, worst):
    values = small.PAPER[SENSITIVE[worst]].to_list()
    assert any(len({values[row] for row in rows}) == 1 for rows in small.PARTITIONS[table])
    others = [name for name in SENSITIVE if name != SENSITIVE[worst]]
    for name in others:
        values = small.PAPER[name].to_list()
        assert all(len({values[row] for row in rows}) == 2 for rows in small.PARTITIONS[table])


def test_example_1_omits_the_single_class_which_is_perfectly_close(original):
    assert [closeness(original, column, [[0, 1, 2, 3]]) for column in SENSITIVE] == [0, 0, 0]


def test_theorem_1_more_columns_are_never_closer(original):
    every = [*small.PARTITIONS.values()]
    single = [min(closeness(original, c, p) for p in every) for c in SENSITIVE]
    together = min(max(closeness(original, c, p) for c in SENSITIVE) for p in every)
    assert single == [0.25, 0.25, 0.25]
    assert together == 0.5


def test_example_3_the_two_observations():
    """Dependent columns expose less together; independent ones lose nothing apart."""
    ill = ["HT", "DB", "AS", "none"]
    rows = [
        (own, own if same else other, job, drinks)
        for own, (same, other), job, drinks in product(
            ill, [(True, "HT"), (True, "DB"), (True, "AS"), (False, "none")], "tlf", "01"
        )
    ]
    frame = pl.DataFrame(
        rows, schema=["diagnosis", "family_history", "job", "alcohol"], orient="row"
    )
    known = dependencies(frame, frame.columns)
    assert known.information[2, 3] == 0
    assert known.information[0, 2] == 0
    assert known.information[0, 1] > 0.3
    # Observation 1: what is newly learnt is less than of independent columns of the same entropy.
    assert known.exposable[0, 1] < known.entropy[0] + known.entropy[1]
    assert known.exposable[2, 3] == pytest.approx(known.entropy[2] + known.entropy[3])
    # Observation 2: the plan that keeps only the dependent pair loses nothing.
    plan = ((0, 1), (2,), (3,))
    assert association_loss(known, plan) == 0
    best = exact_plans(weigh(known.information, known.exposable), Limits(association_loss=0.0))[-1]
    assert best.plan == plan
    assert best.exposure == pytest.approx(exposure(known, plan), abs=1e-12)


def test_the_wrong_last_case_cancels_over_ordered_pairs_only():
    """E as printed has H(Aj) twice; summed over ordered pairs and halved it comes out the same."""
    known = dependencies(small.PAPER.with_columns(x=pl.Series([1, 1, 1, 2])), (*SENSITIVE, "x"))
    size = len(known.names)

    def printed(i, j):
        return 2 * known.entropy[j] - 2 * known.information[i, j]

    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    ordered = sum(printed(i, j) for i, j in pairs) / 2
    assert ordered == pytest.approx(np.triu(known.exposable).sum(), abs=1e-12)
    unordered = sum(printed(i, j) for i, j in pairs if i < j)
    assert abs(unordered - ordered) > 0.1

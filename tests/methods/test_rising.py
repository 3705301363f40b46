"""Rising levels against their plain twin, and what the method promises."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouping import as_sets, encoded_of, kinds_of, rows_of
from oracles import rising as oracle
from oracles.hybrid import box_width
from papilio.data.hierarchy.rules import PrefixRule
from papilio.data.table import ColumnType, Role
from papilio.errors import InfeasibleError, PolicyError
from papilio.families import choose
from papilio.families.generalising.rising import levels_of, rising, vectors_of
from papilio.kernels.demand import Demand, class_meets
from papilio.policy.policy import Policy
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness
from papilio.randomness import Randomness
from papilio.workflow.publish import publish
from papilio.workflow.refuse import check_engine
from papilio.workflow.verify import verify
from sizes import examples
from tables import column, quasi_tables, table

CODES = ["1010", "1011", "1020", "2000", "2001"]
#: Values of which widths are whole multiples of a quarter or an eighth, so that sums are exact.
COLUMNS = {
    "zip": (CODES, pl.String, column("zip", hierarchy=PrefixRule((3, 1)))),
    "may": ([None, *CODES[:4]], pl.String, column("may", hierarchy=PrefixRule((2,)))),
    "age": (list(range(9)), pl.Int64, column("age", ColumnType.NUMERIC)),
    "job": (["ash", "elm", "fir"], pl.String, column("job")),
}


@st.composite
def exact_tables(draw, more=18):
    """Tables in which every value of each column occurs, with a sensitive column."""
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=3, unique=True))
    rows = 9 + draw(st.integers(0, more))
    made = {}
    for name in names:
        values, kind, described = COLUMNS[name]
        cells = [values[place % len(values)] for place in range(9)]
        cells += draw(st.lists(st.sampled_from(values), min_size=rows - 9, max_size=rows - 9))
        made[name] = (pl.Series(cells, dtype=kind), described)
    ill = draw(st.lists(st.sampled_from("aab"), min_size=rows - 3, max_size=rows - 3))
    made["ill"] = (pl.Series(["a", "b", "c", *ill]), column("ill", role=Role.SENSITIVE))
    return table(**made)


def plain_levels(encoded):
    """Levels as the twin takes them, found from values and paths."""
    found = []
    for kind, meaning in zip(kinds_of(encoded), encoded.columns, strict=True):
        what, size = kind[0], len(meaning.values)
        if what == "tree":
            tree = meaning.hierarchy
            lines = [(row.tolist(), tree.loss[row].tolist()) for row in tree.levels]
        else:
            lines = [(list(range(size)), [0.0] * size)]
            for parts in (32, 16, 8, 4, 2) if what == "range" else ():
                node = [min(int(each * parts), parts - 1) if each >= 0 else -1 for each in kind[1]]
                lines.append((node, [1 / parts if each >= 0 else 0.0 for each in kind[1]]))
            lines.append(([0] * size, [1.0] * size))
        kept = lines[:1]
        for line in lines[1:]:
            if len(set(line[0])) < len(set(kept[-1][0])):
                kept.append(line)
        found.append(kept)
    return found


def expected(encoded, demand, seed, enough=0):
    """Classes of the twin as sets of rows of the table."""
    codes = rows_of(encoded)
    rules = len(demand.rules) > 0
    keys = Randomness(seed).keys(len(codes)) if rules else range(len(codes))
    order = sorted(range(len(codes)), key=lambda row: (codes[row], int(keys[row])))
    rows = [codes[row] for row in order]

    def meets(group):
        return class_meets(demand, np.array([order[row] for row in group], np.int32))

    values = [int(demand.sensitive[row, 0]) for row in order] if rules else None
    levels, least = plain_levels(encoded), demand.least_size
    classes, rest = oracle.rising(rows, levels, least, meets, values, enough)
    if len(rest) > enough:
        classes = oracle.join_rest(rows, kinds_of(encoded), classes, rest, meets)
    return {frozenset(order[row] for row in each) for each in classes}


def demands(made, k):
    yield demand_of([KAnonymity(k)], made)
    for more in (DistinctDiversity("ill", 2), DistinctDiversity("ill", 3), TCloseness("ill", 0.3)):
        yield demand_of([KAnonymity(k), more], made)


@examples(240)
@given(exact_tables(), st.integers(1, 5), st.integers(0, 3), st.integers(0, 99))
def test_classes_are_those_of_the_plain_twin(made, k, which, seed):
    encoded = encoded_of(made)
    demand = list(demands(made, k))[which]
    assert as_sets(rising(encoded, demand, Randomness(seed))) == expected(encoded, demand, seed)


@examples(60)
@given(exact_tables(), st.integers(2, 5), st.sampled_from([0.05, 0.2, 0.5]))
def test_what_waits_longest_is_left_out(made, k, share):
    encoded, demand = encoded_of(made), Demand(k)
    found = rising(encoded, demand, Randomness(0), suppress=share)
    spare = int(share * made.height + 1e-9)
    assert as_sets(found) == expected(encoded, demand, 0, spare)
    assert made.height - spare <= len(found.rows) <= made.height


def content(made, encoded, classes):
    """What the classes hold, whichever rows these are."""
    rows, ill = rows_of(encoded), made.frame[made.columns[-1].name].to_list()
    return Counter(
        tuple(sorted((tuple(rows[row]), str(ill[row])) for row in classes.rows[a:b]))
        for a, b in pairwise(classes.starts)
    )


@examples(120)
@given(quasi_tables(max_rows=40), st.integers(1, 5), st.integers(1, 2), st.randoms())
def test_any_table_is_divided_and_no_order_of_rows_matters(made, k, least, chance):
    encoded = encoded_of(made)
    demand = demand_of([KAnonymity(k), DistinctDiversity("disease", least)], made)
    if made.height < k or made.frame["disease"].n_unique() < least:
        return
    classes = rising(encoded, demand, Randomness(1))
    assert sorted(classes.rows.tolist()) == list(range(made.height))
    assert all(class_meets(demand, classes.rows[a:b]) for a, b in pairwise(classes.starts))
    order = list(range(made.height))
    chance.shuffle(order)
    other = table(**{c.name: (made.frame[c.name].gather(order), c) for c in made.columns})
    again = demand_of([KAnonymity(k), DistinctDiversity("disease", least)], other)
    found = rising(encoded_of(other), again, Randomness(2))
    assert content(made, encoded, classes) == content(other, encoded_of(other), found)


def test_a_group_that_lacks_a_value_borrows_it_from_a_class_that_can_spare_it():
    """Of three equal rows one is lent; without that the two others would be joined to them."""
    made = table(
        zip=(pl.Series(["1010"] * 4 + ["1011"] * 3), COLUMNS["zip"][2]),
        ill=(pl.Series(["a", "a", "b", "b", "a", "a", "a"]), column("ill", role=Role.SENSITIVE)),
    )
    demand = demand_of([KAnonymity(2), DistinctDiversity("ill", 2)], made)
    found = rising(encoded_of(made), demand, Randomness(3))
    sizes = sorted(np.diff(found.starts).tolist())
    assert sizes == [3, 4]
    for a, b in pairwise(found.starts):
        assert {"a", "b"} == set(made.frame["ill"].gather(found.rows[a:b]))


def test_sets_of_more_values_than_a_word_has_bits():
    values = [f"{v:03}" for v in range(80)]
    encoded = encoded_of(
        table(
            job=(pl.Series(values), column("job")),
            zip=(pl.Series((CODES * 16)[:80]), COLUMNS["zip"][2]),
        )
    )
    found = rising(encoded, Demand(7), Randomness(0))
    kinds, rows = kinds_of(encoded), rows_of(encoded)
    loss = sum(len(each) * box_width(rows, kinds, sorted(each)) for each in as_sets(found))
    assert all(len(each) >= 7 for each in as_sets(found))
    assert loss < 80 * box_width(rows, kinds, range(80))


def test_rows_that_no_class_can_take_are_refused():
    made = table(
        zip=(pl.Series(CODES), COLUMNS["zip"][2]),
        ill=(pl.Series(["a"] * 5), column("ill", role=Role.SENSITIVE)),
    )
    demand = demand_of([DistinctDiversity("ill", 2)], made)
    with pytest.raises(InfeasibleError, match="not even one class"):
        rising(encoded_of(made), demand, Randomness(0))


def test_levels_that_join_nothing_more_are_not_tried():
    made = table(
        age=(pl.Series([0, 8]), COLUMNS["age"][2]), job=(pl.Series(["a", "a"]), column("job"))
    )
    assert [each.node.tolist() for each in levels_of(encoded_of(made))] == [[[0, 1], [0, 0]], [[0]]]


@examples(60)
@given(
    st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=4), min_size=1, max_size=5),
    st.integers(5, 60),
)
def test_vectors_are_all_or_those_that_join_most_at_their_cost(steps, most):
    costs = [np.cumsum([0, *each]).astype(float) for each in steps]
    entropies = [np.linspace(3, 0, len(each)) for each in costs]
    found = [tuple(each) for each in vectors_of(costs, entropies, most).tolist()]
    every = list(product(*(range(len(each)) for each in costs)))
    assert len(set(found)) == len(found)
    assert {every[0], every[-1]} <= set(found) <= set(every)
    if len(every) <= most:
        assert found == every
    # One of each band is kept in any case, and the first and the last vector.
    assert len(found) <= max(most, 128) + 2


HIERARCHY = {"role": "quasi", "hierarchy": {"prefix": [2, 1]}}


def test_it_is_chosen_where_every_quasi_identifier_has_a_hierarchy():
    def chosen(**more):
        columns = {"a": HIERARCHY, "b": HIERARCHY, **more.pop("columns", {})}
        return choose(Policy(columns=columns, privacy={"k": 2}, **more), 2_000_000)

    assert chosen().method == "rising"
    assert "hierarchy" in chosen().why
    assert chosen(columns={"c": "plain", "d": "identifier"}).method == "rising"
    assert chosen(columns={"c": "quasi"}).method == "mondrian"
    steps = {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}
    assert chosen(columns={"c": steps}).method == "rising"
    assert chosen(columns={"a": steps, "b": steps}).method == "mondrian"
    assert chosen(metric="dm").method == "hybrid"


def test_labels_do_not_tell_of_rows_that_are_left_out():
    frame = pl.DataFrame({"age": [20, 20, 21, 21, 117], "ill": list("xyxyx")})
    columns = {"age": {"role": "quasi", "hierarchy": "automatic"}, "ill": "sensitive"}
    policy = Policy(columns=columns, privacy={"k": 2, "suppress": "20%"}, method="rising")
    release = publish(frame, policy, seed=1)
    (published,) = release.frames.values()
    assert sorted(published["age"]) == ["20", "20", "21", "21"]
    assert "117" not in str(release.manifest) + str(release.hierarchies)
    assert verify(release, original=policy, data=frame).holds


@pytest.mark.parametrize("more", [{"wings": "rising"}, {"metric": "dm", "method": "rising"}])
def test_what_it_cannot_do_is_refused(more):
    columns = {"a": HIERARCHY, "b": HIERARCHY}
    known = {"recipients": {"one": ["a"], "two": ["b"]}} if "wings" in more else {}
    with pytest.raises(PolicyError):
        Policy(columns=columns, privacy={"k": 2}, **known, **more)


@pytest.mark.parametrize("engine", ["pieces", "spark"])
def test_rows_are_left_out_in_memory_only(engine):
    columns = {"a": HIERARCHY, "b": HIERARCHY}
    policy = Policy(columns=columns, privacy={"k": 2, "suppress": "5%"}, method="rising")
    with pytest.raises(PolicyError, match="learnt from the whole table"):
        check_engine(policy, choose(policy, 10), engine)
    plain = policy.varied([(("privacy", "suppress"), None)])
    check_engine(plain, choose(plain, 10), engine)

"""Hybrid recoding against its plain twin, and what its phases promise."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouping import as_sets, encoded_of, kinds_of, rows_of
from oracles import hybrid as oracle
from papilio import samples
from papilio.data.encode import encode
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.generalising.hybrid import Metric, Objective, hybrid
from papilio.families.generalising.top_down import strict_mondrian
from papilio.kernels.demand import Demand
from sizes import examples
from tables import column, quasi_tables, table


@examples(200)
@given(
    quasi_tables(),
    st.integers(1, 5),
    st.sampled_from(list(Metric)),
    st.sampled_from(list(Objective)),
    st.integers(1, 2),
)
def test_the_global_phase_equals_the_plain_twin(made, k, metric, objective, threads):
    encoded = encoded_of(made)
    expected = oracle.hybrid_global(
        rows_of(encoded), kinds_of(encoded), k, metric.name.lower(), objective.name.lower()
    )
    found = hybrid(
        encoded, Demand(k), metric=metric, objective=objective, local=False, threads=threads
    )
    assert as_sets(found) == {frozenset(each) for each in expected}


@examples(100)
@given(quasi_tables(), st.integers(1, 5))
def test_the_local_phase_only_divides_classes_of_the_global_phase(made, k):
    encoded = encoded_of(made)
    if made.height < k:
        return
    coarse = as_sets(hybrid(encoded, Demand(k), local=False))
    fine = as_sets(hybrid(encoded, Demand(k)))
    assert all(any(small <= large for large in coarse) for small in fine)
    assert all(len(each) >= k for each in fine)
    assert sum(map(len, fine)) == made.height


@pytest.mark.parametrize("distinct", [64, 65, 130])
def test_sets_around_the_size_of_a_word(distinct):
    values = [f"{v:03}" for v in range(distinct)] * 2
    made = table(
        job=(pl.Series(values), column("job")),
        age=(pl.Series(range(len(values))), column("age", ColumnType.NUMERIC)),
    )
    encoded = encoded_of(made)
    expected = oracle.hybrid_global(rows_of(encoded), kinds_of(encoded), 7)
    assert as_sets(hybrid(encoded, Demand(7), local=False)) == set(map(frozenset, expected))


def adult_table():
    frame = samples.adult().select(samples.ADULT_QUASI)
    columns = tuple(
        Column(
            name,
            Role.QUASI,
            ColumnType.NUMERIC if frame[name].dtype.is_numeric() else ColumnType.CATEGORY,
        )
        for name in frame.columns
    )
    return encode(Table("adult", frame, columns), columns)


@pytest.mark.compiled
def test_it_loses_less_than_strict_mondrian_on_adult():
    encoded = adult_table()
    rows, kinds = encoded.codes, kinds_of(encoded)
    for k in (10, 100):
        losses = []
        for method in (hybrid, strict_mondrian):
            classes = method(encoded, Demand(k))
            losses.append(
                sum(
                    len(each) * oracle.box_width(rows, kinds, list(each))
                    for each in as_sets(classes)
                )
                / (8 * encoded.height)
            )
        assert losses[0] < 0.95 * losses[1]
        assert k != 10 or losses[0] <= 0.055

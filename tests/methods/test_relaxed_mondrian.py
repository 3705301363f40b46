"""Relaxed Mondrian against its plain twin."""

from hypothesis import given
from hypothesis import strategies as st

from grouping import as_sets, encoded_of, kinds_of, rows_of
from oracles import relaxed_mondrian as oracle
from papilio.families.generalising.top_down import relaxed_mondrian
from papilio.kernels.demand import Demand
from papilio.randomness import Randomness
from sizes import examples
from tables import quasi_tables


@examples(300)
@given(quasi_tables(), st.integers(1, 5), st.integers(0, 2**30))
def test_it_equals_the_plain_twin(made, k, seed):
    encoded = encoded_of(made)
    keys = Randomness(seed).keys(encoded.height).tolist()
    expected = oracle.relaxed_mondrian(rows_of(encoded), kinds_of(encoded), k, keys)
    found = relaxed_mondrian(encoded, Demand(k), Randomness(seed))
    assert as_sets(found) == {frozenset(each) for each in expected}


@examples(100)
@given(quasi_tables(min_rows=6), st.integers(1, 3))
def test_classes_of_2k_rows_and_more_hold_equal_rows_only(made, k):
    encoded = encoded_of(made)
    for each in as_sets(relaxed_mondrian(encoded, Demand(k), Randomness(1))):
        assert len(each) >= k
        assert len(each) < 2 * k or len({tuple(encoded.codes[row]) for row in each}) == 1

import numpy as np
import pytest
from cells_by_row import domains, encoded, original_values, possible_sets, published_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from paper_tables import TABLE_1A, TABLE_2A, TABLE_2B

from oracles import measures as oracle
from papilio.measure.possible_values import PossibleValues, Runs, exact_values, possible_values
from papilio.measure.usefulness import (
    Queries,
    matching_rows,
    query_ratio,
    random_queries,
)
from papilio.randomness import Randomness

#: age = 20, 30, 40, 50 and zipcode = 101, 102, 103, 104, as codes.
EIGHT = Queries(
    ("age", "zipcode"),
    np.array([[c, -1] for c in range(4)] + [[-1, c] for c in range(4)]),
)


@pytest.mark.parametrize(
    ("release", "answers"),
    [(TABLE_2A, [3, 2, 2, 3, 3, 4, 4, 3]), (TABLE_2B, [4] * 8)],
    ids=["2a: 24 instances", "2b: 32 instances"],
)
def test_eight_queries_of_the_paper(release, answers):
    cells = possible_values(release, TABLE_1A)
    assert matching_rows(cells, EIGHT).tolist() == answers
    assert query_ratio(cells, EIGHT) == sum(answers) / 80


def test_the_original_answers_twenty():
    """Each row answers one query on age and one on zipcode."""
    exact = exact_values(encoded(TABLE_1A))
    assert matching_rows(exact, EIGHT).tolist() == [3, 2, 2, 3, 3, 2, 2, 3]


def test_conjunctions_of_the_paper():
    """zipcode = 102 fits a row of age 40 in Table 2a, and two rows of Table 2b."""
    query = Queries(("age", "zipcode"), np.array([[2, 1], [0, 3]]))
    assert matching_rows(possible_values(TABLE_2A, TABLE_1A), query).tolist() == [2, 0]
    assert matching_rows(possible_values(TABLE_2B, TABLE_1A), query).tolist() == [2, 0]


@settings(max_examples=60)
@given(published_tables(), st.integers(0, 2**32))
def test_answers_equal_those_of_the_plain_twin(drawn, seed):
    original, release, _ = drawn
    made = encoded(original)
    queries = random_queries(made, Randomness(seed), 30)
    names = domains(original)
    asked = [
        {place: names[place][code] for place, code in enumerate(line) if code >= 0}
        for line in queries.values.tolist()
    ]
    rows = possible_sets(release, original)
    expected = [oracle.matching_rows(rows, query) for query in asked]
    cells = possible_values(release, original)
    assert matching_rows(cells, queries).tolist() == expected
    assert query_ratio(cells, queries) == pytest.approx(sum(expected) / (30 * len(rows)))
    exact = [[{value} for value in row] for row in zip(*original_values(original), strict=True)]
    expected = [oracle.matching_rows(exact, query) for query in asked]
    assert matching_rows(exact_values(made), queries).tolist() == expected


def _blocks(classes, seed):
    """Many classes with one cell of one run each, and what is asked of them."""
    random = np.random.default_rng(seed)
    low = random.integers(0, 50, classes)
    high = np.minimum(low + random.integers(0, 20, classes), 49)
    sizes = random.integers(1, 3000, classes)
    cells = PossibleValues(sizes, {"a": Runs(50, np.arange(classes + 1), low, high)})
    return cells, low, high, sizes


@pytest.mark.parametrize("classes", [1, 63, 64, 65, 8191, 8192, 8193, 20_000])
def test_many_classes_are_counted_block_by_block(classes):
    cells, low, high, sizes = _blocks(classes, classes)
    asked = np.array([0, 7, 49, -1])
    counted = matching_rows(cells, Queries(("a",), asked[:, None]))
    expected = [int(sizes[(low <= v) & (v <= high)].sum()) for v in asked[:3]]
    assert counted.tolist() == [*expected, int(sizes.sum())]


def test_queries_have_all_lengths_and_only_values_that_occur():
    made = encoded(TABLE_1A)
    drawn = random_queries(made, Randomness(1), 4000)
    assert drawn.columns == ("age", "zipcode")
    lengths = np.bincount((drawn.values >= 0).sum(axis=1), minlength=3)
    assert lengths[0] == 0
    # Half of 4000, five standard deviations to each side.
    assert abs(lengths[1] - 2000) < 160
    assert abs((drawn.values[:, 0] >= 0).sum() - 3000) < 140
    for place in range(2):
        asked = drawn.values[:, place]
        counts = np.bincount(asked[asked >= 0], minlength=4)
        assert len(counts) == 4
        assert (abs(counts - 750) < 140).all()


def test_queries_repeat_with_their_seed_only():
    made = encoded(TABLE_1A)
    once, again, other = (random_queries(made, Randomness(s), 50).values for s in (3, 3, 4))
    assert (once == again).all()
    assert (once != other).any()

import pytest
from cells_by_row import keys, published_tables
from hypothesis import given, settings
from paper_tables import TABLE_1A, TABLE_2A, TABLE_2B

from oracles import measures as oracle
from papilio.measure.losses import average_class_size
from papilio.measure.published_classes import published_classes


def test_known_tables():
    """Four classes in Table 2a; five of exactly two rows in Table 2b."""
    assert average_class_size(published_classes(TABLE_2A, TABLE_1A), 2) == 10 / 4 / 2
    assert average_class_size(published_classes(TABLE_2B, TABLE_1A), 2) == 1


@settings(max_examples=40)
@given(published_tables())
def test_average_equals_its_plain_twin(drawn):
    original, release, k = drawn
    found = average_class_size(published_classes(release, original), k)
    assert found == pytest.approx(oracle.average_class_size(keys(release), k))
    assert found >= 1

import pytest
from cells_by_row import keys, labels, published_tables
from hypothesis import given, settings
from paper_tables import AGE_2A, TABLE_1A, TABLE_2A, ZIPCODE_2A, release_of

from oracles import measures as oracle
from papilio.errors import DataError
from papilio.measure.usefulness import classification


def test_majorities_of_a_known_table():
    """Classes of Table 2a: H1N1 HIV flu; Pneumonia HBV; HIV dyspepsia; flu flu HIV."""
    assert classification(TABLE_2A, TABLE_1A, "disease") == pytest.approx((2 + 1 + 1 + 1) / 10)


def test_rows_left_out_are_penalised():
    """Without its last row, the last class is pure: one minority label less, one row lost."""
    short = release_of(AGE_2A[:9], ZIPCODE_2A[:9])
    assert classification(short, TABLE_1A, "disease") == pytest.approx((2 + 1 + 1 + 0 + 1) / 10)


@settings(max_examples=60)
@given(published_tables())
def test_classification_equals_its_plain_twin(drawn):
    original, release, _ = drawn
    published = keys(release)
    left_out = original.height - len(published)
    expected = oracle.classification(published, labels(release), left_out)
    assert classification(release, original, "disease") == pytest.approx(expected)


@pytest.mark.parametrize("label", ["age", "age_min", "nothing"])
def test_only_columns_that_are_published_as_they_are(label):
    with pytest.raises(DataError, match=f"'{label}' is no column .* these are: disease"):
        classification(TABLE_2A, TABLE_1A, label)

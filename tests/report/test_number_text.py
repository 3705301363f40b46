import pytest

from papilio.document.text import count, listing, percentage, plural, prose, significant


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.1234, "12.3%"),
        (0.12, "12.0%"),
        (0.00099, "0.0990%"),
        (0.000001, "<0.001%"),
        (0.99999, ">99.9%"),
        (0.9993, "99.9%"),
        (5e-324, "<0.001%"),
    ],
)
def test_percentage(share, text):
    assert percentage(share) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (0.012345, "0.0123"),
        (12.34, "12.3"),
        (12.0, "12"),
        (99.96, "100"),
        (30162.4, "30,162"),
        (0.00001234, "1.23e-05"),
        (-1234.5, "-1,234"),
    ],
)
def test_significant(number, text):
    assert significant(number) == text


def test_words():
    assert count(1234567) == "1,234,567"
    assert plural(1, "class", "classes") == "1 class"
    assert plural(1200, "class", "classes") == "1,200 classes"
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"


def test_prose():
    assert prose("k >= 10 over 2091 classes") == "k ≥ 10 over 2,091 classes"
    assert prose("hierarchy_1234.csv, 0.12345, a1234") == "hierarchy_1234.csv, 0.12345, a1234"

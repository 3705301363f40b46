import pytest

from papilio.data.wording import bytes_of


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8GiB", 8 << 30),
        ("500MB", 500_000_000),
        (" 1.5 gib ", 3 << 29),
        ("12", 12),
        ("7 b", 7),
        ("1TiB", 1 << 40),
        ("", None),
        ("GiB", None),
        ("-1MB", None),
        ("8 GiB x", None),
        ("3 parsec", None),
        ("1e3", None),
    ],
)
def test_a_size_is_read_or_refused(text, size):
    assert bytes_of(text) == size

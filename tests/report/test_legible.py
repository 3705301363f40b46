import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from papilio.document.charts.svg import distinct_labels
from papilio.document.text import LONGEST, legible, shown


@given(st.text())
@settings(deadline=None)
def test_leaves_no_character_that_acts(text):
    clean = legible(text)
    assert len(clean) == len(text)
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in clean)
    assert not set(clean) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert all(new in (old, "\ufffd") for old, new in zip(text, clean, strict=True))


def test_ordinary_text_stays():
    for text in ("Zürich, 東京", "a–b", "👩‍⚕️", "שלום"):
        assert legible(text) == text


@given(st.text(max_size=200))
@settings(deadline=None)
def test_shown_is_never_empty_nor_long(text):
    assert 0 < len(shown(text)) <= LONGEST


def test_long_text_is_cut():
    assert shown("a" * LONGEST) == "a" * LONGEST
    assert shown("a" * (LONGEST + 1)) == "a" * (LONGEST - 1) + "…"


@given(st.lists(st.text(max_size=50)))
@settings(deadline=None)
def test_labels_differ(texts):
    labels = distinct_labels(texts)
    assert len(labels) == len(texts) == len(set(labels))

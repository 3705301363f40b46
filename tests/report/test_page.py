import re
from datetime import date
from html.parser import HTMLParser

import polars as pl
import pytest
from releases import HOLDS, HOSTILE, calendar_table, hostile_table, owned, release_of

from papilio.data.table import ColumnType, Role
from papilio.data.types import column_type
from papilio.document.charts.bars import certain_bars, certain_rows_chart
from papilio.document.html import render
from papilio.errors import DataError
from papilio.families.generalising.document import document
from papilio.families.generalising.facts import table_facts
from papilio.verify.verdict import Finding, Status, Verdict
from sizes import spread
from tables import column, table

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Reader(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.open, self.text = [], [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, "tags are nested properly"

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text.append(data)

    @property
    def words(self):
        return re.sub(r"\s+", " ", " ".join(self.text))


def page_of(original, *, k=2, verdict=HOLDS, text=False, seed=None):
    release = release_of(original, k, text=text, seed=seed)
    return render(document(owned(release, original, verdict, made=date(2024, 2, 3))))


@pytest.fixture(scope="module")
def calendar_page():
    return page_of(calendar_table(), k=4)


@pytest.fixture(scope="module")
def hostile_page():
    return page_of(hostile_table())


def test_says_for_whom_it_is_before_anything_else(calendar_page):
    words = Reader(calendar_page).words
    body = words[words.index("For the data owner only.") :]
    assert "Do not hand it out" in body[:200]
    assert words.index("For the data owner only.") < words.index("Papilio · Anonymisation report")


@pytest.mark.parametrize("which", ["calendar_page", "hostile_page"])
def test_needs_nothing_from_elsewhere(which, request):
    page = request.getfixturevalue(which)
    read = Reader(page)
    assert read.open == []
    assert not {"script", "link", "img", "iframe", "object", "embed", "base"} & set(read.tags)
    names = {name for name, _ in read.attributes}
    assert not {"src", "href", "xlink:href", "action", "srcset"} & names
    assert not any(name.startswith("on") for name in names)
    assert "http://" not in page
    assert "https://" not in page
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_names_and_values_are_escaped_everywhere(hostile_page):
    read = Reader(hostile_page)
    assert HOSTILE in read.words, "shown as the text it is"
    assert "<img" not in hostile_page
    assert "<script" not in hostile_page
    assert "<b>people" not in hostile_page
    assert "{{ 7 * 7 }}" in read.words, "not evaluated as a template"
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", hostile_page)
    assert "a" * 100 not in hostile_page


def test_pictures_are_inside_and_described(calendar_page):
    assert calendar_page.count("<svg") == 2 + 4
    assert calendar_page.count('<svg role="img" aria-label="') == 6
    assert calendar_page.count("<desc>") == 6
    for svg in re.findall(r"<svg.*?</svg>", calendar_page, flags=re.DOTALL):
        assert ' id="' not in svg, "identifiers of several pictures would clash"
        assert "<text" in svg
    assert "k = 4" in calendar_page


def test_numbers_are_readable(calendar_page):
    words = Reader(calendar_page).words
    assert "12,345 classes" in words
    assert "k ≥ 2" in words
    assert "3 February 2024" in words
    assert "%" in words
    assert not re.search(r"\d\.\d{6}", words)


def test_promises_and_limits_are_told(calendar_page):
    words = Reader(calendar_page).words
    assert "Someone who knows the ‘born’, ‘seen’, ‘left’ and ‘size’ of a person" in words
    assert "at least 4 rows that could be theirs" in words
    assert "What this release does not protect against" in words
    for limit in ("Homogeneity", "Background knowledge", "Joining two releases"):
        assert limit in words
    assert "How to read it" in words


def test_a_bad_verdict_is_not_hidden():
    original = table(age=(pl.Series([1, 2, 2, 3]), column("age", ColumnType.NUMERIC)))
    violated = Finding("k-anonymity", "k >= 2", "k = 1", Status.VIOLATED, recipient="insurer")
    unsure = Finding("t-closeness", "as claimed", "not checked", Status.NOT_CHECKED)
    page = Reader(page_of(original, verdict=Verdict((violated, *HOLDS.findings))))
    assert "Violated: do not hand this release out." in page.words
    assert "for insurer" in page.words
    page = Reader(page_of(original, verdict=Verdict((unsure, *HOLDS.findings))))
    assert "Not fully checked" in page.words
    assert "everything that was checked holds" not in page.words


def test_a_seeded_release_is_marked():
    original = table(age=(pl.Series([1, 2, 2, 3]), column("age", ColumnType.NUMERIC)))
    assert "Made with a seed" in page_of(original, seed=1)
    assert "Made with a seed" not in page_of(original)


@pytest.mark.parametrize(
    "series",
    spread(
        [
            pl.Series([None, None], dtype=pl.Int64),
            pl.Series([None, None], dtype=pl.Date),
            pl.Series([5, 5]),
            pl.Series([0.1, None]),
            pl.Series([-1.7e308, 1.7e308]),
            pl.Series([-(2**63), 2**63 - 1]),
            pl.Series([""]),
            pl.Series([True, None]),
        ],
        2,
    ),
)
@pytest.mark.parametrize("text", [False, True])
def test_odd_columns_make_a_page(series, text):
    original = table(odd=(series, column("odd", column_type(series, typed=True))))
    page = page_of(original, text=text)
    assert Reader(page).open == []
    assert "NaN" not in page
    assert "nan%" not in page


def test_all_facts_are_collected():
    original = table(
        age=(pl.Series([1, 2, 3, 4, 5]), column("age", ColumnType.NUMERIC)),
        ill=(pl.Series(["a", "b", "a", "b", "c"]), column("ill", role=Role.SENSITIVE)),
    )
    release = release_of(original, 2)
    content = table_facts(release, original, owned(release, original).policy)
    assert content.name == "people"
    assert content.k == 2
    assert content.sizes.histogram == {2: 1, 3: 1}
    assert content.discernibility == 2**2 + 3**2
    assert content.uncertainty_penalty == pytest.approx((3 * 2 + 2 * 1) / 4)
    assert content.loss.overall == pytest.approx((3 * 2 + 2 * 1) / 4 / 5)
    assert len(content.examples) == 5
    words = Reader(render(document(owned(release, original)))).words
    assert "method mondrian" in words
    assert "The method is mondrian: it fits." in words


def test_other_columns_are_refused():
    made = table(age=(pl.Series([1, 2]), column("age", ColumnType.NUMERIC)))
    other = table(size=(pl.Series([1, 2]), column("size", ColumnType.NUMERIC)))
    with pytest.raises(DataError) as caught:
        table_facts(release_of(made), other, owned(release_of(made), made).policy)
    assert caught.value.reason == "other-original"


def test_what_follows_from_the_release_alone_is_told_and_drawn():
    numbers = pl.Series([1, 2, 3, 3, 4, 5, 6, 6])
    original = table(
        age=(numbers, column("age", ColumnType.NUMERIC)),
        ill=(pl.Series(list("abababab")), column("ill", role=Role.SENSITIVE)),
    )
    page = page_of(original, k=3)
    assert "What follows from the release alone" in page
    words = Reader(page).words
    # Classes 1 to 3 and 4 to 6: both ends of each follow, two of which are one person's.
    assert "2 people's complete rows follow from the release alone: 4 rows must exist" in words
    assert "Complete rows by how many people share them: 1: 2; ≥ 2: 2." in page


def test_nothing_is_drawn_where_no_row_follows():
    original = table(
        age=(pl.Series([1, 2, 3, 4]), column("age", ColumnType.NUMERIC)),
        size=(pl.Series([5, 6, 7, 8]), column("size", ColumnType.NUMERIC)),
    )
    page = page_of(original)
    assert "No complete row follows from the release alone." in page
    assert "by how many people share them" not in page


def test_rows_that_follow_are_drawn_without_clips_that_other_drawings_could_stand_for():
    """Pages put drawings of several processes side by side, whose clips have the same names."""
    figures = {"certain": 3, "shared_by_few": 2, "shared_by_one": 1, "k": 3, "wrong": 0}
    bars = certain_bars(figures)
    assert [(bar.label, bar.rows, bar.few) for bar in bars] == [
        ("1", 1, True),
        ("2", 1, True),
        ("≥ 3", 1, False),
    ]
    assert "clip" not in certain_rows_chart(bars, width=600)
    assert certain_bars({"certain": 0}) == certain_bars({}) == []

import re
from datetime import date
from html.parser import HTMLParser

import pytest

from papilio.document.compare import render_comparison
from papilio.document.comparison import Comparison, Outcome, Trial

HOSTILE = "<img src=x onerror=alert(1)> & \"'</svg><script>alert(2)</script>"


def outcome(ncp, **more):
    usual = {
        "discernibility": 267_266,
        "classes": 4027,
        "smallest": 5,
        "average_class_size": 1.5,
        "query_ratio": 0.03,
        "divergence": 0.0144,
        "classification": None,
        "left_out": 0,
        "seconds": 0.04,
    }
    return Outcome(ncp, **{**usual, **more})


TRIALS = (
    Trial("mondrian", 5, outcome(0.0433)),
    Trial("mondrian", 50, outcome(0.224)),
    Trial("hybrid+improve", 5, outcome(0.0288)),
    Trial("hybrid+improve", 50, why_not="k is 50000, but the table has only 30162 rows"),
)


def comparison(trials=TRIALS, **more):
    usual = {
        "table": "adult",
        "rows": 30_162,
        "quasi": ("age", "job"),
        "beside_k": (),
        "label": None,
        "queries": 7000,
        "exact_query_ratio": 0.0188,
        "improve": "10 seconds",
        "trials": trials,
        "made": date(2026, 3, 1),
    }
    return Comparison(**{**usual, **more})


class Reader(HTMLParser):
    """Checks that tags are balanced, and collects text, tags and attributes."""

    VOID = frozenset({"meta", "br", "img", "link", "input"})

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text, self.attributes = [], [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())


def test_page_stands_alone():
    page = render_comparison(comparison())
    read = Reader(page)
    assert read.tags.count("svg") == 4
    assert {"script", "img", "link", "iframe", "object"}.isdisjoint(read.tags)
    assert "http:" not in page
    assert "https:" not in page
    assert not [value for name, value in read.attributes if name in ("src", "href")]
    assert "default-src 'none'" in page


def test_page_tells_the_owner_to_keep_it():
    words = Reader(render_comparison(comparison())).words
    assert "For the data owner only." in words
    assert "Do not hand it out" in words
    assert "1 March 2026" in words


def test_page_shows_every_trial():
    words = Reader(render_comparison(comparison())).words
    assert "mondrian 4.33% 267,266 4,027 5 1.50 3.00% 0.0144 0.04" in words
    assert "hybrid+improve not run: k is 50,000, but the table has only 30,162 rows" in words
    assert "least loss, by hybrid+improve" in words
    assert "a search for better classes: 10 seconds at most" in words
    assert "The original itself has 1.88%" in words


def test_best_of_each_k_stand_out():
    page = render_comparison(comparison())
    marked = re.findall(r'<tr class="least"><th scope="row">([^<]*)</th>', page)
    assert marked == ["hybrid+improve", "mondrian"]
    assert [trial.outcome.ncp for trial in comparison().best] == [0.0288, 0.224]


def test_equal_losses_go_to_the_first():
    """Sums of the same numbers in another order differ in their last digit."""
    trials = (Trial("mondrian", 5, outcome(0.1 + 2e-16)), Trial("hybrid", 5, outcome(0.1)))
    assert [trial.method for trial in comparison(trials).best] == ["mondrian"]


def test_a_label_adds_its_measure():
    trials = [Trial("mondrian", k, outcome(0.1, classification=0.1507)) for k in (2, 5)]
    page = render_comparison(comparison(tuple(trials), label="income"))
    read = Reader(page)
    assert read.tags.count("svg") == 5
    assert "15.1%" in read.words
    assert "of ‘income’" in read.words
    assert "CM" not in Reader(render_comparison(comparison())).words


def test_rows_left_out_are_shown_where_there_are_some():
    trials = (Trial("incognito", 5, outcome(0.1, left_out=603)),)
    words = Reader(render_comparison(comparison(trials))).words
    assert "Left out" in words
    assert "603" in words
    assert "Left out" not in Reader(render_comparison(comparison())).words


def test_one_k_is_drawn_with_bars():
    trials = (Trial("mondrian", 5, outcome(0.0433)), Trial("hybrid", 5, outcome(0.0288)))
    page = render_comparison(comparison(trials))
    words = Reader(page).words
    assert "Each bar is a method" in words
    assert 'aria-label="NCP. mondrian: 4.33% at k = 5; hybrid: 2.88% at k = 5."' in page
    assert "Each line is a method" in Reader(render_comparison(comparison())).words


def test_nothing_came_out():
    trials = (Trial("mondrian", 5, why_not="too few rows"),)
    read = Reader(render_comparison(comparison(trials)))
    assert "None of the methods gave a release" in read.words
    assert "not run: too few rows" in read.words
    assert "svg" not in read.tags


def test_names_are_escaped():
    page = render_comparison(
        comparison(
            (Trial("mondrian", 5, outcome(0.1, classification=0.5)),),
            table=HOSTILE,
            quasi=(HOSTILE,),
            beside_k=(f"t-closeness of {HOSTILE}",),
            label=HOSTILE,
        )
    )
    read = Reader(page)
    assert {"script", "img"}.isdisjoint(read.tags)
    assert HOSTILE in read.words


@pytest.mark.parametrize("value", [0.0, 1.0, 1e-9])
def test_extreme_outcomes_can_be_drawn(value):
    trials = [
        Trial(m, k, outcome(value, query_ratio=value, seconds=value, average_class_size=1e6))
        for m in ("mondrian", "incognito")
        for k in (1, 2)
    ]
    assert Reader(render_comparison(comparison(tuple(trials), exact_query_ratio=value))).words

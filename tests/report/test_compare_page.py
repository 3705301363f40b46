import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pytest

from papilio.document.compare import Comparison, Outcome, Trial, render_comparison
from papilio.families.choices import Measure

HOSTILE = "<img src=x onerror=alert(1)> & \"'</svg><script>alert(2)</script>"


MEASURES = (
    Measure("discernibility", "DM", "Discernibility."),
    Measure("classes", "classes", "How many classes."),
    Measure("ratio", "ratio", "The original itself has 1.88%.", share=True, drawn=True,
            reference=0.0188),
    Measure("divergence", "divergence", "In bits."),
)  # fmt: skip
LABEL = Measure("classification", "CM", "About ‘income’.", share=True, drawn=True)


def outcome(loss, *, left_out=0, seconds=0.04, risk=0.2, **more):
    usual = {"discernibility": 267_266, "classes": 4027, "ratio": 0.03, "divergence": 0.0144}
    return Outcome(loss, risk, 30_162 - left_out, left_out, seconds, {**usual, **more})


def trial(method, k, found=None, why_not=None):
    return Trial(method, {"k": k}, (), found, why_not)


TRIALS = (
    trial("mondrian", 5, outcome(0.0433)),
    trial("mondrian", 50, outcome(0.224)),
    trial("hybrid+improve", 5, outcome(0.0288)),
    trial("hybrid+improve", 50, why_not="k is 50000, but the table has only 30162 rows"),
)


def comparison(trials=TRIALS, **more):
    usual = {
        "table": "adult",
        "people": 30_162,
        "varied": ("k",),
        "demands": ("k",),
        "parameter": "k",
        "beside": (),
        "improve": "10 seconds",
        "loss": Measure("loss", "NCP", "What is left open.", share=True),
        "risk": Measure("risk", "Risk", "Highest chance: one in the smallest class.", share=True),
        "measures": MEASURES,
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
    assert "mondrian 4.33% 20.0% 267,266 4,027 3.00% 0.0144 30,162 0.04" in words
    assert "hybrid+improve not run: k is 50,000, but the table has only 30,162 rows" in words
    assert "least loss, by hybrid+improve" in words
    assert "a search for better classes: 10 seconds at most" in words
    assert "The original itself has 1.88%" in words


def test_best_of_each_k_stand_out():
    page = render_comparison(comparison())
    marked = re.findall(r'<tr class="least"><th scope="row">([^<]*)</th>', page)
    assert marked == ["hybrid+improve"]
    assert [each.outcome.loss for each in comparison().best] == [0.0288, 0.224]
    # At k = 50 there is nothing it is better than.
    assert [each.outcome.loss for each in comparison().starred] == [0.0288]
    assert page.count("★") == 1


def test_options_of_a_method_compete_and_demands_do_not():
    trials = tuple(
        Trial("permutation", {"k": k, "minimise": how}, (), outcome(loss))
        for k, how, loss in ((3, "sum", 0.1), (3, "max", 0.2), (5, "sum", 0.4), (5, "max", 0.3))
    )
    made = comparison(trials, varied=("k", "minimise"))
    assert [dict(each.values) for each in made.starred] == [
        {"k": 3, "minimise": "sum"},
        {"k": 5, "minimise": "max"},
    ]
    assert made.series(trials[0]) == "minimise = sum"
    words = Reader(render_comparison(made)).words
    assert "10.0% least loss, by minimise = sum, permutation, at k = 3" in words
    alone = comparison(trials, varied=("k", "minimise"), demands=("k", "minimise"))
    assert (len(alone.best), alone.starred) == (4, ())


def test_without_a_number_that_varies_there_are_bars():
    trials = tuple(
        Trial("permutation", {"minimise": how}, (), outcome(loss))
        for how, loss in (("sum", 0.1), ("max", 0.2))
    )
    made = comparison(trials, varied=("minimise",), demands=(), parameter=None)
    page = render_comparison(made)
    assert "Each bar is a method" in Reader(page).words
    assert "minimise = max 20.0%" in Reader(page).words


def test_equal_losses_go_to_the_first():
    """Sums of the same numbers in another order differ in their last digit."""
    trials = (trial("mondrian", 5, outcome(0.1 + 2e-16)), trial("hybrid", 5, outcome(0.1)))
    assert [each.method for each in comparison(trials).best] == ["mondrian"]


def test_a_label_adds_its_measure():
    trials = [trial("mondrian", k, outcome(0.1, classification=0.1507)) for k in (2, 5)]
    page = render_comparison(comparison(tuple(trials), measures=(*MEASURES, LABEL)))
    read = Reader(page)
    assert read.tags.count("svg") == 5
    assert "15.1%" in read.words
    assert "About ‘income’" in read.words
    assert "CM" not in Reader(render_comparison(comparison())).words


def test_rows_left_out_are_shown_where_there_are_some():
    trials = (trial("incognito", 5, outcome(0.1, left_out=603)),)
    words = Reader(render_comparison(comparison(trials))).words
    assert "Left out" in words
    assert "603" in words
    assert "Left out" not in Reader(render_comparison(comparison())).words


def test_one_k_is_drawn_with_bars():
    trials = (trial("mondrian", 5, outcome(0.0433)), trial("hybrid", 5, outcome(0.0288)))
    page = render_comparison(comparison(trials))
    words = Reader(page).words
    assert "Each bar is a method" in words
    assert 'aria-label="NCP. mondrian: 4.33% at k = 5; hybrid: 2.88% at k = 5."' in page
    assert "Each line is a method" in Reader(render_comparison(comparison())).words


def test_nothing_came_out():
    trials = (trial("mondrian", 5, why_not="too few rows"),)
    read = Reader(render_comparison(comparison(trials)))
    assert "None of the variants gave a release" in read.words
    assert "not run: too few rows" in read.words
    assert "svg" not in read.tags


def test_names_are_escaped():
    page = render_comparison(
        comparison(
            (trial("mondrian", 5, outcome(0.1, classification=0.5)),),
            table=HOSTILE,
            beside=(f"t-closeness of {HOSTILE}",),
            measures=(*MEASURES, replace(LABEL, words=HOSTILE, title=HOSTILE)),
        )
    )
    read = Reader(page)
    assert {"script", "img"}.isdisjoint(read.tags)
    assert HOSTILE in read.words


@pytest.mark.parametrize("value", [0.0, 1.0, 1e-9])
def test_extreme_outcomes_can_be_drawn(value):
    trials = [
        trial(m, k, outcome(value, ratio=value, seconds=value, risk=value, divergence=1e6))
        for m in ("mondrian", "incognito")
        for k in (1, 2)
    ]
    measures = tuple(replace(each, reference=value, drawn=True) for each in MEASURES)
    assert Reader(render_comparison(comparison(tuple(trials), measures=measures))).words

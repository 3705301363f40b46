"""Documents about releases: every family, made once, and the same on a page and in a report."""

from __future__ import annotations

import pickle
import re
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

from papilio.document import Change, Numbers, Owned, Part, Picture, Pictures, Styled
from papilio.document.html import part_markup, render
from papilio.document.model import Text
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow import report as verb
from papilio.workflow.ask import ask, example_questions
from papilio.workflow.publish import publish
from papilio.workflow.report import document, own, report

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = (
    "one-table",
    "recipients",
    "permutation",
    "disguise",
    "projections",
    "linked-tables",
    "graph",
)
PEOPLE = pl.DataFrame({"age": [20, 20, 30, 30, 40, 40], "ill": ["a", "b", "c", "d", "e", "f"]})
COLUMNS = {"age": "quasi", "ill": "sensitive"}


@pytest.fixture(scope="module", params=NAMES)
def example(request) -> tuple[str, Policy, Release]:
    policy = Policy.load(EXAMPLES / request.param / "policy.yaml")
    return request.param, policy, publish(None, policy, seed=1)


@pytest.fixture(scope="module")
def mine(example) -> Owned:
    _, policy, release = example
    return own(release, policy)


@pytest.fixture(scope="module")
def told(mine):
    return mine.policy.family.document(mine)


def inside(parts):
    """Everything that parts show, whatever it is inside of."""
    for part in parts:
        for content in part.contents:
            yield content
            if isinstance(content, Pictures):
                yield from content.pictures
            if isinstance(content, Part):
                yield from inside([content])


def test_every_family_has_a_document(mine, told):
    assert told.verdict.holds
    assert len(told.warnings) == 1, "it is made with a seed"
    assert 0 <= told.loss <= 1
    assert mine.policy.family.loss(mine) == pytest.approx(told.loss)
    assert mine.policy.family.loss_words
    assert len(told.tiles) >= 2
    parts = (*told.head, *told.parts)
    assert all(part.title and (part.lead or part.contents) for part in parts)
    pictures = [each for each in inside(parts) if isinstance(each, Picture)]
    assert len(pictures) >= 2
    assert all(str(each.svg).startswith("<svg") for each in pictures)
    assert pickle.loads(pickle.dumps(told)) == told


def test_every_promise_is_told_with_its_recipient(mine, told):
    (promises, *_) = told.head[0].contents
    recipients = {claim.recipient for claim in mine.release.manifest.claims}
    for sentence, aside in promises.items:
        assert sentence.endswith(".")
        assert aside.removeprefix("Recipient: ").partition(", of ")[0] in recipients


@pytest.mark.long
def test_stages_are_told_in_order(example):
    _, policy, release = example
    stages = []
    document(release, original=policy, progress=lambda stage, share: stages.append(share))
    assert stages == sorted(stages)
    assert len(stages) >= 3


def test_tables_of_numbers_have_as_many_cells_as_names(told):
    contents = [*inside((*told.head, *told.parts))]
    tables = [each for each in contents if isinstance(each, Numbers)]
    tables += [each.numbers for each in contents if isinstance(each, Picture) and each.numbers]
    assert tables
    for table in tables:
        assert {len(row) for row in table.rows} <= {len(table.head)}


def test_the_report_has_every_part_that_is_not_for_pages_alone(told):
    page = render(told)
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == [p.title for p in (*told.head, *told.parts) if p.where != "page"]
    assert "Made with a seed" in page


@pytest.mark.long
def test_the_policy_and_the_data_are_read_once_and_judged_once(example, monkeypatch, tmp_path):
    _, policy, release = example
    calls = []
    for name in ("read_original", "judge_beside"):
        usual = getattr(verb, name)
        monkeypatch.setattr(
            verb, name, lambda *given, usual=usual, name=name: calls.append(name) or usual(*given)
        )
    report(release, tmp_path / "report.html", original=policy)
    assert calls == ["read_original", "judge_beside"]


def test_every_report_says_whether_rows_are_truthful(example, mine):
    name, _, _ = example
    claims = {finding.claim for finding in mine.verdict.findings}
    wanted = {"graph": "structure of the original"}.get(name, "truthfulness")
    assert any(claim.startswith(wanted) for claim in claims), claims


def test_rows_of_one_table_stand_before_and_after():
    policy = Policy.load(EXAMPLES / "one-table" / "policy.yaml")
    told = document(publish(None, policy, seed=1), original=policy)
    first = told.parts[0]
    assert first.title == "Rows before and after"
    (table,) = first.contents
    assert len(table.head) == 1 + 5
    assert [row[0] for row in table.rows] == ["age", "sex", "postcode", "job", "diagnosis", "days"]
    assert any(isinstance(cell, Change) for row in table.rows for cell in row)


def test_a_policy_that_demands_more_shows_as_violated(tmp_path):
    release = publish(PEOPLE, Policy(columns=COLUMNS, privacy={"k": 2}), seed=1)
    stricter = Policy(columns=COLUMNS, privacy={"k": 3})
    told = document(release, original=stricter, data=PEOPLE)
    assert told.verdict.status is Status.VIOLATED
    assert "Violated: do not hand this release out." in render(told)


class Reader(HTMLParser):
    """Checks that tags are nested, and collects them and the text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.open, self.words = [], [], ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def test_markup_of_a_table_follows_its_rules():
    rows = (("k = 2",), ("a", "1", "2"), ("", "3", "4"), (Styled("b", "least"), "why not"))
    read = Reader(part_markup(Part("t", contents=(Numbers(("x", "y", "z"), rows),))))
    assert [attrs.get("class") for tag, attrs in read.tags if tag == "tr"] == [
        None,
        "group",
        None,
        "more",
        "least",
    ]
    assert [a["colspan"] for _, a in read.tags if "colspan" in a] == ["3", "2"]


def test_markup_escapes_whatever_is_said():
    evil = "<script>alert(1)</script>\x07"
    cells = (evil, Styled(evil, "quasi"), Change(evil, evil))
    part = Part("t", contents=(Text(evil), Numbers((evil, evil, evil), (cells,), evil)))
    markup = str(part_markup(Part(evil, contents=(part,))))
    assert "<script" not in markup
    assert "\x07" not in markup
    assert Reader(markup).words.count("alert(1)") == 9


def test_every_family_has_questions_that_it_answers(example):
    _, _, release = example
    questions = example_questions(release)
    assert len(questions) >= 2
    for sql in questions:
        assert ask(release, sql).rows


def test_questions_about_ranges_are_in_doubt():
    policy = Policy.load(EXAMPLES / "one-table" / "policy.yaml")
    release = publish(None, policy, seed=1)
    sql = next(each for each in example_questions(release) if re.search(r"count.*WHERE age", each))
    bounds = ask(release, sql).rows[0].answers["count(*)"]
    assert bounds.lo < bounds.hi

"""What the workbench remembers of releases and comparisons."""

from __future__ import annotations

from dataclasses import replace

import pytest

from papilio.attack.lights import Colour, Light, Weakness
from papilio.document.compare import Comparison, Outcome, Trial, reason_of
from papilio.families.choices import Measure
from papilio.policy.remedy import Remedy
from papilio.verify.verdict import Finding, Status
from papilio.web.project import Workspace
from papilio.web.records import (
    Record,
    load_comparison,
    load_record,
    records,
    save_comparison,
    save_record,
    with_loss,
)

FINDING = Finding("k-anonymity", "5 rows", "7 rows", Status.HOLDS, "everyone")
RECORD = Record(
    number=1,
    text="papilio: 1\n",
    kind="generalised",
    method="hybrid",
    why="of the fast methods it loses least",
    k=5,
    left_out=("name",),
    notes=("a note",),
    seconds=1.5,
    made="2026-01-01",
    rows=200,
    findings=(FINDING,),
)


@pytest.fixture
def project(tmp_path):
    return Workspace(tmp_path).create("people")


def finish(project, number):
    (project.releases / str(number)).mkdir()
    (project.releases / str(number) / "release.json").write_text("{}")


def test_a_record_reads_back_as_it_was_written(project):
    save_record(project.folder, RECORD)
    assert load_record(project, 1) == RECORD
    save_record(project.folder, replace(RECORD, k=9))
    assert load_record(project, 1).k == 9


def test_the_loss_is_added_when_it_is_known(project):
    save_record(project.folder, RECORD)
    with_loss(project.folder, RECORD, 0.25)
    assert load_record(project, 1) == replace(RECORD, loss=0.25)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"number": 1}', "not json"])
def test_a_record_that_cannot_be_read_is_none(project, text):
    (project.state / "release-1.json").write_text(text)
    assert load_record(project, 1) is None


def test_records_are_those_of_finished_releases_latest_first(project):
    for number in (1, 2, 10):
        save_record(project.folder, replace(RECORD, number=number))
    for number in (2, 10):
        finish(project, number)
    assert [each.number for each in records(project)] == [10, 2]


def test_a_comparison_reads_back_as_it_was_written(project):
    changes = ((("privacy", "k"), 5), (("improve",), None))
    share = Measure("loss", "NCP", "What is left open.", share=True)
    light = Light(
        "secret",
        Colour.RED,
        "Some are known.",
        (
            Weakness(
                Colour.RED, "Some.", "So.", remedy=Remedy(((("privacy", "l"), 2),), "It helps.")
            ),
        ),
    )
    found = Outcome(*(0.5, 0.2, 40, 0, 0.1, {"classes": 8}, {"secret": "red"}, (reason_of(light),)))
    comparison = Comparison(
        *("people", 40, ("k",), ("k",), "k", ("l = 2",), None),
        *(share, share, (Measure("classes", "classes", "How many."),)),
        (
            Trial("mondrian", {"k": 5}, changes, found),
            Trial("mondrian", {"k": 50}, changes, why_not="too few rows"),
        ),
    )
    save_comparison(project.folder, comparison)
    assert load_comparison(project) == comparison


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"trials": {}}', '[{"setting": {}}]'])
def test_a_comparison_that_cannot_be_read_is_none(project, text):
    (project.state / "compare.json").write_text(text)
    assert load_comparison(project) is None

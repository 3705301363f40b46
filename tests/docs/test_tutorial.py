"""The tutorial runs as it stands, and prints what it shows."""

from __future__ import annotations

import pytest
from generate import FOLDER
from generators.blocks import blocks_of, run_in_copy

PATH = FOLDER / "tutorial.md"
PAGE = PATH.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def outputs():
    return run_in_copy(PATH)


def test_every_output_is_as_shown(outputs):
    wrong = [f"line {each.line}:\n{each.real}" for each in outputs if not each.agrees]
    assert not wrong, "run `make docs`; these outputs differ:\n" + "\n".join(wrong)


def test_nothing_is_skipped():
    assert not [block.line for block in blocks_of(PAGE) if block.skipped]


def test_it_goes_the_whole_way():
    commands = [line.split()[2] for line in PAGE.splitlines() if line.startswith("$ papilio ")]
    assert commands == ["profile", "init", "publish", "verify", "verify", "report", "publish"]


def test_the_changed_release_is_refused(outputs):
    (refused,) = [each for each in outputs if "[exit" in each.real]
    assert "hierarchy_4.csv changed" in refused.shown
    assert refused.shown.endswith("violated\n[exit 1]\n")

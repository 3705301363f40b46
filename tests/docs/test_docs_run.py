"""Every page other than the tutorial runs as it stands, and prints what it shows."""

from __future__ import annotations

import pytest
from generate import FOLDER, ROOT, written
from generators import blocks
from generators.blocks import blocks_of, run_in_copy

from sizes import some

PAGES = [path for path in written() if path != FOLDER / "tutorial.md"]
#: Pages that run for seconds, some of them on whole data sets.
LONG = {
    "adult-diversity",
    "attacks.md",
    "disguise",
    "graph",
    "methods.md",
    "permutation",
    "permutation.md",
    "projections",
    "recipients",
    "recipients.md",
    "requirements.md",
}


@pytest.mark.parametrize(
    "path",
    some(PAGES, *(path for path in PAGES if not LONG & {path.name, path.parent.name})),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_page_runs_and_shows_what_it_prints(path):
    outputs = run_in_copy(path)
    wrong = [f"{path.name}:{each.line}:\n{each.real}" for each in outputs if not each.agrees]
    assert not wrong, "run `make docs`; these outputs differ:\n" + "\n".join(wrong)


def test_pages_that_must_run_do():
    running = {
        path.name
        for path in PAGES
        if any(
            block.language in ("python", "console") and not block.skipped
            for block in blocks_of(path.read_text(encoding="utf-8"))
        )
    }
    assert {
        "release-format.md",
        "python.md",
        "measures.md",
        "methods.md",
        "requirements.md",
    } <= running


@pytest.mark.parametrize(("place", "seen"), [("docs", "a.txt"), ("examples/b", "b.txt page.md")])
def test_a_page_runs_in_a_copy_of_its_example(tmp_path, monkeypatch, place, seen):
    for folder in ("docs", "examples/a", "examples/b"):
        (tmp_path / folder).mkdir(parents=True)
    for name in "ab":
        (tmp_path / "examples" / name / f"{name}.txt").touch()
    path = tmp_path / place / "page.md"
    path.write_text("```console\n$ echo $(ls)\n$ touch left-behind\n```\n")
    monkeypatch.setattr(blocks, "EXAMPLE", tmp_path / "examples" / "a")
    assert [each.real for each in run_in_copy(path)] == [f"{seen}\n", ""]
    assert not list(tmp_path.rglob("left-behind"))

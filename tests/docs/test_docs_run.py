"""Every page other than the tutorial runs as it stands, and prints what it shows."""

from __future__ import annotations

import pytest
from generate import FOLDER, ROOT, written
from generators.blocks import blocks_of, run_in_copy

PAGES = [path for path in written() if path != FOLDER / "tutorial.md"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page_runs_and_shows_what_it_prints(path):
    outputs = run_in_copy(path.read_text(encoding="utf-8"))
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
    assert {"README.md", "release-format.md", "python.md", "measures.md"} <= running

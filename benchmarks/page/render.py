"""The page: one self-contained HTML file, in the style of Papilio's reports."""

from __future__ import annotations

from pathlib import Path

from page.changes import Change
from page.drawings import drawings
from page.plan import ATTRIBUTES, METHODS, ROWS, K
from page.results import PeerRun, Results
from papilio.document.html import environment, style

_TITLES = {
    ROWS: "Over the number of rows",
    K: "Over k",
    ATTRIBUTES: "Over the number of quasi-identifiers",
    METHODS: "By method",
}


def render_page(results: Results, changes: tuple[Change, ...] = ()) -> str:
    """Write the page.

    It needs no network and runs no script; its own policy forbids the browser both.

    Parameters
    ----------
    results
        The run.
    changes
        The run beside an older one.
    """
    template = Path(__file__).with_name("page.html.j2").read_text(encoding="utf-8")
    sections = [
        (name, title, results.section(name), drawings(results, name) if name != METHODS else [])
        for name, title in _TITLES.items()
        if results.section(name)
    ]
    return (
        environment()
        .from_string(template)
        .render(
            results=results,
            sections=sections,
            ks=sorted({each.k for each in results.peers}),
            peers=_by_name(results.peers),
            changes=changes,
            css=style("document.css", "parts.css"),
        )
    )


def _by_name(runs: tuple[PeerRun, ...]) -> list[tuple[str, dict[int, PeerRun]]]:
    found: dict[str, dict[int, PeerRun]] = {}
    for run in runs:
        found.setdefault(run.name, {})[run.k] = run
    return list(found.items())

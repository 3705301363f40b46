"""Everything about speed on one page: time, memory and loss over rows, k, attributes and methods.

Run with ``make bench``, or ``python benchmarks/bench.py`` from the root of the repository. It
writes one HTML page and, beside it, the numbers as JSON, and fails if a bound of ``spine.py`` or
``people.py`` is broken. With ``--quick`` up to a million rows, and without bounds, in some minutes;
with ``--large`` also a hundred million rows. ``--compare OLD.json`` puts an older run beside it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import people
import spine
from page.changes import change_lines, changes
from page.machine import machine
from page.measure import measure
from page.peer_runs import kept_peers, run_peers, save_peers, saved_peers
from page.plan import FULL, QUICK, Sizes, tasks
from page.render import render_page
from page.results import Bound, PeerRun, Results, load
from peers import KS

PAGE = Path("bench-data/benchmarks.html")


def tell(line: str) -> None:
    """Print at once, also into a pipe."""
    print(line, flush=True)


def peer_runs(way: str) -> tuple[PeerRun, ...]:
    """Numbers of other packages, as ``--peers`` says."""
    if way in ("run", "kept"):
        found = run_peers(KS, tell) if way == "run" else kept_peers(KS)
        save_peers(found)
        return found
    return saved_peers() if way == "saved" else ()


def bounds() -> tuple[Bound, ...]:
    """Measure what ``spine.py`` and ``people.py`` bound."""
    found = []
    for part in (*spine.PARTS, *people.PARTS):
        with tempfile.TemporaryDirectory() as folder:
            for each in part(Path(folder)):
                found.append(Bound(each.what, each.seconds, each.ratio, each.bound))
                tell(f"{each.what:<52}{each.ratio:>8.2f}{each.bound:>8.2f}")
    return tuple(found)


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="up to a million rows, no bounds")
    parser.add_argument("--large", action="store_true", help="also a hundred million rows")
    parser.add_argument(
        "--peers",
        choices=("saved", "run", "kept", "none"),
        default="saved",
        help="other packages: saved run, new one (twenty minutes), what the last one left, none",
    )
    parser.add_argument("--compare", type=Path, metavar="OLD.json", help="an older run")
    parser.add_argument("--output", "-o", type=Path, default=PAGE, help="the page")
    return parser.parse_args(given)


def main(given: Sequence[str], sizes: Sizes | None = None) -> int:
    """Measure, save, write the page, and say by the exit code whether all bounds were kept."""
    asked = arguments(given)
    old = None if asked.compare is None else load(asked.compare)
    described = machine()
    plan = tasks(sizes or (QUICK if asked.quick else FULL), large=asked.large)
    measured = tuple(measure(plan, asked.output.parent, tell))
    made = datetime.now(UTC).date().isoformat()
    results = Results(made, described, measured, peers=peer_runs(asked.peers))
    if not asked.quick:
        results = replace(results, bounds=bounds())
    results.machine["load after"] = f"{os.getloadavg()[0]:.1f}"
    beside = () if old is None else changes(results, old)
    results.save(asked.output.with_suffix(".json"))
    asked.output.write_text(render_page(results, beside), encoding="utf-8")
    for line in change_lines(beside) if beside else ():
        tell(line)
    tell(f"Page: {asked.output}, numbers: {asked.output.with_suffix('.json')}")
    return 0 if all(each.kept for each in results.bounds) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

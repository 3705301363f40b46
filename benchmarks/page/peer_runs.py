"""Other packages on Adult: run anew, or taken from a saved run, since they take twenty minutes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import peers
from page.results import PeerRun
from papilio import samples
from peer_cells import outcome
from peer_environments import ENVIRONMENTS, FOLDER, prepare

SAVED = Path(__file__).parents[1] / "results" / "peers.json"


def saved_peers(path: Path = SAVED) -> tuple[PeerRun, ...]:
    """Read a saved run; nothing if there is none."""
    if not path.exists():
        return ()
    return tuple(PeerRun(**each) for each in json.loads(path.read_text(encoding="utf-8")))


def save_peers(runs: tuple[PeerRun, ...], path: Path = SAVED) -> None:
    """Keep a run for later pages."""
    text = json.dumps([asdict(each) for each in runs], indent=1) + "\n"
    path.write_text(text, encoding="utf-8")


def run_peers(ks: tuple[int, ...], tell: Callable[[str], None]) -> tuple[PeerRun, ...]:
    """Install what is missing, and run every package for every k."""
    broken = {each.name for each in ENVIRONMENTS if prepare(each) is not None}
    usable = [each for each in peers.CONTESTANTS if each.package not in broken]
    found = []
    for run in peers.run_all(FOLDER / "runs", usable, ks):
        tell(run.text)
        found.append(_peer(run))
    return tuple(found)


def kept_peers(ks: tuple[int, ...]) -> tuple[PeerRun, ...]:
    """Read again what the last run of ``benchmarks/peers.py`` left in its folder."""
    folder = FOLDER / "runs"
    table = peers.write_input(folder, samples.adult())
    found = []
    for k in ks:
        for contestant in peers.CONTESTANTS:
            target = folder / f"{contestant.name.replace(' ', '_').replace('%', '')}_{k}.csv"
            if target.exists():
                cost = json.loads(target.with_suffix(".json").read_text())
                read = outcome(contestant.reader(target, table), table)
                found.append(_peer(peers.Run(contestant, k, outcome=read, **cost)))
    return tuple(found)


def _peer(run: peers.Run) -> PeerRun:
    if run.outcome is None:
        return PeerRun(run.contestant.name, run.k, None, None, None, run.error)
    return PeerRun(run.contestant.name, run.k, run.seconds, run.mebibytes, run.outcome.ncp)

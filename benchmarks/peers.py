"""Papilio against other packages for k-anonymity, on the same rows, with the same measure.

Run with ``python benchmarks/peers.py`` from the root of the repository, or with some values of k
as arguments (then without the picture, unless 5, 10 and 50 are among them); the first time it needs
a network. It fails if hybrid does not lose less than every other package.

Every package runs in a process and an environment of its own, with a limit of ten minutes, on the
30162 complete training rows of Adult and its eight quasi-identifiers. Measured are the seconds of
the call that turns the table in memory into the published one (for Papilio including the
verification of the release), the processor time and the peak memory of the process. NCP is computed
from the published classes as :mod:`peer_cells` defines it, and pycanon says which k each published
table has. The picture goes to ``docs/images/peers.svg``. It takes about twenty minutes and up to
18 GiB (anonypyx's MDAV) on two processors.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import papilio
from papilio import samples
from peer_cells import Outcome, Reader, outcome, read_nodes, read_release, read_text
from peer_environments import ENVIRONMENTS, FOLDER, last_line, prepare
from pictures import loss_over_seconds, save_picture

KS = (5, 10, 25, 50, 100)
PICTURED = (5, 10, 50)
LIMIT = 600
SCRIPTS = Path(__file__).parent / "peer_scripts"
PICTURE = Path("docs/images/peers.svg")
LOWEST = 17
HIGHEST = 90


@dataclass(frozen=True)
class Contestant:
    """One algorithm of one package.

    Attributes
    ----------
    name
        As printed.
    package
        Environment it runs in; ``papilio`` is the one this program runs in.
    option
        What its script is told.
    reader
        How its cells are read.
    """

    name: str
    package: str
    option: str
    reader: Reader


def _papilio(name: str, reader: Reader = read_release, **policy: object) -> Contestant:
    return Contestant(f"papilio {name}", "papilio", json.dumps(policy), reader)


CONTESTANTS = (
    _papilio("mondrian", method="mondrian"),
    _papilio("relaxed-mondrian", method="relaxed-mondrian"),
    _papilio("bottom-up", method="bottom-up"),
    _papilio("hybrid", method="hybrid"),
    _papilio("hybrid, improve: 10s", method="hybrid", improve="10s"),
    _papilio("incognito", read_nodes, method="incognito"),
    _papilio("incognito, suppress: 5%", read_nodes, method="incognito", privacy={"suppress": "5%"}),
    Contestant("anonypy Mondrian", "anonypy", "", read_text),
    Contestant("anonypyx Mondrian", "anonypyx", "Mondrian", read_text),
    Contestant("anonypyx MDAV-generic", "anonypyx", "MDAV-generic", read_text),
    Contestant("anjana, no suppression", "anjana", "0", read_nodes),
    Contestant("anjana, 5% suppression", "anjana", "5", read_nodes),
)


@dataclass(frozen=True)
class Run:
    """What one contestant did for one k; ``error`` instead of numbers if it failed."""

    contestant: Contestant
    k: int
    error: str | None = None
    seconds: float = 0.0
    processor: float = 0.0
    mebibytes: float = 0.0
    outcome: Outcome | None = None
    found_k: str = ""

    @property
    def text(self) -> str:
        """The line of the printed table."""
        head = f"{self.k:>4}  {self.contestant.name:<32}"
        if self.outcome is None:
            return f"{head}{self.error}"
        return (
            f"{head}{self.seconds:>9.2f}{self.processor:>10.2f}{self.mebibytes:>9.0f}"
            f"{self.outcome.classes:>9}{self.outcome.left_out:>9}{self.outcome.ncp:>9.4f}"
            f"{self.found_k:>9}"
        )


HEAD = (
    f"{'k':>4}  {'package and algorithm':<32}{'seconds':>9}{'processor':>10}{'MiB':>9}"
    f"{'classes':>9}{'left out':>9}{'NCP':>9}{'pycanon':>9}"
)


def write_input(folder: Path, adult: pl.DataFrame) -> pl.DataFrame:
    """Write the table, and a hierarchy for each quasi-identifier, for all packages alike."""
    folder.mkdir(parents=True, exist_ok=True)
    table = adult.select(*samples.ADULT_QUASI, "income")
    table.write_csv(folder / "adult.csv")
    for name in samples.ADULT_QUASI:
        paths = hierarchy(name)
        paths.write_csv(folder / f"{name}.csv", include_header=False)
    return table.drop("income")


def hierarchy(name: str) -> pl.DataFrame:
    """Paths of a column, leaf first: Papilio's samples, and intervals of 5, 10 and 20 for age."""
    if name == "age":
        ages = pl.Series("leaf", range(LOWEST, HIGHEST + 1))
        levels = [_interval(ages, width).alias(str(width)) for width in (5, 10, 20)]
        return pl.DataFrame([ages, *levels]).with_columns(root=pl.lit("*"))
    file = samples.FOLDER / "hierarchies" / f"{name.removesuffix('-num')}.csv"
    paths = pl.read_csv(file, has_header=False)
    if name != "education-num":
        return paths
    numbers = samples.adult(part="all").select("education", "education-num").unique()
    leaf = paths.to_series(0).replace_strict(numbers["education"], numbers["education-num"])
    return paths.with_columns(leaf.alias(paths.columns[0])).sort(paths.columns[0])


def _interval(ages: pl.Series, width: int) -> pl.Series:
    low = ages // width * width
    return pl.select(pl.format("{} to {}", low, low + (width - 1))).to_series()


def run_one(contestant: Contestant, k: int, folder: Path, table: pl.DataFrame) -> Run:
    """Run one contestant, and read and check what it published."""
    target = folder / f"{contestant.name.replace(' ', '_').replace('%', '')}_{k}.csv"
    target.unlink(missing_ok=True)
    script = SCRIPTS / f"run_{contestant.package}.py"
    arguments = [str(script), str(folder), str(target), str(k), contestant.option]
    try:
        done = subprocess.run(
            [_python(contestant.package), *arguments],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env=_environment(contestant.package),
        )
    except subprocess.TimeoutExpired:
        return Run(contestant, k, error=f"not done after {LIMIT} seconds")
    if done.returncode or not target.exists():
        return Run(contestant, k, error=failure(done.returncode, done.stderr))
    cost = json.loads(target.with_suffix(".json").read_text())
    found = outcome(contestant.reader(target, table), table)
    return Run(contestant, k, outcome=found, found_k=k_of(target), **cost)


def failure(code: int, errors: str) -> str:
    """Say why a process failed."""
    return "killed, out of memory" if code == -9 else last_line(errors)


def _python(package: str) -> str:
    return sys.executable if package == "papilio" else str(FOLDER / package / "bin" / "python")


def _environment(package: str) -> dict[str, str] | None:
    """Nothing of ours may be found by the packages of others."""
    return None if package == "papilio" else {"PATH": os.environ["PATH"]}


def k_of(target: Path) -> str:
    """Ask pycanon which k a published table has."""
    command = [_python("pycanon"), str(SCRIPTS / "check_k.py"), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, env=_environment("pycanon"))
    return done.stdout.strip() if done.returncode == 0 else "error"


def run_all(folder: Path, usable: Sequence[Contestant], ks: Sequence[int]) -> Iterator[Run]:
    """Run all, after one publication that compiles Papilio's kernels."""
    table = write_input(folder, samples.adult())
    for contestant in usable:
        if contestant.package == "papilio":
            run_one(contestant, ks[-1], folder, table)
    for k in ks:
        for contestant in usable:
            yield run_one(contestant, k, folder, table)


def draw(runs: Sequence[Run]) -> None:
    """Save what was lost against how long it took."""
    rows = [
        {"k": run.k, "name": run.contestant.name, "seconds": run.seconds, "ncp": run.outcome.ncp}
        for run in runs
        if run.outcome is not None and run.k in PICTURED
    ]
    picture = loss_over_seconds(rows, PICTURED, [each.name for each in CONTESTANTS])
    save_picture(picture, PICTURE, "NCP and seconds of packages for k-anonymity on Adult")


def losses(runs: Sequence[Run], k: int, own: bool) -> dict[str, float]:
    """NCP of Papilio's runs, or of those of the others, for one k."""
    return {
        run.contestant.name: run.outcome.ncp
        for run in runs
        if run.k == k and run.outcome is not None and (run.contestant.package == "papilio") is own
    }


def compare(runs: Sequence[Run], ks: Sequence[int]) -> bool:
    """Print, for each k, hybrid beside the best of the others, and tell whether it always wins."""
    wins = True
    for k in ks:
        ours = losses(runs, k, own=True)["papilio hybrid"]
        others = losses(runs, k, own=False)
        best = min(others, key=others.__getitem__)
        wins = wins and ours < others[best]
        ratio = ours / others[best]
        print(f"k = {k}: papilio hybrid {ours:.4f}, {best} {others[best]:.4f}, ratio {ratio:.3f}")
    return wins


def main(ks: Sequence[int]) -> int:
    """Prepare the environments, run everything, print a table and draw a picture."""
    broken = {each.name: error for each in ENVIRONMENTS if (error := prepare(each)) is not None}
    versions = [f"{each.name} {each.version()}" for each in ENVIRONMENTS if each.name not in broken]
    print(f"papilio {papilio.__version__}, {', '.join(versions)}")
    for name, error in broken.items():
        print(f"{name} cannot be installed: {error}")
    print(f"processors: {os.cpu_count()}, load before: {os.getloadavg()[0]:.1f}\n{HEAD}")
    runs = []
    for run in run_all(FOLDER / "runs", [c for c in CONTESTANTS if c.package not in broken], ks):
        print(run.text, flush=True)
        runs.append(run)
    print(f"load after: {os.getloadavg()[0]:.1f}")
    if set(PICTURED) <= set(ks):
        draw(runs)
        print(f"wrote {PICTURE}")
    return 0 if compare(runs, ks) else 1


if __name__ == "__main__":
    sys.exit(main([int(k) for k in sys.argv[1:]] or KS))

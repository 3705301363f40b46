"""What it costs that k counts people: time and loss against the same rows with ``person: rows``.

Run with ``python benchmarks/people.py`` from the root of the repository, or with ``make bench``.
Adult's complete rows are given to 12 000 made-up people, and a million rows that look like Adult
to 300 000. Both are published at k = 10 with ``person: pid`` and with ``person: rows``, Parquet to
verified release. Runs of the two take turns, and the least processor time of each counts, so that a
busy machine disturbs neither. There is a line per claim: figure and bound; the program fails if one
is out of bounds.

The attacks that ``publish`` tries afterwards are left out of these times: over people they answer
more questions than over rows. What the whole takes with them has a bound of its own. ``--quick``
repeats less and takes Adult only.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from adult_like import write_adult_like
from papilio import samples
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_from_source
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.publish import publish_to
from spine import DATA, K, Result

ADULT_PEOPLE = 12_000
MILLION, MILLION_PEOPLE = 1_000_000, 300_000
METHODS = ("hybrid", "mondrian")
#: What the time and the loss over people may be at most, of those over rows.
ADULT_TIME, ADULT_LOSS, MILLION_TIME = 1.15, 1.25, 2.0
#: The same for Adult with all attacks.
ATTACKED_TIME = 1.6
SENSITIVE = "income"
PERSON, ROWS = "pid", "rows"


def with_people(frame: pl.DataFrame, people: int, seed: int = 1) -> pl.DataFrame:
    """Give rows to made-up people: one to each of them, and the others to anybody.

    Rows of a person are drawn from everywhere, so they are as unlike as rows of strangers are.
    """
    random = np.random.default_rng(seed)
    others = random.integers(0, people, frame.height - people)
    owners = random.permutation(np.concatenate([np.arange(people), others]))
    return frame.with_columns(pl.Series(PERSON, owners, dtype=pl.Int64))


def policy_of(source: Path, person: str, method: str) -> Policy:
    """Order k people, or k rows, of eight quasi-identifiers."""
    return Policy(
        source=str(source.resolve()),
        person=person,
        columns={
            PERSON: "identifier",
            **dict.fromkeys(samples.ADULT_QUASI, "quasi"),
            SENSITIVE: "sensitive",
        },
        privacy={"k": K},
        method=method,
    )


def in_turns(actions: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Least processor time of each, after a turn to warm up."""
    times: list[list[float]] = [[] for _ in actions]
    for turn in range(repeats + 1):
        for action, found in zip(actions, times, strict=True):
            start = time.process_time()
            action()
            if turn:
                found.append(time.process_time() - start)
    return [min(found) for found in times]


def seconds(
    policies: Sequence[Policy], folder: Path, repeats: int, *, attacks: bool = False
) -> list[float]:
    """Time of each publication; the last release of each stays in the folder, by its place."""

    def publishing(place: int, policy: Policy) -> Callable[[], object]:
        target = folder / f"release{place}"

        def publish() -> None:
            shutil.rmtree(target, ignore_errors=True)
            publish_to(target, policy, attacks=attacks)

        return publish

    return in_turns([publishing(*each) for each in enumerate(policies)], repeats)


def loss(policy: Policy, release: Path) -> float:
    """NCP over all quasi-identifiers."""
    return ncp(published_classes(Release.open(release), order_from_source(policy).table)).overall


def adult(folder: Path, repeats: int = 7) -> Iterator[Result]:
    """Time and loss on Adult, by method."""
    source = folder / "adult.parquet"
    frame = with_people(samples.adult(), ADULT_PEOPLE)
    frame.write_parquet(source)
    for method in METHODS:
        said = f"{method}, {frame.height} rows of {ADULT_PEOPLE} people"
        pair = [policy_of(source, person, method) for person in (ROWS, PERSON)]
        rows, people = seconds(pair, folder, repeats)
        yield Result(f"{said}: time", people, people / rows, ADULT_TIME)
        lost = [loss(each, folder / f"release{place}") for place, each in enumerate(pair)]
        yield Result(f"{said}: NCP", people, lost[1] / lost[0], ADULT_LOSS)
        rows, people = seconds(pair, folder, min(repeats, 3), attacks=True)
        yield Result(f"{said}: time with attacks", people, people / rows, ATTACKED_TIME)


def million(folder: Path, repeats: int = 3) -> Iterator[Result]:
    """Time on a million rows, by method."""
    made = write_adult_like(DATA / f"adult_like_{MILLION}.parquet", MILLION)
    source = folder / "million.parquet"
    with_people(pl.read_parquet(made), MILLION_PEOPLE).write_parquet(source)
    for method in METHODS:
        said = f"{method}, {MILLION} rows of {MILLION_PEOPLE} people"
        pair = [policy_of(source, person, method) for person in (ROWS, PERSON)]
        rows, people = seconds(pair, folder, repeats)
        yield Result(f"{said}: time", people, people / rows, MILLION_TIME)


#: Everything that is bounded.
PARTS = (adult, million)


def line(result: Result) -> str:
    """One line of the printed table."""
    sign = "" if result.kept else "  OUT OF BOUNDS"
    return f"{result.what:<62}{result.seconds:>9.2f}{result.ratio:>8.3f}{result.bound:>8.2f}{sign}"


def main(given: Sequence[str]) -> int:
    """Print a line per claim, and say by the exit code whether all bounds were kept."""
    kept, quick = True, "--quick" in given
    print(f"{'over people / over rows, k = 10':<62}{'seconds':>9}{'ratio':>8}{'bound':>8}")
    with tempfile.TemporaryDirectory() as folder:
        parts = (adult(Path(folder), 2),) if quick else [part(Path(folder)) for part in PARTS]
        for result in chain(*parts):
            print(line(result), flush=True)
            kept &= result.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

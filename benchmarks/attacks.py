"""What follows from releases of Adult alone, what safe cells cost, and what attacking takes.

Run with ``python benchmarks/attacks.py`` from the root of the repository. There is a line per
claim: figure and bound; the program fails if one is out of bounds. Rows that follow are counted by
the attack, which shares no code with the remedy. All attacks are tried, those on request included;
memory is the most that the process ever had, the publishing before included. ``--quick`` leaves out
the million rows that look like Adult.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from adult_like import write_adult_like
from papilio import samples
from papilio.attack.certain_rows import certain_rows
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_from_source
from papilio.policy.policy import Policy
from papilio.progress import silent
from papilio.randomness import Randomness
from papilio.workflow.publish import publish, run_method
from papilio.workflow.risk import attacks_on_another, run_attacks
from papilio.workflow.verify import read_original
from spine import DATA, policy_for

MILLION = 1_000_000
#: Order, what it changes of the demo, and what safe cells may lose, of what tight ones do.
ORDERS = (
    ("the demo", (), 1.05),
    ("k = 10", ((("privacy", "l"), {}),), 1.05),
    (
        "k = 5, improve",
        ((("privacy", "l"), {}), (("privacy", "k"), 5), (("improve",), "20s")),
        1.10,
    ),
)
#: Seconds and GiB that all attacks may take, on Adult and on a million rows.
ADULT_SECONDS, ADULT_MEMORY, MILLION_SECONDS = 60.0, 2.0, 300.0


@dataclass(frozen=True)
class Claim:
    """A figure, and the most it may be; ``None`` if it is only told."""

    what: str
    figure: float
    bound: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the figure is within its bound."""
        return self.bound is None or self.figure <= self.bound


def demo() -> Policy:
    """The policy of ``papilio demo``."""
    return Policy.load(samples.FOLDER / "policy.yaml")


def remedy() -> Iterator[Claim]:
    """Rows that follow with tight and with safe cells, and what these lose more."""
    for name, changes, bound in ORDERS:
        losses = {}
        for cells in ("bounds", "safe"):
            policy = demo().varied([*changes, (("cells",), cells)])
            table = order_from_source(policy).table
            release = publish(None, policy)
            (found,) = certain_rows(release, table, policy)
            losses[cells] = ncp(published_classes(release, table)).overall
            most = 0 if cells == "safe" else None
            said = f"{name}, {cells}"
            yield Claim(f"{said}: certain rows", found.figures["certain"])
            yield Claim(f"{said}: shared by few", found.figures["shared_by_few"], most)
            yield Claim(f"{said}: of one person", found.figures["shared_by_one"], most)
            yield Claim(
                f"{said}: people with a row that few share", found.figures["people_few"], most
            )
            yield Claim(f"{said}: NCP", losses[cells])
        yield Claim(f"{name}: NCP, safe / bounds", losses["safe"] / losses["bounds"], bound)


def attacking(name: str, policy: Policy, seconds: float, memory: float | None) -> Iterator[Claim]:
    """How long all attacks take, and the most memory."""
    original = read_original(policy)
    release = run_method(original, Randomness(1), silent).made.release
    start = time.perf_counter()
    tried = run_attacks(release, original, silent)
    beside = time.perf_counter() - start
    learnt = list(attacks_on_another(release, original))
    whole = time.perf_counter() - start
    untried = [each for one in tried for each in one.results if not each.tried]
    for each in (*untried, *(each for each in learnt if not each.tried)):
        print(f"  {each.attack}: {each.sentence}")
    yield Claim(f"{name}: seconds for the lights", beside)
    yield Claim(f"{name}: seconds for all attacks", whole, seconds)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    yield Claim(f"{name}: GiB at most", most, memory)


def adult() -> Iterator[Claim]:
    """All attacks on the demo."""
    yield from attacking("Adult", demo(), ADULT_SECONDS, ADULT_MEMORY)


def million() -> Iterator[Claim]:
    """All attacks on a million rows that look like Adult."""
    source = write_adult_like(DATA / f"adult_like_{MILLION}.parquet", MILLION)
    with tempfile.TemporaryDirectory() as folder:
        policy = policy_for(source, Path(folder)).varied([(("cells",), "safe")])
        yield from attacking(f"{MILLION:,} rows", policy, MILLION_SECONDS, None)


def line(claim: Claim) -> str:
    """One line of the printed table; a figure without a bound has a dash."""
    sign = "" if claim.kept else "  OUT OF BOUNDS"
    bound = "-" if claim.bound is None else f"{claim.bound:g}"
    return f"{claim.what:<62}{claim.figure:>12.6g}{bound:>8}{sign}"


def main(given: Sequence[str]) -> int:
    """Print a line per claim, and say by the exit code whether all bounds were kept."""
    kept = True
    parts = (adult, remedy) if "--quick" in given else (adult, million, remedy)
    for claim in chain.from_iterable(part() for part in parts):
        print(line(claim), flush=True)
        kept &= claim.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

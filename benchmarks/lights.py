"""What the three lights cost after a release is made: time and memory, by attack.

Run with ``python benchmarks/lights.py`` from the root of the repository; ``--quick`` leaves the
million rows out. Each release is published without attacks first. A process of its own then reads
it, its original and its policy, and looks: its whole time and its largest memory count, so that
reading and verifying are part of them. The program fails if a bound is broken. Times are of this
machine, as it is; a busy one takes longer.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from adult_like import write_adult_like
from papilio import samples
from papilio.policy.policy import Policy
from papilio.workflow.lights import lights
from papilio.workflow.publish import publish_to
from spine import DATA

#: Seconds and GiB that may be taken at most; of a million rows only the time is bounded.
ADULT_SECONDS, ADULT_MEMORY, MILLION_SECONDS = 30.0, 2.0, 180.0
MILLION = 1_000_000
SENSITIVE = ("income", "occupation")


def policy_of(source: Path) -> Policy:
    """Order k = 10 and l = 2 of two sensitive columns, and seven quasi-identifiers."""
    quasi = [name for name in samples.ADULT_QUASI if name not in SENSITIVE]
    return Policy(
        source=str(source.resolve()),
        person="rows",
        columns=dict.fromkeys(quasi, "quasi") | dict.fromkeys(SENSITIVE, "sensitive"),
        privacy={"k": 10, "l": dict.fromkeys(SENSITIVE, 2)},
        method="mondrian",
    )


def look(source: Path, release: Path) -> tuple[float, float, dict[str, float], list[str]]:
    """Seconds, GiB, seconds of each attack, and what the lights say."""
    begun = [("start", time.monotonic())]

    def tell(stage: str, share: float) -> None:
        del share
        begun.append((stage, time.monotonic()))

    found = lights(release, original=policy_of(source), progress=tell)
    begun.append(("end", time.monotonic()))
    parts: dict[str, float] = {}
    for (stage, at), (_, then) in pairwise(begun):
        parts[stage] = parts.get(stage, 0.0) + then - at
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    said = [f"{light.colour.value}: {light.sentence}" for light in found]
    said += [f"  {note}" for light in found for note in light.notes]
    return begun[-1][1] - begun[0][1], memory, parts, said


def measured(name: str, source: Path, folder: Path, seconds: float, memory: float) -> bool:
    """Publish, look in a process of its own, print what it took; whether the bounds were kept."""
    release = folder / name
    publish_to(release, policy_of(source), attacks=False)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        took, used, parts, said = pool.apply(look, (source, release))
    kept = took <= seconds and used <= memory
    print(f"{name}: {took:.1f} s of {seconds:g}, {used:.2f} GiB of {memory:g}", flush=True)
    for stage, each in sorted(parts.items(), key=lambda part: -part[1]):
        print(f"    {stage:<20}{each:>8.1f} s")
    print("\n".join(f"    {line}" for line in said), flush=True)
    return kept


def main(given: Sequence[str]) -> int:
    """Print what the lights take, and say by the exit code whether all bounds were kept."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        source = folder / "adult.parquet"
        samples.adult().write_parquet(source)
        kept = measured("adult", source, folder, ADULT_SECONDS, ADULT_MEMORY)
        if "--quick" not in given:
            source = write_adult_like(DATA / f"adult_like_{MILLION}.parquet", MILLION)
            kept &= measured("million", source, folder, MILLION_SECONDS, float("inf"))
    return not kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

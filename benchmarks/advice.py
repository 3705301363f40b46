"""What the lights find in releases that keep their promise, and what is left with their advice.

Run with ``python benchmarks/advice.py`` from the root of the repository. Every policy of
``examples/``, and Adult's complete rows under k = 10 alone, is published; each line shows the two
lights that attackers make, and under them what they found. Then the first line of policy that a
light names is written into the policy, and it is published again, until no light names one or it
cannot be met. ``--json FILE`` keeps what was seen; policies may be named instead of all of them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from papilio import samples
from papilio.attack.lights import ALONE, SECRET, Lights
from papilio.errors import InfeasibleError, PapilioError
from papilio.policy.policy import Policy
from papilio.policy.remedy import Remedy
from papilio.workflow.publish import publish_to

ROOT = Path(__file__).parent.parent
SENSITIVE = ("occupation", "income")
#: More advice than this is not followed.
MOST_STEPS = 8


@dataclass(frozen=True)
class Seen:
    """One publication of a policy.

    Attributes
    ----------
    policy
        What it is called.
    added
        Lines of policy that were taken over from the light before; empty at first.
    secret, alone
        Colours of the lights; ``"refused"`` if it cannot be met.
    found
        What made a light amber or red, in its own words, or why it was refused.
    seconds
        Wall time of publishing, with the attacks.
    """

    policy: str
    added: tuple[str, ...]
    secret: str
    alone: str
    found: tuple[str, ...]
    seconds: float


def policies(names: Sequence[str]) -> Iterator[tuple[str, Policy]]:
    """Policies of the examples, and Adult's; or those whose names are given."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        examples = folder / "examples"
        shutil.copytree(ROOT / "examples", examples, dirs_exist_ok=True)
        # One example is about the sample, which its reader is told to put beside it.
        shutil.copytree(samples.FOLDER, examples / "adult-diversity" / "adult", dirs_exist_ok=True)
        for path in sorted(examples.glob("*/*.yaml")):
            name = f"{path.parent.name}/{path.stem}"
            if not names or name in names:
                yield name, Policy.load(path, allow=[folder])
        if not names or "adult" in names:
            yield "adult", adult(folder / "adult.parquet")


def adult(path: Path) -> Policy:
    """Order ten of each among Adult's complete rows, and nothing of its sensitive columns."""
    samples.adult().write_parquet(path)
    columns = {name: "quasi" for name in samples.ADULT_QUASI if name not in SENSITIVE}
    columns |= dict.fromkeys(SENSITIVE, "sensitive")
    return Policy(source=str(path), columns=columns, privacy={"k": 10})


def followed(name: str, policy: Policy) -> Iterator[Seen]:
    """Publish a policy, and then with one advice after the other."""
    added: list[str] = []
    for _ in range(MOST_STEPS):
        start = time.perf_counter()
        try:
            lights = _lights(policy)
        except InfeasibleError as error:
            took = time.perf_counter() - start
            yield Seen(name, tuple(added), "refused", "refused", (str(error),), took)
            return
        took = time.perf_counter() - start
        yield Seen(
            name,
            tuple(added),
            _colour(lights, SECRET),
            _colour(lights, ALONE),
            _found(lights),
            took,
        )
        remedy = _advice(lights, added)
        if remedy is None:
            return
        added.append(remedy.line)
        policy = policy.varied(remedy.changes)


def _lights(policy: Policy) -> Lights:
    with tempfile.TemporaryDirectory() as folder:
        lights = publish_to(Path(folder) / "release", policy, seed=1).lights
    assert lights is not None, "somebody looked"
    return lights


def _colour(lights: Lights, name: str) -> str:
    return next(light.colour.value for light in lights if light.name == name)


def _found(lights: Lights) -> tuple[str, ...]:
    return tuple(finding.line for light in lights for finding in light.findings)


def _advice(lights: Lights, followed: Sequence[str]) -> Remedy | None:
    """Return the first line that a light names and nobody has written yet."""
    named = [finding.remedy for light in lights for finding in light.findings]
    return next((each for each in named if each and each.line not in followed), None)


def show(seen: Seen) -> None:
    """Print one publication."""
    added = f"  + {seen.added[-1]}" if seen.added else seen.policy
    print(f"{added:<70} secret {seen.secret:<8} alone {seen.alone:<8} {seen.seconds:6.1f} s")
    for line in seen.found:
        print(f"      {line}")


def main() -> None:
    """Show all, and keep them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policies", nargs="*", help="such as permutation/policy, or adult")
    parser.add_argument("--json", type=Path, help="file to keep what was seen in")
    said = parser.parse_args()
    kept = []
    for name, policy in policies(said.policies):
        try:
            for seen in followed(name, policy):
                show(seen)
                kept.append(asdict(seen))
        except PapilioError as error:
            raise SystemExit(f"{name}: {error}") from None
    if said.json is not None:
        said.json.write_text(json.dumps(kept, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

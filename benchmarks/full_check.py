"""What it costs that ``publish`` confirms promise, truth and order: processor time, in one run.

Run from the root: ``python benchmarks/full_check.py [rows]``. Adult and a table like it, of a
million rows if nothing else is said, are published, each time by a process of its own. The time of
what is checked beside the original is taken apart from the rest of the process. The program fails
if the whole takes more than 1.3 times the rest.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

BOUND = 1.3
RUNS = 3
CHECKS = ("promise_of", "check_witness", "check_source_order")
POLICY = """source: {table}.parquet
columns: {{age: quasi, workclass: quasi, education-num: quasi, marital-status: quasi,
  occupation: quasi, race: quasi, sex: quasi, native-country: quasi, income: sensitive}}
privacy: {{k: 10}}
method: {method}
"""


def timed(action: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """The same function, which puts down the processor time it takes."""

    def run(*arguments: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return action(*arguments, **options)
        finally:
            spent.append(time.process_time() - start)

    return run


def publish_once(policy: str, target: str) -> None:
    """Publish, and print the processor time of this process and that of the checks."""
    from papilio.policy.policy import Policy
    from papilio.workflow import judge_made
    from papilio.workflow.publish import publish_to

    spent: list[float] = []
    for name in CHECKS:
        setattr(judge_made, name, timed(getattr(judge_made, name), spent))
    publish_to(target, Policy.load(policy))
    print(time.process_time(), sum(spent))


def measure(policy: Path, folder: Path) -> tuple[float, float]:
    """Least processor time of some publications, and that of the checks in it."""
    runs = []
    # The first run may have to compile.
    for number in range(RUNS + 1):
        command = [sys.executable, __file__, str(policy), str(folder / f"{policy.stem}-{number}")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        whole, checks = map(float, done.stdout.split())
        runs.append((whole, checks))
    return min(runs[1:])


def main(rows: int) -> bool:
    """Print a line per table and method; whether all are within the bound."""
    from adult_like import write_adult_like
    from papilio import samples

    kept = True
    print(f"{'table':<16}{'publish, s':>12}{'checks, s':>11}{'ratio':>8}{'bound':>7}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        samples.adult().write_parquet(folder / "adult.parquet")
        write_adult_like(folder / "like.parquet", rows)
        for table in ("adult", "like"):
            for method in ("mondrian", "hybrid"):
                policy = folder / f"{table}-{method}.yaml"
                policy.write_text(POLICY.format(table=table, method=method), encoding="utf-8")
                whole, checks = measure(policy, folder)
                ratio = whole / (whole - checks)
                kept &= ratio <= BOUND
                what = f"{table} {method}"
                print(f"{what:<16}{whole:>12.2f}{checks:>11.2f}{ratio:>8.2f}{BOUND:>7}")
    return kept


if __name__ == "__main__":
    if len(sys.argv) > 2:
        publish_once(*sys.argv[1:])
    else:
        sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000) else 1)

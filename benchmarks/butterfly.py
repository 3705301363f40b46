"""The settings of Figures 5 to 14 of the butterfly paper, measured on Census-Income.

Run with ``python benchmarks/butterfly.py`` from the root of the repository; ``--quick`` takes a
tenth of the rows and draws no pictures. Losses are sums over rows and attributes of the width of
the cell (definition 1 of the paper). The union has classes of strict Mondrian; the wings of the
butterflies too, so that both sides use the same means. Times to divide the rows are processor
times; that of the whole command is a ratio against the union in the same run. The program fails if
something does not hold that must.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from butterfly_pictures import draw
from census_table import census, census_table, resampled
from papilio.data.encode import EncodedTable, encode
from papilio.families.classes import Classes
from papilio.families.generalising.top_down import strict_mondrian
from papilio.families.recipients.methods.bottom_up_pass import Counters
from papilio.families.recipients.methods.butterfly import ButterflyResult, butterfly
from papilio.families.recipients.methods.setting import view_of
from papilio.kernels.class_tree import run_widths
from papilio.kernels.demand import Demand
from papilio.randomness import Randomness

COMMON = ("education", "marital", "gender")
FIRST = ("age", "occupation", "birthplace")
SECOND = ("salary", "workclass", "race")
KS = (20, 40, 60, 80, 100)
ROWS = (100_000, 200_000, 300_000, 400_000, 500_000)
TOGETHER = (1, 10, 30, 60, 90)
K = 100
#: Section 6.7 has marital and gender among the own attributes.
FIRST_7, SECOND_7 = (*FIRST, "marital"), (*SECOND, "gender")


@dataclass(frozen=True)
class Setting:
    """One run: what the recipients share, what each knows alone, k, k', and the rows."""

    common: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    k: int = K
    together: int = 2
    rows: int = 299_285


@dataclass(frozen=True)
class Outcome:
    """What both methods lose on shared and on own attributes, and how they got there.

    ``below`` is the share of rows whose class on the union has less than k rows, which is what
    the paper means by rows in butterflies that are not trivial.
    """

    union: tuple[float, float]
    butterfly: tuple[float, float]
    share: float
    below: float
    counters: Counters
    union_seconds: float
    seconds: float

    @property
    def ratio(self) -> float:
        """Loss of the butterflies against that of the union."""
        return sum(self.butterfly) / sum(self.union)


class Bench:
    """Runs each setting once."""

    def __init__(self, scale: float) -> None:
        frame, self.origin = census()
        self.frame, self.scale = frame, scale
        self.run = cache(self._run)
        self._run(Setting(COMMON, FIRST, SECOND, 5, 2, round(3000 / scale)))

    def _run(self, setting: Setting) -> Outcome:
        names = (*setting.common, *setting.first, *setting.second)
        rows = resampled(self.frame, round(setting.rows * self.scale))
        table = census_table(rows, names)
        codes = encode(table, table.columns)
        shared = len(setting.common)
        one = frozenset(range(shared + len(setting.first)))
        other = frozenset(range(len(names))) - frozenset(range(shared, len(one)))
        # Processor time, because the machine may be busy.
        start = time.process_time()
        union = strict_mondrian(codes, Demand(max(setting.k, setting.together)))
        middle = time.process_time()
        found = butterfly(
            codes, [one, other], Demand(setting.k), Randomness(1), together=setting.together
        )
        end = time.process_time()
        return Outcome(
            _split(codes, [union] * len(names), shared),
            _split(codes, found.classes, shared),
            found.share,
            _below(found, setting.k),
            found.counters,
            middle - start,
            end - middle,
        )


def _split(
    codes: EncodedTable, classes: list[Classes] | tuple[Classes, ...], shared: int
) -> tuple[float, float]:
    """Loss on the first attributes and on the others."""
    losses = []
    for place, each in enumerate(classes):
        view = view_of(codes, [place])
        lines, starts = view.table.codes[each.rows], each.starts
        widths = run_widths(lines, starts[:-1], starts[1:], view.attributes)[:, 0]
        losses.append(float((widths * each.sizes).sum()))
    return sum(losses[:shared]), sum(losses[shared:])


def _below(found: ButterflyResult, k: int) -> float:
    """Share of rows whose class on the union is smaller than k."""
    keys = np.zeros(len(found.butterfly), np.int64)
    for each in found.classes:
        cell = np.empty(len(keys), np.int64)
        cell[each.rows] = each.class_of_position
        keys = np.unique(keys * each.count + cell, return_inverse=True)[1]
    return float((np.bincount(keys)[keys] < k).mean())


def with_common(number: int, k: int = K, rows: int = 299_285) -> Setting:
    """Setting of sections 6.1 and 6.3 to 6.6, with so many common attributes."""
    return Setting(COMMON[:number], FIRST, SECOND, k, 2, rows)


def with_own(number: int) -> Setting:
    """Setting of section 6.2, with so many own attributes of each recipient."""
    return Setting(COMMON[:1], FIRST_7[:number], SECOND_7[:number])


def with_together(together: int) -> Setting:
    """Setting of section 6.7."""
    return Setting(COMMON[:1], FIRST_7, SECOND_7, K, together)


#: Per figure: what varies, and the settings.
LOSSES: dict[str, tuple[str, dict[object, Setting]]] = {
    "7": ("own attributes", {n: with_own(n) for n in (1, 2, 3, 4)}),
    "8": ("common attributes", {n: with_common(n) for n in (1, 2, 3)}),
    "9": ("k", {k: with_common(3, k) for k in KS}),
    "10": ("rows", {n: with_common(3, K, n) for n in ROWS}),
    "13": ("k'", {n: with_together(n) for n in TOGETHER}),
}


@dataclass(frozen=True)
class Line:
    """Something that must hold."""

    what: str
    number: float
    bound: float
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether it does."""
        return self.number >= self.bound if self.at_least else self.number <= self.bound

    @property
    def text(self) -> str:
        """The printed line."""
        sign = ">=" if self.at_least else "<="
        end = "" if self.kept else "  DOES NOT HOLD"
        return f"{self.what:<62}{self.number:>9.3f} {sign} {self.bound:.3f}{end}"


def print_losses(bench: Bench) -> None:
    """Tables of Figures 7 to 10 and 13: loss on common and own attributes, in thousands."""
    for figure, (what, settings) in LOSSES.items():
        print(f"\nFigure {figure}: loss in thousands, common + own attributes")
        print(f"{what:>18}{'union':>20}{'butterfly':>20}{'ratio':>8}{'in butterflies':>16}")
        for value, setting in settings.items():
            found = bench.run(setting)
            sides = [f"{c / 1e3:.1f} + {o / 1e3:.1f}" for c, o in (found.union, found.butterfly)]
            print(f"{value:>18}{sides[0]:>20}{sides[1]:>20}{found.ratio:>8.3f}{found.share:>16.1%}")


def print_counters(bench: Bench) -> None:
    """Tables of Figures 5, 6 and 11: what was done with the nodes, and how long it took."""
    for number in (2, 3):
        print(f"\nFigures 5, 6 and 11: {number} common attributes, k' = 2")
        head = ("k", "in butterflies", "below k", "visited", "bounded", "built", "kept", "success")
        print("".join(f"{each:>15}" for each in (*head, "time / union")))
        for k in KS:
            found = bench.run(with_common(number, k))
            c = found.counters
            cells = (k, f"{found.share:.1%}", f"{found.below:.1%}", c.visited, c.bounded, c.built)
            more = (c.kept, f"{c.success_rate:.3f}", f"{found.seconds / found.union_seconds:.1f}")
            print("".join(f"{each:>15}" for each in (*cells, *more)))


def print_growth(bench: Bench) -> None:
    """Table of Figure 12: time of dividing the rows, in memory."""
    print("\nFigure 12: processor seconds to divide the rows, k = 100, k' = 2")
    print(f"{'rows':>10}{'union':>10}{'butterfly':>12}{'ratio':>8}")
    for rows in ROWS:
        found = bench.run(with_common(3, K, rows))
        ratio = found.seconds / found.union_seconds
        print(f"{rows:>10}{found.union_seconds:>10.2f}{found.seconds:>12.2f}{ratio:>8.1f}")


def must_hold(bench: Bench) -> Iterator[Line]:
    """What the figures must show."""
    for figure, (what, settings) in LOSSES.items():
        worst = max(bench.run(setting).ratio for setting in settings.values())
        yield Line(f"Figure {figure}: loss of butterfly / union, worst over {what}", worst, 0.999)
    last = bench.run(with_together(90))
    yield Line("Figure 14: share of rows in butterflies, k' = 0.9 k", last.share, 0.6, True)
    for number in (2, 3):
        rates = [bench.run(with_common(number, k)).counters.success_rate for k in KS]
        steps_up = sum(b > a for a, b in pairwise(rates))
        what = f"Figure 6: rise of the success rate from k = {KS[0]} to {KS[-1]}, {number} common"
        print(f"{what}: {steps_up} of {len(rates) - 1} steps go up")
        yield Line(what, rates[-1] - rates[0], 0.01, True)
    few, many = (bench.run(with_common(3, K, rows)) for rows in (ROWS[0], ROWS[-1]))
    steps = ROWS[-1] * math.log(ROWS[-1]) / (ROWS[0] * math.log(ROWS[0]))
    growth = many.seconds / few.seconds / steps
    yield Line("Figure 12: growth from 100k to 500k rows / that of n log n", growth, 1.0)


def end_to_end(frame: pl.DataFrame) -> Line:
    """Time of the whole command for both methods, from the file to the verified release."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        frame.write_csv(place / "census.csv")
        seconds: dict[str, list[float]] = {"union": [], "butterfly": []}
        for turn in range(3):
            for method, times in seconds.items():
                times.append(_publish(place, method, f"{method}-{turn}"))
    # The first turn compiles what is not compiled yet.
    least = {method: min(times[1:]) for method, times in seconds.items()}
    print(f"\npublish of {frame.height} rows, end to end, in seconds: {_said(least)}")
    return Line("publish with butterfly / with union", least["butterfly"] / least["union"], 4.0)


def _said(seconds: dict[str, float]) -> str:
    return ", ".join(f"{method} {each:.2f}" for method, each in seconds.items())


def _publish(place: Path, method: str, target: str) -> float:
    columns = "\n".join(
        f"  {n}: {{role: quasi, type: numeric}}" for n in (*COMMON, *FIRST, *SECOND)
    )
    one, other = (", ".join((*COMMON, *own)) for own in (FIRST, SECOND))
    policy = place / f"{method}.yaml"
    policy.write_text(
        f"papilio: 1\nsource: census.csv\ncolumns:\n{columns}\nrecipients:\n  first: [{one}]\n"
        f"  second: [{other}]\nprivacy: {{k: {K}, collusion_k: 2}}\nmethod: {method}\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-c", "from papilio.cli.app import main; main()", "publish"]
    start = time.perf_counter()
    subprocess.run([*command, policy, "-o", place / target], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> int:
    """Print the tables, draw the pictures, and say by the exit code whether all holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, no pictures")
    quick = parser.parse_args().quick
    bench = Bench(0.1 if quick else 1.0)
    print(f"{bench.origin}; processors: {os.cpu_count()}, load: {os.getloadavg()[0]:.1f}")
    print_counters(bench)
    print_losses(bench)
    print_growth(bench)
    lines = [*must_hold(bench), end_to_end(resampled(bench.frame, round(299_285 * bench.scale)))]
    print()
    for line in lines:
        print(line.text)
    if not quick:
        draw(bench.run, KS, ROWS, LOSSES, with_common, with_together, TOGETHER)
    print(f"load: {os.getloadavg()[0]:.1f}")
    return 0 if all(line.kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())

"""What rising levels lose and take where every quasi-identifier has a hierarchy, beside hybrid.

    python benchmarks/rising.py            # losses and processor time; about a minute
    python benchmarks/rising.py --improve  # and what ten seconds of improvement make of them
    python benchmarks/rising.py --large    # and a million rows, against a sort of the same columns

Loss is NCP, times are processor seconds of a second run, so that nothing is compiled in them. Adult
has the hierarchies that its users bring for ARX if they lie in ``../shared/data/adult``, else
those of the package; further tables lie there too, or are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from adult_like import CHANGED
from generalisation import full_domain_table
from papilio.data.encode import EncodedTable, attributes_of, encode
from papilio.data.hierarchy.rules import PathsRule
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.families.classes import Classes
from papilio.families.generalising.hybrid import hybrid
from papilio.families.generalising.improve import Budget, improve
from papilio.families.generalising.rising import rising
from papilio.kernels.class_tree import run_widths
from papilio.kernels.demand import Demand
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness
from papilio.randomness import Randomness

SHARED = Path(__file__).parents[2] / "shared" / "data"
OTHERS = ("ses_hier", "ghana_hier", "eusilc_hier")
ROWS = 1_000_000
SEED = 1


def adult_with_income() -> tuple[Table, str]:
    """Adult with a hierarchy for each of eight quasi-identifiers, and the income."""
    from papilio import samples

    table, origin = full_domain_table()
    frame = table.frame.with_columns(samples.adult().get_column("income"))
    income = Column("income", Role.SENSITIVE, ColumnType.CATEGORY)
    return Table(table.name, frame, (*table.columns, income)), origin


def other(name: str) -> Table | None:
    """Another table with its hierarchies, if it is there."""
    folder = SHARED / name
    if not folder.is_dir():
        return None
    (path,) = folder.glob("*.parquet")
    paths = sorted((folder / "hierarchies").glob("*.csv"))
    frame = pl.read_parquet(path).select(pl.col(each.stem).cast(pl.String) for each in paths)
    columns = tuple(
        Column(each.stem, Role.QUASI, ColumnType.CATEGORY, PathsRule(each)) for each in paths
    )
    return Table(name, frame, columns)


def loss(table: EncodedTable, classes: Classes) -> float:
    """NCP of the rows in classes."""
    codes, starts = table.codes[classes.rows], classes.starts
    widths = run_widths(codes, starts[:-1], starts[1:], attributes_of(table)).sum(axis=1)
    return float(widths @ classes.sizes) / len(codes) / len(table.columns)


def timed(action: Callable[[], Any]) -> tuple[Any, float]:
    """What a second run returns, and its processor time."""
    action()
    start = time.process_time()
    return action(), time.process_time() - start


def line(name: str, codes: EncodedTable, demand: Demand, *, longer: bool) -> str:
    """Loss and time of both methods with one demand."""
    mine, seconds = timed(partial(rising, codes, demand, Randomness(SEED)))
    old, others = timed(partial(hybrid, codes, demand))
    text = (
        f"{name:<24}{loss(codes, old):>9.4f}{others:>8.2f} s{loss(codes, mine):>9.4f}"
        f"{seconds:>8.2f} s"
    )
    if longer:
        better = [improve(codes, each, demand, Budget(10.0)).classes for each in (old, mine)]
        text += "".join(f"{loss(codes, each):>9.4f}" for each in better)
    return text


def demands(table: Table) -> Iterator[tuple[str, Demand]]:
    """What is demanded of Adult."""
    for k in (5, 10, 50):
        yield f"k = {k}", demand_of([KAnonymity(k)], table)
    for name, more in (("l = 2", DistinctDiversity("income", 2)), ("t = 0.2", _close())):
        yield f"k = 10, {name}", demand_of([KAnonymity(10), more], table)


def _close() -> TCloseness:
    return TCloseness("income", 0.2)


def large(table: Table) -> Iterator[str]:
    """Rows of Adult drawn again, a million, one cell in fifty from another row."""
    random = np.random.default_rng(SEED)
    columns = table.frame.select(each.name for each in table.with_role(Role.QUASI)).get_columns()
    drawn, others = random.integers(0, table.height, (2, ROWS))
    frame = pl.DataFrame(
        each[drawn].zip_with(pl.Series(random.random(ROWS) >= CHANGED), each[others])
        for each in columns
    )
    codes = encode(Table("large", frame, table.with_role(Role.QUASI)), table.with_role(Role.QUASI))
    names = frame.columns
    _, sort = timed(lambda: frame.sort(names))
    found, seconds = timed(partial(rising, codes, Demand(10), Randomness(SEED)))
    old, others = timed(partial(hybrid, codes, Demand(10)))
    yield f"one sort of them: {sort:.2f} s"
    yield f"rising: {seconds:.2f} s, {seconds / sort:.1f} sorts, NCP {loss(codes, found):.4f}"
    yield f"hybrid: {others:.2f} s, {others / sort:.1f} sorts, NCP {loss(codes, old):.4f}"


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--improve", action="store_true")
    parser.add_argument("--large", action="store_true")
    asked = parser.parse_args()
    table, origin = adult_with_income()
    codes = encode(table, table.with_role(Role.QUASI))
    more = f"{'improved for 10 s':>18}" if asked.improve else ""
    print(f"Adult, {codes.height} rows, hierarchies: {origin}")
    print(f"{'':<24}{'hybrid':>19}{'rising':>19}{more}")
    for name, demand in demands(table):
        print(line(name, codes, demand, longer=asked.improve), flush=True)
    for name in OTHERS:
        found = other(name)
        if found is not None:
            coded = encode(found, found.columns)
            print(line(f"{name}, k = 10", coded, Demand(10), longer=asked.improve), flush=True)
    spread = rising(codes, Demand(10), Randomness(SEED), suppress=0.02)
    left = codes.height - len(spread.rows)
    print(f"k = 10, suppress: 2%: NCP {loss(codes, spread):.4f} of the others, {left} left out")
    if asked.large:
        print(f"{ROWS} rows, k = 10")
        for text in large(table):
            print(text, flush=True)


if __name__ == "__main__":
    main()

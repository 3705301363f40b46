"""Several rows: what somebody finds who knows all rows of one person.

Where rows of a person are spread over classes, a release does not say which rows are one person's.
Somebody who knows the quasi-identifiers of all rows of a person can only pick rows from the classes
that cover them: a product of numbers of rows. Somebody who also has a list of who has rows in which
classes, and to whom something else tells which rows are one person's, keeps the people who have
rows in all these classes. That is the most that anybody could reach, and no requirement bounds it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from papilio.attack.people_rows import PeopleRows, people_rows
from papilio.attack.result import AttackResult, people, recipients_of, someone_knowing, together
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "several_rows"
#: Lines that are compared at once, and in all; a minute or two.
_BLOCK, _MOST = 2_000_000, 200_000_000
#: Logarithm of numbers that are not told apart from larger ones.
_LARGEST = 700.0


def several_rows(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Try everybody who has several rows, one recipient after the other.

    Figures: ``people``, people who have several rows, of whom ``tried`` were tried, those with the
    fewest people to compare with first; ``ways``, fewest ways to pick the rows of a person, see
    :func:`fewest_ways`; ``smallest`` and ``average``, people who have as many rows in each of a
    person's classes as the person has, who is one of them; ``singled_out``, people who are the only
    one. Knowing fewer of the rows never leaves fewer people. Where classes overlap, a class here is
    all rows that the same classes cover: nothing tells these apart. Nobody is counted as exposed:
    it takes somebody to whom something other than the release tells which rows are one person's.

    Where each row is another person there is nothing to try. Source: the attacker who knows several
    rows of a person is that of Nergiz, Clifton and Nergiz, "Multirelational k-anonymity", 2009.
    Cost: for each person the people in their rarest class, times their classes.
    """
    if original.people is None:
        return
    if original.people.most < 2:
        who = "someone who knows several rows"
        yield AttackResult(NAME, who, "Not tried: nobody has several rows.")
        return
    for name, columns in _attackers(policy).items():
        figures = figures_of(people_rows(release, original, columns, ()))
        attacker = f"{someone_knowing(name, columns)} of all rows of a person"
        yield AttackResult(NAME, attacker, _sentence(figures), figures)


def _attackers(policy: Policy) -> dict[str, tuple[str, ...]]:
    """Recipients and what each knows; last, all of them together."""
    recipients = recipients_of(policy)
    if len(recipients) < 2:
        return recipients
    return {**recipients, f"{' and '.join(recipients)} together": together(recipients, policy)}


def figures_of(known: PeopleRows) -> dict[str, int | float]:
    """Count the people who could have the rows of each; see :func:`several_rows`."""
    lines = known.lines
    total = lines.group_by("person").agg(pl.col("rows").sum()).filter(pl.col("rows") > 1)
    asked = lines.join(total.select("person"), on="person")
    found = consistent_people(lines, asked)
    number = found.get_column("people").to_numpy()
    return {
        "people": total.height,
        "tried": len(number),
        "ways": fewest_ways(asked.join(known.candidates, on="class"), overlap=known.overlap),
        "smallest": int(number.min()) if len(number) else 0,
        "average": float(number.mean()) if len(number) else 0.0,
        "singled_out": int((number == 1).sum()),
    }


def consistent_people(lines: pl.DataFrame, asked: pl.DataFrame) -> pl.DataFrame:
    """Count the people who have as many rows in each class as each person that is asked for.

    Parameters
    ----------
    lines
        ``person``, ``class`` and ``rows``; one line for each person and class.
    asked
        The lines of those who are asked for.

    Returns
    -------
    pl.DataFrame
        ``person`` and ``people``, for as many as can be tried.
    """
    owners = lines.group_by("class").len("owners")
    wanted = asked.join(owners, on="class").with_columns(pl.len().over("person").alias("classes"))
    # Whoever fits has rows in the class that fewest people have rows in.
    order = wanted.sort("person", "owners", "class")
    rarest = order.unique("person", keep="first").sort("owners")
    next_one = order.filter(pl.int_range(pl.len()).over("person") == 1).select("person", "class")
    found = [pl.DataFrame(schema={"person": pl.Int64, "people": pl.UInt32})]
    found += [_compared(lines, wanted, block, next_one) for block in _blocks(rarest)]
    return pl.concat(found)


def _blocks(rarest: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Divide those who are asked for, so that few lines are compared at once."""
    work = rarest.select((pl.col("owners").cast(pl.Int64) * pl.col("classes")).cum_sum())
    rarest = rarest.with_columns(work.to_series().alias("work")).filter(pl.col("work") <= _MOST)
    numbered = rarest.with_columns((pl.col("work") // _BLOCK).alias("block"))
    yield from numbered.partition_by("block", maintain_order=True)


def _compared(
    lines: pl.DataFrame, wanted: pl.DataFrame, block: pl.DataFrame, next_one: pl.DataFrame
) -> pl.DataFrame:
    mine = wanted.select("person", "class", pl.col("rows").alias("needed"), "classes")
    others = lines.rename({"person": "other"})
    first = block.select("person", "class").join(others.select("other", "class"), on="class")
    pairs = _in_both(first.select("person", "other"), others, next_one).join(mine, on="person")
    met = pairs.join(others, on=["other", "class"]).filter(pl.col("rows") >= pl.col("needed"))
    all_met = met.group_by("person", "other").agg(pl.len().alias("met"), pl.col("classes").first())
    fitting = all_met.filter(pl.col("met") == pl.col("classes"))
    return fitting.group_by("person").len("people")


def _in_both(pairs: pl.DataFrame, others: pl.DataFrame, next_one: pl.DataFrame) -> pl.DataFrame:
    """Keep whoever also has a row in the next class, if there is one: hardly anybody is left."""
    asked = pairs.join(next_one, on="person", how="left")
    alone = asked.filter(pl.col("class").is_null())
    both = asked.join(others.select("other", "class"), on=["other", "class"], how="semi")
    return pl.concat([alone, both]).select("person", "other")


def fewest_ways(asked: pl.DataFrame, *, overlap: bool) -> float:
    r"""Fewest ways to pick the rows of a person, over people: :math:`\prod_j \binom{f_j}{o_j}`.

    For :math:`o_j` rows that may be any of :math:`f_j`. Where classes overlap this is a lower
    bound: rows of classes with fewer candidates than the person has rows may have no choice, and
    are left where they are; each of the others still has one after all before it were picked.
    """
    order = asked.sort("person", "candidates", "class").with_columns(
        pl.col("rows", "candidates").cast(pl.Int64)
    )
    earlier = pl.col("rows").cum_sum().over("person") - pl.col("rows")
    free = pl.col("candidates") >= pl.col("rows").sum().over("person")
    after = pl.when(free).then(pl.col("candidates") - earlier).otherwise(pl.col("rows"))
    # Where rows were left out, a person may have more of them than there are candidates.
    left = after if overlap else pl.max_horizontal("candidates", "rows")
    told = order.select("person", "rows", left.alias("left"))
    logs = told.join(_ways(told), on=["left", "rows"]).group_by("person").agg(pl.col("log").sum())
    if not logs.height:
        return 1.0
    fewest, log = logs.row(int(logs.get_column("log").to_numpy().argmin()))
    if log > _LARGEST:
        return math.exp(_LARGEST)
    theirs = told.filter(pl.col("person") == fewest)
    return float(math.prod(math.comb(there, rows) for _, rows, there in theirs.iter_rows()))


def _ways(told: pl.DataFrame) -> pl.DataFrame:
    """Logarithm of the ways to pick, once for each pair of numbers that occurs."""
    pairs = told.select("left", "rows").unique()
    logs = [math.log(math.comb(*pair)) for pair in pairs.iter_rows()]
    return pairs.with_columns(pl.Series("log", logs, dtype=pl.Float64))


def _sentence(figures: dict[str, int | float]) -> str:
    total, tried = int(figures["people"]), int(figures["tried"])
    singled, fewest = int(figures["singled_out"]), int(figures["smallest"])
    verb = "is" if singled <= 1 else "are each"
    part = "" if tried == total else f", of whom {tried:,} could be tried,"
    others = f"; for everybody at least {fewest:,} people have" if fewest > 1 else ""
    return (
        f"The rows of each of {total:,} people with several rows{part} can be picked in at least "
        f"{figures['ways']:,.4g} ways, as the release does not say which rows are one person's. If "
        f"something else tells that, {people(singled, tried)} {verb} the only one who has rows in "
        f"all their classes{others}."
    )

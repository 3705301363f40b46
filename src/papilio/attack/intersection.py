"""Intersection: the projected tables joined on their quasi-identifiers.

Source: Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011), section 6.1,
and Wang and Fung, KDD 2006, for (X, Y)-linkability: how surely a sensitive value follows from the
quasi-identifiers. The paper bounds it by (k - l + 1) / k. That is true of classes of exactly k
rows only: a class of n rows with l different values may have one of them n - l + 1 times, so that
the bound is the largest (n - l + 1) / n over all classes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import COUNT, PATTERN, Patterns, patterns_of
from papilio.attack.result import AttackResult, Exposed, people
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "intersection"
_LEAST_L = "distinct-l-diversity"


def intersection(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    r"""Join all tables of everybody by what covers their quasi-identifiers.

    Tables are shuffled independently, so to somebody who knows the quasi-identifiers of everybody
    and nothing of how columns depend on each other, every candidate of one table goes with every
    candidate of another: the join has :math:`\prod_u c_u` rows for a person with :math:`c_u`
    candidates in table u, and the confidence in values of several tables is the product of their
    shares, at most that of any one of them.

    Figures: ``people``; ``joined``, least number of joined rows of a person; ``confidence``, the
    largest share of a value of one column among the candidates of anybody, and ``certain``, people
    with a column where it is 1; if at least two different values are demanded of every column,
    ``bound`` on the confidence as corrected, and ``paper``, the bound as printed; ``whole``, the
    mean chance of guessing the sensitive values of all tables of a person at once.

    Not tried: dependencies between columns of different tables, which an attacker may know from
    elsewhere and which make some joined rows likelier than others.
    """
    tables = release.manifest.tables
    if len(tables) < 2:
        yield AttackResult(NAME, "anyone", "Not tried: there is one table, and nothing to join.")
        return
    seen = [patterns_of(release, table, original) for table in tables]
    figures = _figures(seen) | _bounds(release, seen)
    attacker = f"someone who joins the tables on {', '.join(policy.quasi)}"
    exposed = tuple(
        Exposed(int((share == 1).sum()), each.people.height, name)
        for each in seen
        for name, share in _highest_shares(each).items()
    )
    yield AttackResult(NAME, attacker, _sentence(figures), figures, exposed)


def _figures(seen: list[Patterns]) -> dict[str, int | float]:
    total = seen[0].people.height
    joined, whole, highest = np.ones(total), np.ones(total), np.zeros(total)
    for each in seen:
        every, own = _candidates(each)
        joined *= every
        whole *= own / np.maximum(every, 1)
        for share in _highest_shares(each).values():
            highest = np.maximum(highest, share)
    return {
        "people": total,
        "joined": int(joined.min()),
        "confidence": float(highest.max()),
        "certain": int((highest == 1).sum()),
        "whole": float(whole.mean()),
    }


def _candidates(seen: Patterns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Candidates of each person, and how many of them have all of the person's own values."""
    names = list(seen.sensitive)
    every = seen.candidates([]).rename({COUNT: "every"})
    own = seen.candidates(names).rename({COUNT: "own"})
    told = seen.people.join(every, on=PATTERN, how="left", maintain_order="left")
    told = told.join(own, on=[PATTERN, *names], how="left", maintain_order="left").fill_null(0)
    return tuple(told[name].to_numpy().astype(float) for name in ("every", "own"))  # type: ignore[return-value]


def _highest_shares(seen: Patterns) -> dict[str, NDArray[np.float64]]:
    """Per column, the largest share of any value among the candidates of each person."""
    highest = {}
    for name in seen.sensitive:
        shares = (
            seen.candidates([name])
            .group_by(PATTERN)
            .agg((pl.col(COUNT).max() / pl.col(COUNT).sum()).alias("share"))
        )
        told = seen.people.join(shares, on=PATTERN, how="left", maintain_order="left")
        highest[name] = told["share"].fill_null(0.0).to_numpy()
    return highest


def _bounds(release: Release, seen: list[Patterns]) -> dict[str, int | float]:
    """Bound on the confidence as corrected and as printed; nothing if a column has no l."""
    claims = release.manifest.claims
    demanded = {c.parameters["column"]: c.parameters["l"] for c in claims if c.claim == _LEAST_L}
    every = [name for each in seen for name in each.sensitive]
    if any(demanded.get(name, 1) < 2 for name in every):
        return {}
    l = min(demanded[name] for name in every)  # noqa: E741 - its name in the literature
    k = max(c.parameters["k"] for c in claims if "k" in c.parameters)
    largest = max(int(each.candidates([])[COUNT].max()) for each in seen)  # type: ignore[arg-type]
    return {"bound": (largest - l + 1) / largest, "paper": max(k - l + 1, 1) / max(k, l)}


def _sentence(figures: dict[str, int | float]) -> str:
    total = int(figures["people"])
    bound = f", at most {figures['bound']:.1%} by what is demanded" if "bound" in figures else ""
    return (
        f"Joining the tables leaves at least {int(figures['joined']):,} rows for everybody. A "
        f"sensitive value is certain of {people(int(figures['certain']), total)}; the surest guess "
        f"of one is right with a chance of {figures['confidence']:.1%}{bound}, and of all values "
        f"of a person at once with {figures['whole']:.2%} on average."
    )

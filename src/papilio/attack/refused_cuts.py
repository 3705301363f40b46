"""Minimality under l and t: what the knowledge that a class could not be cut gives away.

A method that cuts classes cuts wherever it may. Under l or t a cut that k alone would allow is not
made if a half has too few sensitive values, or too unlike those of the table. Who knows the
quasi-identifiers of everybody in a class sees that it could have been cut, concludes that each of
these cuts was refused because of the sensitive values, and asks which ways to deal the values of
the class out to its people are left.

Source: Wong, Fu, Wang, Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007,
sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.attack.candidates import CLASS, PATTERN, patterns_of
from papilio.attack.result import AttackResult, Exposed, people, someone_knowing
from papilio.data.encode import encode
from papilio.data.table import Role, Table
from papilio.kernels.codes import Codes
from papilio.kernels.demand import COLUMN, DISTINCT, KIND, LEAST, Demand, rule_holds
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import Requirement, demand_of, ruled_columns, settled
from papilio.privacy.t_closeness import TCloseness
from papilio.release.release import Release

NAME = "minimality"
#: Ways to deal values out that are listed of one class, and looked at while they are found.
_WAYS, _STEPS = 5_000, 40_000
#: Ways that are listed of all classes of a release together; the smallest classes come first.
_ALL_WAYS = 1_000_000
#: What rounding may change in a belief.
_ROUNDING = 1e-9

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]


def refused_cuts(
    release: Release, original: Table, policy: Policy, *, cuts: bool = True, exact: bool = True
) -> Iterator[AttackResult]:
    r"""Ask of every class that could have been cut why it was not.

    The rule: for each quasi-identifier of which the class has several values, the cut between two
    of them that leaves at least k rows on either side and is nearest to the middle (of two equally
    near ones the lower; k is the largest k or l that is demanded) was refused, as a half of it does
    not meet the demand. Let W be the ways to deal the rows' sensitive values out to the members of
    the class, all equally likely, and R those that refuse every such cut. Believed of member p is

    .. math:: P(v) = |\{w \in R: w(p) = v\}| / |R|

    and :math:`|\{w \in W: w(p) = v\}| / |W|`, the share of v in the class, without the reasoning.
    Members on the same side of every cut are believed the same, so that ways are counted by
    contingency tables of values and sides, exactly.

    That is the rule of ``mondrian``, without ``improve``, of whose own cuts the attacker here uses
    the last ones only. Other methods cut otherwise, or go on by other means: for them the rule is a
    guess of an attacker who takes them for Mondrian, and ``otherwise`` says how often it is wrong.
    Full-domain levels (``incognito``) have no such cuts.

    Figures: ``people``; ``classes``, and how many of them are ``whole``, could have been cut under
    k alone; ``tried`` of these, and ``otherwise``, classes of which a cut would in truth have met
    the demand, whose members are not counted; for each column ``above: <column>``, members of
    whom a value is believed in more than is promised and more than without the reasoning, ``right:
    <column>``, those of whom it is theirs, ``certain: <column>``, those of whom it became
    certain, ``before: <column>`` and ``after: <column>``, belief in the value of whoever's became
    more likely by most. Promised of a value is a belief of at most 1/l, c/(c + 1) for recursive
    diversity, its share in the table plus t for closeness (which t-closeness promises where the
    distance is equal; for other distances it is a yardstick).

    Exposed are those whose value became certain, where the rule is the method's own.

    Parameters
    ----------
    release, original, policy
        A release of one table, the table it was made from, and how.
    cuts
        Whether the method cuts classes at all.
    exact
        Whether the rule is the method's own.

    Notes
    -----
    Not tried: classes that overlap or whose ways are too many, and cuts that were refused before a
    class was cut down to what it is. Cost: that of :func:`papilio.attack.candidates.patterns_of`,
    and up to 5,000 ways of each class, a million of all.
    """
    asked = [each for each in settled(policy.requirements, original) if _is_about_values(each)]
    if not asked:
        return
    attacker = f"{someone_knowing(EVERYONE, policy.quasi)} of all people and how the method works"
    reason = untried(original, cuts=cuts)
    if reason:
        yield AttackResult(NAME, attacker, f"Not tried: {reason}.")
        return
    found = _search(release, original, policy)
    for name, bounds in _promised(asked, found.shares).items():
        figures = _figures(found, name, bounds)
        method = f"{release.manifest.method}{' with safe cells' if policy.safe_cells else ''}"
        sentence = _sentence(name, figures, method, exact=exact)
        certain = Exposed(int(figures[f"certain: {name}"]), found.people, name)
        # Who goes by a rule that is not the method's learns nothing that they could rely on.
        yield AttackResult(NAME, attacker, sentence, figures, (certain,) if exact else ())


def _is_about_values(requirement: Requirement) -> bool:
    about = DistinctDiversity | EntropyDiversity | RecursiveDiversity | TCloseness
    return isinstance(requirement, about)


def untried(original: Table, *, cuts: bool) -> str:
    """Why nobody asks why classes were not cut; empty if somebody does."""
    if original.people is not None:
        return "people have several rows, and what is demanded of them is no matter of one cut"
    if not cuts:
        return "full-domain levels are chosen for the whole table, no class is cut"
    return ""


@dataclass(frozen=True, eq=False)
class Whole:
    """A class that k alone would have allowed to cut.

    Attributes
    ----------
    sides
        Number of members on each pattern of sides.
    right
        Cut and pattern -> whether it is the right half.
    kinds
        Codes of the sensitive columns, one line for each combination that the class has.
    counts
        How often each is there.
    truth
        Combination and pattern -> how often it is there in the original.
    """

    sides: _Ints
    right: NDArray[np.bool_]
    kinds: NDArray[np.int32]
    counts: _Ints
    truth: _Ints


@dataclass(frozen=True, eq=False)
class Belief:
    """What is believed of the members of a class: one line per combination, one column per side."""

    whole: Whole
    after: _Floats


@dataclass(frozen=True, eq=False)
class _Found:
    people: int
    classes: int
    whole: int
    otherwise: int
    beliefs: tuple[Belief, ...]
    places: Mapping[str, int]
    shares: Mapping[str, _Floats]


def _search(release: Release, original: Table, policy: Policy) -> _Found:
    requirements = settled(policy.requirements, original)
    demand = demand_of(requirements, original)
    quasi = [c for c in original.with_role(Role.QUASI) if c.follows is None]
    encoded = encode(original, tuple(quasi))
    codes, places = encoded.codes[:, : len(quasi)], ruled_columns(requirements)
    classes, members = _members(release, original)
    whole = [
        each
        for rows in members
        if (each := whole_class(codes[rows], demand.sensitive[rows], demand.least_size)) is not None
    ]
    beliefs, otherwise, left = [], 0, _ALL_WAYS
    for each in sorted(whole, key=lambda each: int(each.counts.sum())):
        if not refuses(each, each.truth[np.newaxis], demand)[0]:
            otherwise += 1
            continue
        ways = ways_of(each.counts, each.sides)
        if ways is not None and len(ways) <= left:
            left -= len(ways)
            beliefs.append(belief_of(each, ways, demand))
    names = {name: place for place, (name, _) in reversed(list(enumerate(places)))}
    shares = {
        name: np.bincount(demand.sensitive[:, place]) / original.height
        for name, place in names.items()
    }
    return _Found(original.height, classes, len(whole), otherwise, tuple(beliefs), names, shares)


def _members(release: Release, original: Table) -> tuple[int, list[_Ints]]:
    """Number of classes, and the rows of those whose members are known."""
    table = release.manifest.table(original.name)
    seen = patterns_of(release, table, original, values=())
    alone = seen.classes.filter(pl.col(CLASS).is_unique() & pl.col(PATTERN).is_unique())
    rows = seen.people.with_row_index("row").join(alone, on=PATTERN)
    held = rows.group_by(CLASS, maintain_order=True).agg(pl.col("row"))
    shown = seen.rows.group_by(CLASS).agg(pl.col("papilio count").sum().alias("shown"))
    full = held.join(shown, on=CLASS).filter(pl.col("row").list.len() == pl.col("shown"))
    return shown.height, [np.asarray(each, np.int64) for each in full.get_column("row").to_list()]


def whole_class(codes: Codes, sensitive: NDArray[np.int32], least: int) -> Whole | None:
    """What there is to reason about in a class; ``None`` if k alone would not have cut it.

    Parameters
    ----------
    codes, sensitive
        Codes of quasi-identifiers and of the sensitive columns that something is demanded of.
    least
        Rows that each half must have.
    """
    if len(codes) < 2 * least:
        return None
    sides = [side for code in codes.T if (side := _nearest_cut(code, least)) is not None]
    if not sides:
        return None
    patterns, pattern = np.unique(np.column_stack(sides), axis=0, return_inverse=True)
    kinds, kind = np.unique(sensitive, axis=0, return_inverse=True)
    truth = np.zeros((len(kinds), len(patterns)), np.int64)
    np.add.at(truth, (kind.ravel(), pattern.ravel()), 1)
    return Whole(truth.sum(axis=0), patterns.T, kinds, truth.sum(axis=1), truth)


def _nearest_cut(code: NDArray[np.integer], least: int) -> NDArray[np.bool_] | None:
    """Which rows are in the right half of the allowed cut that is nearest to the middle."""
    values, counts = np.unique(code, return_counts=True)
    below = np.cumsum(counts)[:-1]
    far = np.where((below >= least) & (len(code) - below >= least), abs(2 * below - len(code)), -1)
    if not (far >= 0).any():
        return None
    place = int(np.flatnonzero(far >= 0)[far[far >= 0].argmin()])
    return np.asarray(code > values[place], bool)


def ways_of(counts: _Ints, sides: _Ints) -> NDArray[np.int32] | None:
    """All tables of how many of each combination are on each side; ``None`` if they are too many.

    The result has a line per way, in it one per combination and one column per side.
    """
    left, ways = sides[np.newaxis, :].astype(np.int32), np.empty((1, 0, len(sides)), np.int32)
    order = np.argsort(counts, kind="stable")
    for number in counts[order[:-1]].tolist():
        if comb(number + len(sides) - 1, len(sides) - 1) * len(left) > _STEPS:
            return None
        each = dealt(number, len(sides))
        rest = left[:, np.newaxis, :] - each
        before, which = np.nonzero((rest >= 0).all(axis=2))
        left = rest[before, which]
        ways = np.concatenate([ways[before], each[which, np.newaxis]], axis=1)
        if len(ways) > _WAYS:
            return None
    ways = np.concatenate([ways, left[:, np.newaxis]], axis=1)
    return ways[:, np.argsort(order)]


@lru_cache(256)
def dealt(number: int, sides: int) -> NDArray[np.int32]:
    """All ways to write a number as a sum of so many."""
    if sides == 1:
        return np.array([[number]], np.int32)
    parts = [
        np.column_stack([np.full(len(rest), first, np.int32), rest])
        for first in range(number + 1)
        for rest in [dealt(number - first, sides - 1)]
    ]
    return np.concatenate(parts)


def refuses(whole: Whole, ways: NDArray[np.integer], demand: Demand) -> NDArray[np.bool_]:
    """Of each way, whether every cut has a half that does not meet the demand."""
    refused = np.ones(len(ways), bool)
    for right in whole.right:
        met = np.ones(len(ways), bool)
        for half in (right, ~right):
            met &= halves_meet(demand, whole.kinds, ways[:, :, half].sum(axis=2))
        refused &= ~met
    return refused


def halves_meet(
    demand: Demand, kinds: NDArray[np.int32], counts: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Whether halves meet all that is demanded of values.

    ``counts`` has a line per half, and in it how often each combination is there.
    """
    met = np.ones(len(counts), bool)
    for rule, entries in enumerate(demand.rules):
        values, which = np.unique(kinds[:, entries[COLUMN]], return_inverse=True)
        many = counts @ np.eye(len(values), dtype=np.int64)[which.ravel()]
        if entries[KIND] == DISTINCT:
            met &= (many > 0).sum(axis=1) >= entries[LEAST]
            continue
        lines, place = np.unique(many, axis=0, return_inverse=True)
        holds = [_holds(demand, rule, values.astype(np.int64), line) for line in lines]
        met &= np.array(holds, bool)[place.ravel()]
    return met


def _holds(demand: Demand, rule: int, values: _Ints, counts: _Ints) -> bool:
    some, total = counts > 0, max(demand.total, len(demand.sensitive))
    return bool(rule_holds(demand, rule, values[some], counts[some], int(counts.sum()), total))


def belief_of(whole: Whole, ways: NDArray[np.integer], demand: Demand) -> Belief:
    """Beliefs of somebody who knows that every cut was refused; see :func:`refused_cuts`."""
    from scipy.special import gammaln

    possible = ways[refuses(whole, ways, demand)]
    # So many ways to deal values out have the same table, up to a factor that all have.
    weight = -gammaln(possible + 1.0).sum(axis=(1, 2))
    chance = np.exp(weight - weight.max())
    expected = np.tensordot(chance / chance.sum(), possible, axes=1)
    return Belief(whole, expected / whole.sides)


def _promised(
    asked: Iterable[Requirement], shares: Mapping[str, _Floats]
) -> dict[str, _Floats | float]:
    """Column -> the belief in each of its values that is promised not to be exceeded."""
    promised: dict[str, _Floats | float] = {}
    for each in asked:
        match each:
            case DistinctDiversity() | EntropyDiversity():
                bound: _Floats | float = 1 / float(each.l)
            case RecursiveDiversity():
                bound = float(each.c / (each.c + 1))
            case TCloseness():
                bound = float(each.t) + shares[each.column]
            case _:
                continue
        before = promised.get(each.column)
        promised[each.column] = bound if before is None else np.minimum(before, bound)
    return promised


def _figures(found: _Found, name: str, bounds: _Floats | float) -> dict[str, int | float]:
    above, right, certain, most = 0, 0, 0, (0.0, 0.0)
    for belief in found.beliefs:
        values, own, before, after = _of_column(belief, found.places[name])
        limit = (bounds[values] if isinstance(bounds, np.ndarray) else bounds + 0 * values)[:, None]
        more = after > np.broadcast_to(before, after.shape) + _ROUNDING
        strong = more & (after > limit + _ROUNDING)
        above += int(belief.whole.sides[strong.any(axis=0)].sum())
        right += int(own[strong].sum())
        certain += int(own[more & (after > 1 - _ROUNDING)].sum())
        gain = np.where(own > 0, after - before, 0.0)
        place = np.unravel_index(gain.argmax(), gain.shape)
        if gain[place] > most[1] - most[0]:
            most = float(before[place[0], 0]), float(after[place])
    return {
        "people": found.people,
        "classes": found.classes,
        "whole": found.whole,
        "tried": len(found.beliefs),
        "otherwise": found.otherwise,
        f"above: {name}": above,
        f"right: {name}": right,
        f"certain: {name}": certain,
        f"before: {name}": most[0],
        f"after: {name}": most[1],
    }


def _of_column(belief: Belief, place: int) -> tuple[NDArray[np.int32], _Ints, _Floats, _Floats]:
    """Values of one column, how many members of each side have each, beliefs before and after."""
    values, which = np.unique(belief.whole.kinds[:, place], return_inverse=True)
    own = np.zeros((len(values), len(belief.whole.sides)), np.int64)
    after = np.zeros(own.shape)
    np.add.at(own, which.ravel(), belief.whole.truth)
    np.add.at(after, which.ravel(), belief.after)
    return values, own, own.sum(axis=1, keepdims=True) / own.sum(), after


def _sentence(name: str, figures: Mapping[str, int | float], method: str, *, exact: bool) -> str:
    whole, tried, total = (int(figures[key]) for key in ("whole", "tried", "people"))
    if not whole:
        return (
            f"No class of {int(figures['classes']):,} could have been cut under k alone, so that "
            "nothing follows from its being whole."
        )
    right, above = int(figures[f"right: {name}"]), int(figures[f"above: {name}"])
    said = (
        f"Who asks why {whole:,} classes, which k alone would have allowed to cut, are whole "
        f"believes in a value of {name} more than is promised, and rightly, of "
        f"{people(right, total)}, wrongly of {people(above - right, total)}"
    )
    if figures[f"after: {name}"]:
        before, after = (100 * figures[f"{when}: {name}"] for when in ("before", "after"))
        said += f"; a person's own value became likelier from {before:.3g}% to {after:.3g}% at most"
    left = whole - tried - int(figures["otherwise"])
    large = f" {left:,} of the classes were too large to try." if left else ""
    return f"{said}.{large}{'' if exact else about_method(figures, method)}"


def about_method(figures: Mapping[str, int | float], method: str) -> str:
    """Say how far the rule is from that of a method it is not."""
    wrong = int(figures["otherwise"])
    return (
        f" The rule is that of mondrian without improve; {method} goes by another, and of "
        f"{wrong:,} of the classes it says what is not so."
    )

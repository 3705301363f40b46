"""Variants of a policy for one generalised table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from papilio.data.table import Role
from papilio.families.choices import Change, Choices, Line, Measure, Varied, sizes
from papilio.families.generalising.bench import ClassBench
from papilio.policy.policy import Policy
from papilio.policy.privacy_policy import ImprovePolicy
from papilio.privacy.safe_cells import SAFE

#: Methods, and the options of others that each does not have.
METHODS: dict[str, tuple[tuple[str, ...], ...]] = {
    "mondrian": (("metric",), ("objective",), ("privacy", "suppress")),
    "relaxed-mondrian": (("metric",), ("objective",), ("privacy", "suppress")),
    "bottom-up": (("metric",), ("objective",), ("privacy", "suppress")),
    "hybrid": (("privacy", "suppress"),),
    "rising": (("metric",), ("objective",)),
    "incognito": (("objective",), ("cells",)),
}


#: Methods that are tried if nobody says which.
USUAL = ("mondrian", "relaxed-mondrian", "hybrid")


#: Most rows bottom-up is tried on; its time grows with the square of the distinct rows.
MOST_BOTTOM_UP = 100_000


#: What follows from cells alone; see :class:`papilio.privacy.safe_cells.SafeCells`.
CELLS = Varied("cells", "cells: what follows from them", ("bounds", SAFE), promises=True)


#: Methods for several recipients, which are worth a word of their own.
_OTHERS = ("union", "butterfly")


#: How long to improve if the policy does not say.
USUAL_TIME = "10s"


LOSS = Measure(
    "loss",
    "NCP",
    "Normalised certainty penalty: the share of its column’s domain that an average cell of a "
    "quasi-identifier leaves open. 0% loses nothing, 100% tells nothing.",
    share=True,
)


RISK = Measure(
    "risk",
    "Risk",
    "Highest chance to find the row of a person whose quasi-identifiers one knows: one in the "
    "rows of the smallest class.",
    share=True,
)


RISK_OVER_PEOPLE = Measure(
    "risk",
    "Risk",
    "Highest chance that a row drawn from a class of a person is theirs: the largest share of a "
    "class that one person owns.",
    share=True,
)


def variants(policy: Policy) -> Choices:
    """Methods for one table, each also with the improvement after it, and its demands."""
    own = () if policy.method in (None, "auto") else (str(policy.method),)
    return Choices(
        (*lines(policy), *(_for_others(name) for name in _OTHERS)),
        tuple(dict.fromkeys([*USUAL, *_for_trees(policy), *own])),
        (*demands(policy), CELLS),
        LOSS,
        RISK if policy.person_column is None else RISK_OVER_PEOPLE,
        ClassBench.of,
    )


def _for_trees(policy: Policy) -> tuple[str, ...]:
    """What is worth trying as well where quasi-identifiers have hierarchies."""
    trees = (policy.columns[name].hierarchy for name in policy.quasi)
    return ("rising",) if any(tree is not None for tree in trees) else ()


def lines(policy: Policy, beside: tuple[Change, ...] = ()) -> Iterator[Line]:
    """Methods for one table, plain and improved; each drops options that it does not have.

    ``beside`` is what else each of them changes.
    """
    for name, unknown in METHODS.items():
        changes = ((("method",), name), *dropped(policy, _unknown(policy, name, unknown)), *beside)
        most = MOST_BOTTOM_UP if name == "bottom-up" else None
        yield from with_improvement(policy, Line(name, changes, most=most), _why_not(name))


def with_improvement(policy: Policy, line: Line, why_not: str | None = None) -> Iterator[Line]:
    """Yield a line without and with the improvement after it."""
    time = policy.improve or ImprovePolicy.model_validate(USUAL_TIME)
    plain = dropped(policy, [("improve",)])
    yield Line(line.name, (*line.changes, *plain), most=line.most)
    improved = (*line.changes, (("improve",), time.model_dump(exclude_none=True)))
    yield Line(f"{line.name}+improve", improved, line.name, line.most, why_not)


def dropped(policy: Policy, paths: Iterable[tuple[str, ...]]) -> tuple[Change, ...]:
    """Take those keys away that the policy has."""
    return tuple((path, None) for path in paths if _given(policy, path))


def demands(policy: Policy) -> Iterator[Varied]:
    """Demands on classes, and numbers worth trying."""
    yield sizes(policy.privacy.k, (5, 10, 20, 50), (2, 3, 100))
    if policy.with_role(Role.SENSITIVE):
        yield Varied("privacy.l", "l: different sensitive values in a class", (2, 3, 4, 5))
        if not policy.privacy.suppress:
            yield Varied("privacy.t", "t: distance from the whole table", (0.1, 0.2, 0.3, 0.5))
    if policy.privacy.suppress:
        yield Varied("privacy.suppress", "suppress: rows left out", (0.0, 0.01, 0.02, 0.05, 0.1))


def _unknown(
    policy: Policy, method: str, paths: tuple[tuple[str, ...], ...]
) -> tuple[tuple[str, ...], ...]:
    # Only incognito chooses by height.
    height = policy.metric == "height" and method != "incognito"
    return (*paths, ("metric",)) if height and ("metric",) not in paths else paths


def _why_not(method: str) -> str | None:
    if method == "incognito":
        return "incognito keeps one level per column, so its classes cannot be improved"
    return None


def _for_others(method: str) -> Line:
    why_not = f"{method} is for several recipients; the policy names none"
    return Line(method, why_not=why_not)


def _given(policy: Policy, path: tuple[str, ...]) -> bool:
    here: Any = policy
    for key in path:
        here = getattr(here, key)
    return here not in (None, 0, "bounds")

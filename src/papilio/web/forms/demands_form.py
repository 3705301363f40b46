"""Demands on sensitive columns, ``l`` and ``t``, as forms show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from papilio.policy.privacy_policy import EVERY, ClosenessPolicy, DiversityPolicy
from papilio.policy.words import words_of
from papilio.web.forms.edits import ABSENT, Edit, Edits, value_at

STRANGE = "strange"


@dataclass(frozen=True)
class DiversityForm:
    """l-diversity of one column.

    Attributes
    ----------
    column
        The column, or :data:`EVERY` where the policy has a bare number.
    kind
        ``distinct``, ``entropy`` or ``recursive``; ``strange`` is left alone.
    l, c
        Its numbers; c is for ``recursive``.
    raw
        What the policy says, for a strange one.
    """

    column: str
    kind: str = "distinct"
    l: Any = words_of(DiversityPolicy, "distinct").start  # noqa: E741 - its name in the literature
    c: Any = None
    raw: Any = None

    @property
    def strange(self) -> bool:
        """Whether the policy says something that forms do not know."""
        return self.kind == STRANGE


@dataclass(frozen=True)
class ClosenessForm:
    """t-closeness of one column.

    Attributes
    ----------
    column
        The column, or :data:`EVERY`.
    t
        Largest distance.
    n
        From how many rows on a class need not be close, if there is such a number.
    distance
        How far values are apart; ``None``: by the type of the column.
    strange
        Whether the policy says something else, kept in ``t``.
    """

    column: str
    t: Any = words_of(ClosenessPolicy, "t").start
    n: Any = None
    distance: str | None = None
    strange: bool = False


def first_diversity(column: str, kind: str) -> DiversityForm:
    """A demand of another kind, with numbers to start with."""
    start = words_of(DiversityPolicy, kind).start
    c, number = start if isinstance(start, tuple) else (None, start)
    return DiversityForm(column, kind, number, c)


def read_diversity(tree: Mapping[str, Any]) -> tuple[DiversityForm, ...]:
    """Read all demands under ``privacy.l``."""
    return tuple(_diversity(column, said) for column, said in _listed(tree, "l"))


def read_closeness(tree: Mapping[str, Any]) -> tuple[ClosenessForm, ...]:
    """Read all demands under ``privacy.t``."""
    return tuple(_closeness(column, said) for column, said in _listed(tree, "t"))


def _listed(tree: Mapping[str, Any], key: str) -> Iterable[tuple[str, Any]]:
    said = value_at(tree, ("privacy", key))
    if said is None:
        return
    if not isinstance(said, Mapping):
        yield EVERY, said
        return
    for column, demands in said.items():
        for each in demands if isinstance(demands, list | tuple) else (demands,):
            yield column, each


def _diversity(column: str, said: Any) -> DiversityForm:
    if not isinstance(said, Mapping):
        return DiversityForm(column, "distinct", said)
    if len(said) == 1:
        ((kind, number),) = said.items()
        if kind == "recursive" and isinstance(number, list | tuple) and len(number) == 2:
            return DiversityForm(column, kind, number[1], number[0])
        if kind in ("distinct", "entropy"):
            return DiversityForm(column, kind, number)
    return DiversityForm(column, STRANGE, raw=said)


def _closeness(column: str, said: Any) -> ClosenessForm:
    if not isinstance(said, Mapping):
        return ClosenessForm(column, said)
    if "t" not in said or set(said) - set(ClosenessPolicy.model_fields):
        return ClosenessForm(column, said, strange=True)
    return ClosenessForm(column, said["t"], said.get("n"), said.get("distance"))


def written_diversity(form: DiversityForm) -> Any:
    """What the policy shall say of one demand."""
    match form.kind:
        case "distinct":
            return form.l
        case "recursive":
            return {"recursive": [form.c, form.l]}
        case "entropy":
            return {"entropy": form.l}
    return form.raw


def written_closeness(form: ClosenessForm) -> Any:
    """What the policy shall say of one demand."""
    if form.strange or (form.n is None and form.distance is None):
        return form.t
    said = {"t": form.t, "n": form.n, "distance": form.distance}
    return {key: value for key, value in said.items() if value is not None}


def diversity_edits(forms: Iterable[DiversityForm]) -> Edits:
    """Write all demands of ``privacy.l``."""
    return (_edit("l", [(each.column, written_diversity(each)) for each in forms]),)


def closeness_edits(forms: Iterable[ClosenessForm]) -> Edits:
    """Write all demands of ``privacy.t``."""
    return (_edit("t", [(each.column, written_closeness(each)) for each in forms]),)


def _edit(key: str, demands: list[tuple[str, Any]]) -> Edit:
    where = ("privacy", key)
    if not demands:
        return Edit(where, ABSENT)
    if len(demands) == 1 and demands[0][0] == EVERY and not isinstance(demands[0][1], Mapping):
        return Edit(where, demands[0][1])
    by_column: dict[str, list[Any]] = {}
    for column, said in demands:
        by_column.setdefault(column, []).append(said)
    return Edit(
        where,
        {column: said[0] if len(said) == 1 else said for column, said in by_column.items()},
    )

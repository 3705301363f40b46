"""Demands on sensitive columns, ``l``, ``t`` and ``target``, as forms show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from papilio.policy.privacy_policy import ClosenessPolicy, DiversityPolicy, PrivacyPolicy
from papilio.policy.recipients import EVERY
from papilio.policy.target_policy import GOES_WITH, TargetPolicy
from papilio.policy.words import words_of
from papilio.web.forms.edits import ABSENT, Edit, Edits, mapping_at, value_at

#: The key of a file, which stands for the distribution that it gives.
FILE = "file"
#: The distribution to start with.
FIRST = words_of(PrivacyPolicy, "target").start


@dataclass(frozen=True)
class TargetForm:
    """What a sensitive column shall appear to have.

    Attributes
    ----------
    column
        The column; empty if the policy has no target.
    said
        All that the policy says of it, in full.
    others
        Columns with further targets, which a policy may not have.
    """

    column: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    @property
    def distribution(self) -> str:
        """Name of the distribution, :data:`FILE`, or what else the policy says."""
        return FILE if FILE in self.said else str(self.said.get("distribution", ""))

    @property
    def tree(self) -> Mapping[str, Any]:
        """Ranges of the column, if the policy declares them."""
        return mapping_at(self.said, ("tree",))


def keys_with(distribution: str) -> tuple[str, ...]:
    """Keys that go with one distribution only; without a name, those that go with any."""
    owners = {key: GOES_WITH.get(key, "") for key in TargetPolicy.model_fields}
    owners |= {"distribution": "distribution", FILE: FILE}
    return tuple(key for key, owner in owners.items() if owner == distribution)


def read_target(tree: Mapping[str, Any]) -> TargetForm:
    """Read the target of a policy."""
    targets = mapping_at(tree, ("privacy", "target"))
    for column, said in targets.items():
        whole = said if isinstance(said, Mapping) else {"distribution": said}
        return TargetForm(column, whole, tuple(targets)[1:])
    return TargetForm()


def target_edits(form: TargetForm, column: str, said: Mapping[str, Any]) -> Edits:
    """Write the target; a bare distribution where that is all there is."""
    kept = {key: value for key, value in said.items() if value not in (None, ABSENT, {}, [], ())}
    short = kept["distribution"] if set(kept) == {"distribution"} else kept
    if column == form.column:
        return (Edit(("privacy", "target", column), short),)
    return (Edit(("privacy", "target"), {column: short}),)


def with_distribution(form: TargetForm, distribution: str, file: str = "") -> Edits:
    """Take another distribution; numbers that belong to the one before go away."""
    stays = {*keys_with(""), *keys_with(distribution)}
    known = set(TargetPolicy.model_fields)
    kept = {key: value for key, value in form.said.items() if key in stays or key not in known}
    named = {FILE: file} if distribution == FILE else {"distribution": distribution}
    return target_edits(form, form.column, {**named, **kept})


def with_key(form: TargetForm, key: str, value: Any) -> Edits:
    """Give one key of the target a value, or take it away with ``None``."""
    return target_edits(form, form.column, {**form.said, key: value})


def with_tree_key(form: TargetForm, key: str, value: Any) -> Edits:
    """Give one key of the target's tree a value, or take it away with ``None``."""
    tree = {**form.tree, key: value}
    return with_key(form, "tree", {k: v for k, v in tree.items() if v is not None})


def with_column(form: TargetForm, column: str) -> Edits:
    """Take another column; ranges of the column before do not fit it."""
    said = {key: value for key, value in form.said.items() if key not in ("tree", "mean", "std")}
    return target_edits(form, column, said or {"distribution": FIRST})


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

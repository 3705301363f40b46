"""The target distribution of a sensitive column as a form shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.policy.target_policy import GOES_WITH, TargetPolicy
from papilio.policy.words import words_of
from papilio.web.forms.edits import ABSENT, Edit, Edits, mapping_at

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

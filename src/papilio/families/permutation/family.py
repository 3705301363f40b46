"""Permuted sensitive values beside exact quasi-identifiers, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.families.family import (
    AS_THEY_ARE,
    EVERYWHERE,
    ONE_SOURCE,
    Attack,
    Choice,
    Family,
    Method,
    Original,
    keys,
    later,
)
from papilio.families.permutation.policy import WORDS, check_permutable, permutation_faults, refused
from papilio.families.permutation.remedies import (
    more_values,
    no_frequent_value,
    no_near_guess,
    one_known_row,
)
from papilio.families.tables import (
    any_policy,
    ask_table,
    read_table,
    rewrite_table,
    table_questions,
)

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.randomness import Randomness
    from papilio.release.layout import Layout
    from papilio.release.made import Made

PERMUTATION_METHOD = "permutation"
_MORE = "Demand a larger k and e, and a lower at_most under near."


def _why(policy: Policy) -> str | None:
    return None if policy.privacy.e is None else "e is about groups of permuted values"


def _choose(policy: Policy, people: int) -> Choice:
    del people
    return Choice(PERMUTATION_METHOD, _why(policy) or "the policy names it")


def _requirements(policy: Policy) -> tuple[Any, ...]:
    return policy.privacy.of_groups(policy.with_role(Role.SENSITIVE))


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.permutation.make import make_permuted

    return make_permuted(original.order, original.policy, choice, randomness, original.kind, tell)


def _layout() -> Layout:
    from papilio.release.layout import PERMUTED_LAYOUT

    return PERMUTED_LAYOUT


PERMUTATION = Family(
    name="permutation",
    kind="permuted",
    called="permutation",
    words=WORDS,
    keys=keys(f"{ONE_SOURCE} minimise"),
    demands=keys("k e known near"),
    columns=AS_THEY_ARE,
    methods=(Method(PERMUTATION_METHOD, engines=EVERYWHERE),),
    layout=_layout,
    rank=2,
    why=_why,
    choose=_choose,
    faults=permutation_faults,
    requirements=_requirements,
    check_types=check_permutable,
    read=read_table,
    make=_make,
    spark=later("papilio.families.permutation.spark", "make_with_spark"),
    pieces=later("papilio.families.permutation.pieces", "make_in_pieces"),
    refused=refused,
    ask=ask_table,
    rewrite=rewrite_table,
    questions=table_questions,
    attacks=(
        Attack("open_identity", "alone"),
        Attack("group_guess", "secret", remedy=no_frequent_value, otherwise=_MORE),
        Attack("certain_value", "secret", remedy=more_values, otherwise=_MORE),
        Attack("near_value", "secret", remedy=no_near_guess, otherwise=_MORE),
        Attack(
            "known_values",
            "secret",
            remedy=one_known_row,
            beyond="values of other people",
            otherwise=_MORE,
        ),
        Attack("learned_values", "secret", again=True),
    ),
    document=later("papilio.families.permutation.document", "document"),
    loss=later("papilio.families.permutation.document", "loss"),
    loss_words="average width of a group, as a share of all values",
    variants=later("papilio.families.permutation.variants", "variants"),
    check_policy=any_policy,
    risk_note=(
        "Quasi-identifiers are published as they were, so that people are as easy to find as in "
        "the original. What is protected is the sensitive value: it is one of those of a group."
    ),
)

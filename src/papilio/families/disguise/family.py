"""Disguised distributions, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.families.disguise.policy import (
    FLOOR_WORDS,
    blind_volunteers,
    disguise_faults,
    refused,
    two_values,
    wide_groups,
)
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
from papilio.families.generalising.names import PLAIN
from papilio.families.tables import (
    any_policy,
    ask_table,
    read_table,
    rewrite_table,
    table_questions,
)
from papilio.policy.words import FamilyWords

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.randomness import Randomness
    from papilio.release.layout import Layout
    from papilio.release.made import Made

DISGUISE_METHOD = "disguise"


def _why(policy: Policy) -> str | None:
    return "the policy names a target distribution" if policy.privacy.target else None


def _of_classes(policy: Policy) -> tuple[Any, ...]:
    """Nothing is demanded of classes of rows: ``k``, ``l`` and ``e`` are about groups."""
    del policy
    return ()


def _choose(policy: Policy, people: int) -> Choice:
    del people
    return Choice(DISGUISE_METHOD, _why(policy) or "the policy names it")


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.disguise.make import make_disguised

    return make_disguised(original.order, original.policy, choice, randomness, original.kind, tell)


def _layout() -> Layout:
    from papilio.release.layout import DISGUISED_LAYOUT

    return DISGUISED_LAYOUT


#: What helps where no line of a policy closes what an attack found.
_FEWER = (
    "Take fewer columns in by, a target that gives weight to more values, or a larger k, l and e "
    "beside it."
)

DISGUISE = Family(
    name="disguise",
    kind="disguised",
    called="target",
    words=FamilyWords(
        "Disguised distribution",
        "When even the distribution of a column is a secret. It appears to follow one you choose.",
        "ssid_chart",
        demands=FLOOR_WORDS,
        one_secret=True,
    ),
    keys=keys(ONE_SOURCE),
    demands=keys("target shift fakes personal k l e volunteers"),
    columns={**AS_THEY_ARE, Role.SENSITIVE: keys("role type hierarchy domain")},
    methods=(Method(DISGUISE_METHOD, engines=EVERYWHERE),),
    layout=_layout,
    rank=3,
    over=frozenset((PLAIN,)),
    why=_why,
    choose=_choose,
    faults=disguise_faults,
    requirements=_of_classes,
    read=read_table,
    make=_make,
    spark=later("papilio.families.disguise.spark", "make_with_spark"),
    pieces=later("papilio.families.disguise.pieces", "make_in_pieces"),
    refused=refused,
    ask=ask_table,
    rewrite=rewrite_table,
    questions=table_questions,
    attacks=(
        Attack("open_identity", "alone"),
        Attack("minimality", "secret", beyond="how the method works"),
        Attack("certain_value", "secret", remedy=two_values, otherwise=_FEWER),
        Attack(
            "volunteers",
            "secret",
            remedy=blind_volunteers,
            beyond="who demanded what",
            otherwise=_FEWER,
        ),
        Attack("near_value", "secret", remedy=wide_groups, otherwise=_FEWER),
        Attack("learned_values", "secret", again=True),
    ),
    document=later("papilio.families.disguise.document", "document"),
    loss=later("papilio.families.disguise.document", "loss"),
    loss_words="average published range, as a share of the domain",
    variants=later("papilio.families.disguise.variants", "variants"),
    check_policy=any_policy,
    risk_note=(
        "Quasi-identifiers are published as they were, so that people are as easy to find as in "
        "the original. What is protected is the sensitive value: each is a range, and which range "
        "of the group is whose is not published."
    ),
    one_table=(("privacy", "target"), "a table without groups follows no target"),
)

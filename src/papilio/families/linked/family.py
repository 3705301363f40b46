"""People with rows in linked tables, as a value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.families.family import (
    FOLLOWING,
    Attack,
    Choice,
    Family,
    Method,
    Original,
    keys,
    later,
)
from papilio.families.generalising.names import LARGER, RULE
from papilio.families.linked.policy import (
    MIRACLE,
    WORDS,
    entities_of,
    larger_k,
    linked_faults,
    mixed_values,
)

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.query.answer import Answer
    from papilio.randomness import Randomness
    from papilio.release.layout import Layout
    from papilio.release.made import Made
    from papilio.release.release import Release


def _why(policy: Policy) -> str | None:
    if policy.tables:
        return "people have rows in linked tables"
    together = policy.link is True and policy.graph is None
    return "the rows of a person are kept together, in linked tables" if together else None


def _choose(policy: Policy, people: int) -> Choice:
    del policy, people
    return Choice(MIRACLE, "it is the method for people with linked tables")


def _read(data: Any, policy: Policy, name: str | None) -> Original:
    from papilio.families.linked.make import read_divided, read_linked

    return read_divided(data, policy, name) if policy.link else read_linked(data, policy)


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.linked.make import make_linked

    del choice
    return make_linked(original.order, original.policy, randomness, original.kind, tell)


def _layout() -> Layout:
    from papilio.release.layout import LINKED_LAYOUT

    return LINKED_LAYOUT


def _ask(release: Release | Path, sql: str, dialect: str) -> Answer:
    from papilio.query.linked import ask_linked
    from papilio.release.release import Release

    return ask_linked(
        release if isinstance(release, Release) else Release.open(release), sql, dialect
    )


def _rewrite(release: Release | Path, sql: str, to: str, dialect: str) -> str:
    from papilio.errors import ReleaseError

    del release, sql, to, dialect
    raise ReleaseError(
        "bounds over linked tables also count rows that may be missing, and are not printed as "
        "SQL; ask without --sql",
        reason="no-rewrite",
    )


def _views(release: Release, order: Any, *more: Any) -> Any:
    from papilio.attack.whole_person import tree_views

    return tree_views(release, order.snowflake, *more)


def _questions(release: Release) -> Iterator[str]:
    from papilio.query.example_questions import linked_questions

    return linked_questions(release)


def _check_policy(release: Release, policy: Policy, original: Original) -> None:
    from papilio.errors import ReleaseError

    del policy
    if {table.name for table in release.manifest.tables} != {*original.policy.tables}:
        raise ReleaseError(
            "the policy publishes other tables; give the policy the release was made with",
            reason="another-policy",
        )


_follow = later("papilio.families.generalising.remedies", "follow")

LINKED = Family(
    name="linked",
    kind="linked",
    called="tables",
    words=WORDS,
    keys=keys(
        "papilio tables person depends database privacy method lights pairing skeleton cells"
    ),
    divided=keys(
        "papilio source columns person depends link privacy method pairing skeleton cells lights"
    ),
    demands=keys("k l suppress"),
    columns={**FOLLOWING, Role.SENSITIVE: keys("role type")},
    methods=(Method(MIRACLE),),
    layout=_layout,
    data="tables",
    rank=5,
    why=_why,
    choose=_choose,
    faults=linked_faults,
    requirements=entities_of,
    read=_read,
    make=_make,
    ask=_ask,
    rewrite=_rewrite,
    questions=_questions,
    attacks=(
        Attack("whole_person", "alone", remedy=larger_k, otherwise=LARGER),
        Attack("known_children", "alone", remedy=larger_k, otherwise=LARGER),
        Attack("dependency", "alone", remedy=_follow, otherwise=RULE),
        Attack(
            "shared_values",
            "secret",
            "papilio.attack.whole_person",
            mixed_values,
            otherwise=LARGER,
        ),
    ),
    document=later("papilio.families.linked.document", "document"),
    loss=later("papilio.families.linked.document", "loss"),
    loss_words="share of rows removed, and of the domain the cells left cover",
    variants=later("papilio.families.linked.variants", "variants"),
    check_policy=_check_policy,
    classes=False,
    views=_views,
    risk_note=(
        "A class is all people with the same whole tree of rows. Rows may be missing from the "
        "release, so that somebody may fit several classes, and the chances are upper bounds."
    ),
    one_table=(("tables",), "one table is checked, and this policy is about linked tables"),
)

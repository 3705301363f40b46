"""Many sensitive columns in disjoint tables, as a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.data.table import Role
from papilio.families.family import (
    EVERYWHERE,
    GENERALISED,
    ONE_SOURCE,
    Attack,
    Choice,
    Family,
    Method,
    Original,
    keys,
    later,
)
from papilio.families.generalising.names import FEWER_COLUMNS, HYBRID, INTERVALS, LARGER, RULE
from papilio.families.generalising.remedies import for_classes, say_less
from papilio.families.projections.policy import (
    projection_faults,
    refused,
    rule_of_quasi,
    same_classes,
    several_values,
    tables_of_their_own,
)
from papilio.families.tables import (
    ask_table,
    class_requirements,
    read_table,
    rewrite_table,
)
from papilio.policy.words import FamilyWords

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.randomness import Randomness
    from papilio.release.layout import Layout
    from papilio.release.made import Made
    from papilio.release.release import Release

PROJECTIONS_METHOD = "projections"


def _why(policy: Policy) -> str | None:
    if policy.privacy.association_loss is not None or policy.privacy.exposure is not None:
        return "the policy limits what sensitive columns say of each other"
    several = any(column.values is not None for column in policy.columns.values())
    return "a column holds several values per person" if several else None


def _choose(policy: Policy, people: int) -> Choice:
    del people
    return Choice(PROJECTIONS_METHOD, _why(policy) or "the policy names it")


def _generalising(policy: Policy) -> str | None:
    return policy.generalise or HYBRID


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.projections.make import make_projected

    return make_projected(original.order, original.policy, choice, randomness, original.kind, tell)


def _layout() -> Layout:
    from papilio.release.layout import PROJECTED_LAYOUT

    return PROJECTED_LAYOUT


def _questions(release: Release) -> Iterator[str]:
    from papilio.query.example_questions import table_questions

    return table_questions(release, first=True)


def _check_policy(release: Release, policy: Policy, original: Original) -> None:
    from papilio.errors import ReleaseError

    del policy
    known = {column.name for table in release.manifest.tables for column in table.columns}
    if known != {column.name for column in original.subject.columns}:
        raise ReleaseError(
            "the policy does not publish the columns of the release; give the policy the release "
            "was made with",
            reason="another-policy",
        )


PROJECTIONS = Family(
    name="projections",
    kind="projected",
    called="projections",
    words=FamilyWords(
        "Many sensitive columns",
        "When one sensitive value of a person must not lead to the others. Publishes several "
        "tables that cannot be joined.",
        "splitscreen",
    ),
    keys=keys(f"{ONE_SOURCE} generalise plan classes metric objective improve cells"),
    demands=keys("k l t suppress association_loss exposure generalisation_loss"),
    columns={
        **GENERALISED,
        Role.SENSITIVE: keys(
            "role type hierarchy domain harmless bins values separator source key value"
        ),
    },
    methods=(Method(PROJECTIONS_METHOD, keys("suppress"), EVERYWHERE, safe=True),),
    layout=_layout,
    rank=1,
    projects=True,
    why=_why,
    choose=_choose,
    faults=projection_faults,
    requirements=class_requirements,
    generalising=_generalising,
    read=read_table,
    make=_make,
    spark=later("papilio.families.projections.spark", "make_with_spark"),
    pieces=later("papilio.families.projections.pieces", "make_in_pieces"),
    refused=refused,
    ask=ask_table,
    rewrite=rewrite_table,
    questions=_questions,
    attacks=(
        Attack("linkage", "alone", remedy=for_classes, otherwise=LARGER),
        Attack("dependency", "alone", remedy=rule_of_quasi, otherwise=RULE),
        Attack(
            "background_join",
            "secret",
            remedy=tables_of_their_own,
            beyond="another sensitive value of a person",
            otherwise=FEWER_COLUMNS,
        ),
        Attack("intersection", "secret", remedy=several_values, otherwise=LARGER),
        Attack(
            "cross_tables",
            "secret",
            remedy=same_classes,
            beyond="which values of columns of different tables go together",
            otherwise=FEWER_COLUMNS,
        ),
        Attack("certain_rows", "alone", remedy=say_less, otherwise=INTERVALS, alone=True),
        Attack("singling_out", "alone", alone=True),
        Attack("learned_values", "secret", again=True),
    ),
    document=later("papilio.families.projections.document", "document"),
    loss=later("papilio.families.projections.document", "loss"),
    loss_words="share of the domain an average cell covers, over the tables",
    variants=later("papilio.families.projections.variants", "variants"),
    check_policy=_check_policy,
    risk_note=(
        "Each published table is looked at by itself: finding a row in one of them does not tell "
        "which rows of the others are the person's."
    ),
)

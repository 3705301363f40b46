"""One table for one recipient, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.families.family import (
    EVERYWHERE,
    FOLLOWING,
    ONE_SOURCE,
    Attack,
    Choice,
    Family,
    Method,
    Original,
    keys,
    later,
)
from papilio.families.generalising.names import (
    ATTACKS,
    BOTTOM_UP,
    HYBRID,
    INCOGNITO,
    KIND,
    LARGER,
    LISTING,
    MONDRIAN,
    PLAIN,
    RELAXED,
    RISING,
    is_for_everyone,
    layout,
)
from papilio.families.tables import (
    ask_table,
    check_same_table,
    class_requirements,
    one_source_faults,
    read_table,
    rewrite_table,
    table_questions,
)
from papilio.policy.words import FamilyWords

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.randomness import Randomness
    from papilio.release.made import Made
    from papilio.release.manifest import Manifest

#: Above this many rows, speed counts for more than the last bit of loss.
_MANY_ROWS = 1_000_000


def _why(policy: Policy) -> str | None:
    return None if policy.graph is not None or policy.tables else "one recipient knows everything"


def _choose(policy: Policy, rows: int) -> Choice:
    if policy.privacy.suppress:
        return Choice(INCOGNITO, "the policy allows rows to be left out, which it does anywhere")
    if policy.metric == "height":
        return Choice(INCOGNITO, "the policy chooses by height, which only it does")
    if policy.metric is not None or policy.objective is not None:
        return Choice(HYBRID, "the policy has an option of it")
    if _has_trees(policy):
        return Choice(RISING, "every quasi-identifier has a hierarchy; there it loses least")
    if rows > _MANY_ROWS:
        return Choice(MONDRIAN, f"fast on {rows:,} rows, of which even small classes lose little")
    return Choice(HYBRID, "of the fast methods it loses least")


def _has_trees(policy: Policy) -> bool:
    """Whether every quasi-identifier that a method sees has a hierarchy, and one of them of labels.

    Over equal intervals alone cuts lose as little, and on numbers spread evenly a little less.
    """
    seen = [policy.columns[name] for name in policy.quasi]
    trees = [each.hierarchy for each in seen if each.follows is None]
    return None not in trees and any(
        each is not None and (each.file is not None or each.prefix is not None) for each in trees
    )


def _generalising(policy: Policy) -> str | None:
    """Method that is named, or that has the options a policy gives."""
    if ONE_TABLE.method(policy.method or "") is not None:
        return policy.method
    chosen = policy.privacy.suppress, policy.metric, policy.objective
    return _choose(policy, 0).method if any(chosen) else None


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.one_table.make import make_generalised

    return make_generalised(
        original.order, original.policy, choice, randomness, original.kind, tell
    )


def _owns(manifest: Manifest) -> bool:
    return manifest.kind == KIND and is_for_everyone(manifest)


ONE_TABLE = Family(
    name=PLAIN,
    kind=KIND,
    called="one generalised table",
    words=FamilyWords(
        "One table, one recipient",
        "When whoever gets the release may know every quasi-identifier. The usual case.",
        "table_rows",
    ),
    keys=keys(f"{ONE_SOURCE} depends metric objective improve cells"),
    demands=keys("k l t suppress"),
    columns=FOLLOWING,
    methods=(
        Method(
            MONDRIAN,
            keys("improve cells"),
            EVERYWHERE,
            "fastest, for very large tables",
            safe=True,
            wings=True,
        ),
        Method(
            RELAXED,
            keys("improve cells"),
            EVERYWHERE,
            "small, even classes",
            safe=True,
            wings=True,
        ),
        Method(
            BOTTOM_UP,
            keys("improve cells"),
            EVERYWHERE,
            "for small tables",
            safe=True,
            wings=True,
        ),
        Method(
            HYBRID,
            keys("metric objective improve cells"),
            EVERYWHERE,
            "loses least of the fast ones",
            safe=True,
            wings=True,
        ),
        Method(
            RISING,
            keys("improve cells suppress"),
            EVERYWHERE,
            "loses least where columns have hierarchies",
            safe=True,
        ),
        Method(INCOGNITO, keys("metric suppress"), EVERYWHERE, "the same groups in every row"),
    ),
    layout=layout,
    why=_why,
    choose=_choose,
    faults=one_source_faults,
    requirements=class_requirements,
    generalising=_generalising,
    owns_manifest=_owns,
    read=read_table,
    make=_make,
    spark=later("papilio.families.generalising.spark", "make_with_spark"),
    pieces=later("papilio.families.generalising.pieces", "make_in_pieces"),
    division=later("papilio.families.one_table.make", "division"),
    refused=later("papilio.families.one_table.make", "refused"),
    ask=ask_table,
    rewrite=rewrite_table,
    questions=table_questions,
    attacks=(
        *ATTACKS,
        Attack(
            "refinement",
            "alone",
            module="papilio.families.generalising.names",
            beyond="how the method works",
            otherwise=LISTING,
        ),
        Attack(
            "minimality",
            "secret",
            "papilio.families.generalising.names",
            later("papilio.families.generalising.remedies", "whole_levels"),
            beyond="everybody's quasi-identifiers and how the method works",
            otherwise=LARGER,
        ),
    ),
    document=later("papilio.families.generalising.document", "document"),
    loss=later("papilio.families.generalising.document", "loss"),
    loss_words="share of the domain an average cell covers",
    variants=later("papilio.families.generalising.variants", "variants"),
    check_policy=check_same_table,
)

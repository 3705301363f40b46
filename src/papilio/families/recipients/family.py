"""One table for several recipients, as a value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

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
    KIND,
    MONDRIAN,
    PLAIN,
    is_for_everyone,
    layout,
)
from papilio.families.recipients.policy import BUTTERFLY, UNION, recipients_faults
from papilio.families.tables import (
    ask_table,
    check_same_table,
    read_table,
    rewrite_table,
    table_questions,
)
from papilio.policy.words import FamilyWords

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.policy import Policy
    from papilio.policy.remedy import Remedy
    from papilio.progress import Progress
    from papilio.randomness import Randomness
    from papilio.release.made import Made
    from papilio.release.manifest import Manifest


def _why(policy: Policy) -> str | None:
    return "the policy names recipients" if policy.recipients else None


def _requirements(policy: Policy) -> tuple[Any, ...]:
    """What is demanded for any of them: classes that meet it serve each."""
    from papilio.policy.recipient_policy import requirements_together
    from papilio.privacy.requirement import over_people

    demanded = requirements_together(policy)
    return demanded if policy.person_column is None else over_people(demanded)


def _lacks(tables: float, columns: int, types: frozenset[str]) -> str:
    del types
    return "needs at least two columns" if tables and columns < 2 else ""


def _choose(policy: Policy, people: int) -> Choice:
    del policy, people
    return Choice(BUTTERFLY, "of the methods for several recipients it loses least")


def _generalising(policy: Policy) -> str | None:
    return policy.generalise or MONDRIAN


def _keep_secret(exposed: Exposed, policy: Policy) -> Remedy | None:
    from papilio.families.recipients.remedies import keep_secret

    return keep_secret(exposed, policy)


def _no_collusion(exposed: Exposed, policy: Policy) -> Remedy | None:
    from papilio.families.recipients.remedies import no_collusion

    return no_collusion(exposed, policy)


_WIDER = "Demand a larger l of what is secret, or publish less of it."
#: What is different in attacks on their releases.
_OWN: dict[str, dict[str, Any]] = {
    "certain_rows": {"module": "papilio.families.recipients.blocks"},
    "collusion": {"remedy": _no_collusion},
}


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.recipients.make import make_recipients

    return make_recipients(original.order, original.policy, choice, randomness, original.kind, tell)


def _owns(manifest: Manifest) -> bool:
    return manifest.kind == KIND and not is_for_everyone(manifest)


RECIPIENTS = Family(
    name="recipients",
    kind=KIND,
    called="recipients",
    words=FamilyWords(
        "Several recipients",
        "When several parties get the same release and each can know some columns only. Loses less "
        "than protecting against all of them at once.",
        "groups",
        lacks=_lacks,
    ),
    keys=keys(f"{ONE_SOURCE} depends recipients generalise wings metric objective improve cells"),
    demands=keys("k l t suppress collusion_k collusion"),
    columns=FOLLOWING,
    methods=(
        Method(BUTTERFLY, keys("wings"), EVERYWHERE, "protects against each recipient"),
        Method(UNION, keys("suppress"), EVERYWHERE, "protects as if all were one", safe=True),
    ),
    layout=layout,
    rank=4,
    over=frozenset((PLAIN,)),
    why=_why,
    choose=_choose,
    faults=recipients_faults,
    requirements=_requirements,
    generalising=_generalising,
    owns_manifest=_owns,
    read=read_table,
    make=_make,
    spark=later("papilio.families.generalising.spark", "make_with_spark"),
    pieces=later("papilio.families.generalising.pieces", "make_in_pieces"),
    division=later("papilio.families.recipients.make", "division"),
    refused=later("papilio.families.generalising.followers", "refused"),
    ask=ask_table,
    rewrite=rewrite_table,
    questions=table_questions,
    attacks=(
        *(replace(attack, **_OWN.get(attack.name, {})) for attack in ATTACKS),
        Attack("learnt_of_others", "secret", remedy=_keep_secret, otherwise=_WIDER),
    ),
    document=later("papilio.families.recipients.document", "document"),
    loss=later("papilio.families.recipients.document", "loss"),
    loss_words="share of the domain an average cell covers",
    variants=later("papilio.families.recipients.variants", "variants"),
    check_policy=check_same_table,
)

"""What is wrong with a policy for several recipients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.errors import Fault
from papilio.families.generalising.names import INCOGNITO
from papilio.families.tables import one_source_faults
from papilio.policy.recipients import ALL_RECIPIENTS

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

UNION, BUTTERFLY = "union", "butterfly"


def recipients_faults(policy: Policy) -> Iterator[Fault]:
    """Find recipients and columns that do not fit each other, and options without recipients."""
    yield from one_source_faults(policy)
    if policy.recipients:
        yield from _columns(policy)
        yield from _options(policy)
    else:
        message = (
            f"the method {policy.method} is for several recipients; name them under recipients"
        )
        yield policy.fault(message, "method")


def _columns(policy: Policy) -> Iterator[Fault]:
    for name, known in policy.recipients.items():
        if name.strip().casefold() in ("", ALL_RECIPIENTS):
            # In a release this name stands for a claim about all of them.
            yield policy.fault("choose another name for this recipient", "recipients", name)
        for column in known:
            if column not in policy.columns:
                message = f"columns has no '{column}'; name quasi-identifiers"
                yield policy.fault(message, "recipients", name)
            elif column not in policy.quasi:
                role = policy.columns[column].role
                message = f"'{column}' is {role}, not quasi; name quasi-identifiers"
                yield policy.fault(message, "recipients", name)
        for column in sorted({each for each in known if known.count(each) > 1}):
            yield policy.fault(f"'{column}' is named twice", "recipients", name)
    known_to_some = {column for known in policy.recipients.values() for column in known}
    for column in policy.quasi:
        if column not in known_to_some:
            yield policy.fault(
                f"'{column}' is quasi, but no recipient may know it; name it for a recipient, or "
                "give it another role",
                "recipients",
            )


def _options(policy: Policy) -> Iterator[Fault]:
    if policy.method == UNION and policy.wings is not None:
        yield policy.fault(f"only the method {BUTTERFLY} has wings", "wings")
    if policy.method in (None, "auto") and not policy.generalise:
        for key in ("metric", "objective"):
            if getattr(policy, key) is not None:
                yield policy.fault("name the method that has it under generalise", key)
    if policy.method == UNION:
        return
    if policy.generalise == INCOGNITO:
        message = f"{INCOGNITO} keeps one level per column, which only {UNION} can build on"
        yield policy.fault(message, "generalise")
    if policy.privacy.suppress:
        message = (
            f"only {UNION} with generalise: {INCOGNITO} leaves rows out for several recipients"
        )
        yield policy.fault(message, "privacy", "suppress")

"""What is wrong with a policy for several recipients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.data.table import Role
from papilio.errors import DataError, Fault
from papilio.families.generalising.names import INCOGNITO
from papilio.families.tables import one_source_faults
from papilio.policy.recipients import ALL_RECIPIENTS, is_together

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.privacy.requirement import Requirement

UNION, BUTTERFLY = "union", "butterfly"


def recipients_faults(policy: Policy) -> Iterator[Fault]:
    """Find recipients and columns that do not fit each other, and options without recipients."""
    yield from one_source_faults(policy)
    if policy.recipients:
        yield from _columns(policy)
        yield from _collusion(policy)
        yield from _options(policy)
    else:
        message = (
            f"the method {policy.method} is for several recipients; name them under recipients"
        )
        yield policy.fault(message, "method")


def _columns(policy: Policy) -> Iterator[Fault]:
    from papilio.policy.checks.options import demand_faults
    from papilio.policy.recipient_policy import requirements_of

    known_to_some: set[str] = set()
    for name, said in policy.recipients.items():
        if name.strip().casefold() in ("", ALL_RECIPIENTS) or is_together(name):
            # In a release such a name stands for a claim about several of them.
            yield policy.fault("choose another name for this recipient", "recipients", name)
        known = said.knows
        if said.file is not None:
            faults, known = _of_file(policy, name, said.file)
            yield from faults
        known_to_some.update(known)
        yield from _known(policy, name, said.knows)
        yield from _secret(policy, name, known)
        own = requirements_of(policy, name)
        general = policy.privacy.requirements(policy.with_role(Role.SENSITIVE))
        demanded = [each for each in own if each not in general and not _is_secret(each)]
        yield from demand_faults(policy, demanded, "recipients", name)
    for column in policy.quasi:
        if column not in known_to_some:
            yield policy.fault(
                f"'{column}' is quasi, but no recipient may know it; name it for a recipient, or "
                "give it another role",
                "recipients",
            )


def _is_secret(requirement: Requirement) -> bool:
    from papilio.privacy.secret_column import SecretColumn

    return isinstance(requirement, SecretColumn)


def _of_file(policy: Policy, name: str, file: str) -> tuple[list[Fault], tuple[str, ...]]:
    """What a recipient knows by a list they have, and what is wrong with it."""
    from papilio.policy.recipient_policy import columns_of_file

    try:
        header = columns_of_file(policy, file)
    except DataError as error:
        return [policy.fault(str(error), "recipients", name)], ()
    faults = [
        policy.fault(
            f"'{column}', which {file} has, is {policy.columns[column].role}, not quasi; whoever "
            "has the file knows it, so make it quasi, or do not publish it",
            "recipients",
            name,
        )
        for column in header
        if column in policy.published and column not in policy.quasi
    ]
    known = tuple(column for column in policy.quasi if column in header)
    if not known and not faults:
        message = f"{file} names no quasi-identifier of the policy; name them as the policy does"
        faults.append(policy.fault(message, "recipients", name))
    return faults, known


def _known(policy: Policy, name: str, known: tuple[str, ...]) -> Iterator[Fault]:
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


def _secret(policy: Policy, name: str, known: tuple[str, ...]) -> Iterator[Fault]:
    """Columns to be kept from a recipient are quasi-identifiers that only others know."""
    for column in policy.recipients[name].secret:
        if column not in policy.quasi:
            message = (
                "secret is about quasi-identifiers of others; of a sensitive column demand l"
                if column in policy.columns
                else f"columns has no '{column}'; name a quasi-identifier of others"
            )
        elif column in known:
            message = f"{name} may know '{column}', so it cannot be kept from them"
        else:
            continue
        yield policy.fault(message, "recipients", name, "secret", column)


def _collusion(policy: Policy) -> Iterator[Fault]:
    """Coalitions of recipients who are not there, or of one."""
    said = policy.privacy.collusion
    if said is None:
        return
    path = ("privacy", "collusion")
    if said.all is not None and policy.privacy.collusion_k is not None:
        yield policy.fault("all says the same as collusion_k; give one of them", *path, "all")
    if len(policy.recipients) < 2:
        yield policy.fault("the policy names one recipient, who has nobody to collude with", *path)
    for named in said.named:
        missing = [name for name in named.who if name not in policy.recipients]
        if missing:
            accepted = ", ".join(policy.recipients)
            message = f"recipients has no '{missing[0]}' (it has: {accepted})"
            yield policy.fault(message, *path, "named")
        elif len({*named.who}) < 2:
            yield policy.fault("name two or more different recipients under who", *path, "named")


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

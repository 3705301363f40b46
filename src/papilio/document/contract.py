"""What claims promise, and what they do not, in plain sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from papilio.document.text import count, listing, plural
from papilio.policy.recipients import is_together
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.nt_closeness import NTCloseness
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.safe_cells import SafeCells
from papilio.privacy.secret_column import SecretColumn
from papilio.privacy.t_closeness import TCloseness
from papilio.privacy.unit import OVER_PEOPLE
from papilio.release.manifest import Claim

if TYPE_CHECKING:
    from papilio.attack.lights import Lights
    from papilio.attack.result import AttackResult
    from papilio.attack.risk import RiskView
    from papilio.policy.policy import Policy
    from papilio.release.release import Release
    from papilio.verify.verdict import Verdict


@dataclass(frozen=True)
class RiskFound:
    """How easily people are found in a release.

    Attributes
    ----------
    views
        Attackers who look for people; empty where rows are no people.
    assumption
        What is taken for granted about the population.
    learnt
        What follows from classes that share a value.
    notes
        What the measures mean for releases of this kind.
    """

    views: tuple[RiskView, ...]
    assumption: str
    learnt: tuple[AttackResult, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Owned:
    """What a document is made of: everything is read and judged once.

    Attributes
    ----------
    release
        The release.
    policy
        What it was made with.
    order
        The original as the policy reads it, of the class its family reads. A single table has the
        name of the first published table.
    verdict
        What the verifier says of the release beside the original.
    why
        Why its method was taken, in words.
    risk
        How easily people are found; ``None`` if nobody asked.
    lights
        What verdict and attacks come to; ``None`` if nobody attacked it.
    made
        Date of the document.
    """

    release: Release
    policy: Policy
    order: Any
    verdict: Verdict
    why: str
    risk: RiskFound | None = None
    lights: Lights | None = None
    made: date = field(default_factory=date.today)


_HOMOGENEITY = (
    "Homogeneity",
    "If all rows of a class share a sensitive value, everyone in that class has it, and it "
    "does not matter which row is whose. k-anonymity hides the row, not the value.",
)
_SKEWNESS = (
    "Skewness and similarity",
    "A class may have several values and still say much: all of them may be alike in meaning, or "
    "one of them far more frequent than in the whole table. Only t-closeness bounds that.",
)
_SPREAD = (
    "Telling which rows are one person’s",
    "Rows of one person may be spread over several classes. Someone whom anything else tells which "
    "rows belong together, such as a rare plain value, may single the person out by all of them.",
)
_POOLED = (
    "Recipients who put together what they know",
    "What is promised holds for each recipient alone. Together they know more columns of a person "
    "and may be left with fewer rows, down to one. Demand a least class size for all of them "
    "together (collusion_k) if that may happen.",
)
_POOLED_VALUES = (
    "Recipients who put together what they know",
    "Together they are left with the rows that are promised for all recipients together. Nothing "
    "else is promised then: these rows may share one sensitive value.",
)
#: Claim about a column that follows another.
FOLLOWS = "follows"
#: Claims about the values of a sensitive column in each class.
_OF_VALUES = {
    each.name
    for each in (DistinctDiversity, EntropyDiversity, RecursiveDiversity, NTCloseness, TCloseness)
}


def promise(claim: Claim) -> str:
    """Say what a claim of a release promises."""
    if claim.claim == FOLLOWS:
        return follows_promise(claim)
    if claim.claim == KAnonymity.name:
        return _k_promise(claim.columns, claim.parameters)
    if claim.claim == SecretColumn.name:
        parameters = claim.parameters
        return (
            f"In every class at least {parameters.get('l')} different values of "
            f"‘{parameters.get('column')}’, which only others know, stay possible."
        )
    if claim.claim == SafeCells.name:
        return _safe_promise(claim.parameters)
    said = _value_promise(claim.claim, _apart(claim.parameters))
    if claim.claim in _OF_VALUES and _over_people(claim.parameters):
        return f"{said} This also holds without the rows of any one person who has several."
    return said


def _safe_promise(parameters: dict[str, Any]) -> str:
    k = parameters.get("k")
    shared = (
        f" that fewer than {plural(k, 'person', 'people')} share"
        if isinstance(k, int) and k > 1
        else " but such as all of a class share"
    )
    return (
        f"No complete row{shared} follows from the cells of the release, not even for someone who "
        "knows how cells are made."
    )


def follows_promise(claim: Claim) -> str:
    """Say what is promised of a column that follows another."""
    column, leader = (claim.parameters.get(key) for key in ("column", "leader"))
    return (
        f"‘{column}’ says no more than ‘{leader}’ does: beside each cell of ‘{leader}’ stands "
        f"whatever goes with its values anywhere in the table, which whoever knows which "
        f"‘{leader}’ has which ‘{column}’ knows anyway."
    )


def _over_people(parameters: dict[str, Any]) -> bool:
    return all(parameters.get(key) == value for key, value in OVER_PEOPLE.items())


def _apart(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters without the unit, which is said in words."""
    if not _over_people(parameters):
        return parameters
    return {key: value for key, value in parameters.items() if key not in OVER_PEOPLE}


def _value_promise(name: str, parameters: dict[str, Any]) -> str:
    """Say what a claim about the values of a sensitive column promises."""
    column, l = f"‘{parameters.get('column')}’", parameters.get("l")  # noqa: E741 - its name
    if name == DistinctDiversity.name:
        return f"Every class has at least {l} different values of {column}."
    if name == EntropyDiversity.name:
        return (
            f"In every class the values of {column} are at least as evenly spread as {l} equally "
            "frequent ones (entropy)."
        )
    if name == RecursiveDiversity.name:
        return (
            f"In every class the most frequent value of {column} is less than "
            f"{parameters.get('c')} times as frequent as all but the {l} - 1 most frequent "
            "values together."
        )
    if name == NTCloseness.name:
        return (
            f"In every class of fewer than {parameters.get('n')} rows the values of {column} are "
            f"distributed as in the whole table, up to a distance of {parameters.get('t')} "
            f"({parameters.get('distance')})."
        )
    if name == TCloseness.name:
        return (
            f"In every class the values of {column} are distributed as in the whole table, up to a "
            f"distance of {parameters.get('t')} ({parameters.get('distance')})."
        )
    if name == "shared-classes":
        return (
            "All tables are divided into the same classes of people, so that putting tables side "
            "by side tells no more of a person than a table with all their columns would."
        )
    return ", ".join([name, *(f"{key} = {value}" for key, value in parameters.items())])


def _k_promise(columns: tuple[str, ...], parameters: dict[str, Any]) -> str:
    k = parameters.get("k")
    if not isinstance(k, int) or k < 1:
        return "k-anonymity, without a k that could be read."
    known = (
        f"the {listing([f'‘{name}’' for name in columns])}" if columns else "no quasi-identifier"
    )
    knowing = f"Someone who knows {known} of a person"
    if k == 1:
        return f"{knowing} may find their row: k = 1 demands nothing."
    if _over_people(parameters):
        return (
            f"{knowing} in this table finds rows of at least {plural(k, 'person', 'people')} that "
            f"could be theirs, of which they own at most one in {count(k)}: a row picked from "
            f"these is theirs with a chance of at most 1 in {count(k)}."
        )
    return (
        f"{knowing} in this table finds at least {plural(k, 'row', 'rows')} that could be theirs, "
        f"and picks the right one with a chance of at most 1 in {count(k)}."
    )


def assumptions(claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """Say what the claims assume about the attacker."""
    if not claims:
        return ()
    knowing = (
        "Each recipient knows values of the columns named for them, and of no other column."
        if _several(claims)
        else "The attacker knows values of the quasi-identifiers, and of no other column."
    )
    return (
        knowing,
        "The attacker has this release and no other release about the same people.",
        "The attacker learns nothing from the order of the rows: Papilio shuffles them.",
    )


def limits(claims: tuple[Claim, ...]) -> tuple[tuple[str, str], ...]:
    """Name what the claims do not protect against, each with an explanation."""
    names = {claim.claim for claim in claims}
    if not names:
        return ()
    found: tuple[tuple[str, str], ...] = (
        () if names - {KAnonymity.name, SafeCells.name, FOLLOWS} else (_HOMOGENEITY,)
    )
    if names & {DistinctDiversity.name, EntropyDiversity.name, RecursiveDiversity.name}:
        found += (_SKEWNESS,)
    if any(_over_people(claim.parameters) for claim in claims):
        found += (_SPREAD,)
    if _several(claims):
        pooled = any(
            is_together(claim.recipient) and claim.claim == KAnonymity.name for claim in claims
        )
        found += (_POOLED_VALUES if pooled else _POOLED,)
    return (
        *found,
        (
            "Background knowledge",
            "Someone who can rule out some rows of a class, from what they know about the person "
            "or about the sensitive values, is left with fewer.",
        ),
        (
            "Joining two releases",
            "Two releases about the same people, each k-anonymous by itself, may single people out "
            "when they are put side by side. Do not publish the same people twice with "
            "different classes.",
        ),
    )


def _several(claims: tuple[Claim, ...]) -> bool:
    """Whether there is more than one recipient."""
    return len({claim.recipient for claim in claims if not is_together(claim.recipient)}) > 1

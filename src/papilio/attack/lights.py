"""Three lights: what a verdict and some attacks come to, for whoever decides about a release.

*The claims hold*, *what is marked secret stays secret* and *nobody stands alone* are made of
nothing but the verdict of the verifier and what attackers found. Nobody says of a release that it
is safe: a light is about the attackers that were tried, and says which were not. When a light has
which colour, and why, is told in docs/lights.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from papilio.attack.result import AttackResult, Exposed, people
from papilio.policy.privacy_policy import LightsPolicy
from papilio.policy.remedy import Remedy
from papilio.verify.verdict import Finding, Status, Verdict

#: Names of the lights, in the order they are shown, and the sentences that they are about.
CLAIMS, SECRET, ALONE = "claims", "secret", "alone"
TITLES = {
    CLAIMS: "the claims hold",
    SECRET: "what is marked secret stays secret",
    ALONE: "nobody stands alone",
}


#: Columns that are named of those that an attacker knows.
_FEW = 3


class Colour(StrEnum):
    """Colour of a light. *Grey* is not *green*: nobody looked, or there is nothing to look at."""

    GREEN = "green"
    GREY = "grey"
    AMBER = "amber"
    RED = "red"

    @property
    def face(self) -> str:
        """Whether the sentence of a light is true, in a word or two that stand for the colour."""
        return _FACES[self]

    @property
    def sign(self) -> str:
        """A sign that stands for the colour, for whoever does not see it."""
        return _SIGNS[self]

    @property
    def rank(self) -> int:
        """The larger, the worse."""
        return list(Colour).index(self)


_SIGNS = {Colour.GREEN: "✓", Colour.GREY: "?", Colour.AMBER: "!", Colour.RED: "✗"}
_FACES = {
    Colour.GREEN: "yes",
    Colour.GREY: "not judged",
    Colour.AMBER: "not for everybody",
    Colour.RED: "no",
}


@dataclass(frozen=True)
class Weakness:
    """One reason why a light is not green.

    Attributes
    ----------
    colour
        Amber or red.
    line
        What it comes to, in one short sentence: ``income of 12 people (0.4%) is known to everyone,
        knowing age, sex.``
    sentence
        What the attack, or the verifier, says itself.
    attack
        Name of the attack; ``None`` if the verifier found it.
    attacker
        Who is meant, and what they know.
    column
        The sensitive column that is learnt, if it is about one.
    people, of
        How many people are exposed, and of how many that were tried.
    beyond
        What the attacker has to know besides what the policy lets anybody know; empty if nothing.
    remedy
        The change of the policy that closes it, if there is one.
    otherwise
        What helps where no change of the policy does, in a sentence.
    """

    colour: Colour
    line: str
    sentence: str
    attack: str | None = None
    attacker: str = ""
    column: str | None = None
    people: int = 0
    of: int = 0
    beyond: str = ""
    remedy: Remedy | None = None
    otherwise: str = ""

    @property
    def share(self) -> float:
        """Share of the people who are exposed."""
        return self.people / self.of if self.of else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        counted = {"people": self.people, "of": self.of, "share": self.share}
        return {
            "colour": self.colour.value,
            "line": self.line,
            "sentence": self.sentence,
            "attack": self.attack,
            "attacker": self.attacker or None,
            "column": self.column,
            **({} if self.attack is None else counted),
            "beyond": self.beyond or None,
            "remedy": None if self.remedy is None else self.remedy.to_dict(),
            "otherwise": self.otherwise or None,
        }


@dataclass(frozen=True)
class Light:
    """One of the three.

    Attributes
    ----------
    name
        ``"claims"``, ``"secret"`` or ``"alone"``.
    colour
        The worst of its findings; green if somebody looked and found nothing.
    sentence
        What it comes to, in one sentence.
    findings
        Why it is not green, the worst first.
    notes
        What was not tried, or on a sample only.
    """

    name: str
    colour: Colour
    sentence: str
    findings: tuple[Weakness, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What is true if it is green."""
        return TITLES[self.name]

    @property
    def by_column(self) -> tuple[Weakness, ...]:
        """The worst finding about each column, and about who people are."""
        return tuple({each.column: each for each in reversed(self.findings)}.values())[::-1]

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What to change in the policy, the most urgent first, each change once."""
        found = [each.remedy for each in self.findings if each.remedy is not None]
        return tuple({remedy.line: remedy for remedy in reversed(found)}.values())[::-1]

    @property
    def otherwise(self) -> tuple[str, ...]:
        """What helps where no change of the policy does, the most urgent first."""
        return tuple(dict.fromkeys(each.otherwise for each in self.findings if each.otherwise))

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        return {
            "light": self.name,
            "title": self.title,
            "colour": self.colour.value,
            "sentence": self.sentence,
            "findings": [each.to_dict() for each in self.findings],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Lights:
    """The three lights of a release.

    Attributes
    ----------
    claims, secret, alone
        The lights.
    amber, red
        Shares of the people above which a light is amber and red.
    told
        What whoever publishes is to be told besides, in sentences.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "sex": "quasi", "occupation": "sensitive"}
    >>> privacy = [pp.K(5), pp.L("occupation", 2)]
    >>> policy = pp.Policy(columns=columns, privacy=privacy, cells="safe")
    >>> release = pp.publish(people, policy, name="people")
    >>> [light.colour.value for light in release.lights]
    ['green', 'green', 'green']
    >>> release.lights.alone.sentence
    'Nobody of 300 people stands alone.'
    """

    claims: Light
    secret: Light
    alone: Light
    amber: float = 0.0
    red: float = 0.01
    told: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Light]:
        return iter((self.claims, self.secret, self.alone))

    @property
    def worst(self) -> Colour:
        """The worst colour; grey is worse than green and better than amber."""
        return max((light.colour for light in self), key=lambda colour: colour.rank)

    @property
    def exposing(self) -> bool:
        """Whether one of them is amber or red."""
        return self.worst in (Colour.AMBER, Colour.RED)

    def to_dict(self) -> dict[str, Any]:
        """Give them as plain data, for JSON."""
        return {
            "worst": self.worst.value,
            "above": {"amber": self.amber, "red": self.red},
            "lights": [light.to_dict() for light in self],
        }


@dataclass(frozen=True)
class Tried:
    """An attack and what it found.

    Attributes
    ----------
    attack
        Its name.
    light
        What it is about, :data:`SECRET` or :data:`ALONE`; told where it counts nobody.
    results
        What it found.
    beyond
        What the attacker has to know besides what the policy lets anybody know, as in "if somebody
        also knows …"; empty if nothing.
    remedy
        The change of the policy that closes what it found.
    otherwise
        What helps where there is no such change, in a sentence.
    begun
        Whether there was time to try it.
    """

    attack: str
    light: str
    results: tuple[AttackResult, ...]
    beyond: str = ""
    remedy: Callable[[Exposed], Remedy | None] = field(default=lambda _: None)
    otherwise: str = ""
    begun: bool = True


def lights_of(
    verdict: Verdict | None, tried: Iterable[Tried], limits: LightsPolicy | None = None
) -> Lights:
    """Turn a verdict and the attacks of a release into its lights.

    Whom an attack exposes counts for the light of what is learnt: with a column for *secret*,
    without one for *alone*, whatever the attack is mainly about.

    Parameters
    ----------
    verdict
        What the verifier found; ``None`` if it was not asked.
    tried
        All attacks that were run.
    limits
        Shares of people from which on a light is amber and red.
    """
    limits, attacks = limits or LightsPolicy(), tuple(tried)
    return Lights(
        _claims(verdict),
        _light(SECRET, attacks, limits),
        _light(ALONE, attacks, limits),
        limits.amber,
        limits.red,
        tuple(
            dict.fromkeys(
                _told(each, result) for each in attacks for result in each.results if result.told
            )
        ),
    )


def _told(tried: Tried, result: AttackResult) -> str:
    """A sentence for whoever publishes, and what to write so that nothing is left of it."""
    remedies = [tried.remedy(each) for each in result.exposed]
    line = next((f"; {each.line} leaves none" for each in remedies if each is not None), "")
    return f"{result.told}{line}."


def not_looked(
    verdict: Verdict | None,
    reason: str,
    limits: LightsPolicy | None = None,
    told: tuple[str, ...] = (),
) -> Lights:
    """Lights of a release that no attack was tried on.

    Parameters
    ----------
    verdict, limits
        As for :func:`lights_of`.
    reason
        Why, in a sentence.
    told
        What whoever publishes is told all the same.
    """
    limits = limits or LightsPolicy()
    secret, alone = (Light(name, Colour.GREY, reason) for name in (SECRET, ALONE))
    return Lights(_claims(verdict), secret, alone, limits.amber, limits.red, told)


def _claims(verdict: Verdict | None) -> Light:
    if verdict is None or not verdict.findings:
        return Light(CLAIMS, Colour.GREY, "Nobody checked what the release claims.")
    total = len(verdict.findings)
    broken = [each for each in verdict.findings if each.status is not Status.HOLDS]
    found = sorted(map(_broken, broken), key=lambda each: -each.colour.rank)
    if not found:
        said = "The only claim holds." if total == 1 else f"All {total} claims hold."
        return Light(CLAIMS, Colour.GREEN, said)
    number = "1 claim does" if len(found) == 1 else f"{len(found)} claims do"
    said = f"{number} not hold, of {total}: {found[0].line}"
    return Light(CLAIMS, found[0].colour, said, tuple(found))


def _broken(finding: Finding) -> Weakness:
    # What could not be checked may hold or not, so nobody should rely on it.
    colour = Colour.RED if finding.status is Status.VIOLATED else Colour.AMBER
    about = "" if finding.column is None else f" of {finding.column}"
    whom = "" if finding.recipient is None else f" for {finding.recipient}"
    line = f"{finding.claim}{about}{whom}: {finding.status.value}."
    sentence = f"Demanded: {finding.demanded}; measured: {finding.measured}."
    return Weakness(colour, line, sentence, column=finding.column)


def _light(name: str, tried: Sequence[Tried], limits: LightsPolicy) -> Light:
    counted = [
        (each, result, exposed)
        for each in tried
        for result in each.results
        for exposed in result.exposed
        if (exposed.column is not None) == (name == SECRET)
    ]
    silent = [
        result for each in tried if each.light == name for result in each.results
        if not result.exposed
    ]  # fmt: skip
    late = [
        each.attack.replace("_", " ") for each in tried if each.light == name and not each.begun
    ]
    if not counted:
        return Light(name, Colour.GREY, _nothing(silent))
    found = sorted(
        (_weakness(*each, limits) for each in counted if each[2].share > limits.amber),
        key=lambda each: (-each.colour.rank, bool(each.beyond), -each.share),
    )
    notes = dict.fromkeys(
        [_untried(each) for each in silent if not each.tried]
        + [_sampled(each[0].attack, each[2]) for each in counted if each[2].drawn_from is not None]
    )
    every = [exposed for _, _, exposed in counted]
    if late and not found:
        # What nobody looked at may be as bad as can be.
        said = f"{_listed(late, 'and').replace('_', ' ')}: not tried, as the time limit was over."
        return Light(name, Colour.GREY, said[:1].upper() + said[1:], (), tuple(notes))
    colour = found[0].colour if found else Colour.GREEN
    sentence = _worst(found) if found else _none(every)
    return Light(name, colour, sentence, tuple(found), tuple(notes))


def _weakness(
    tried: Tried, result: AttackResult, exposed: Exposed, limits: LightsPolicy
) -> Weakness:
    red, remedy = exposed.share > limits.red and not tried.beyond, tried.remedy(exposed)
    return Weakness(
        Colour.RED if red else Colour.AMBER,
        _line(tried, result, exposed),
        result.sentence,
        tried.attack,
        result.attacker,
        exposed.column,
        exposed.people,
        exposed.of,
        tried.beyond,
        remedy,
        "" if remedy is not None else tried.otherwise,
    )


def _line(tried: Tried, result: AttackResult, exposed: Exposed) -> str:
    """Say in one sentence who is exposed to whom."""
    some = people(exposed.people, exposed.of)
    sample = "" if exposed.drawn_from is None else f" of a sample of {exposed.of:,}"
    attacker = _shortened(result.attacker)
    if exposed.column is None:
        verb = "stands" if exposed.people == 1 else "stand"
        said = f"{some}{sample} {verb} alone, or among too few, as seen by {attacker}"
    else:
        said = f"{exposed.column} of {some}{sample} {exposed.verb} by {attacker}"
    also = f"If somebody also knows {tried.beyond}: " if tried.beyond else ""
    return f"{also}{said}."


def _shortened(attacker: str) -> str:
    """Name an attacker with a few of the columns that they know."""
    who, knowing, columns = attacker.partition(", knowing ")
    names = columns.split(", ")
    if len(names) <= _FEW + 1:
        return attacker
    return f"{who}{knowing}{', '.join(names[:_FEW])} and {len(names) - _FEW} more columns"


def _worst(found: Sequence[Weakness]) -> str:
    """Say what is worst, and of which other columns something is learnt."""
    first, others = found[0], dict.fromkeys(each.column for each in found if each.column)
    others.pop(first.column or "", None)
    if not others:
        return first.line
    return f"{first.line} Something is learnt of {_listed(list(others), 'and')} as well."


def _listed(names: Sequence[str], word: str) -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def _none(every: Sequence[Exposed]) -> str:
    """Say that nobody is exposed, or so few that it counts as nobody."""
    most = max(every, key=lambda each: each.of)
    columns = list(dict.fromkeys(each.column for each in every if each.column is not None))
    few = max(each.people for each in every)
    if columns:
        named = _listed(columns, "or")
        if few:
            return f"A value of {named} is learnt of {few:,} of {most.of:,} people at most."
        return f"No value of {named} is learnt of anybody among {most.of:,} people."
    if few:
        return f"At most {few:,} of {most.of:,} people stand alone, or among too few."
    return f"Nobody of {most.of:,} people stands alone."


def _nothing(silent: Sequence[AttackResult]) -> str:
    """Say why a light is grey, in the words of the attacks that counted nobody."""
    told = list(dict.fromkeys(each.sentence for each in silent))
    if not told:
        return "No attack of this kind is tried on such a release."
    return " ".join(told)


def _untried(result: AttackResult) -> str:
    return f"{result.attack.replace('_', ' ')}: {result.reason}"


def _sampled(attack: str, exposed: Exposed) -> str:
    return (
        f"{attack.replace('_', ' ')}: tried on a sample of {exposed.of:,} of "
        f"{exposed.drawn_from:,} people."
    )

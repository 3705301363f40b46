"""What an attack found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class AttackResult:
    """One attacker and what they learn; never a cell value.

    Attributes
    ----------
    attack
        Name of the attack, as its file is called.
    attacker
        Who is meant and what they know, in words.
    sentence
        What they could learn, and of how many people, in one plain sentence.
    figures
        The numbers behind the sentence.

    Examples
    --------
    >>> import papilio as pp
    >>> people = pp.samples.adult().head(300)
    >>> columns = {"age": "quasi", "occupation": "sensitive"}
    >>> policy = pp.Policy(columns=columns, privacy=pp.K(5))
    >>> release = pp.publish(people, policy, name="people")
    >>> result = pp.attack(release, original=policy, data=people)[0]
    >>> result.attack, result.figures["people"], result.figures["singled_out"]
    ('linkage', 300, 0)
    """

    attack: str
    attacker: str
    sentence: str
    figures: dict[str, int | float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        return {
            "attack": self.attack,
            "attacker": self.attacker,
            "sentence": self.sentence,
            "figures": dict(self.figures),
        }

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

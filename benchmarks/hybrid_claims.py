"""What the paper on hybrid recoding says about its figures, held against measured numbers.

The paper prints curves without numbers, so what can be compared is the order of the curves, which
section V puts into words. Nothing here knows how a comparison ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

STRICT = "strict Mondrian"
RELAXED = "relaxed Mondrian"
BOTTOM_UP = "bottom-up"

#: Algorithm, k -> measured number.
Numbers = Mapping[tuple[str, int], float]
Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper about one figure.

    Attributes
    ----------
    figure, measure
        Where it is drawn, and what of.
    better
        Whether hybrid recoding is said to have the lower or the higher numbers.
    others
        The algorithms it is compared with.
    or_equal
        Whether it is only said not to be worse.
    words
        What the paper says.
    """

    figure: int
    measure: str
    better: Better
    others: tuple[str, ...]
    or_equal: bool
    words: str


_MONDRIANS = (STRICT, RELAXED)
_ALL = (STRICT, RELAXED, BOTTOM_UP)
CLAIMS = (
    Claim(2, "DM", "lower", _MONDRIANS, False, "less DM cost than both Mondrians"),
    Claim(2, "DM", "lower", (BOTTOM_UP,), True, "no worse numbers than bottom-up"),
    Claim(3, "CM", "lower", _MONDRIANS, False, "less CM cost than both Mondrians"),
    Claim(3, "CM", "lower", (BOTTOM_UP,), True, "no worse numbers than bottom-up"),
    Claim(4, "groups", "higher", _MONDRIANS, False, "more groups than both Mondrians"),
    Claim(4, "groups", "higher", (BOTTOM_UP,), True, "no worse numbers than bottom-up"),
    Claim(5, "NCP", "lower", _ALL, False, "significantly less NCP cost than the three others"),
    Claim(6, "query ratio", "lower", _ALL, False, "much lower query ratio than the three others"),
    Claim(7, "seconds", "lower", (BOTTOM_UP,), False, "a much lower running time than bottom-up"),
)


@dataclass(frozen=True)
class Finding:
    """A claim about one variant of hybrid recoding against one other algorithm.

    Attributes
    ----------
    ratios
        For each k, the variant's number over the other's.
    holds
        For each k, whether the claim does.
    """

    claim: Claim
    hybrid: str
    other: str
    ratios: dict[int, float]
    holds: dict[int, bool]

    @property
    def sentence(self) -> str:
        """Say what was measured; where it is not what the paper says, for which k."""
        low, high = min(self.ratios.values()), max(self.ratios.values())
        spread = f"{_ratio(low)} to {_ratio(high)} times {self.other}"
        against = [str(k) for k, holds in self.holds.items() if not holds]
        return spread if not against else f"{spread} (not at k = {', '.join(against)})"


def verdict(findings: Iterable[Finding]) -> str:
    """Whether the numbers are as the paper says: all, some or none of them."""
    every = [holds for each in findings for holds in each.holds.values()]
    if all(every):
        return "agrees"
    return "agrees in part" if any(every) else "does not agree"


def judge(
    claim: Claim, numbers: Numbers, ks: Sequence[int], hybrids: Sequence[str]
) -> Iterator[Finding]:
    """Hold a claim against the numbers of its measure, for every variant and every k."""
    for hybrid in hybrids:
        for other in claim.others:
            pairs = {k: (numbers[hybrid, k], numbers[other, k]) for k in ks}
            yield Finding(
                claim,
                hybrid,
                other,
                {k: mine / theirs for k, (mine, theirs) in pairs.items()},
                {k: _holds(claim, mine, theirs) for k, (mine, theirs) in pairs.items()},
            )


def _holds(claim: Claim, mine: float, theirs: float) -> bool:
    if mine == theirs:
        return claim.or_equal
    return mine < theirs if claim.better == "lower" else mine > theirs


def _ratio(value: float) -> str:
    return f"{value:.3f}" if value >= 0.1 else f"{value:.2g}"


def report(claim: Claim, findings: Sequence[Finding]) -> Iterator[str]:
    """Lines of text: the paper's words, then what every variant shows."""
    yield f"Figure {claim.figure}, {claim.measure}. The paper: hybrid has {claim.words}."
    for hybrid in dict.fromkeys(each.hybrid for each in findings):
        mine = [each for each in findings if each.hybrid == hybrid]
        yield f"  {hybrid + ':':<25}{verdict(mine)}"
        yield from (f"      {each.sentence}" for each in mine)

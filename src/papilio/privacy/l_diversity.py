"""One name for the three kinds of l-diversity."""

from __future__ import annotations

from typing import TypeAlias

from papilio.privacy.decimals import Number
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.recursive_diversity import RecursiveDiversity

Diversity: TypeAlias = DistinctDiversity | EntropyDiversity | RecursiveDiversity


def l_diversity(
    column: str,
    l: int | None = None,  # noqa: E741 - its name in the literature
    *,
    entropy: Number | None = None,
    recursive: tuple[Number, int] | None = None,
) -> Diversity:
    """Demand l-diversity of a sensitive column: exactly one of the three kinds.

    Parameters
    ----------
    column
        The sensitive column; ``"*"`` stands for every one of the policy. Of linked tables
        ``"table.column"``.
    l
        Distinct l-diversity: so many different values in each class.
    entropy
        Entropy l-diversity: the entropy of ``entropy`` equally frequent values.
    recursive
        Recursive diversity: the pair (c, l).

    Examples
    --------
    >>> import papilio as pp
    >>> pp.L("disease", 3)
    DistinctDiversity(column='disease', l=3)
    >>> pp.L("disease", recursive=(2, 3)).parameters()
    {'column': 'disease', 'c': 2, 'l': 3}
    """
    kinds = {
        "l": None if l is None else DistinctDiversity(column, l),
        "entropy": None if entropy is None else EntropyDiversity(column, entropy),
        "recursive": None if recursive is None else RecursiveDiversity(column, *recursive),
    }
    given = [kind for kind in kinds.values() if kind is not None]
    if len(given) != 1:
        raise ValueError(f"give exactly one of {', '.join(kinds)}")
    return given[0]

"""What a released graph promises, and what it does not, in plain sentences."""

from __future__ import annotations

from papilio.privacy.safe_grouping import SafeGrouping

ASSUMPTIONS = (
    "The attacker does not know how many links somebody has, nor anything else about their place "
    "in the graph.",
    "The attacker has this release and no other release of the same graph.",
    "No published attribute tells the structure, such as a number of links under another name.",
)

LIMITS = (
    (
        "Knowing the structure",
        "The structure is published as it is. Whoever knows that somebody has more links than "
        "anyone else finds their node, and with it the nodes they are linked to.",
    ),
    (
        "Learnt links",
        "Each learnt link tells more: with r of them the belief in a link of others is at most "
        "1 in max(k, l) - r, which is no promise any more at max(k, l) - 1. Of those whose links "
        "were learnt, further links may become certain earlier.",
    ),
    (
        "A second release",
        "Two releases of one graph with different groups tell more than each by itself. A (k,1) "
        "and a (1,l) release together single most people out.",
    ),
    (
        "Presence and attributes",
        "Entities and their plain attributes are published as they are. Only who is linked to whom "
        "is masked.",
    ),
    (
        "Absence of links",
        "That two entities are not linked can often be concluded; it is not protected.",
    ),
)


def graph_promise(demanded: SafeGrouping, left: str, right: str) -> str:
    """Say what a safe grouping promises."""
    sides = []
    for name, size in ((left, demanded.k), (right, demanded.l)):
        hidden = f"one of at least {size} nodes" if size > 1 else "known by name"
        sides.append(f"each of '{name}' is {hidden}")
    return (
        f"In the graph, {' and '.join(sides)}; from the release alone nobody can believe in a link "
        f"between two of them with more than 1 in {max(demanded.k, demanded.l)}."
    )

"""A table to a release, by any method; one family of methods per file."""

from __future__ import annotations

from papilio.data.io.frames import Kind
from papilio.methods.choose import Choice
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.workflow.progress import Progress


def make(
    order: Order,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    kind: Kind,
    tell: Progress,
) -> Made:
    """Anonymise a table; the release is not verified yet.

    Parameters
    ----------
    order, policy
        The table and what is demanded.
    choice
        The method.
    randomness
        For shuffling and for methods that break ties at random.
    kind
        Which library's frames the release gives.
    tell
        Told of each stage, between 0.2 and 0.6.
    """
    # Each family loads what it needs, and nothing of the others.
    match choice.method:
        case "union" | "butterfly":
            from papilio.workflow.make.recipients import make_recipients as maker
        case "permutation":
            from papilio.workflow.make.permuted import make_permuted as maker
        case "disguise":
            from papilio.workflow.make.disguised import make_disguised as maker
        case "projections":
            from papilio.workflow.make.projected import make_projected as maker
        case _:
            from papilio.workflow.make.generalised import make_generalised as maker
    return maker(order, policy, choice, randomness, kind, tell)

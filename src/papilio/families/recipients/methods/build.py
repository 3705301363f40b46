"""Build a butterfly on a block of rows: one cell on the body, and each branch by itself.

Source: Pei et al., "Butterfly", TR 2008-18, section 4.2.5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from papilio.families.recipients.methods.collusion import units_of
from papilio.families.recipients.methods.join import SMALL, join_wings
from papilio.families.recipients.methods.plan import Plan
from papilio.families.recipients.methods.setting import Points, Setting
from papilio.families.recipients.methods.wings import Part, divide, loss_of, one_class
from papilio.kernels.demand import Demand

#: Blocks of more rows than this are not cut into units where wings come first.
_LARGE = 4096


@dataclass(frozen=True, eq=False)
class Divided:
    """Rows divided attribute by attribute.

    Attributes
    ----------
    parts
        Together they say for every row and every attribute which rows share its cell.
    loss
        Sum over rows and attributes of the width of the cell.
    """

    parts: tuple[Part, ...]
    loss: float


#: Solves a branch with several recipients inside a block.
Inside: TypeAlias = Callable[[Setting, Points, Plan], Divided]


def build_butterfly(
    setting: Setting,
    points: Points,
    plan: Plan,
    body_loss: float,
    enough: float,
    inside: Inside,
) -> Divided | None:
    """Build a butterfly, or give up where none that loses less is in sight.

    Parameters
    ----------
    setting
        The table and what is demanded.
    points
        The block. If its rows have no units yet and some are demanded, they are made.
    plan
        Body and branches.
    body_loss
        Loss on the body, which is known already.
    enough
        A butterfly that loses as much is of no use.
    inside
        How branches with several recipients are solved.
    """
    body = (one_class(plan.body, points.rows),) if plan.body else ()
    branches = (
        _wings_first(setting, points, plan, body_loss, enough, inside)
        if _may_come_first(setting, points, plan)
        else _units_first(setting, points, plan, inside)
    )
    return None if branches is None else joined([Divided(body, body_loss), *branches])


def _may_come_first(setting: Setting, points: Points, plan: Plan) -> bool:
    """Whether wings may be built before anyone looks at all recipients together."""
    free = points.unit is None and all(each.is_wing for each in plan.branches)
    return free and wings_may_come_first(setting.demand, setting.together)


def wings_may_come_first(demand: Demand, together: int) -> bool:
    """Whether k' is so much smaller than k that few rows must be moved afterwards."""
    return together == 1 or together * SMALL <= demand.least_size


def _wings_first(
    setting: Setting,
    points: Points,
    plan: Plan,
    body_loss: float,
    enough: float,
    inside: Inside,
) -> list[Divided] | None:
    """Build wings without regard to all recipients together, and change them where they must."""
    wings = [_branch(setting, points, branch, inside) for branch in plan.branches]
    if body_loss + sum(each.loss for each in wings) >= enough:
        return None
    if setting.together == 1:
        return wings
    changed = join_wings(setting, points.rows, [part for each in wings for part in each.parts])
    if changed is not None:
        return [Divided((part,), loss_of(setting, part)) for part in changed]
    if plan.body and len(points.rows) > _LARGE:
        # Units of a few rows cut out of very many lose too much to be worth the time.
        return None
    return _units_first(setting, points, plan, inside)


def _units_first(setting: Setting, points: Points, plan: Plan, inside: Inside) -> list[Divided]:
    """Fix units that all recipients together see as one, and build branches of them."""
    if points.unit is None:
        points = units_of(setting, points.rows, _outside(plan))
    return [_branch(setting, points, branch, inside) for branch in plan.branches]


def joined(several: Sequence[Divided]) -> Divided:
    """Put divisions of other attributes, or of other rows, side by side."""
    parts = tuple(part for each in several for part in each.parts)
    return Divided(parts, sum(each.loss for each in several))


def _outside(plan: Plan) -> tuple[int, ...]:
    return tuple(place for place in plan.attributes if place not in plan.body)


def _branch(setting: Setting, points: Points, branch: Plan, inside: Inside) -> Divided:
    if not branch.is_wing:
        return inside(setting, points, branch)
    part = divide(setting, points, branch.attributes)
    return Divided((part,), loss_of(setting, part))

"""Variants of a policy for permuted values."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from papilio.families.choices import Choices, Line, Measure, Measured, Varied, sizes
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.release.release import Release

_LOSS = Measure(
    "loss",
    "Width",
    "Average width of a group, from its smallest to its largest value, as a share of the width of "
    "all values.",
    share=True,
)
_RISK = Measure(
    "risk",
    "Risk",
    "Chance of the surest guess of a person’s value: the share of the most frequent value in the "
    "group where it is largest.",
    share=True,
)
_MEASURES = (
    Measure("groups", "groups", "How many groups there are."),
    Measure("widest", "widest", "Width of the widest group, in units of the column."),
    Measure(
        "guessed",
        "guessed",
        "Share of the people whose value is the most frequent one of their group, which is what a "
        "guess gets right.",
        share=True,
        drawn=True,
    ),
)


def variants(policy: Policy) -> Choices:
    """What may be made small about the groups, and how they must be."""
    e = policy.privacy.e
    steps = tuple(_times(e, factor) for factor in (0.5, 1, 2, 4)) if e else ()
    return Choices(
        (Line("permutation"),),
        ("permutation",),
        (
            sizes(policy.privacy.k, (3, 5, 10, 20), (2, 50, 100)),
            Varied(
                "minimise",
                "minimise: what is small about the groups",
                ("sum", "max", "groups", "max-exact", "random"),
                ("sum", "max", "groups"),
            ),
            Varied("privacy.e", "e: span of the values of a group", steps),
        ),
        _LOSS,
        _RISK,
        GroupBench.of,
    )


def _times(e: float | str, factor: float) -> float | str:
    """A larger or smaller e; one that is a share of the range stays one."""
    if isinstance(e, str):
        return f"{min(float(e.removesuffix('%')) * factor, 100):g}%"
    return round(e * factor, 6)


@dataclass(frozen=True)
class GroupBench:
    """How many people there are."""

    people: int

    @classmethod
    def of(cls, order: Order, policy: Policy) -> GroupBench:
        """Count the people."""
        del policy
        return cls(order.table.height)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Further figures about the groups."""
        return _MEASURES

    def measure(self, release: Release, policy: Policy) -> Measured:
        """Measure the groups of values, which is all that is hidden."""
        from papilio.attack.group_guess import guess_figures

        del policy
        _, values, _ = release.manifest.tables
        frame = release.frames[values.name]
        (group,) = (column.name for column in values.columns if column.cells == "group")
        (sensitive,) = (column.name for column in values.columns if column.cells == "value")
        value = pl.col(sensitive).cast(pl.Float64)
        width = value.max() - value.min()
        widths = frame.group_by(group).agg(width.alias("width")).get_column("width")
        every = frame.select(width).item() or 0.0
        figures = guess_figures(frame, group, sensitive)
        more: dict[str, float | None] = {
            "groups": figures["groups"],
            "widest": float(widths.max() or 0.0),  # type: ignore[arg-type]
            "guessed": figures["right"] / frame.height,
        }
        loss = float(widths.sum()) / len(widths) / every if every else 0.0
        return Measured(loss, figures["worst"], frame.height, self.people - frame.height, more)

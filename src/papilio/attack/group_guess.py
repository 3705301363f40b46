"""Guessing from frequencies: a person's group has k values, but one of them may be frequent."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from papilio.attack.result import AttackResult, Exposed, people, recipients_of, someone_knowing
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release

NAME = "group_guess"
_ROWS, _OFTEN = "papilio rows", "papilio often"


def group_guess(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Guess, of everybody, the most frequent value of their group in a permuted release.

    The attacker finds a person's row, which is possible where quasi-identifiers are exact, and
    reads the group. All ways to deal the values of the group out are equally likely, so no guess
    is better than its most frequent value. Figures: ``right``, people of whom the guess is right
    in expectation, which is the number of the most frequent value in each group; ``before``, the
    same without groups, from the most frequent value of the whole column; ``worst``, share of
    the most frequent value in the group where it is largest; ``certain``, people of whom nothing
    is left to guess. NULL is a value here: that it is missing can be learnt as well.

    What is known about other people of a group is not used. Cost: one grouping of the values.
    """
    values = release.manifest.table(f"{original.name}_values")
    (group,) = (column.name for column in values.columns if column.cells == "group")
    (sensitive,) = (column.name for column in values.columns if column.cells == "value")
    figures = guess_figures(release.frames[values.name], group, sensitive)
    for name, columns in recipients_of(policy).items():
        sentence = _sentence(figures, sensitive)
        exposed = Exposed(int(figures["certain"]), int(figures["rows"]), sensitive)
        yield AttackResult(NAME, someone_knowing(name, columns), sentence, figures, (exposed,))


def guess_figures(frame: pl.DataFrame, group: str, sensitive: str) -> dict[str, int | float]:
    """Figures of :func:`group_guess` for a table of groups and their values."""
    counts = frame.group_by(group, sensitive).len(_ROWS)
    groups = counts.group_by(group).agg(pl.col(_ROWS).sum(), pl.col(_ROWS).max().alias(_OFTEN))
    often, rows = groups.get_column(_OFTEN), groups.get_column(_ROWS)
    whole = counts.group_by(sensitive).agg(pl.col(_ROWS).sum()).get_column(_ROWS)
    return {
        "rows": frame.height,
        "groups": groups.height,
        "right": int(often.sum()),
        "before": max(whole.to_list(), default=0),
        "worst": max((often / rows).to_list(), default=0.0),
        "certain": int(rows.filter(often == rows).sum()),
    }


def _sentence(figures: dict[str, int | float], sensitive: str) -> str:
    rows = int(figures["rows"])
    certain = int(figures["certain"])
    known = f"; {sensitive} is certain of {people(certain, rows)}" if certain else ""
    return (
        f"Guessing the most frequent {sensitive} of a person's group is right of "
        f"{people(int(figures['right']), rows)}, where the whole column would give "
        f"{people(int(figures['before']), rows)}; in the worst group the guess is right with a "
        f"chance of {100 * figures['worst']:.3g}%{known}."
    )

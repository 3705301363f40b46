"""Guessing the most frequent value of a group, against counting by hand and against chance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

from papilio import KE, Policy, publish
from papilio.workflow.risk import attack

ROLES = {"age": "quasi", "pay": "sensitive"}


def made(values, k, e):
    frame = pl.DataFrame({"age": list(range(len(values))), "pay": values})
    policy = Policy(columns=ROLES, privacy=KE(k, e))
    return publish(frame, policy, name="staff"), policy, frame


@pytest.mark.parametrize(
    ("values", "k", "e"),
    [([1, 2, 2, 2, 9, 9, 10, None, None], 2, 1), (list(range(40)) + [7] * 5, 5, 3), ([4, 4], 1, 0)],
)
def test_figures_are_those_of_counting(values, k, e):
    release, policy, frame = made(values, k, e)
    _, result, *_ = attack(release, original=policy, data=frame)
    groups = {}
    for group, value in release.frames["staff_values"].iter_rows():
        groups.setdefault(group, []).append(value)
    often = {group: max(Counter(cells).values()) for group, cells in groups.items()}
    assert result.figures == {
        "rows": len(values),
        "groups": len(groups),
        "right": sum(often.values()),
        "before": max(Counter(values).values()),
        "worst": pytest.approx(max(often[g] / len(cells) for g, cells in groups.items())),
        "certain": sum(len(c) for g, c in groups.items() if often[g] == len(c)),
    }


def test_the_sentence_names_people_and_no_value():
    release, policy, frame = made([101, 101, 102, 103, 104], 2, 1)
    _, result, *_ = attack(release, original=policy, data=frame)
    assert result.attacker == "everyone, knowing age"
    assert "is right of" in result.sentence
    assert not any(str(value) in result.sentence for value in frame.get_column("pay"))


def test_a_group_of_one_value_is_certain():
    release, policy, frame = made([4, 4], 1, 0)
    _, result, *_ = attack(release, original=policy, data=frame)
    assert "pay is certain of 2 people (100%)" in result.sentence


def test_a_release_without_values_leaves_nothing_to_guess():
    release, policy, frame = made([4, 5, 6, 7], 2, 1)
    none = {**release.frames, "staff_values": release.frames["staff_values"].clear()}
    _, result, *_ = attack(replace(release, frames=none), original=policy, data=frame)
    assert (result.figures["right"], result.figures["before"], result.figures["worst"]) == (0, 0, 0)

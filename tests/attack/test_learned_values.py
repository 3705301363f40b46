"""What a model learns from a release, of people who are in it and of people who are not."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import papilio as pp
from papilio.attack.learned_values import Items, fit
from papilio.errors import PapilioError
from papilio.workflow.risk import attacks_on_another, original_of
from sizes import tries

COLUMNS = {"age": "quasi", "town": "quasi", "illness": "sensitive"}
ILLNESSES = ("Xylophon", "Quitte", "Zwieback")


def crowd(seed, number, *, dependent):
    """People whose illness goes with age and town, or with nothing."""
    chance = np.random.default_rng(seed)
    age, town = chance.integers(20, 80, number), chance.integers(0, 12, number)
    free = chance.random(number)
    if dependent:
        kind = np.where(age + 30 * free < 60, 0, np.where(town % 3 + free < 1.5, 1, 2))
    else:
        kind = chance.choice(3, number, p=[0.5, 0.3, 0.2])
    return pl.DataFrame(
        {
            "age": age,
            "town": [f"t{each:02}" for each in town],
            "illness": np.array(ILLNESSES)[kind],
        }
    )


def learnt(frame, privacy, columns=None, **more):
    """What is learnt by asking for it."""
    policy = pp.Policy(columns=columns or COLUMNS, privacy=privacy, **more)
    release = pp.publish(frame, policy, name="people")
    results = pp.attack(release, original=policy, data=frame, learn=True)
    return [each for each in results if each.attack == "learned_values"]


def within(figures, prefix=""):
    """Whether a gain is within its confidence interval of nothing."""
    return abs(figures[f"{prefix}gain"]) <= figures[f"{prefix}gain_error"]


@pytest.mark.searches
def test_nothing_is_learnt_where_there_is_nothing_to_learn():
    for seed in range(tries(2, 30)):
        frame = crowd(seed, 800, dependent=False)
        (result,) = learnt(frame, pp.K(10), method="mondrian")
        assert result.figures["people"] == 720
        assert result.figures["control_people"] == 80
        assert within(result.figures)
        assert within(result.figures, "control_")


def test_a_planted_dependence_is_found():
    """Of people in the release, and no less of people who are not: it is true of everybody."""
    (result,) = learnt(crowd(1, 3000, dependent=True), pp.K(30), method="mondrian")
    figures = result.figures
    assert figures["gain"] > figures["gain_error"]
    assert figures["control_right"] > 0.7 * figures["control_people"]
    assert abs(figures["leak"]) <= figures["leak_error"] * 1.5
    assert figures["sure"] > 100


def test_members_and_control_people_differ_where_membership_leaks():
    """With k = 1 the release says of everybody what they have; in one class of nobody."""
    frame = crowd(2, 1000, dependent=False)
    leaks = {k: learnt(frame, pp.K(k), method="mondrian")[0].figures for k in (1, 400)}
    open_, closed = leaks[1], leaks[400]
    assert open_["leak"] > 2 * open_["leak_error"]
    assert abs(closed["leak"]) <= 1.5 * closed["leak_error"]


def test_the_sentence_says_what_was_done_and_no_value():
    (result,) = learnt(crowd(2, 1500, dependent=True), pp.K(1), method="mondrian")
    assert "made once more, without 150 control people" in result.sentence
    assert "more than chance explains" in result.sentence
    for value in ILLNESSES:
        assert value not in str(result)
    assert result.attacker.startswith("everyone, knowing age, town")


def test_it_is_tried_on_request_alone():
    frame = crowd(1, 300, dependent=True)
    policy = pp.Policy(columns=COLUMNS, privacy=pp.K(5))
    release = pp.publish(frame, policy, name="people")
    names = {each.attack for each in pp.attack(release, original=policy, data=frame)}
    assert "learned_values" not in names
    names = {each.attack for each in release.attack(original=policy, data=frame, learn=True)}
    assert "learned_values" in names


def test_the_release_is_made_without_the_control_people(monkeypatch):
    """The attack is handed people who have no row in what it learns from, and all others have."""
    seen = {}

    def spy(release, original, policy, control):
        seen.update(release=release, rest=original.frame, control=control.frame)
        return iter(())

    monkeypatch.setattr(import_module("papilio.attack.learned_values"), "learned_values", spy)
    frame = crowd(1, 400, dependent=True).with_columns(name=pl.int_range(400))
    learnt(frame, pp.K(5), {**COLUMNS, "name": "plain"})
    (shown,) = seen["release"].frames.values()
    published = set(shown.get_column("name").to_list())
    assert published == set(seen["rest"].get_column("name").to_list())
    held_out = set(seen["control"].get_column("name").to_list())
    assert len(held_out) == 40
    assert published | held_out == set(range(400))
    assert not published & held_out


def numbers(seed, number, *, dependent):
    chance = np.random.default_rng(seed)
    age = chance.integers(20, 80, number)
    pay = age * 100 + chance.integers(0, 1500, number)
    shown = pay if dependent else chance.permutation(pay)
    return pl.DataFrame({"age": age, "zip": chance.integers(0, 500, number), "pay": shown})


PAY = {"age": "quasi", "zip": "quasi", "pay": "sensitive"}


@pytest.mark.parametrize("dependent", [False, True])
def test_permuted_values(dependent):
    """A group of four says its values; only a dependence says more of people outside."""
    (result,) = learnt(numbers(1, 1000, dependent=dependent), pp.KE(4, 500), PAY)
    figures = result.figures
    if dependent:
        assert figures["control_gain"] > figures["control_gain_error"]
    else:
        assert within(figures)
        assert within(figures, "control_")


def test_disguised_values():
    (result,) = learnt(numbers(1, 600, dependent=True), {"target": {"pay": "uniform"}}, PAY)
    assert result.figures["people"] == 540
    assert within(result.figures) or result.figures["gain"] > 0


def test_ranges_of_labels_are_not_tried():
    illness = {"role": "sensitive", "domain": list(ILLNESSES)}
    columns = {"age": "quasi", "illness": illness}
    frame = crowd(1, 300, dependent=False)
    (result,) = learnt(frame, {"target": {"illness": "uniform"}}, columns)
    assert not result.tried


def test_every_sensitive_column_and_recipient_is_tried():
    frame = crowd(1, 500, dependent=True).with_columns(pay=pl.col("age") * 10)
    both = {**COLUMNS, "pay": "sensitive"}
    results = learnt(frame, [pp.K(5)], both, method="projections")
    assert len(results) == 2
    assert all(each.tried for each in results)
    knowing = {"school": ["age"], "town": ["town"]}
    results = learnt(frame, pp.K(5), recipients=knowing)
    assert [each.attacker.split(",")[0] for each in results] == ["school", "town"]


def test_few_people_and_several_rows_are_not_tried():
    (result,) = learnt(crowd(1, 60, dependent=True), pp.K(5))
    assert "at least 200 people" in result.sentence
    frame = crowd(1, 400, dependent=True).with_columns(name=pl.int_range(400) // 2)
    (result,) = learnt(frame, pp.K(5), {**COLUMNS, "name": "identifier"}, person="name")
    assert result.reason.startswith("people have several rows")


def test_a_release_that_cannot_be_made_without_them_is_not_tried():
    frame = crowd(1, 300, dependent=True)
    policy = pp.Policy(columns=COLUMNS, privacy=pp.K(5))
    release = pp.publish(frame, policy, name="people")
    original = original_of(release, policy, frame, lambda *_: None)

    def refuse(_):
        raise PapilioError("there are too few rows", reason="test")

    (result,) = attacks_on_another(release, replace(original, only=refuse))
    assert result.reason.endswith("could not be made, as there are too few rows.")


def test_values_of_groups_are_dealt_out_to_their_people():
    """Two groups of two; old people have b in the first, so they are believed to in the second.

    The first group is repeated so often that its dependence is beyond chance.
    """
    young, old = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    groups = 60
    certain = [(place, young, 0) for place in range(groups)]
    certain += [(groups + place, old, 1) for place in range(groups)]
    mixed = [(2 * groups, young, None), (2 * groups, old, None)]
    counts = np.zeros((2 * groups + 1, 2))
    for group, _, kind in certain:
        counts[group, kind] = 1
    counts[2 * groups] = 1
    every = certain + mixed
    items = Items(
        np.array([group for group, _, _ in every]),
        np.ones(len(every)),
        (np.array([cells for _, cells, _ in every]),),
        counts,
    )
    model = fit(items)
    told = model.likelihood(items.cells)[-2:] * model.factors[2 * groups]
    belief = told / told.sum(axis=1, keepdims=True)
    assert belief[0, 0] > 0.95
    assert belief[1, 1] > 0.95
    assert belief.sum(axis=0) == pytest.approx([1, 1], abs=0.01)


def test_classes_that_overlap_in_a_column_teach_where_a_value_is():
    """Cells of bands 1 to 2 hold a, those of 2 to 3 as many a as b: a is not in band 3."""
    left, right, low = [0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 0, 0]
    items = Items(
        np.arange(300),
        np.full(300, 4.0),
        (np.array([left] * 100 + [right] * 100 + [low] * 100, float),),
        np.array([[4.0, 0]] * 100 + [[1.0, 3]] * 100 + [[4.0, 0]] * 100),
    )
    (chances,) = fit(items).chances
    assert chances is not None
    assert chances[1, 3] > chances[0, 3]
    assert chances.sum(axis=1) == pytest.approx([1, 1])

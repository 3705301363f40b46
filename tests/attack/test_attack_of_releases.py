"""Separate releases put side by side, and example 1 of the butterfly paper."""

import random

import polars as pl
import pytest

from oracles import attacks as oracle
from papilio.attack import known_children
from papilio.attack.collusion import collusion
from papilio.attack.collusion_of_releases import collusion_of_releases
from papilio.attack.linkage import linkage
from papilio.errors import ReleaseError
from shared_releases import shared_release
from sizes import some

#: Table 1 of the paper.
ACCIDENTS = pl.DataFrame(
    {
        "occupation": ["Dentist", "Family doctor", "Banker", "Mortgage broker"],
        "age": [30, 30, 30, 30],
        "vehicle": ["Red Truck", "White Sedan", "Green Sedan", "Black Truck"],
        "postcode": ["31043"] * 4,
        "faulty": ["No", "Yes", "No", "No"],
    }
)
KNOWLEDGE = {
    "insurer": ("age", "vehicle", "postcode"),
    "personnel": ("occupation", "age", "postcode"),
}
SAME = [0, 0, 0, 0]
TRUCK_OR_SEDAN = [0, 1, 1, 0]
MEDICAL_OR_FINANCE = [0, 0, 1, 1]


def separate():
    """Tables 2 and 3: one 2-anonymous release for each recipient."""
    blocks = {"age": SAME, "vehicle": TRUCK_OR_SEDAN, "postcode": SAME}
    others = {"occupation": MEDICAL_OR_FINANCE, "age": SAME, "postcode": SAME}
    return {
        "insurer": shared_release(ACCIDENTS, blocks, None, k=2, sensitive=("faulty",)),
        "personnel": shared_release(ACCIDENTS, others, None, k=2, sensitive=("faulty",)),
    }


def butterfly():
    """One release that is 2-anonymous for both: wings vehicle and occupation."""
    blocks = {"occupation": MEDICAL_OR_FINANCE, "vehicle": TRUCK_OR_SEDAN}
    blocks |= {"age": SAME, "postcode": SAME}
    return shared_release(ACCIDENTS, blocks, KNOWLEDGE, k=2, sensitive=("faulty",))


def attackers(releases, table):
    found = list(collusion_of_releases(releases, table, KNOWLEDGE))
    assert len(found) == 5
    return {result.attacker.partition(", knowing")[0]: result.figures for result in found}


def test_example_1_two_separate_releases_leak_the_family_doctor():
    made = separate()
    assert all(each.verdict().holds for each in made.values())
    releases = {name: each.release for name, each in made.items()}
    found = attackers(releases, made["insurer"].table)
    for name in KNOWLEDGE:
        assert found[f"{name} with one release"]["smallest"] == 2
        assert found[f"{name} with one release"]["singled_out"] == 0
        # Nobody shared what they know: the tables alone are enough.
        assert found[f"{name} with all releases"]["singled_out"] == 4
        assert found[f"{name} with all releases"]["learnt: faulty"] == 4
    assert found["all recipients with all releases"]["singled_out"] == 4


def test_example_1_one_butterfly_release_does_not():
    made = butterfly()
    assert made.verdict().holds
    found = attackers(dict.fromkeys(KNOWLEDGE, made.release), made.table)
    for name in KNOWLEDGE:
        # The recipients have the same table, so there is nothing to compare.
        assert found[f"{name} with all releases"] == found[f"{name} with one release"]
        assert found[f"{name} with all releases"]["smallest"] == 2
        assert found[f"{name} with all releases"]["singled_out"] == 0
    doctor_is_faulty = [found[f"{name} with all releases"]["learnt: faulty"] for name in KNOWLEDGE]
    # Both trucks and both bankers were not at fault; of the doctor, neither can tell.
    assert doctor_is_faulty == [2, 2]


def test_recipients_who_share_what_they_know_single_people_out_of_a_butterfly():
    """What ``collusion_k`` is for: a butterfly alone says nothing about pooled knowledge."""
    made = butterfly()
    (result,) = collusion(made.release, made.table, made.policy)
    assert result.attacker == (
        "insurer and personnel together, knowing occupation, age, vehicle, postcode"
    )
    assert result.figures["singled_out"] == 4
    assert all(
        each.figures["smallest"] == 2 for each in linkage(made.release, made.table, made.policy)
    )


def test_with_collusion_k_no_coalition_gets_below_it():
    """Two wings of four rows over union classes of two; three recipients."""
    rows = 8
    frame = pl.DataFrame(
        {
            "body": [1, 2] * 4,
            "left": [0, 0, 1, 1, 5, 5, 6, 6],
            "right": [9, 8, 3, 2, 8, 9, 2, 3],
            "far": list(range(rows)),
            "ill": list("abcdefgh"),
        }
    )
    blocks = {
        "body": [0] * rows,
        "left": [0, 0, 0, 0, 1, 1, 1, 1],
        "right": [0, 0, 1, 1, 0, 0, 1, 1],
        "far": [0, 0, 0, 0, 1, 1, 1, 1],
    }
    recipients = {"a": ("body", "left"), "b": ("body", "right"), "c": ("body", "far")}
    made = shared_release(frame, blocks, recipients, k=4, collusion_k=2, sensitive=("ill",))
    assert made.verdict().holds
    results = list(collusion(made.release, made.table, made.policy))
    assert len(results) == 4
    assert [each.figures["smallest"] for each in results] == [2, 4, 2, 2]
    assert all(each.figures["singled_out"] == 0 for each in results)


def test_diversity_for_each_recipient_says_nothing_about_all_together():
    """The caveat: classes of two recipients are diverse, what they have in common is not."""
    frame = pl.DataFrame(
        {
            "body": [1] * 8,
            "left": [0, 0, 1, 1, 5, 5, 6, 6],
            "right": [9, 8, 3, 2, 8, 9, 2, 3],
            "ill": ["flu", "flu", "none", "none", "none", "none", "flu", "flu"],
        }
    )
    blocks = {
        "body": [0] * 8,
        "left": [0, 0, 0, 0, 1, 1, 1, 1],
        "right": [0, 0, 1, 1, 0, 0, 1, 1],
    }
    recipients = {"a": ("body", "left"), "b": ("body", "right")}
    diverse = [("distinct-l-diversity", {"column": "ill", "l": 2})]
    made = shared_release(
        frame, blocks, recipients, k=4, collusion_k=2, sensitive=("ill",), more=diverse
    )
    assert made.verdict().holds
    alone = list(linkage(made.release, made.table, made.policy))
    assert [each.figures["learnt: ill"] for each in alone] == [0, 0]
    (both,) = collusion(made.release, made.table, made.policy)
    assert both.figures["smallest"] == 2
    assert both.figures["learnt: ill"] == 8


@pytest.mark.parametrize("seed", some(range(12), first=4))
def test_releases_side_by_side_as_by_brute_force(seed):
    draw = random.Random(seed)
    rows = draw.randrange(2, 8)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(3) for _ in range(rows)],
            "job": [draw.choice("abc") for _ in range(rows)],
            "city": [draw.choice("xy") for _ in range(rows)],
            "day": [draw.randrange(3) for _ in range(rows)],
            "ill": [draw.choice(["flu", "none", "cold"]) for _ in range(rows)],
        }
    )
    knowledge = {"one": ("age", "job"), "two": ("job", "city"), "none": ()}
    made = {
        name: shared_release(
            frame,
            {column: [draw.randrange(2) for _ in range(rows)] for column in columns or ("age",)},
            None,
            sensitive=("ill",),
        )
        for name, columns in knowledge.items()
    }
    found = iter(
        collusion_of_releases(
            {name: each.release for name, each in made.items()}, made["one"].table, knowledge
        )
    )
    everybody, cells = frame.to_dicts(), {name: _sets(each) for name, each in made.items()}
    plans = [(columns, [name]) for name, columns in knowledge.items()]
    plans += [(columns, [*knowledge]) for columns in knowledge.values()]
    plans.append((("age", "job", "city"), [*knowledge]))
    for known, names in plans:
        generalised = {column for name in names for column in (knowledge[name] or ("age",))}
        shared = [each for each in frame.columns if each not in {*known, *generalised}]
        expected = oracle.joined(
            everybody, [cells[name] for name in names], known, shared, ("ill",)
        )
        assert next(found).figures == pytest.approx(expected)
    assert next(found, None) is None


def _sets(made):
    """Cells as sets, also of columns that are published as they were."""
    quasi = made.policy.quasi
    return [
        {name: cell if name in quasi or name == "ill" else _Single(cell)
         for name, cell in row.items()}
        for row in made.cells
    ]  # fmt: skip


class _Single(tuple):
    """One value, as a set of it that can be compared and hashed."""

    def __new__(cls, value):
        return super().__new__(cls, (value,))


@pytest.mark.parametrize("keys", [[0, 1, 7], [0, 1, 1], [0, None, 2], [0.0, 1.0, 2.0]])
def test_keys_that_lead_nowhere(keys):
    with pytest.raises(ReleaseError, match="keys of the linked tables"):
        known_children._check_keys(pl.Series(keys), pl.Series([0]))
    with pytest.raises(ReleaseError, match="keys of the linked tables"):
        known_children._check_keys(pl.Series([0, 1, 2]), pl.Series([0, 9]))

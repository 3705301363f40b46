"""Who joined which pool: the attacker's belief against every world, and what makes it harmless."""

from fractions import Fraction
from random import Random

import polars as pl
import pytest

import papilio as pp
from disguise_cases import target_over
from oracles import disguise
from oracles import volunteers as oracle
from papilio.attack.result import Exposed
from papilio.attack.volunteers import Crowd
from papilio.privacy.group_floor import GroupFloor
from sizes import tries

FOUR = [30, 40, 50, 60]


def as_seen(tree, seen):
    """What the oracle says is seen, in nodes of the tree."""
    values = tree.lows.to_list()
    of = {tuple(values[tree.first[n] : tree.last[n] + 1]): n for n in range(tree.nodes)}
    return frozenset(
        (who, tuple(sorted((of[cell], many) for cell, many in cells))) for who, cells in seen
    )


def case(levels, weights=(1, 1, 1, 1), arity=2, least=1):
    """A crowd, what it may publish, and what the oracle believes then."""
    domain = FOUR[: len(weights)]
    shares = dict(zip(domain, weights, strict=True))
    target = target_over(domain, list(weights), arity)
    floor = GroupFloor("pay", k=least) if least > 1 else None
    crowd = Crowd(target, tuple(str(level) for level in levels), floor)
    wanted = oracle.beliefs(disguise.balanced(domain, arity), shares, levels, least)
    return crowd, {as_seen(target.tree, seen): told for seen, told in wanted.items()}


def check(crowd, wanted):
    for seen, (_, beliefs) in wanted.items():
        found = crowd.belief(seen)
        values = crowd.target.tree.lows.to_list()
        assert [{values[leaf]: p for leaf, p in one.items()} for one in found] == beliefs


@pytest.mark.searches
def test_beliefs_are_those_of_every_world():
    chance = Random(5)
    for _ in range(tries(12, 400)):
        weights = [chance.randint(1, 3) for _ in range(chance.randint(2, 4))]
        levels = [chance.randint(0, 2) for _ in range(chance.randint(1, 3))]
        least = chance.choice([1, 1, 2]) if len(levels) > 1 else 1
        arity = chance.choice([2, 3])
        height = 1 if len(weights) <= arity else 2
        check(*case([min(level, height) for level in levels], weights, arity, least))


def test_four_people_of_whom_one_demands_everything():
    """All 256 vectors: by whom joined, one who demands a pair is certain in 5 of 32 cases."""
    crowd, wanted = case([2, 1, 0, 0])
    check(crowd, wanted)
    certain = sum(mass for mass, beliefs in wanted.values() if max(beliefs[1].values()) == 1)
    assert certain == Fraction(5, 32)
    shifts = [crowd.shift(1, crowd.belief(seen)[1]) for seen in wanted]
    assert max(shifts) == Fraction(1, 2)
    assert max(crowd.shift(0, crowd.belief(seen)[0]) for seen in wanted) == Fraction(1, 4)
    assert crowd.shift(2, {0: Fraction(1)}) is None


def frame_of(pay, levels):
    return pl.DataFrame({"age": list(range(len(pay))), "pay": pay, "level": levels})


def policy_of(**privacy):
    columns = {"age": "quasi", "pay": {"role": "sensitive", "domain": FOUR}}
    return pp.Policy(columns=columns, privacy={"target": {"pay": "uniform"}, **privacy})


def attacked(frame, policy, seed=1):
    release = pp.publish(frame, policy, name="staff", seed=seed)
    results = pp.attack(release, original=policy, data=frame)
    return [each for each in results if each.attack == "volunteers"]


def test_a_volunteer_is_certain_and_with_blind_ones_nobody_is():
    """The second asks for a pair and is put where only 30 would be, with the first or without."""
    frame = frame_of([30, 30, 30, 50], ["2", "1", "0", "0"])
    (result,) = attacked(frame, policy_of(personal="level"))
    assert result.exposed == (Exposed(1, 2, "pay"),)
    assert result.figures["largest_shift"] == 0.5
    (result,) = attacked(frame, policy_of(personal="level", volunteers="blind"))
    assert result.exposed == (Exposed(0, 2, "pay"),)
    assert result.figures["largest_shift"] == 0


@pytest.mark.searches
def test_blind_volunteers_tell_nothing_by_where_they_are():
    """Alone in a pool the belief is the target; nobody is certain who demanded more."""
    chance = Random(7)
    for seed in range(tries(6, 300)):
        pay = [chance.choice(FOUR) for _ in range(4)]
        levels = [str(chance.randint(0, 2)) for _ in pay]
        floor = chance.choice([{}, {"l": 2}, {"e": 20}])
        policy = policy_of(personal="level", volunteers="blind", **floor)
        (result,) = attacked(frame_of(pay, levels), policy, seed)
        if result.exposed:
            assert result.exposed[0].people == 0
            assert result.figures["left_out"] == 0


@pytest.mark.searches
def test_who_is_certain_beside_blind_volunteers_equals_every_world():
    """Whatever people demand, of whatever weights: the rule for groups of any size."""
    chance, sure, tried = Random(11), 0, 0
    for _ in range(tries(40, 2000)):
        domain = FOUR[: chance.randint(2, 4)]
        target = target_over(domain, [chance.randint(0, 3) for _ in domain[1:]] + [1], 2)
        floor = chance.choice([None, GroupFloor("pay", l=2)])
        high = target.tree.height
        said = tuple(str(chance.randint(0, high)) for _ in range(chance.randint(1, 4)))
        crowd = Crowd(target, said, floor, blind=True)
        values = [chance.randrange(len(domain)) for _ in said]
        (pools,) = (pools for pools, _ in crowd.ways(values))
        shown = crowd.seen(values, pools)
        found = crowd.sure_if_blind(shown)
        belief = crowd.belief(shown)
        if belief is None:  # A value that the target rules out.
            continue
        tried += 1
        assert found == [max(each.values()) == 1 for each in belief]
        asking = [crowd.asks(n, leaves) for n, leaves in enumerate(crowd.possible(shown))]
        assert asking == [crowd.shift(n, each) is not None for n, each in enumerate(belief)]
        sure += sum(a and s for a, s in zip(asking, found, strict=True))
    assert tried > 10
    assert sure == 0


def test_of_blind_volunteers_in_large_groups_it_is_known_that_nobody_is_certain():
    many = frame_of([30, 40, 50, 60] * 12, ["2", "1", "1", "0"] * 12)
    (result,) = attacked(many, policy_of(personal="level", volunteers="blind"))
    assert result.exposed == (Exposed(0, 36, "pay"),)
    assert (result.figures["unweighed"], result.figures["left_out"]) == (36, 0)
    assert "in large groups only that was looked at" in result.sentence


def test_silent_where_nobody_demands_anything():
    frame = frame_of([30, 50, 40, 60], ["2", "1", "0", "0"])
    assert attacked(frame, policy_of()) == []


def test_says_whom_it_did_not_try():
    """Too many worlds, or people who are alike and demand different things."""
    many = frame_of([30, 40, 50, 60] * 12, ["2"] * 48)
    (result,) = attacked(many, policy_of(personal="level"))
    assert result.exposed == ()
    assert "Not tried: 48 people" in result.sentence
    alike = frame_of([30, 50], ["2", "1"]).with_columns(age=pl.lit(1))
    (result,) = attacked(alike, policy_of(personal="level"))
    assert result.exposed == ()


def test_the_remedy_is_a_policy_that_closes_it():
    policy = policy_of(personal="level", k=2)
    (attack,) = (each for each in policy.family.attacks if each.name == "volunteers")
    remedy = attack.remedy(Exposed(1, 4, "pay"), policy)
    assert remedy.line == "privacy: {volunteers: blind}; without privacy.k"
    better = policy.varied(remedy.changes)
    assert (better.privacy.volunteers, better.privacy.k) == ("blind", None)
    assert attack.remedy(Exposed(1, 4, "pay"), better) is None

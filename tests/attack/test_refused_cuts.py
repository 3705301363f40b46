"""What follows from a class that was not cut, against every way to deal its values out."""

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import diversity
from oracles import refused_cuts as oracle
from papilio.attack.refused_cuts import belief_of, refuses, ways_of, whole_class
from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.policy.apply import order_of
from papilio.privacy.requirement import demand_of
from sizes import tries

COLUMNS = {"age": "quasi", "zip": "quasi", "illness": "sensitive"}
DEMANDS = {
    "distinct": (pp.L("illness", 2), lambda values: diversity.distinct(values, 2)),
    "entropy": (pp.L("illness", entropy=2), lambda values: diversity.entropy(values, 2)),
    "recursive": (
        pp.L("illness", recursive=(3, 2)),
        lambda values: diversity.recursive(values, 3, 2),
    ),
}


def result_of(frame, privacy, **more):
    policy = pp.Policy(columns=COLUMNS, privacy=privacy, method="mondrian").varied(
        [((key,), value) for key, value in more.items()]
    )
    release = pp.publish(frame, policy, name="people", seed=0)
    results = pp.attack(release, original=policy, data=frame)
    return [each for each in results if each.attack == "minimality"]


def by_hand():
    """Two of the left four are ill with a, which is why nobody cut between the ages 2 and 3."""
    return pl.DataFrame({"age": [1, 2, 3, 4], "zip": [7] * 4, "illness": ["a", "a", "b", "c"]})


def test_a_class_counted_on_paper():
    """Of 12 ways only 4 leave a half with one value: aa|bc, aa|cb, bc|aa, cb|aa.

    So everybody has a with a chance of one half, as without the reasoning; but the other values
    are one quarter each, as before: nothing is gained.
    """
    (result,) = result_of(by_hand(), [pp.K(2), pp.L("illness", 2)])
    assert (result.figures["classes"], result.figures["whole"]) == (1, 1)
    assert result.figures["tried"] == 1
    assert result.figures["above: illness"] == 0


def test_a_class_that_gives_a_value_away():
    """Ages 1, 1, 2, 3, 3 with k = 2: the cut is after age 1, the lower of two equally near ones.

    Of five people one has b. Had that one been left or right, l = 2 would still fail on the other
    side; so with a, a, a, a, b every way was refused. With b twice only ways are left that put both
    on one side: of 10 ways 1 + 3. The two of age 1 then have b with 1/4, the others with 1/2 each.
    """
    frame = pl.DataFrame({"age": [1, 1, 2, 3, 3], "zip": [7] * 5, "illness": list("aabab")})
    (result,) = result_of(frame, [pp.K(2), pp.L("illness", 2)])
    assert result.figures["tried"] == 1
    assert result.figures["after: illness"] == pytest.approx(0.75)
    assert result.figures["before: illness"] == pytest.approx(0.6)
    assert result.figures["above: illness"] == 2
    assert result.figures["right: illness"] == 2
    assert "of 2 people (40%), wrongly of nobody" in result.sentence
    assert "mondrian without" not in result.sentence


def test_nothing_to_ask_without_l_or_t():
    assert result_of(by_hand(), pp.K(2)) == []


def test_nothing_follows_where_no_class_could_be_cut():
    frame = by_hand().with_columns(age=pl.lit(1))
    (result,) = result_of(frame, [pp.K(2), pp.L("illness", 2)])
    assert result.figures["whole"] == 0
    assert result.sentence.startswith("No class of 1 could have been cut")


def test_methods_that_do_not_cut_are_not_asked():
    (result,) = result_of(by_hand(), [pp.K(2), pp.L("illness", 2)], method="incognito")
    assert not result.tried


def test_other_methods_are_said_to_go_by_another_rule():
    (result,) = result_of(random_people(3, 60), [pp.K(3), pp.L("illness", 2)], method="hybrid")
    assert "hybrid goes by another" in result.sentence


def certain_case():
    """In one of two classes, who asks why it was not cut knows one more illness for certain."""
    return pl.DataFrame(
        {
            "age": [1, 1, 1, 2, 2, 0, 0, 1, 1],
            "zip": [0, 1, 2, 2, 2, 1, 1, 0, 2],
            "illness": list("baabaaaca"),
        }
    )


def test_whose_value_becomes_certain_counts_for_the_light_until_no_class_is_cut():
    frame = certain_case()
    policy = pp.Policy(
        columns=COLUMNS, privacy=[pp.K(2), pp.L("illness", 2)], method="mondrian", person="rows"
    )
    release = pp.publish(frame, policy, name="people", seed=1)
    (found,) = (each for each in release.lights.secret.findings if each.attack == "minimality")
    assert (found.colour.value, found.people, found.of) == ("amber", 1, 9)
    assert found.line.startswith("If somebody also knows everybody's quasi-identifiers")
    assert found.remedy.line == "method: incognito"
    better = pp.publish(frame, policy.varied(found.remedy.changes), name="people", seed=1)
    assert not [each for each in better.lights.secret.findings if each.attack == "minimality"]
    improved = policy.varied([(("improve",), "1s")])
    release = pp.publish(frame, improved, name="people", seed=1)
    assert not [each for each in release.lights.secret.findings if each.attack == "minimality"]


def test_two_classes_may_look_like_one_with_safe_cells():
    (result,) = result_of(random_people(3, 60), [pp.K(3), pp.L("illness", 2)], cells="safe")
    assert "mondrian with safe cells goes by another" in result.sentence
    assert result.exposed == ()


def random_people(seed, number, illnesses="aaabc"):
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(0, 8, number),
            "zip": chance.integers(0, 5, number),
            "illness": chance.choice(list(illnesses), number),
        }
    )


@pytest.mark.searches
@pytest.mark.parametrize("kind", DEMANDS)
def test_beliefs_are_those_of_every_way(kind):
    """One class at a time, whether or not a method would have left it whole."""
    demanded, meets = DEMANDS[kind]
    moved = 0
    for seed in range(tries(25, 250)):
        number = 5 + seed % 2
        frame = random_people(seed, number, "aabbc")
        points = list(frame.select("age", "zip").iter_rows())
        values = frame.get_column("illness").to_list()
        requirements = [pp.K(2), demanded]
        policy = pp.Policy(columns=COLUMNS, privacy=requirements)
        if not meets(values):
            continue
        table = order_of(frame, policy, "people")[0].table
        demand = demand_of(policy.requirements, table)
        codes = encode(table, table.with_role(Role.QUASI)).codes[:, :2]
        whole = whole_class(codes, demand.sensitive, demand.least_size)
        assert (whole is not None) == bool(oracle.cuts(points, demand.least_size))
        if whole is None:
            continue
        wanted = oracle.refused(points, values, demand.least_size, meets)
        assert bool(refuses(whole, whole.truth[np.newaxis], demand)[0]) == wanted
        ways = ways_of(whole.counts, whole.sides)
        if not refuses(whole, ways, demand).any():
            continue
        found = belief_of(whole, ways, demand).after
        expected = oracle.beliefs(points, values, demand.least_size, meets)
        side_of = np.unique(sides(points, demand.least_size), axis=0, return_inverse=True)[1]
        illness_of = dict(zip(demand.sensitive[:, 0].tolist(), values, strict=True))
        for place, belief in enumerate(expected):
            for row, kind_code in enumerate(whole.kinds[:, 0].tolist()):
                told = float(belief[illness_of[kind_code]])
                assert found[row, side_of.ravel()[place]] == pytest.approx(told, abs=1e-12), seed
                moved += abs(told - whole.counts[row] / number) > 1e-9
    assert moved > 5


def sides(points, least):
    found = oracle.cuts(points, least)
    return np.array([[point[place] > cut for place, cut in found] for point in points])


@pytest.mark.searches
def test_classes_of_mondrian_are_whole_for_the_reason_that_is_supposed():
    """The rule is exact: no class of Mondrian has a cut that would in truth have been made."""
    whole, right = 0, 0
    for seed in range(tries(4, 60)):
        frame = random_people(seed, 80, "aaaabbc")
        for demanded, meets in list(DEMANDS.values())[seed % 3 :][:1]:
            if not meets(frame.get_column("illness").to_list()):
                continue
            (result,) = result_of(frame, [pp.K(2), demanded])
            assert result.figures["otherwise"] == 0
            points = list(frame.select("age", "zip").iter_rows())
            values = frame.get_column("illness").to_list()
            divided = oracle.mondrian(points, values, 2, meets)
            assert result.figures["classes"] == len(divided)
            asked = [
                places for places in divided if oracle.cuts([points[each] for each in places], 2)
            ]
            assert result.figures["whole"] == len(asked)
            whole += len(asked)
            right += result.figures["right: illness"]
    assert whole > 5
    assert right > 0


def test_closeness_is_reasoned_about_as_well():
    (result,) = result_of(random_people(5, 200), [pp.K(3), pp.T("illness", 0.25)])
    assert result.figures["otherwise"] == 0
    assert result.figures["tried"] > 0
    assert 0 <= result.figures["right: illness"] <= result.figures["above: illness"] <= 200


def test_the_sentence_has_no_cell():
    frame = random_people(5, 200).with_columns(
        pl.col("illness").replace({"a": "Xylophon", "b": "Quitte", "c": "Zwieback"})
    )
    (result,) = result_of(frame, [pp.K(3), pp.L("illness", 2)])
    for value in ("Xylophon", "Quitte", "Zwieback"):
        assert value not in str(result)


def test_ways_that_are_too_many_are_refused():
    assert ways_of(np.full(14, 3), np.array([10, 10, 11, 11])) is None
    assert len(ways_of(np.array([1, 2]), np.array([2, 1]))) == 2

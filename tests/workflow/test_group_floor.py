"""A floor beside a target: what every group of a disguised release leaves."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import polars as pl
import pytest

import papilio as pp
from disguise_cases import target_over
from disguise_releases import COLUMNS, PAPER, random_frame
from oracles import disguise as oracle
from papilio.attack.near_value import near_value
from papilio.attack.result import Exposed
from papilio.cli.app import run
from papilio.errors import InfeasibleError, PolicyError
from papilio.families import family_of
from papilio.families.disguise.make import join_classes
from papilio.policy.apply import order_of
from papilio.privacy.group_floor import left_by_cells, left_by_target
from papilio.verify.verdict import Status
from seven_families import make_memory_small, write_family
from seven_families import policy_of as seven_policy
from sizes import some, spread, tries

SAME = {"salary": {"distribution": "same", "by": ["zipcode"]}}
CLASSES = {"salary": {"distribution": "uniform", "mode": "per-class"}}
#: Every manner of a disguise, with a floor that it can meet on the table of the thesis.
MEETS = {
    "whole": {"target": {"salary": "uniform"}, "k": 11, "l": 4, "e": 30},
    "parts": {"target": {"salary": {"distribution": "same", "by": ["area"]}}, "k": 3, "l": 2},
    "fakes": {"target": {"salary": "uniform"}, "fakes": "50%", "k": 11, "l": {"salary": 4}},
    "shift": {"target": CLASSES, "shift": 1, "l": 2},
    "classes": {"target": CLASSES, "shift": 1, "k": 3, "l": 2, "e": 30},
    "both": {"target": CLASSES, "shift": 0.5, "fakes": 1, "k": 2, "l": 2},
    "chance": {
        "target": {"salary": {"distribution": "uniform", "allocation": "randomised"}}, "l": 4,
    },
    "personal": {"target": {"salary": "uniform"}, "personal": "level", "k": 3, "l": 2},
    "personal classes": {"target": CLASSES, "personal": "level", "k": 4, "l": 2},
    "blind": {
        "target": {"salary": "uniform"}, "personal": "level", "volunteers": "blind", "l": 2,
    },
}  # fmt: skip


def policy_of(columns=COLUMNS, **privacy):
    return pp.Policy(columns=columns, privacy=privacy)


def certain_in(release, policy, frame=PAPER):
    results = pp.attack(release, original=policy, data=frame)
    (result,) = (each for each in results if each.attack == "certain_value")
    return result.figures["certain"]


def floor_of(release, **data):
    (found,) = (f for f in release.verify(**data).findings if f.claim == "group-floor")
    return found.status


@pytest.mark.parametrize("manner", some(MEETS, first=6))
def test_every_manner_meets_it_and_no_value_is_certain(manner):
    policy = policy_of(**MEETS[manner])
    release = pp.publish(PAPER, policy, name="people")
    verdict = release.verify(original=policy, data=PAPER)
    assert verdict.holds, verdict.findings
    assert certain_in(release, policy) == 0
    assert left_as_the_oracle_says(release, policy)


def left_as_the_oracle_says(release, policy):
    """Count people, and values with a share above 0, of each group by themselves."""
    tree = oracle.balanced([30, 40, 50, 60])
    (claim,) = (c for c in release.manifest.claims if c.claim == "group-floor")
    wanted = claim.parameters
    people = release.frames["people"].group_by("group").len().rows()
    cells = release.frames["people_values"]
    same = policy.privacy.target["salary"].distribution == "same"
    for group, many in people:
        own = cells.filter(pl.col("group") == group)
        found = {}
        for low, high in own.select("salary_min", "salary_max").iter_rows():
            node = next(n for n in oracle.nodes(tree) if (n[0], n[-1]) == (low, high))
            found[node] = found.get(node, 0) + 1
        weights = dict.fromkeys([30, 40, 50, 60], 1)
        if same:
            weights = {v: found.get((v,), 0) for v in weights}
        share = oracle.mean_share(found, weights)
        left = [value for value, part in share.items() if part]
        if many < wanted["k"] or len(left) < wanted["l"] or left[-1] - left[0] < wanted["e"]:
            return False
    return True


def test_the_table_of_the_thesis_is_refused_with_what_helps():
    for floor, nearest in (({"l": 2}, "l: 1"), ({"k": 2}, "k: 1"), ({"e": 10}, "e: 0")):
        with pytest.raises(InfeasibleError, match="8 of 9 parts") as caught:
            pp.publish(PAPER, policy_of(target=SAME, **floor), name="people")
        assert (
            caught.value.nearest == f"{nearest} can be met, and with fewer columns in 'by' this too"
        )
    with pytest.raises(InfeasibleError, match="the only group has") as caught:
        pp.publish(PAPER, policy_of(target={"salary": "uniform"}, l=5), name="people")
    assert caught.value.nearest == "l: 4 can be met"


def test_full_tolerance_no_longer_gives_nine_salaries_away():
    columns = {name: COLUMNS[name] for name in ("zipcode", "gender", "salary")}
    open_policy = policy_of(columns, target=CLASSES, shift=1)
    assert certain_in(pp.publish(PAPER, open_policy, name="people"), open_policy) == 9
    (attack,) = (a for a in open_policy.family.attacks if a.name == "certain_value")
    remedy = attack.remedy(Exposed(9, 11, "salary"), open_policy)
    assert remedy.line == "privacy: {l: {salary: 2}}"
    closed = open_policy.varied(remedy.changes)
    assert certain_in(pp.publish(PAPER, closed, name="people"), closed) == 0
    assert attack.remedy(Exposed(9, 11, "salary"), closed) is None


def test_close_guesses_are_closed_by_groups_that_leave_values_far_apart():
    """Whoever demands nothing is in a pool of their own value, which a window holds."""
    dice = Random(7)
    values = [dice.randrange(1, 65) for _ in range(120)]
    frame = pl.DataFrame({"id": range(120), "pay": values, "level": [n % 3 for n in range(120)]})
    columns = {"id": "quasi", "pay": "sensitive"}
    said = {"target": {"pay": {"distribution": "uniform", "tree": {"lowest": 1, "highest": 64}}}}
    policy = policy_of(columns, **said, personal="level", l=2)
    (attack,) = (each for each in family_of(policy).attacks if each.name == "near_value")
    # All attacks would take their time.
    table = order_of(frame, policy, "pays")[0].table

    def guessed(order):
        release = pp.publish(frame, order, name="pays", seed=2)
        ((found,),) = (each.exposed for each in near_value(release, table, order))
        return found

    before = guessed(policy)
    assert (before.people > 0, before.width) == (True, pytest.approx(3.15))
    remedy = attack.remedy(before, policy)
    assert remedy.line == "privacy: {e: 6.3}"
    better = policy.varied(remedy.changes)
    assert guessed(better).people == 0
    assert attack.remedy(before, better) is None


@pytest.mark.parametrize(
    ("privacy", "where", "message"),
    [
        ({"l": {"salary": {"entropy": 2.0}}}, "privacy.l.salary", "a whole number is accepted"),
        ({"l": {"gender": 2}}, "privacy.l.gender", "the column that has it"),
        ({"volunteers": "blind"}, "privacy.volunteers", "add personal"),
        (
            {"volunteers": "blind", "personal": "level", "k": 2},
            "privacy.volunteers",
            "leave k or volunteers out",
        ),
        ({"t": 0.2}, "privacy.t", "accepted"),
    ],
)
def test_what_does_not_go_together_is_refused(privacy, where, message):
    with pytest.raises(PolicyError, match=message) as caught:
        policy_of(target={"salary": "uniform"}, **privacy)
    assert where in [fault.where for fault in caught.value.faults]


def test_labels_have_no_distance():
    frame = pl.DataFrame({"age": [1, 2], "pain": ["none", "much"]})
    columns = {"age": "quasi", "pain": {"role": "sensitive", "domain": ["none", "much"]}}
    policy = pp.Policy(columns=columns, privacy={"target": {"pain": "uniform"}, "e": 1})
    with pytest.raises(InfeasibleError, match="e: 0"):
        pp.publish(frame, policy, name="people")


def lied(release, **parameters):
    """The release with other parameters in its floor."""
    claims = [
        replace(c, parameters={**c.parameters, **parameters}) if c.claim == "group-floor" else c
        for c in release.manifest.claims
    ]
    return replace(release, manifest=replace(release.manifest, claims=tuple(claims)))


@pytest.mark.parametrize("lie", spread([{"k": 4}, {"l": 3}, {"e": 21}, {"column": "gender"}], 2))
def test_a_floor_that_is_just_missed_is_found(lie):
    """The smallest area has three people; the last one two salaries, 20 apart."""
    release = pp.publish(PAPER, policy_of(**MEETS["parts"], e=20), name="people")
    assert floor_of(release) is Status.HOLDS
    assert floor_of(lied(release, **lie)) is Status.VIOLATED


def test_a_person_moved_out_of_a_group_is_found():
    release = pp.publish(PAPER, policy_of(target=CLASSES, k=3), name="people")
    people = release.frames["people"]
    small = people.group_by("group").len().filter(pl.col("len") == 3).get_column("group")[0]
    other = next(g for g in people.get_column("group").unique() if g != small)
    row = people.get_column("group").to_list().index(small)
    group = people.get_column("group").scatter(row, other)
    moved = {**release.frames, "people": people.with_columns(group)}
    assert floor_of(replace(release, frames=moved)) is Status.VIOLATED


@pytest.mark.parametrize("more", [{"k": 5}, {"l": 3}, {"e": 30}])
def test_a_stricter_policy_is_not_what_was_published(more):
    privacy = {**MEETS["parts"], "e": 20}
    release = pp.publish(PAPER, policy_of(**privacy), name="people")
    verdict = release.verify(original=policy_of(**{**privacy, **more}), data=PAPER)
    (found,) = (f for f in verdict.findings if f.claim == "promised claims")
    assert found.status is Status.VIOLATED


def test_classes_that_are_large_enough_stay_alone():
    frame = random_frame(4, rows=90)
    policy = policy_of(target=CLASSES, k=6)
    release = pp.publish(frame, policy, name="people")
    assert release.verify(original=policy, data=frame).holds
    quasi = ["zipcode", "area", "gender"]
    people = release.frames["people"]
    sizes = people.group_by("group").agg(pl.len(), pl.struct(quasi).n_unique().alias("classes"))
    assert sizes.get_column("len").min() >= 6
    large = people.group_by(quasi).agg(pl.len(), pl.col("group").n_unique().alias("groups"))
    assert large.get_column("groups").max() == 1


def test_joining_classes():
    chance = Random(3)
    for _ in range(tries(100, 2000)):
        sizes = [chance.randint(1, 6) for _ in range(chance.randint(1, 8))]
        least = chance.randint(1, sum(sizes))
        starts = [sum(sizes[:i]) for i in range(len(sizes))]
        classes = [np.arange(a, a + n, dtype=np.int32) for a, n in zip(starts, sizes, strict=True)]
        groups = join_classes(classes, least)
        assert sorted(np.concatenate(groups)) == list(range(sum(sizes)))
        assert min(map(len, groups)) >= least
        whole = {tuple(rows) for rows in classes if len(rows) >= least}
        alone = sum(tuple(rows) in whole for rows in groups)
        assert alone >= len(whole) - 1


@pytest.mark.searches
def test_what_cells_leave_is_what_has_a_share():
    chance = Random(11)
    for _ in range(tries(100, 3000)):
        count, arity = chance.randint(1, 6), chance.choice([2, 3])
        domain = list(range(1, count + 1))
        weights = [chance.choice([0, 1, 1, 2]) for _ in domain]
        weights[chance.randrange(count)] = 1
        target, shape = target_over(domain, weights, arity), oracle.balanced(domain, arity)
        nodes = oracle.nodes(shape)
        chosen = [chance.randrange(len(nodes)) for _ in range(chance.randint(1, 4))]
        shares = dict(zip(domain, weights, strict=True))
        share = oracle.mean_share({nodes[n]: chosen.count(n) for n in chosen}, shares)
        left = [value for value, part in share.items() if part > Fraction(0)]
        found = left_by_cells(target, chosen)
        assert (found.values, found.span) == (len(left), left[-1] - left[0])
        held = [v for v in domain if shares[v]]
        assert left_by_target(target).values == len(held)


def test_the_column_itself_is_never_its_own_weight(tmp_path):
    """Two columns that nobody named are told by their names, if one is the target's column."""
    (tmp_path / "a.csv").write_text("salary,share\n30,1\n40,1\n50,1\n60,5\n")
    (tmp_path / "b.csv").write_text("share,salary\n1,30\n1,40\n1,50\n5,60\n")
    (tmp_path / "c.csv").write_text("area,salary,weight\n911,30,1\n912,40,1\n913,60,1\n")
    found = []
    for file in ("a.csv", "b.csv"):
        policy = pp.Policy.parse(
            "columns: {gender: quasi, salary: sensitive}\n"
            f"privacy: {{target: {{salary: {{file: {file}}}}}}}",
            base=tmp_path,
        )
        release = pp.publish(PAPER, policy, name="people", seed=3)
        assert release.verify(original=policy, data=PAPER).holds
        found.append(release.frames["people_values"].sort(pl.all()).rows())
    assert found[0] == found[1]
    policy = pp.Policy.parse(
        "columns: {gender: quasi, salary: sensitive}\nprivacy: {target: {salary: {file: c.csv}}}",
        base=tmp_path,
    )
    with pytest.raises(pp.PapilioError, match="a file of a target has two, values and weights"):
        pp.publish(PAPER, policy, name="people")


def test_parts_are_told_from_a_file_whose_first_column_names_them(tmp_path):
    """Header area,salary,weight: each area follows its own weights."""
    lines = [
        "area,salary,weight",
        *(f"{a},{s},1" for a in (911, 912, 913) for s in (30, 40, 50, 60)),
    ]
    (tmp_path / "w.csv").write_text("\n".join(lines))
    told = []
    for target in ("{file: w.csv, by: [area]}", "{distribution: uniform, by: [area]}"):
        policy = pp.Policy.parse(
            "columns: {area: {role: quasi, type: category}, salary: sensitive}\n"
            f"privacy: {{target: {{salary: {target}}}}}",
            base=tmp_path,
        )
        release = pp.publish(PAPER, policy, name="people", seed=3)
        assert release.verify(original=policy, data=PAPER).holds
        told.append(release.frames["people_values"].sort(pl.all()).rows())
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "privacy",
    some(
        [
            {"personal": "wish", "l": 2, "k": 3},
            {"shift": 0.3, "k": 5, "l": 3, "e": 4},
            {"personal": "wish", "volunteers": "blind", "e": 2},
        ],
        first=3,
    ),
)
def test_piece_by_piece_it_is_met_too(privacy, tmp_path, monkeypatch, capsys):
    make_memory_small(monkeypatch)
    policy = {**seven_policy("disguise"), "privacy": {"target": {"pay": "uniform"}, **privacy}}
    file, _ = write_family(tmp_path, "disguise", policy)
    out = tmp_path / "out"
    assert run(["publish", str(file), "-o", str(out), "--memory", "600MiB"]) == 0, (
        capsys.readouterr()
    )
    assert run(["verify", str(out), "--original", str(file)]) == 0
    policy["privacy"] |= {"k": 10_000}
    policy["privacy"].pop("volunteers", None)
    file, _ = write_family(tmp_path, "disguise", policy)
    assert run(["publish", str(file), "-o", str(tmp_path / "b"), "--memory", "600MiB"]) == 1
    assert "can be met" in capsys.readouterr().err


def test_spark_refuses_what_needs_all_classes_in_one_place():
    policy = policy_of(target=CLASSES, k=3)
    (fault,) = policy.family.refused(policy, "spark", "use local")
    assert fault.where == "privacy.k"
    assert "leave k out, or mode: whole" in fault.message
    assert not list(policy.family.refused(policy_of(target=CLASSES, l=2), "spark", "use local"))

"""Rules among columns of linked tables, against every choice of rows, and what stops them."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

import linked
from oracles import whole_person as oracle
from papilio.attack import whole_person as module
from papilio.attack.dependency import dependency
from papilio.families.linked.family import LINKED
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish
from papilio.workflow.verify import read_original
from sizes import tries

COURSES = [*"abcdefgh"]


def frames(seed, students=40, teachers=4):
    """Students who take courses; each course has one teacher."""
    chance = np.random.default_rng(seed)
    sid = np.repeat(np.arange(students), chance.integers(1, 3, students))
    course = [COURSES[i] for i in chance.integers(0, len(COURSES), len(sid))]
    return {
        "student": pl.DataFrame(
            {"sid": np.arange(students), "year": chance.integers(0, 3, students)}
        ),
        "takes": pl.DataFrame(
            {
                "sid": sid,
                "course": course,
                "teacher": [f"T{COURSES.index(each) % teachers}" for each in course],
            }
        ),
    }


def policy(teacher="plain", k=3, **more):
    columns = {"course": "quasi", "teacher": teacher}
    tables = {
        "student": {"source": "s.csv", "key": "sid", "columns": {"year": "quasi"}},
        "takes": {"source": "t.csv", "parent": {"student": "sid"}, "columns": columns},
    }
    return Policy(tables=tables, person="student", privacy={"k": k}, **more)


def attacked(data, said, seed=1):
    release = publish(data, said, seed=seed)
    original = read_original(said, data, "student").subject
    (found,) = dependency(release, original, said)
    return release, original, found


def allows(place, cells, label):
    """What is known of a row is its course, and so its teacher."""
    if place == 0:
        return cells[0] <= label[0] <= cells[1]
    return label[0] in cells[0] and cells[1] == f"T{COURSES.index(label[0]) % 4}"


def test_a_teacher_says_the_course():
    """Whoever knows who teaches what is left with the published people whose teachers fit."""
    below = 0
    for seed in range(tries(5, 300)):
        data, said = frames(seed, students=16), policy()
        release, original, found = attacked(data, said, seed)
        parts = []
        for row in release.frames["student"].to_dicts():
            mine = release.frames["takes"].filter(pl.col("sid") == row["sid"]).to_dicts()
            rows = [(1, (each["course"], each["teacher"]), []) for each in mine]
            parts.append((0, (row["year_min"], row["year_max"]), rows))
        whole = [linked.tree(original, 0, p) for p in range(16)]
        left = [sum(oracle.fits(each, part, allows) for part in parts) for each in whole]
        if not found.figures["dependencies"]:
            continue
        assert found.figures["below"] == sum(0 < n < 3 for n in left)
        assert found.figures["singled_out"] == left.count(1)
        assert found.figures["smallest"] == min(n for n in left if n)
        below += found.figures["below"]
    assert below


@pytest.mark.parametrize("seed", range(2))
def test_what_is_proposed_stops_it(seed):
    data, said = frames(seed), policy()
    _, _, found = attacked(data, said, seed)
    (exposed,) = found.exposed
    assert exposed.people > 0
    assert (exposed.through, exposed.by) == ("takes.teacher", ("takes.course",))
    attack = next(each for each in LINKED.attacks if each.name == "dependency")
    remedy = attack.remedy(exposed, said)
    assert remedy.line == ("tables: {takes: {columns: {teacher: {role: plain, follows: course}}}}")
    release, _, after = attacked(data, said.varied(remedy.changes), seed)
    assert after.exposed[0].people == 0
    assert [claim.claim for claim in release.manifest.claims] == ["entity-k-anonymity", "follows"]
    ruled = policy(depends=[["course"], "teacher"])
    assert attacked(data, ruled, seed)[2].exposed[0].people == 0


def test_independent_columns_are_no_alarm():
    data = frames(3)
    chance = np.random.default_rng(9)
    other = [f"T{i}" for i in chance.integers(0, 4, data["takes"].height)]
    data["takes"] = data["takes"].with_columns(teacher=pl.Series(other))
    _, _, found = attacked(data, policy())
    assert found.figures == {"dependencies": 0, "people": 40}


def test_a_few_rows_of_the_paper_make_no_rule_of_grades_and_one_of_teachers():
    """Eleven grades are nearly all different, which says nothing of courses."""
    folder = Path(__file__).parents[2] / "examples" / "linked-tables"
    said = yaml.safe_load((folder / "policy.yaml").read_text())
    frames = {name: pl.read_csv(folder / f"{name}.csv") for name in said["tables"]}
    plain = Policy.load(folder / "policy.yaml")
    assert attacked(frames, plain)[2].figures == {"dependencies": 0, "people": 4}
    takes = frames["takes"]
    frames["takes"] = takes.with_columns(teacher="T " + pl.col("course"))
    said["tables"]["takes"]["columns"]["teacher"] = "plain"
    taught = Policy.parse(yaml.safe_dump(said), base=folder)
    (exposed,) = attacked(frames, taught)[2].exposed
    assert (exposed.people, exposed.through) == (2, "takes.teacher")


def test_a_sample_of_people_is_called_one(monkeypatch):
    monkeypatch.setattr(module, "_PAIRS", 10)
    monkeypatch.setattr(module, "_PEOPLE", 7)
    (exposed,) = attacked(frames(2), policy())[2].exposed
    assert (exposed.of, exposed.drawn_from) == (7, 40)

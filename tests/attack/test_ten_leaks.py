"""Ten leaks that a promise leaves open, each by its number: seen by a light, and closed.

A light is amber or red for the right number of people. With what it says would help it is silent,
or publishing refuses, as the data cannot meet that.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import papilio as pp
from disguise_releases import PAPER
from graph_arrays import bare, frames, random_pairs
from papilio.attack.known_degrees import degree_beliefs
from papilio.errors import InfeasibleError, PapilioError
from papilio.query.graph.grouped import grouped_graph
from papilio.workflow.risk import Beside


def weakness(lights, attack, column=None):
    """The worst that an attack found about a column, or about who people are."""
    found = [
        each
        for light in lights
        for each in light.findings
        if (each.attack, each.column) == (attack, column)
    ]
    return max(found, key=lambda each: each.people, default=None)


def lights_of(data, policy, seed=1):
    release = pp.publish(data, policy, name="people", seed=seed)
    assert release.lights.claims.colour == "green"
    return release.lights


def closed(data, policy, attack, column=None, turns=3):
    """Follow what is said to help until the attack finds nobody; the policy that does it."""
    for _ in range(turns):
        try:
            found = weakness(lights_of(data, policy), attack, column)
        except InfeasibleError:
            return policy
        if found is None:
            return policy
        assert found.remedy is not None, found.line
        policy = policy.varied(found.remedy.changes)
    raise AssertionError("what is said to help does not")


def test_leak_01_a_county_says_where_a_town_is():
    """Of 400 people fewer than five rows are left to who knows which town lies where."""
    chance = np.random.default_rng(2)
    town = chance.integers(0, 20, 400)
    frame = pl.DataFrame(
        {
            "age": chance.integers(20, 70, 400),
            "town": [f"t{each:02}" for each in town],
            "county": [f"c{each % 4}" for each in town],
        }
    )
    columns = {"age": "quasi", "town": "quasi", "county": "plain"}
    policy = pp.Policy(columns=columns, privacy=pp.K(5), method="mondrian")
    release = pp.publish(frame, policy, name="people", seed=1)
    lines = release.frames["people"].to_dicts()
    left = [
        sum(
            line["age_min"] <= row["age"] <= line["age_max"]
            and row["town"] in line["town"]
            and row["county"] == line["county"]
            for line in lines
        )
        for row in frame.to_dicts()
    ]
    found = weakness(release.lights, "dependency")
    assert (found.colour, found.people, found.of) == ("red", sum(n < 5 for n in left), 400)
    assert found.people > 100
    mended = closed(frame, policy, "dependency")
    assert mended.columns["county"].follows == "town"


@pytest.mark.parametrize(
    ("target", "more", "people"),
    [
        ({"distribution": "same", "by": ["zipcode"]}, {}, 8),
        ({"distribution": "uniform", "mode": "per-class"}, {"shift": 1}, 9),
    ],
)
def test_leak_02_a_disguise_without_a_floor(target, more, people):
    """Table 3.1 of the thesis: salaries of people who are alone in their part are exact."""
    columns = {"zipcode": "quasi", "gender": "quasi", "salary": "sensitive"}
    policy = pp.Policy(columns=columns, privacy={"target": {"salary": target}, **more})
    found = weakness(lights_of(PAPER, policy), "certain_value", "salary")
    assert (found.colour, found.people, found.of) == ("red", people, 11)
    mended = closed(PAPER, policy, "certain_value", "salary")
    assert mended.privacy.l["salary"][0].distinct == 2


def test_leak_03_a_little_knowledge_opens_groups_of_numbers():
    """(4,100) on capital losses of Adult: one learnt row, or a guess that comes near."""
    frame = pp.samples.adult().filter(pl.col("capital-loss") > 0)
    frame = pl.DataFrame({"id": range(frame.height), "pay": frame.get_column("capital-loss")})
    policy = pp.Policy(columns={"id": "quasi", "pay": "sensitive"}, privacy=pp.KE(4, 100))
    lights = lights_of(frame, policy)
    near, known = (weakness(lights, name, "pay") for name in ("near_value", "known_values"))
    assert (near.colour, near.people, near.of) == ("red", 1366, 1427)
    assert (known.colour, known.of) == ("amber", 1427)
    assert known.people > 440 + 281
    assert closed(frame, policy, "near_value", "pay").privacy.near is not None
    assert closed(frame, policy, "known_values", "pay").privacy.known == 1


def dependent(rows=400, seed=3):
    """An illness that a drug says, and two columns of very many values that say nothing."""
    chance = np.random.default_rng(seed)
    ill = chance.integers(0, 6, rows)
    return pl.DataFrame(
        {
            "age": chance.integers(20, 70, rows),
            "ill": [f"i{each}" for each in ill],
            "drug": [f"d{each}" for each in ill],
            "pay": chance.permutation(rows * 5)[:rows],
            "rent": chance.permutation(rows * 5)[:rows],
        }
    )


def test_leak_04_columns_of_many_values_do_not_hide_what_depends():
    """The plan keeps apart what says something of each other, not what has many values."""
    frame = dependent()
    columns = {"age": "quasi", **dict.fromkeys(("ill", "drug", "pay", "rent"), "sensitive")}
    policy = pp.Policy(
        columns=columns, privacy={"k": 5, "association_loss": 0.01}, method="projections"
    )
    release = pp.publish(frame, policy, name="people", seed=1)
    (together,) = (
        names
        for table in release.manifest.tables
        for names in [{each.name for each in table.columns}]
        if "ill" in names
    )
    assert "drug" in together
    found = weakness(release.lights, "background_join", "ill")
    assert (found.colour, found.of) == ("amber", 400)
    assert found.people > 300
    assert "association_loss" in found.remedy.line
    closed(frame, policy, "background_join", "ill")


def test_leak_05_two_tables_tell_what_each_of_them_hides():
    """Each table keeps three illnesses possible; which drug goes with which rules some out."""
    chance = np.random.default_rng(5)
    drug = chance.integers(0, 60, 800)
    illness = np.where(chance.random(800) < 0.5, drug % 40, drug * 7 % 40)
    frame = pl.DataFrame(
        {
            "age": chance.integers(18, 90, 800),
            "town": chance.integers(0, 20, 800),
            "illness": [f"i{n}" for n in illness],
            "drug": [f"d{n}" for n in drug],
        }
    )
    columns = {"age": "quasi", "town": "quasi", "illness": "sensitive", "drug": "sensitive"}
    policy = pp.Policy(
        columns=columns,
        privacy={"k": 3, "l": 3, "exposure": 0.0},
        method="projections",
        generalise="mondrian",
    )
    lights = lights_of(frame, policy)
    found = weakness(lights, "cross_tables", "illness")
    assert (found.colour, found.of) == ("amber", 800)
    assert found.people > 0
    assert weakness(lights, "intersection", "illness") is None
    mended = closed(frame, policy, "cross_tables", "illness")
    assert mended.classes == "shared"


def test_leak_06_numbers_of_links_tell_who_is_who():
    """Groups by chance hold nodes with different numbers of links, so that many are known by it."""
    data = frames(random_pairs(np.random.default_rng(0), 60, 60, 0.03), 60, 60)
    policy = bare(5, 5, order="random")
    lights = lights_of(data, policy, seed=0)
    found = weakness(lights, "known_degrees", "paper")
    alone = weakness(lights, "known_degrees")
    assert (found.colour, found.of, alone.colour) == ("amber", 60, "amber")
    graph = grouped_graph(pp.publish(data, policy, seed=0))
    links = degree_beliefs(graph)
    above = links.links / links.places > 1 / 5 + 1e-9
    expected = {node for node, much in zip(graph.left.ends.tolist(), above, strict=True) if much}
    assert found.people == len(expected) > 30
    mended = closed(data, policy, "known_degrees", "paper", turns=4)
    assert (mended.privacy.known, mended.graph.order) == ("degree", "level")


def test_leak_07_who_joined_a_pool_tells_their_value():
    """Four people, of whom one demands everything, one a pair and two nothing."""
    frame = pl.DataFrame(
        {"age": [0, 1, 2, 3], "pay": [30, 30, 30, 50], "level": ["2", "1", "0", "0"]}
    )
    columns = {"age": "quasi", "pay": {"role": "sensitive", "domain": [30, 40, 50, 60]}}
    privacy = {"target": {"pay": "uniform"}, "personal": "level"}
    policy = pp.Policy(columns=columns, privacy=privacy)
    found = weakness(lights_of(frame, policy), "volunteers", "pay")
    assert (found.colour, found.people, found.of) == ("amber", 1, 2)
    assert closed(frame, policy, "volunteers", "pay").privacy.volunteers == "blind"


def test_leak_08_a_school_learns_every_job():
    """Classes of four by age and four by job: each age has one job."""
    frame = pl.DataFrame(
        {"age": [30 + row // 4 for row in range(16)], "job": [f"j{row // 4}" for row in range(16)]}
    )
    policy = pp.Policy(
        columns={"age": "quasi", "job": "quasi"},
        recipients={"school": ["age"], "employer": ["job"]},
        privacy=pp.K(4),
    )
    found = weakness(lights_of(frame, policy), "learnt_of_others", "job")
    assert (found.colour, found.people, found.of) == ("red", 16, 16)
    closed(frame, policy, "learnt_of_others", "job")


def test_leak_08_two_releases_side_by_side_tell_two_people():
    """Numbers from 1 to 4 beside 0, 100, 1 and 101: which pairs of cells meet says who is who."""
    from shared_releases import shared_release

    frame = pl.DataFrame({"age": [1, 2, 3, 4], "job": [0, 100, 1, 101]})
    knows = {"one": ("age",), "two": ("job",)}
    first, second = (
        shared_release(frame, {"age": [0, 0, 1, 1], "job": jobs}, knows, k=2)
        for jobs in ([0, 0, 1, 1], [0, 1, 0, 1])
    )
    beside = Beside(data=frame, also=(second.release,))
    seen = pp.risk(first.release, original=first.policy, data=frame, beside=beside)
    (found,) = (
        each
        for each in seen.lights.alone.findings
        if each.attacker == "two with 2 releases, knowing job"
    )
    assert (found.colour, found.people, found.of) == ("red", 2, 4)
    alone = pp.risk(first.release, original=first.policy, data=frame)
    assert weakness(alone.lights, "releases") is None
    assert "once" in found.otherwise


def test_leak_09_who_knows_all_rows_of_a_person():
    """Each person has courses of their own: without k everybody is alone, with it nobody."""
    data = {
        "student": pl.DataFrame({"sid": range(12), "year": [2000 + n % 3 for n in range(12)]}),
        "takes": pl.DataFrame(
            {
                "sid": [n for n in range(12) for _ in range(2)],
                "course": [f"c{(n + k) % 12:02}" for n in range(12) for k in (0, 1)],
            }
        ),
    }
    tables = {
        "student": {"key": "sid", "columns": {"year": "quasi"}},
        "takes": {"parent": {"student": "sid"}, "columns": {"course": "quasi"}},
    }
    policy = pp.Policy(tables=tables, person="student", privacy={"k": 1})
    lights = lights_of(data, policy)
    found = weakness(lights, "whole_person")
    assert (found.colour, found.people, found.of) == ("red", 12, 12)
    again = lights_of(data, policy)
    assert [each.line for each in lights.alone.findings] == [
        each.line for each in again.alone.findings
    ]
    assert closed(data, policy, "whole_person").privacy.k == 5


def test_leak_10_a_file_of_weights_is_read_right_or_refused(tmp_path):
    """``area,salary,weight``: the parts are the areas, and not the values."""
    lines = [f"{area},{pay},1" for area in (911, 912, 913) for pay in (30, 40, 50, 60)]
    (tmp_path / "w.csv").write_text("\n".join(["area,salary,weight", *lines]))
    said = (
        "columns: {area: {role: quasi, type: category}, salary: sensitive}\n"
        "privacy: {target: {salary: {file: w.csv%s}}}"
    )
    policy = pp.Policy.parse(said % ", by: [area]", base=tmp_path)
    release = pp.publish(PAPER, policy, name="people", seed=3)
    assert release.verify(original=policy, data=PAPER).holds
    cells = release.frames["people_values"]
    assert (cells["salary_min"].min(), cells["salary_max"].max()) == (30, 60)
    with pytest.raises(PapilioError, match="a file of a target has two, values and weights"):
        pp.publish(PAPER, pp.Policy.parse(said % "", base=tmp_path), name="people")

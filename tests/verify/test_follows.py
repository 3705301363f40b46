"""Columns that follow a quasi-identifier: what is published, and what the verifier says of it."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import yaml

import papilio as pp
from oracles.followers import image
from papilio.families.family import Choice
from papilio.policy.policy import Policy
from papilio.release.manifest import Claim
from papilio.verify.verdict import Status
from papilio.workflow.judge_made import judge_made
from papilio.workflow.publish import publish_to
from papilio.workflow.refuse import refused
from papilio.workflow.verify import read_original, verify
from sizes import tries

PATHS = "".join(f"{town},{'ab' if town in 'ab' else 'cde'},*\n" for town in "abcde")
AREA = {"a": "x", "b": "x", "c": "y", "d": "z", "e": None}
FOLLOWING = {"role": "plain", "follows": "town"}


def table(seed, rows=24, exact=True):
    """People of towns that lie in areas, some of them wrongly if it is not exact."""
    chance = np.random.default_rng(seed)
    town = [("abcde", None)[0][i] if i < 5 else None for i in chance.integers(0, 6, rows)]
    area = [AREA.get(each) for each in town]
    if not exact:
        area[0], area[1] = "z", None
    age = chance.integers(20, 40, rows)
    ill = [("flu", "hiv", "none")[i] for i in chance.integers(0, 3, rows)]
    return pl.DataFrame(
        {"age": age, "town": town, "area": area, "decade": age // 10 * 10, "ill": ill},
        schema_overrides={"area": pl.String, "town": pl.String},
    )


def policy(folder, *, town="quasi", **more):
    (folder / "towns.csv").write_text(PATHS, encoding="utf-8")
    columns = {"age": "quasi", "town": town, "area": FOLLOWING, "ill": "sensitive"}
    said = {"columns": columns, "privacy": {"k": 3}, "method": "mondrian"} | more
    return Policy.parse(yaml.safe_dump(said, sort_keys=False), base=folder)


def allowed(cell, column, paths):
    """What a cell allows, read by hand: a test of one value."""
    if column == "set":
        return json.loads(cell).__contains__
    if column == "node":
        return lambda value: cell == "*" or cell == value or cell in paths.get(value, ())
    low, high = cell
    return lambda value: low <= value <= high


LEADERS = {
    "set": {},
    "node": {"town": {"role": "quasi", "hierarchy": "towns.csv"}},
    "level": {
        "town": {"role": "quasi", "hierarchy": "towns.csv"},
        "method": "incognito",
        "privacy": {"k": 3, "suppress": 0.2},
    },
}


@pytest.mark.parametrize("leader", LEADERS)
@pytest.mark.parametrize("exact", [True, False])
def test_a_cell_is_the_image_of_its_leaders_in_the_whole_table(leader, exact, tmp_path):
    paths = {line[0]: line.split(",") for line in PATHS.splitlines()}
    for seed in range(tries(2, 200)):
        frame = table(seed, exact=exact)
        if leader != "set":
            frame = frame.drop_nulls("town")
        said = policy(tmp_path, **LEADERS[leader])
        release = pp.publish(frame, said, name="people", seed=seed)
        pairs = frame.select("town", "area").rows()
        cells = "set" if leader == "set" else "node"
        for row in release.frames["people"].to_dicts():
            wanted = image(pairs, allowed(row["town"], cells, paths))
            assert set(json.loads(row["area"])) == wanted
        names = [column.name for column in release.manifest.table("people").columns]
        assert names == ["age", "town", "area", "ill"]


def test_numbers_follow_numbers_as_ranges(tmp_path):
    frame = table(3)
    columns = {"age": "quasi", "town": "quasi", "decade": {"role": "quasi", "follows": "age"}}
    release = pp.publish(frame, pp.Policy(columns=columns, privacy=pp.K(3)), name="people", seed=1)
    pairs = frame.select("age", "decade").rows()
    for row in release.frames["people"].to_dicts():
        wanted = image(pairs, allowed((row["age_min"], row["age_max"]), "range", {}))
        assert (row["decade_min"], row["decade_max"]) == (min(wanted), max(wanted))


@pytest.mark.parametrize("method", ["union", "butterfly"])
def test_recipients_who_know_the_leader_are_promised_as_much(method, tmp_path):
    frame = table(5, rows=40)
    said = policy(
        tmp_path, method=method, recipients={"one": ["age"], "two": ["town"]},
        privacy={"k": 3, "collusion_k": 2},
    )  # fmt: skip
    assert said.known == {"one": ("age",), "two": ("town", "area")}
    release = pp.publish(frame, said, name="people", seed=1)
    follows = [claim for claim in release.manifest.claims if claim.claim == "follows"]
    assert follows == [
        Claim("follows", "people", "two", ("town", "area"), {"column": "area", "leader": "town"})
    ]
    (found,) = (r for r in pp.attack(release, original=said, data=frame) if r.attack == "collusion")
    assert "singled_out" not in found.figures or found.figures["smallest"] >= 2


def made(folder, frame, said):
    frame.write_csv(folder / "people.csv")
    file = folder / "policy.yaml"
    file.write_text(yaml.safe_dump({"source": "people.csv", **said}), encoding="utf-8")
    publish_to(folder / "release", Policy.load(file), seed=1)
    return file


SAID = {
    "columns": {"age": "quasi", "town": "quasi", "area": FOLLOWING, "ill": "sensitive"},
    "privacy": {"k": 3},
    "method": "mondrian",
}


def verdict_of(frame, said, change):
    """The verdict on a release that somebody changed, beside what it was made of."""
    release = pp.publish(frame, said, name="people", seed=1)
    original = read_original(said, frame, "people")
    return judge_made(change(release), original, {"people": np.arange(frame.height)})


def status(verdict, claim):
    return {each.claim: each.status for each in verdict.findings}[claim]


def with_cells(release, cells):
    frame = release.frames["people"].with_columns(pl.Series("area", cells))
    return replace(release, frames={"people": frame})


def test_one_cell_that_differs_is_a_violation(tmp_path):
    frame, said = table(1).drop_nulls(), policy(tmp_path)

    def change(release):
        cells = release.frames["people"]["area"].to_list()
        cells[0] = '["x","y","z","zz"]'
        return with_cells(release, cells)

    assert status(verdict_of(frame, said, change), "follows") is Status.VIOLATED


def test_what_the_class_has_instead_of_the_image_is_a_violation(tmp_path):
    """Beside a range of towns, only the areas that are there: they say which towns are."""
    frame = pl.DataFrame(
        {"town": [1, 3, 1, 3, 2, 2, 8, 8, 9, 9], "area": [*"xzxzyy", *"wwvv"], "ill": [*"ab"] * 5}
    )
    columns = {"town": "quasi", "area": FOLLOWING, "ill": "sensitive"}
    said = pp.Policy(columns=columns, privacy=pp.K(4))

    def change(release):
        cells = release.frames["people"]["area"].to_list()
        assert set(cells) == {'["x","y","z"]', '["v","w"]'}
        return with_cells(release, [each.replace('"y",', "") for each in cells])

    honest = verdict_of(frame, said, lambda release: release)
    assert status(honest, "image of what it follows") is Status.HOLDS
    narrow = verdict_of(frame, said, change)
    assert status(narrow, "follows") is Status.HOLDS
    assert status(narrow, "image of what it follows") is Status.VIOLATED


@pytest.mark.parametrize(
    "parameters",
    [{"column": "area"}, {"column": "ill", "leader": "town"}, {"column": "area", "leader": "area"}],
)
def test_a_claim_about_something_else_is_no_promise(parameters, tmp_path):
    frame, said = table(1).drop_nulls(), policy(tmp_path)

    def change(release):
        claims = [
            replace(claim, parameters=parameters) if claim.claim == "follows" else claim
            for claim in release.manifest.claims
        ]
        return replace(release, manifest=replace(release.manifest, claims=tuple(claims)))

    assert verdict_of(frame, said, change).status is Status.VIOLATED


@pytest.mark.parametrize(
    "loose",
    [
        {"columns": {**SAID["columns"], "area": "plain"}},
        {"columns": {**SAID["columns"], "area": "quasi"}},
        {"columns": {**SAID["columns"], "area": "plain"}, "depends": [["town"], "area"]},
    ],
)
def test_a_release_without_what_is_demanded_is_a_violation(loose, tmp_path):
    frame = table(2)
    file = made(tmp_path, frame, {**SAID, **loose})
    assert verify(tmp_path / "release", original=Policy.load(file)).holds
    file.write_text(yaml.safe_dump({"source": "people.csv", **SAID}), encoding="utf-8")
    assert verify(tmp_path / "release", original=Policy.load(file)).status is Status.VIOLATED


def test_a_rule_that_was_not_kept_is_a_violation(tmp_path):
    loose = {**SAID, "columns": {**SAID["columns"], "area": "plain"}}
    file = made(tmp_path, table(2), loose)
    assert verify(tmp_path / "release", original=Policy.load(file)).holds
    strict = {"source": "people.csv", **loose, "depends": [["town"], "area"]}
    file.write_text(yaml.safe_dump(strict), encoding="utf-8")
    assert verify(tmp_path / "release", original=Policy.load(file)).status is Status.VIOLATED


@pytest.mark.parametrize("engine", ["pieces", "spark"])
def test_engines_that_plan_say_that_they_cannot(engine, tmp_path):
    said = policy(tmp_path)
    (fault,) = refused(said, Choice("mondrian", ""), engine)
    assert fault.where == "columns.area.follows"
    assert "depends: [[town], area]" in fault.message

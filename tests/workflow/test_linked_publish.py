"""Linked tables end to end: random ones against the oracle, and all edge cases."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

import linked
from oracles import trees as oracle
from papilio.errors import DataError, InfeasibleError
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish, publish_to
from papilio.workflow.verify import verify
from sizes import COMPILED, spread

NOTHING = pl.lit(None, pl.String)
COLUMNS = {"region": "quasi", "age": "quasi", "gpa": "sensitive"}


def policy(k=2, tables=None, **more):
    said = {
        "person": {"key": "pid", "columns": COLUMNS},
        "visit": {
            "key": "vid",
            "parent": {"person": "pid"},
            "columns": {"ward": {"role": "quasi"}, "cost": "sensitive"},
        },
        "drug": {"parent": {"visit": "vid"}, "columns": {"name": "quasi"}},
    }
    for name, extra in (tables or {}).items():
        said[name] = said[name] | extra
    privacy = {"k": k} | more.pop("privacy", {})
    return Policy(tables=said, person="person", privacy=privacy, **more)


def frames(people=12, seed=0, most=4):
    generator = np.random.default_rng(seed)
    visits = np.repeat(np.arange(people), generator.integers(0, most, people))
    drugs = np.repeat(np.arange(len(visits)), generator.integers(0, most, len(visits)))
    return {
        "person": pl.DataFrame({
            "pid": [f"p{i}" for i in range(people)],
            "region": [("north", "south", "west")[i] for i in generator.integers(0, 3, people)],
            "age": generator.integers(20, 60, people),
            "gpa": generator.integers(0, 100, people),
        }),
        "visit": pl.DataFrame({
            "vid": np.arange(len(visits)) + 100,
            "pid": [f"p{i}" for i in visits],
            "ward": [("a", "b", None)[i] for i in generator.integers(0, 3, len(visits))],
            "cost": generator.integers(0, 1000, len(visits)),
        }),
        "drug": pl.DataFrame({
            "vid": drugs + 100,
            "name": [("x", "y", "z")[i] for i in generator.integers(0, 3, len(drugs))],
        }),
    }  # fmt: skip


def classes(release):
    return Counter(oracle.canonical(tree) for tree in linked.published_trees(release))


@pytest.mark.parametrize("seed", range(3 if COMPILED else 1))
@pytest.mark.parametrize("options", spread([{}, {"cells": "text"}, {"pairing": "local"}], 2))
def test_everybody_is_like_k_others_and_all_is_true(seed, options):
    data, order = frames(seed=seed), policy(3, **options)
    release = publish(data, order, seed=seed)
    assert min(classes(release).values()) >= 3
    verdict = verify(release, original=order, data=data)
    assert verdict.holds
    assert "12 of 12 people" in next(f.measured for f in verdict.findings if f.claim == "entities")


@pytest.mark.parametrize("skeleton", ["k-member", "divide"])
def test_both_skeletons(skeleton):
    data, order = frames(60, 4), policy(3, skeleton=skeleton)
    release = publish(data, order, seed=4)
    assert min(classes(release).values()) >= 3
    assert verify(release, original=order, data=data).holds


def test_equal_people_are_left_as_they_are():
    data = frames(6, 1)
    twice = {
        "person": pl.concat([
            data["person"].with_columns(pl.col("pid") + mark) for mark in ("a", "b", "c")
        ]),
        "visit": pl.concat([
            data["visit"].with_columns(pl.col("pid") + mark, pl.col("vid") + 1000 * place)
            for place, mark in enumerate("abc")
        ]),
        "drug": pl.concat([
            data["drug"].with_columns(pl.col("vid") + 1000 * place) for place in range(3)
        ]),
    }  # fmt: skip
    release = publish(twice, policy(3), seed=1)
    assert all(release.frames[name].height == twice[name].height for name in twice)
    ages = release.frames["person"]
    assert (ages["age_min"] == ages["age_max"]).all()


def test_values_that_are_compared_as_something_else_are_matched():
    """Prefixes of whole numbers compare as text, moments beside calendar labels as days."""
    moments = pl.Series([f"2020-0{1 + i % 3}-1{i % 2} 0{i % 7}:30:00" for i in range(12)])
    data = {
        "person": pl.DataFrame({
            "pid": range(12), "zip": [9, 10, 100, 11, 2, 20, 9, 10, 100, 11, 2, 20],
            "seen": moments.str.to_datetime(), "ill": [True, False, None] * 4,
        }),
        "visit": pl.DataFrame({"pid": range(12), "day": moments.str.to_datetime().dt.date()}),
    }  # fmt: skip
    tables = {
        "person": {"key": "pid", "columns": {
            "zip": {"role": "quasi", "hierarchy": {"prefix": [2, 1]}},
            "seen": {"role": "quasi", "hierarchy": {"dates": ["month", "year"]}}, "ill": "quasi",
        }},
        "visit": {"parent": {"person": "pid"}, "columns": {"day": "quasi"}},
    }  # fmt: skip
    order = Policy(tables=tables, person="person", privacy={"k": 3})
    verdict = verify(publish(data, order, seed=1), original=order, data=data)
    assert verdict.holds
    assert "12 of 12" in next(f.measured for f in verdict.findings if f.claim == "entities")


def test_sensitive_values_stay_with_their_rows():
    data, order = frames(20, 5), policy(2)
    release = publish(data, order, seed=5)
    assert sorted(release.frames["person"]["gpa"]) == sorted(data["person"]["gpa"])
    gpa = dict(zip(data["person"]["pid"], data["person"]["gpa"], strict=True))
    real = Counter(
        (gpa[person], cost) for person, cost in data["visit"].select("pid", "cost").iter_rows()
    )
    joined = release.frames["visit"].join(release.frames["person"], on="pid")
    assert Counter(joined.select("gpa", "cost").iter_rows()) <= real


def test_persons_without_children_and_one_with_a_thousand():
    data = frames(8, 2)
    many = pl.DataFrame({
        "vid": np.arange(1000) + 5000, "pid": ["p0"] * 1000,
        "ward": ["a", "b"] * 500, "cost": np.arange(1000),
    })  # fmt: skip
    data["visit"] = pl.concat([data["visit"], many.cast(data["visit"].schema)])
    release = publish(data, policy(2), seed=2)
    assert verify(release, original=policy(2), data=data).holds
    # Nobody else has as many; the others cannot be made up.
    assert release.frames["visit"].height < 60


def test_two_people_with_a_thousand_rows_keep_them():
    data = frames(6, 2)
    data["person"] = pl.concat([data["person"], data["person"].with_columns(pl.col("pid") + "x")])
    parts = [data["visit"]]
    for place, person in enumerate(("p0", "p0x")):
        parts.append(pl.DataFrame({
            "vid": np.arange(1000) + 5000 * (place + 1), "pid": [person] * 1000,
            "ward": ["a", "b"] * 500, "cost": np.arange(1000) + place,
        }).cast(data["visit"].schema))  # fmt: skip
    data["visit"] = pl.concat(parts)
    release = publish(data, policy(2), seed=2)
    assert release.frames["visit"].height >= 2000


def test_at_most_draws_rows_and_limits_them():
    data, order = frames(12, 3, most=9), policy(2, {"visit": {"at_most": 2}})
    release = publish(data, order, seed=3)
    per_person = release.frames["visit"]["pid"].value_counts()["count"]
    assert per_person.max() <= 2
    assert verify(release, original=order, data=data).holds


def test_a_deep_chain():
    depth = 12
    tables = {"t0": {"key": "id", "columns": {"q": "quasi"}}}
    data = {"t0": pl.DataFrame({"id": range(6), "q": [1, 1, 2, 2, 3, 9]})}
    for level in range(1, depth):
        tables[f"t{level}"] = {
            "key": "id", "parent": {f"t{level - 1}": "up"}, "columns": {"q": "quasi"},
        }  # fmt: skip
        data[f"t{level}"] = pl.DataFrame(
            {"id": range(6), "up": range(6), "q": [level, level, 2, 2, 3, level]}
        )
    order = Policy(tables=tables, person="t0", privacy={"k": 3})
    release = publish(data, order, seed=1)
    assert min(classes(release).values()) >= 3
    assert verify(release, original=order, data=data).holds


def test_a_table_of_keys_alone_and_a_person_table_without_columns():
    tables = {
        "person": {"key": "pid"},
        "visit": {"key": "vid", "parent": {"person": "pid"}},
        "drug": {"parent": {"visit": "vid"}, "columns": {"name": "quasi"}},
    }
    order = Policy(tables=tables, person="person", privacy={"k": 2})
    data = frames(10, 6)
    release = publish(data, order, seed=6)
    assert release.frames["person"].columns == ["pid"]
    assert min(classes(release).values()) >= 2
    assert verify(release, original=order, data=data).holds


def test_all_children_of_a_table_can_go(tmp_path):
    data = frames(4, 1)
    one = data["visit"].head(1).with_columns(pid=pl.lit("p0"))
    data = data | {"visit": one, "drug": data["drug"].head(1).with_columns(vid=one["vid"][0])}
    release = publish(data, policy(4), seed=1)
    assert release.frames["visit"].height == release.frames["drug"].height == 0
    release.save(tmp_path / "out", format="csv")
    assert verify(tmp_path / "out", original=policy(4), data=data).holds


def test_duplicate_rows_are_rows():
    data = frames(6, 1)
    data["drug"] = pl.concat([data["drug"], data["drug"]])
    assert verify(publish(data, policy(2), seed=1), original=policy(2), data=data).holds


@pytest.mark.parametrize(("change", "reason"), [
    (lambda d: d | {"visit": d["visit"].with_columns(pid=NOTHING)}, "null-foreign-key"),
    (lambda d: d | {"visit": d["visit"].with_columns(pid=pl.lit("stranger"))}, "orphan-rows"),
    (lambda d: d | {"visit": pl.concat([d["visit"], d["visit"]])}, "duplicate-key"),
    (lambda d: d | {"person": d["person"].with_columns(pid=NOTHING)}, "missing-key"),
    (lambda d: d | {"visit": d["visit"].head(0)}, "empty-table"),
    (lambda d: {"person": d["person"]}, "missing-table"),
    (lambda d: d | {"person": d["person"].drop("age")}, "unknown-column"),
])  # fmt: skip
def test_bad_data_is_refused_in_one_line(change, reason):
    with pytest.raises(DataError) as caught:
        publish(change(frames(6, 1)), policy(2), seed=1)
    assert caught.value.reason == reason
    assert "\n" not in str(caught.value)
    assert "stranger" not in str(caught.value)


def test_too_few_people():
    with pytest.raises(InfeasibleError, match="only 4 people"):
        publish(frames(4, 1), policy(5), seed=1)


@pytest.mark.parametrize("kind", [2, {"entropy": 2.0}, {"recursive": (2.0, 2)}])
def test_l_diversity_at_every_place(kind):
    data = frames(30, 7)
    data["visit"] = data["visit"].with_columns(cost=pl.col("cost") % 3)
    order = policy(2, privacy={"l": {"visit.cost": kind}})
    release = publish(data, order, seed=7)
    verdict = verify(release, original=order, data=data)
    assert verdict.holds
    assert any(f.claim.startswith("entity-") and "l-diversity" in f.claim for f in verdict.findings)


def test_l_diversity_that_nobody_can_meet():
    data = frames(8, 7)
    data["person"] = data["person"].with_columns(gpa=pl.lit(1))
    with pytest.raises(InfeasibleError, match="an l of at most 1"):
        publish(data, policy(2, privacy={"l": {"gpa": 2}}), seed=1)


def test_a_limit_on_removed_rows_is_kept_or_refused():
    data = frames(12, 3)
    with pytest.raises(InfeasibleError, match="suppress of"):
        publish(data, policy(6, privacy={"suppress": 0.01}), seed=3)
    release = publish(data, policy(2, privacy={"suppress": 0.9}), seed=3)
    assert {t.left_out_at_most for t in release.manifest.tables} == {0.0, 0.9}


def test_notes_tell_the_owner_what_went(tmp_path, monkeypatch):
    for name, frame in frames(12, 3).items():
        frame.write_csv(tmp_path / f"{name}.csv")
    sources = {name: {"source": f"{name}.csv"} for name in ("person", "visit", "drug")}
    sources["visit"]["at_most"] = 1
    order = policy(3, sources)
    monkeypatch.chdir(tmp_path)
    done = publish_to(tmp_path / "out", order)
    assert done.verdict.holds
    assert [note.split(":")[0] for note in done.notes] == ["visit", "drug"]
    over = int((frames(12, 3)["visit"]["pid"].value_counts()["count"] - 1).sum())
    assert f", {over} of them beyond at_most" in done.notes[0]
    assert "at_most" not in done.notes[1]
    assert "removed" not in (tmp_path / "out" / "release.json").read_text()


def test_a_table_may_be_called_as_the_verifier_calls_the_original():
    data = {
        "original": pl.DataFrame({"pid": [1, 2, 3, 4], "age": [5, 5, 6, 6]}),
        "visit": pl.DataFrame({"pid": [1, 2, 3, 4], "ward": ["a", "a", "b", "b"]}),
    }
    tables = {
        "original": {"key": "pid", "columns": {"age": "quasi"}},
        "visit": {"parent": {"original": "pid"}, "columns": {"ward": "quasi"}},
    }
    said = Policy(tables=tables, person="original", privacy={"k": 2})
    assert verify(publish(data, said), original=said, data=data).holds

"""Damage to disguised releases: each must be named by the right finding."""

import csv
import io
from dataclasses import replace

import polars as pl
import pytest
from damage import assert_violated, status_of

from disguise_releases import PAPER, policy_of, random_frame, release_of
from papilio import publish
from papilio.verify.verdict import Status
from sizes import spread

TREE = "target_tree.csv"


def with_frame(release, name, change):
    frames = {**release.frames, name: change(release.frames[name])}
    tables = tuple(
        replace(table, rows=frames[table.name].height) for table in release.manifest.tables
    )
    return replace(release, frames=frames, manifest=replace(release.manifest, tables=tables))


def with_claim(release, **parameters):
    (claim,) = release.manifest.claims
    changed = replace(claim, parameters={**claim.parameters, **parameters})
    return replace(release, manifest=replace(release.manifest, claims=(changed,)))


def with_tree(release, change):
    rows = list(csv.reader(io.StringIO(release.hierarchies[TREE])))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(change(rows))
    return replace(release, hierarchies={TREE: text.getvalue()})


def set_first(column, value):
    here = pl.int_range(pl.len()) == 0
    changed = pl.when(here).then(pl.lit(value)).otherwise(pl.col(column)).alias(column)
    return lambda frame: frame.with_columns(changed)


def verdict(release, kind, frame=PAPER):
    return release.verify(original=policy_of(kind), data=frame)


def widen(frame):
    """Publish the whole domain instead of one single value of group 1."""
    point = (pl.col("salary_min") == pl.col("salary_max")) & (pl.col("group") == 1)
    place = frame.with_row_index("n").filter(point).get_column("n")[0]
    here = pl.int_range(pl.len()) == place
    return frame.with_columns(
        salary_min=pl.when(here).then(30).otherwise("salary_min"),
        salary_max=pl.when(here).then(60).otherwise("salary_max"),
    )


@pytest.mark.parametrize("kind", ["parts", "fakes"])
def test_one_wider_subdomain_breaks_the_target(kind):
    release, _ = release_of(kind)
    damaged = with_frame(release, "people_values", widen)
    assert_violated(damaged.verify(), "target-distribution")


def test_one_wider_subdomain_breaks_a_pool():
    everybody = PAPER.with_columns(level=pl.lit("2"))
    release = publish(everybody, policy_of("personal"), name="people")
    damaged = with_frame(release, "people_values", widen)
    assert_violated(damaged.verify(), "personal-levels")


def test_a_range_that_is_no_subdomain():
    release, _ = release_of("whole")
    damaged = with_frame(release, "people_values", set_first("salary_min", 31))
    assert_violated(damaged.verify(), "cells of people_values", "salary")


def test_a_missing_end():
    release, _ = release_of("whole")
    damaged = with_frame(release, "people_values", set_first("salary_min", None))
    assert_violated(damaged.verify(), "cells of people_values", "salary")


def test_a_subdomain_moved_to_another_group():
    release, _ = release_of("parts")
    damaged = with_frame(release, "people_values", set_first("group", 2))
    assert_violated(damaged.verify(), "fake values")


def test_a_fake_value_too_many():
    release, _ = release_of("fakes")
    more = with_frame(release, "people_values", lambda f: pl.concat([f, f.head(4), f.head(4)]))
    assert_violated(more.verify(), "fake values")


def test_a_dropped_fake_value():
    release, _ = release_of("fakes")
    fewer = with_frame(
        release,
        "people_values",
        lambda f: f.filter(~((pl.col("group") == 2) & (pl.col("salary_min") == 60))),
    )
    assert_violated(fewer.verify(), "target-distribution")


def test_fewer_fakes_claimed_than_there_are():
    release, _ = release_of("fakes")
    assert_violated(with_claim(release, fakes=0.1).verify(), "fake values")


def test_a_smaller_shift_claimed_than_there_is():
    frame = random_frame(4)
    release = publish(frame, policy_of("shift"), name="people")
    assert_violated(with_claim(release, shift=0.0).verify(), "target-distribution")


def test_other_weights_than_the_cells_follow():
    release, _ = release_of("parts")

    def heavier(rows):
        rows[2][4] = "2"
        return rows

    assert_violated(with_tree(release, heavier).verify(), "target-distribution")


def cut(rows):
    return rows[:-1]


def unordered(rows):
    rows[1:] = [[*row[:2], *reversed(row[2:4]), *row[4:]] for row in rows[1:]]
    return rows


def negative(rows):
    rows[2][4] = "-1"
    return rows


def halved(rows):
    rows[2][4] = "0.5"
    return rows


def orphaned(rows):
    rows[3][1] = ""
    return rows


def breadth_first(rows):
    rows[4][1], rows[5][1] = rows[5][1], rows[4][1]
    return rows


@pytest.mark.parametrize(
    "change",
    spread([cut, unordered, negative, halved, orphaned, breadth_first, lambda rows: rows[:1]], 2),
)
def test_a_tree_that_is_none(change):
    release, _ = release_of("whole")
    assert_violated(with_tree(release, change).verify(), "target-distribution")


def test_no_tree_at_all():
    release, _ = release_of("whole")
    assert_violated(replace(release, hierarchies={}).verify(), "target-distribution")


@pytest.mark.parametrize(
    "parts",
    spread(
        [
            [],
            [{"weights": "weight_1", "groups": [1, 2]}],
            [{"weights": "weight_9", "groups": [1, 3]}],
            [{"weights": "weight_1", "groups": [2, 3]}, {"weights": "weight_1", "groups": [1, 1]}],
            [{"weights": "weight_1", "groups": [1, 3.0]}],
            "all",
        ],
        2,
    ),
)
def test_parts_that_do_not_cover_the_groups(parts):
    release, _ = release_of("parts")
    assert_violated(with_claim(release, parts=parts).verify(), "target-distribution")


@pytest.mark.parametrize(
    "change",
    [{"column": "gender"}, {"tree": "other.csv"}, {"shift": -1}, {"shift": "0"}, {"fakes": 2}],
)
def test_claims_that_cannot_be_read(change):
    release, _ = release_of("parts")
    assert_violated(with_claim(release, **change).verify(), "target-distribution")


def test_a_claim_about_fewer_columns():
    release, _ = release_of("whole")
    (claim,) = release.manifest.claims
    fewer = replace(claim, columns=claim.columns[:1])
    manifest = replace(release.manifest, claims=(fewer,))
    assert_violated(replace(release, manifest=manifest).verify(), "target-distribution")


def test_an_unknown_claim_is_not_checked():
    release, _ = release_of("whole")
    (claim,) = release.manifest.claims
    more = replace(release.manifest, claims=(claim, replace(claim, claim="safe")))
    found = replace(release, manifest=more).verify()
    assert status_of(found, "safe") == {Status.NOT_CHECKED}


def test_no_claim_at_all():
    release, _ = release_of("whole")
    manifest = replace(release.manifest, claims=())
    assert not replace(release, manifest=manifest).verify().holds


@pytest.mark.parametrize(
    "column",
    spread(
        ["sum_lo", "sum_hi", "sum_mean", "sum_var", "min_hi", "max_lo", "avg_lo", "count_hi"], 2
    ),
)
def test_a_wrong_row_of_the_help_table(column):
    release, _ = release_of("fakes")
    damaged = with_frame(
        release, "people_help", lambda f: f.with_columns(pl.col(column) + (pl.col("hits") == 2))
    )
    assert_violated(damaged.verify(), "help of people_help")


def test_missing_rows_of_the_help_table():
    release, _ = release_of("parts")
    damaged = with_frame(release, "people_help", lambda f: f.head(5))
    assert_violated(damaged.verify(), "help of people_help")


def test_a_person_in_another_group():
    release, _ = release_of("parts")
    first = release.frames["people"].row(0, named=True)
    swap = pl.col("group").replace({1: 3, 3: 1})
    damaged = with_frame(release, "people", lambda f: f.with_columns(swap))
    assert first["group"] == 1
    assert_violated(verdict(damaged, "parts"), "truthfulness")


def test_values_of_an_original_that_does_not_fit():
    release, _ = release_of("parts")
    other = PAPER.with_columns(salary=pl.lit(60))
    assert_violated(verdict(release, "parts", other), "truthfulness")
    outside = PAPER.with_columns(salary=pl.lit(61))
    assert_violated(verdict(release, "parts", outside), "truthfulness")


def test_people_of_another_original():
    release, _ = release_of("parts")
    other = PAPER.with_columns(gender=pl.lit("F"))
    assert_violated(verdict(release, "parts", other), "truthfulness")


def test_people_who_demand_more_than_their_pool():
    release, _ = release_of("personal")
    more = PAPER.with_columns(level=pl.lit("2"))
    assert_violated(verdict(release, "personal", more), "personal levels")
    strange = PAPER.with_columns(level=pl.lit("much"))
    findings = {f.claim: f.status for f in _with_levels(release, strange).findings}
    assert findings["personal levels"] is Status.VIOLATED


def _with_levels(release, frame):
    return release.verify(original=policy_of("personal"), data=frame)


def test_fake_values_hide_no_missing_value():
    # Hall: the fakes of the whole do not excuse a subdomain that lacks values of its own.
    release, _ = release_of("fakes")
    other = PAPER.with_columns(salary=pl.when(pl.col("area") == "912").then(60).otherwise("salary"))
    assert_violated(verdict(release, "fakes", other), "truthfulness")


@pytest.mark.parametrize("group", [0, 1.5, None])
def test_odd_numbers_of_groups(group):
    release, _ = release_of("whole")
    damaged = with_frame(
        release,
        "people",
        lambda f: f.with_columns(group=pl.lit(group, dtype=pl.Float64)),
    )
    assert not damaged.verify().holds


def test_a_table_too_few():
    release, _ = release_of("whole")
    frames = {name: release.frames[name] for name in ("people", "people_values")}
    manifest = replace(release.manifest, tables=release.manifest.tables[:2])
    assert_violated(replace(release, frames=frames, manifest=manifest).verify(), "layout")


def with_table(release, place, **changed):
    tables = list(release.manifest.tables)
    tables[place] = replace(tables[place], **changed)
    return replace(release, manifest=replace(release.manifest, tables=tuple(tables)))


def other_columns(release, place, **changed):
    """The same table with the first column of it described in another way."""
    first, *others = release.manifest.tables[place].columns
    return with_table(release, place, columns=(replace(first, **changed), *others))


@pytest.mark.parametrize(
    "damage",
    spread(
        [
            lambda release: other_columns(release, 0, role="sensitive"),
            lambda release: other_columns(release, 1, cells="hits"),
            lambda release: other_columns(release, 2, cells="hits"),
            lambda release: with_table(release, 0, left_out_at_most=0.5),
            lambda release: with_table(
                release, 1, columns=tuple(reversed(release.manifest.tables[2].columns))
            ),
        ],
        2,
    ),
    ids=["people", "group of values", "help", "left out", "values"],
)
def test_a_layout_that_is_not_that_of_a_disguised_release(damage):
    release, _ = release_of("whole")
    assert release.verify().holds
    assert not damage(release).verify().holds

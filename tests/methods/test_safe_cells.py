"""Safe cells: no complete row is certain, for whoever knows how they are made."""

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest

import papilio as pp
from on_disk import left_behind, publish_on_disk
from oracles.safe_cells import (
    certain_in_tables,
    certain_rows,
    classes,
    is_one,
    safe_releases,
    smallest_cells,
    tight_releases,
)
from papilio.data.encode import EncodedTable, encode_column, stack_codes
from papilio.data.hierarchy.rules import PrefixRule
from papilio.data.table import ColumnType
from papilio.errors import DataError, PolicyError
from papilio.families.classes import Classes
from papilio.families.generalising.safe_cells import safe_box, safe_lines
from papilio.policy.policy import Policy
from papilio.randomness import Randomness
from papilio.verify.verdict import Status
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import verify
from tables import column

RANGE, SET = ("range", (0, 1, 3)), ("set", 3)
#: Leaves 0 and 1 lie under one node, 2 beside it.
TREE = ("tree", [frozenset(node) for node in ({0}, {1}, {2}, {0, 1}, {0, 1, 2})])
SHAPES = [(RANGE, SET, TREE), (RANGE, RANGE), (TREE, SET), (SET, ("set", 2), ("set", 2))]
#: The same columns for Papilio.
SERIES = {
    "range": (pl.Series([0, 1, 3]), column("r", ColumnType.NUMERIC)),
    "set": (pl.Series(["a", "b", "c"]), column("s")),
    "tree": (pl.Series(["10", "11", "20"]), column("t", hierarchy=PrefixRule((1,)))),
}


@pytest.mark.parametrize("columns", SHAPES)
@pytest.mark.parametrize("n", [2, 3])
def test_no_row_is_certain_to_whoever_knows_the_rule(columns, n):
    for release, rows in certain_rows(columns, n, safe_releases).items():
        open_ = [c for c, cell in zip(columns, release, strict=True) if not is_one(c, cell)]
        # Where nothing varies, all rows of the class are the one.
        assert len(open_) != 1
        assert len(rows) == (not open_), release


@pytest.mark.parametrize("columns", SHAPES)
def test_smallest_cells_prove_rows_where_one_column_varies(columns):
    found = 0
    for release, rows in certain_rows(columns, 3, tight_releases).items():
        open_ = [i for i, c in enumerate(columns) if not is_one(c, release[i])]
        assert len(open_) == 1 or len(rows) == (not open_)
        if len(open_) == 1:
            (i,), cell = open_, release[open_[0]]
            # Ends of a range, members of a list, and the only leaf of one of two branches.
            proved = {*cell} if columns[i] != TREE or cell == {0, 1} else {2}
            assert {row[i] for row in rows} == proved
            found += 1
    assert found


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2)])
def test_no_row_of_a_table_is_certain_where_only_values_of_it_are_invented(sizes):
    columns = (SET, ("range", (0, 2)))
    for release, rows in certain_in_tables(columns, sizes, safe_releases).items():
        constant = sum(all(is_one(c, cell) for c, cell in zip(columns, each, strict=True))
                       for each in release)  # fmt: skip
        assert len(rows) <= constant


def encoded(columns, rows):
    found = [encode_column(*SERIES[kind]) for kind, _ in columns]
    assert all(codes.tolist() == [0, 1, 2] for _, codes in found)
    places = np.array(rows, np.int16)
    return EncodedTable(
        stack_codes([places[:, i] for i in range(len(columns))], len(rows)),
        tuple(meaning for meaning, _ in found),
    )


@pytest.mark.parametrize("columns", [(RANGE, SET, TREE), (RANGE, TREE), (SET, TREE), (RANGE, SET)])
def test_papilio_follows_the_rule(columns):
    """Every class of two and three rows at once; each cheapest value is taken now and then."""
    every = [rows for n in (2, 3) for rows in classes(columns, n)]
    flat = [row for rows in every for row in rows]
    table = encoded(columns, flat)
    starts = np.cumsum([0, *map(len, every)]).astype(np.int64)
    order = np.random.default_rng(5).permutation(len(flat)).astype(np.int32)
    shuffled = EncodedTable(table.codes[order], table.columns)
    where = np.argsort(order).astype(np.int32)
    seen = {}
    for seed in range(12):
        lines = safe_lines(shuffled, Classes(where, starts), Randomness(seed))
        widened = 0
        for number, rows in enumerate(every):
            own = lines.codes[lines.starts[number] : lines.starts[number + 1], : len(columns)]
            own = [tuple(row) for row in own.tolist()]
            assert set(rows) <= set(own)
            widened += len(own) - len(rows)
            seen.setdefault(rows, set()).add(smallest_cells(own, columns))
        assert widened == lines.widened > 0
        assert lines.loss > 0
    for rows, releases in seen.items():
        assert releases <= safe_releases(rows, columns)
    several = [rows for rows in every if len(safe_releases(rows, columns)) > 1]
    assert sum(len(seen[rows]) > 1 for rows in several) >= 0.9 * len(several)


def test_a_class_in_several_files_has_one_box():
    columns = (RANGE, SET)
    box = safe_box(encoded(columns, [(0, 1), (1, 1)]), Randomness(1))
    assert {*box.codes[:, 1].tolist()} > {1}
    assert {*safe_box(box, Randomness(2)).codes[:, 1].tolist()} == {*box.codes[:, 1].tolist()}


def people(rows=240, seed=3):
    """Two columns in which little varies within a class, and two with NULL."""
    chance = np.random.default_rng(seed)
    job = np.array(["ash", "elm", "fir", None], object)[chance.integers(0, 4, rows)]
    return pl.DataFrame(
        {
            "age": pl.Series(chance.integers(20, 30, rows)).set(
                pl.Series(chance.random(rows) < 0.05), None
            ),
            "job": pl.Series(job.tolist(), dtype=pl.String),
            "zip": [f"1{a}{b}" for a, b in chance.integers(0, 3, (rows, 2))],
            "ill": [("flu", "cold")[i] for i in chance.integers(0, 2, rows)],
        }
    )


ZIP = {"role": "quasi", "type": "category", "hierarchy": {"prefix": [2, 1]}}
COLUMNS = {"age": "quasi", "job": "quasi", "ill": "sensitive", "zip": ZIP}


def order(**more):
    return Policy(**{"columns": COLUMNS, "privacy": {"k": 3}, "cells": "safe", **more})


RECIPIENTS = {"recipients": {"a": ["age", "job"], "b": ["zip", "job"]}, "method": "union"}


@pytest.mark.parametrize(
    "more",
    [
        *({"method": name} for name in ("mondrian", "relaxed-mondrian", "bottom-up", "hybrid")),
        {"method": "rising"},
        {"cells": "safe-text"},
        {"improve": {"steps": 50}},
        {"privacy": {"k": 3, "l": {"ill": 2}}},
        RECIPIENTS,
        {**RECIPIENTS, "privacy": {"k": 3, "collusion": {"any_two": 2}}},
        {"method": "rising", "privacy": {"k": 3, "suppress": 0.05}},
        {"columns": {**COLUMNS, "id": "identifier"}, "person": "id"},
        {"columns": {**COLUMNS, "ill": {"role": "plain", "follows": "job"}}},
    ],
)  # fmt: skip
def test_a_release_claims_and_keeps_it(more):
    data = people().with_columns(id=pl.int_range(240) // 2)
    if "follows" in str(more):
        data = data.with_columns(ill=pl.col("job").replace({"ash": "x", "elm": "x", "fir": "y"}))
    policy = order(**more)
    release = pp.publish(data, policy, name="people")
    (claim,) = [each for each in release.manifest.claims if each.claim == "safe-cells"]
    assert claim.parameters == {"k": 3, "among": ["age", "job", "zip"]}
    assert verify(release, original=policy, data=data).holds
    tight = pp.publish(data, order(**{**more, "cells": "bounds"}), name="people")
    assert one_varies(tight) > 0
    assert one_varies(release) == 0
    # Who orders safe cells is not content with others.
    found = verify(tight, original=policy, data=data)
    wrong = {each.claim for each in found.findings if each.status is Status.VIOLATED}
    assert wrong == ({"promised claims"} if policy.cells == "safe" else {
        "promised claims", "promised columns", "truthfulness"})  # fmt: skip


def one_varies(release):
    """Classes in which one column that leads varies, counted without Papilio's readings."""
    return sum(map(one_varies_in, release.frames.values()))


def one_varies_in(frame):
    text = "age" in frame.columns
    null = pl.col("age_null") if "age_null" in frame.columns else pl.lit(False)
    age = (
        pl.col("age").str.contains(r"\[|or NULL")
        if text
        else (pl.col("age_min") < pl.col("age_max")) | (pl.col("age_min").is_not_null() & null)
    ).fill_null(False)
    varies = (
        age.cast(pl.Int8)
        + pl.col("job").str.contains(r'","|,"|"a.*,|, |null,').cast(pl.Int8)
        + pl.col("zip").str.contains("*", literal=True).cast(pl.Int8)
    )
    names = [name for name in frame.columns if name not in ("ill", "drug")]
    return frame.select(names).unique().filter(varies == 1).height


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"columns": {"age": "quasi", "ill": "sensitive"}}, "complete with its value"),
        ({"columns": {**COLUMNS, "job": {"role": "plain", "follows": "age"}, "zip": "identifier"}},
         "complete with its value"),
        ({"depends": [["job"], "age"]}, "a rule of depends"),
        ({"method": "incognito"}, "publishes labels of a level"),
        ({**RECIPIENTS, "method": "butterfly"}, "safe with method union"),
        ({**RECIPIENTS, "method": None}, "safe with method union"),
        ({"method": "projections", "generalise": "incognito"}, "publishes labels of a level"),
    ],
)  # fmt: skip
def test_refused_in_one_line_where_it_cannot_be(more, says):
    with pytest.raises(PolicyError, match=says) as error:
        order(**more)
    assert "\n" not in str(error.value.faults[0].message)


def projected(**more):
    columns = {**COLUMNS, "drug": "sensitive"}
    privacy = {"k": 3, "exposure": 0}
    return order(columns=columns, privacy=privacy, method="projections", **more)


def with_drugs(data):
    return data.with_columns(drug=pl.Series(["x", "x", "y"] * (data.height // 3)))


@pytest.mark.parametrize("more", [{}, {"classes": "shared"}, {"generalise": "mondrian"}])
def test_each_table_of_projections_keeps_it(more):
    data, policy = with_drugs(people()), projected(**more)
    release = pp.publish(data, policy, name="people")
    claims = [each for each in release.manifest.claims if each.claim == "safe-cells"]
    assert [each.table for each in claims] == ["people_1", "people_2"]
    assert verify(release, original=policy, data=data).holds
    assert one_varies(release) == 0
    tight = pp.publish(data, policy.varied([(("cells",), "bounds")]), name="people")
    assert all(map(one_varies_in, tight.frames.values()))
    found = verify(tight, original=policy, data=data)
    assert {e.claim for e in found.findings if e.status is Status.VIOLATED} == {"promised claims"}
    # Tight cells that claim to be safe are found out from the release alone.
    lie = replace(tight, manifest=replace(tight.manifest, claims=release.manifest.claims))
    lies = [each.status for each in verify(lie).findings if each.claim.startswith("safe-cells")]
    assert lies == [Status.VIOLATED] * 2


def test_refused_where_one_column_has_all_the_values():
    data = people().with_columns(age=pl.lit(30), job=pl.lit("elm"))
    with pytest.raises(DataError, match="two quasi-identifiers with several values"):
        pp.publish(data, order(), name="people")
    with pytest.raises(DataError, match="two quasi-identifiers with several values"):
        pp.publish(with_drugs(data), projected(), name="people")


def test_equal_rows_stay_as_they_are():
    """They are shared by k people, and are the whole table of an owner with few columns."""
    rows = [("a", 1)] * 4 + [("b", 2)] * 5 + [("a", 2)] * 3
    data = pl.DataFrame(rows, schema=["job", "age"], orient="row")
    policy = Policy(columns={"job": "quasi", "age": "quasi"}, privacy={"k": 3}, cells="safe")
    release = pp.publish(data, policy, name="people")
    assert (release.frames["people"]["age_min"] == release.frames["people"]["age_max"]).all()


def test_the_owner_is_told_what_it_costs(tmp_path):
    people().write_csv(tmp_path / "people.csv")
    policy = order(source={"file": str(tmp_path / "people.csv")})
    published = publish_to(tmp_path / "release", policy, attacks=False)
    (note,) = [note for note in published.notes if note.startswith("Safe cells")]
    assert "say less on one more column" in note


def test_tight_cells_are_told_of_where_nobody_counts(tmp_path):
    people().write_csv(tmp_path / "people.csv")
    policy = order(source=str(tmp_path / "people.csv"), method="mondrian", cells="bounds")

    def told(name, changes=(), publish=publish_to, **more):
        done = publish(tmp_path / name, policy.varied(changes), **more)
        return [note for note in done.notes if note.startswith("Tight cells")]

    unseen = told("unseen", attacks=False)
    assert unseen == told("pieces", publish=publish_on_disk, piece_rows=100)
    assert "nobody counted them; cells: safe leaves none" in unseen[0]
    assert len(unseen) == len(told("seen")) == 1
    assert told("seen again") != unseen
    safe = ((("cells",), "safe"),)
    assert told("safe", safe, attacks=False) == told("pieces of it", safe, publish_on_disk) == []
    # Labels of whole columns prove nothing.
    levels = [(("columns", "age"), "plain"), (("method",), "incognito")]
    assert told("levels", levels, attacks=False) == []


def test_answers_to_queries_hold_although_no_end_is_somebody():
    """Cells that were widened hold values that nobody has."""
    data = people(seed=8).drop_nulls()
    release = pp.publish(data, order(method="mondrian"), name="people")
    for aggregate, where in product(
        ("min(age)", "max(age)", "sum(age)", "avg(age)", "count(*)"),
        ("", "WHERE job = 'elm'", "WHERE age <= 22", "WHERE zip = '100' AND age > 24"),
    ):
        query = f"SELECT {aggregate} AS n FROM people {where}"
        truth = pl.SQLContext(people=data, eager=True).execute(query)["n"][0]
        bounds = release.query(query)["n"]
        assert truth is None or bounds.lo is None or bounds.lo <= truth <= bounds.hi, query


def one_class(rows=300):
    """Nothing can be cut: half of the rows have another zip, and l needs them all."""
    return pl.DataFrame(
        {
            "age": [20, *[30] * (rows - 1)],
            "job": ["fir", *["elm"] * (rows - 1)],
            "zip": ["100", "101"] * (rows // 2),
            "ill": ["flu", "cold"] * (rows // 2),
        }
    )


@pytest.mark.parametrize("data", [people(600), one_class()], ids=["pieces", "one class"])
def test_pieces_on_disk_keep_it(tmp_path, data):
    """A class in several files has the same cells in all of them."""
    more = {"privacy": {"k": 3, "l": {"ill": 2}}} if data.height == 300 else {}
    data.write_parquet(tmp_path / "people.parquet")
    policy = order(source=str(tmp_path / "people.parquet"), method="mondrian", **more)
    published = publish_on_disk(tmp_path / "release", policy, piece_rows=100)
    assert len(published.release.manifest.files) > 2
    assert one_varies(published.release) == 0
    assert verify(published.directory, original=policy).holds


def test_pieces_are_refused_before_rows_are_read_where_one_column_has_the_values(tmp_path):
    people().with_columns(age=pl.lit(30), job=pl.lit("elm")).write_csv(tmp_path / "people.csv")
    policy = order(source=str(tmp_path / "people.csv"), method="mondrian")
    with pytest.raises(DataError, match="two quasi-identifiers with several values"):
        publish_on_disk(tmp_path / "release", policy, piece_rows=100)
    assert left_behind(tmp_path) == []

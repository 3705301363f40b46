"""One table with several rows per person, published as linked tables: ``link: yes``."""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl
import pytest

from linked import published_trees
from oracles import trees as oracle
from papilio.data.people import constant_columns, first_rows
from papilio.data.table import Table
from papilio.errors import DataError, InfeasibleError, PolicyError, VerificationError
from papilio.policy import apply_divided
from papilio.policy.policy import Policy
from papilio.workflow.ask import ask
from papilio.workflow.publish import publish, publish_to
from papilio.workflow.risk import attack
from papilio.workflow.verify import verify
from sizes import spread, tries

ROLES = {
    "age": "quasi",
    "sex": "quasi",
    "ward": "quasi",
    "day": "quasi",
    "pay": "sensitive",
    "ill": "sensitive",
    "row": "plain",
}
#: The six visits of two patients.
VISITS = """pid,sex,ward,illness
ann,f,A,flu
ann,f,A,flu
ann,f,B,hiv
bob,m,A,flu
bob,m,B,none
bob,m,A,flu
"""
ROLES_OF_VISITS = {"pid": "identifier", "sex": "quasi", "ward": "quasi", "illness": "sensitive"}


def order(k=2, columns=None, **more):
    return Policy(columns=columns or ROLES, person="pid", link=True, privacy={"k": k}, **more)


def visits(folder, text=VISITS, **changes):
    """The policy of the six visits, beside their file."""
    (folder / "visits.csv").write_text(text, encoding="utf-8")
    said = {
        "source": str(folder / "visits.csv"),
        "person": "pid",
        "link": True,
        "columns": ROLES_OF_VISITS,
        "privacy": {"k": 2},
    }
    return Policy(**{**said, **changes})


def flat(chance, people=None):
    """A tiny table: some columns constant within people, some not, some by accident; NULLs."""
    number = people or chance.randrange(2, 6)
    rows = []
    for person in range(number):
        own = {"age": chance.choice([20, 30, None]), "sex": chance.choice("fm")}
        own["pay"] = chance.choice([1, 2])
        for _ in range(chance.randrange(1, 4)):
            seen = {"ward": chance.choice(["A", "B", None]), "day": chance.randrange(3)}
            rows.append({"pid": f"id-{person}", **own, **seen, "ill": chance.choice("xyz")})
    chance.shuffle(rows)
    kinds = {"age": pl.Int64, "ward": pl.String}
    return pl.DataFrame(
        [{**row, "row": place} for place, row in enumerate(rows)], schema_overrides=kinds
    )


def constant(frame):
    """Columns that are constant within every person, from the definition."""
    seen = defaultdict(set)
    for row in frame.to_dicts():
        for name, value in row.items():
            seen[name, row["pid"]].add(value)
    return {name for name, _ in seen if all(len(v) == 1 for (n, _), v in seen.items() if n == name)}


def covers(row, name, value):
    """Whether the published cells of a quasi-identifier may be a value."""
    if name in row:
        return value in json.loads(row[name])
    if value is None:
        return bool(row.get(f"{name}_null"))
    return row[f"{name}_min"] is not None and row[f"{name}_min"] <= value <= row[f"{name}_max"]


def joined(release, name="table"):
    """Rows of the two tables side by side."""
    people = {row["pid"]: row for row in release.frames[name].to_dicts()}
    return [{**people[row["pid"]], **row} for row in release.frames[f"{name}_rows"].to_dicts()]


@pytest.mark.searches
@pytest.mark.parametrize("k", [1, 2, 3])
def test_tiny_tables_by_brute_force(k):
    chance = random.Random(k)
    made = 0
    for _ in range(tries(5, 100)):
        frame = flat(chance, people=chance.randrange(k, k + 4) + 1)
        if frame["pid"].n_unique() == frame.height:
            continue
        release = publish(frame, order(k))
        made += 1
        _check(frame, release, k)
        assert verify(release, original=order(k), data=frame).holds
    assert made


def _check(frame, release, k):
    rows, original = joined(release), frame.to_dicts()
    fixed = constant(frame)
    # Every column is where it belongs; nothing of the original identifiers is left.
    manifest = {t.name: {c.name for c in t.columns} for t in release.manifest.tables}
    assert manifest == {
        "table": fixed,
        "table_rows": {"pid", *frame.columns} - (fixed - {"pid"}),
    }
    assert not {*frame["pid"]} & {v for f in release.frames.values() for r in f.rows() for v in r}
    # The join is the table: each row once, with the cells of its own row, under one key per person.
    assert len({row["row"] for row in rows}) == len(rows)
    owners = {(row["pid"], original[row["row"]]["pid"]) for row in rows}
    assert len(owners) == len({key for key, _ in owners}) == len({name for _, name in owners})
    for row in rows:
        true = original[row["row"]]
        assert all(row[name] == true[name] for name in ("pay", "ill"))
        assert all(covers(row, name, true[name]) for name in ("age", "sex", "ward", "day"))
    assert sorted(release.frames["table"]["pid"]) == list(range(1, frame["pid"].n_unique() + 1))
    if k == 1:
        assert len(rows) == frame.height
    # Everybody looks like k - 1 others, in both tables together.
    trees = Counter(map(oracle.canonical, published_trees(release)))
    assert min(trees.values()) >= k


def test_without_demands_the_join_is_the_table():
    frame = flat(random.Random(1), people=6)
    release = publish(frame, order(1))
    plain = {**dict.fromkeys(ROLES, "plain"), "sex": "quasi"}
    exact = publish(frame, order(1, plain))
    for each, columns in ((release, ["pay", "ill", "row"]), (exact, [*{*ROLES} - {"sex"}])):
        found = Counter(tuple(row[c] for c in columns) for row in joined(each))
        assert found == Counter(frame.select(columns).rows())


def test_keys_are_drawn_anew():
    frame = pl.DataFrame({
        "pid": [f"{i}" for i in range(8) for _ in range(2)], "age": [7] * 16, "row": range(16),
    })  # fmt: skip
    said = order(2, {"age": "quasi", "row": "plain"})
    found = set()
    for seed in range(25):
        release = publish(frame, said, seed=seed)
        people = {frame["pid"][row["row"]]: row["pid"] for row in joined(release)}
        found.add(tuple(people[name] for name in sorted(people)))
    # Of 40320 ways to number them; in the order of the original none is more likely.
    assert len(found) > 20
    assert len({each[0] for each in found}) > 5


def test_the_six_visits(tmp_path):
    made = publish_to(tmp_path / "out", visits(tmp_path))
    assert made.verdict.holds
    assert made.release.frames["visits"].height == 2
    assert made.release.frames["visits_rows"].height == 6
    assert "visits: 2 rows with sex; visits_rows: 6 rows with ward, illness." in made.notes
    text = "".join(frame.write_csv() for frame in made.release.frames.values())
    assert "ann" not in text
    assert "bob" not in text
    policy = visits(tmp_path)
    assert verify(tmp_path / "out", original=policy).holds
    asked = "SELECT count(*) FROM visits JOIN visits_rows USING (pid) WHERE illness = 'flu'"
    assert ask(tmp_path / "out", asked)["count(*)"].lo == 4


def test_more_people_than_there_are_cannot_be_alike(tmp_path):
    with pytest.raises(InfeasibleError, match="only 2 people") as caught:
        publish_to(tmp_path / "out", visits(tmp_path, privacy={"k": 3}))
    assert caught.value.nearest == "a k of at most 2 is accepted"


def test_rows_alike_stay_rows(tmp_path):
    release = publish_to(tmp_path / "out", visits(tmp_path)).release
    rows = Counter((row["pid"], row["illness"]) for row in release.frames["visits_rows"].to_dicts())
    assert sorted(rows.values()) == [1, 1, 2, 2]


def test_names_are_those_of_the_source(tmp_path):
    said = {"file": str(tmp_path / "visits.csv"), "name": "stays"}
    made = publish_to(tmp_path / "out", visits(tmp_path, source=said))
    assert {*made.release.frames} == {"stays", "stays_rows"}
    (tmp_path / "original.csv").write_text(VISITS, encoding="utf-8")
    other = visits(tmp_path, source=str(tmp_path / "original.csv"))
    publish_to(tmp_path / "other", other)
    assert verify(tmp_path / "other", original=other).holds
    (tmp_path / "größen.csv").write_text(VISITS, encoding="utf-8")
    odd = visits(tmp_path, source=str(tmp_path / "größen.csv"))
    with pytest.raises(PolicyError, match="name: visits") as caught:
        publish_to(tmp_path / "none", odd)
    assert [fault.where for fault in caught.value.faults] == ["source"]


def test_blanks_around_a_name_do_not_make_two_people(tmp_path):
    made = publish_to(tmp_path / "out", visits(tmp_path, VISITS.replace("bob,m,B", " bob ,m,B")))
    assert made.release.frames["visits"].height == 2


def test_a_table_of_people_may_have_keys_alone(tmp_path):
    columns = {"ward": "quasi", "illness": "sensitive"}
    made = publish_to(tmp_path / "out", visits(tmp_path, columns=columns))
    assert made.release.frames["visits"].columns == ["pid"]
    assert made.verdict.holds
    assert verify(tmp_path / "out", original=visits(tmp_path, columns=columns)).holds
    assert made.left_out == ("sex",)


NOT_NEEDED = {
    "constant": ("pid,sex,ward,illness\na,f,A,x\na,f,A,x\nb,f,A,y\n", "no column varies"),
    "unique": ("pid,sex,ward,illness\na,f,A,x\nb,f,B,x\nc,f,A,y\n", "each person has one row"),
}


@pytest.mark.parametrize("case", NOT_NEEDED)
def test_link_is_refused_where_it_is_not_needed(tmp_path, case):
    text, why = NOT_NEEDED[case]
    with pytest.raises(PolicyError, match=f"{why}.*leave it out") as caught:
        publish_to(tmp_path / "out", visits(tmp_path, text))
    assert [fault.where for fault in caught.value.faults] == ["link"]


@pytest.mark.parametrize("name", ["", "  "])
def test_rows_of_nobody_are_refused(tmp_path, name):
    with pytest.raises(DataError, match="1 of 6 rows have nothing there") as caught:
        publish_to(tmp_path / "out", visits(tmp_path, VISITS.replace("bob,m,B", f"{name},m,B")))
    assert caught.value.reason == "unknown-person"
    # Not accepted beside link: yes.
    assert "person: rows" not in str(caught.value)


def test_null_is_a_value_of_its_own(tmp_path):
    text = VISITS.replace("ann,f,A,flu\nann", "ann,,A,flu\nann")
    release = publish_to(tmp_path / "out", visits(tmp_path, text)).release
    assert "sex" in release.frames["visits_rows"].columns
    text = VISITS.replace("ann,f", "ann,")
    release = publish_to(tmp_path / "all", visits(tmp_path, text)).release
    assert "sex" in release.frames["visits"].columns


FAULTS = {
    "no person": ({"person": None}, "link"),
    "rows": ({"person": "rows"}, "link"),
    "published": ({"columns": {**ROLES_OF_VISITS, "pid": "plain"}}, "person"),
    "no quasi": ({"columns": {"illness": "sensitive"}}, "columns"),
    "no k": ({"privacy": {"l": {"illness": 2}}}, "privacy"),
    "t": ({"privacy": {"k": 2, "t": 0.5}}, "privacy.t"),
    "bare l": ({"privacy": {"k": 2, "l": 2}}, "privacy.l"),
    "l of nothing": ({"privacy": {"k": 2, "l": {"ward": 2}}}, "privacy.l.ward"),
    "recipients": ({"recipients": {"a": ["sex"]}}, "recipients"),
    "database": ({"database": "x.db"}, "database"),
    "method": ({"method": "mondrian"}, "method"),
    "improve": ({"improve": "1s"}, "improve"),
    "hierarchy": (
        {
            "columns": {
                **ROLES_OF_VISITS,
                "illness": {"role": "sensitive", "hierarchy": "automatic"},
            }
        },
        "columns.illness.hierarchy",
    ),
    "several": (
        {"columns": {**ROLES_OF_VISITS, "illness": {"role": "sensitive", "values": "several"}}},
        "columns.illness.values",
    ),
    "key": ({"person": "sex_min", "columns": {"sex": "quasi", "ward": "quasi"}}, "columns.sex"),
    "own name": ({"person": "papilio_row"}, "person"),
    "control": ({"person": "a\x1b[2Jb"}, "person"),
    "letters": ({"columns": {"PID": "plain", "ward": "quasi"}}, "columns.PID"),
    "target": ({"privacy": {"k": 2, "target": {"illness": "uniform"}}}, "privacy.target"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_does_not_go_with_link(tmp_path, case):
    changes, where = FAULTS[case]
    with pytest.raises(PolicyError) as caught:
        visits(tmp_path, **changes)
    assert [fault.where for fault in caught.value.faults] == [where]


def test_l_is_demanded_where_the_column_is(tmp_path):
    text = VISITS.replace("bob,m,A,flu", "bob,m,A,none")
    policy = visits(tmp_path, text, privacy={"k": 2, "l": {"illness": 2}})
    made = publish_to(tmp_path / "out", policy)
    (claim,) = [c for c in made.release.manifest.claims if c.claim.endswith("diversity")]
    assert (claim.table, claim.parameters) == ("visits_rows", {"column": "illness", "l": 2})
    assert verify(tmp_path / "out", original=policy).holds


def test_a_frame_is_named_as_the_release_names_it():
    frame = flat(random.Random(3), people=5)
    release = publish(frame, order(), name="stays")
    assert {*release.frames} == {"stays", "stays_rows"}
    assert verify(release, original=order(), data=frame).holds


def test_another_original_is_not_the_one(tmp_path):
    """A value that varies in what is read now was constant in what was published."""
    publish_to(tmp_path / "out", visits(tmp_path))
    changed = visits(tmp_path, VISITS.replace("bob,m,B", "bob,f,B"))
    assert not verify(tmp_path / "out", original=changed).holds


def _moved(made):
    """Two rows that look alike, of two people who do, change their person."""
    people, rows = made.tables
    up = rows.up.copy()
    up[[0, 3]] = up[[3, 0]]
    return replace(made, tables=(people, replace(rows, up=up)))


def _merged(made):
    people, rows = made.tables
    return replace(made, tables=(people, replace(rows, up=np.zeros_like(rows.up))))


def _fewer(made):
    people, rows = made.tables
    less = Table(rows.name, rows.table.frame[:-1], rows.table.columns)
    return replace(made, tables=(people, replace(rows, table=less, up=rows.up[:-1])))


def _repeated(made):
    """A constant column is left with the rows."""
    people, rows = made.tables
    column = people.table.columns[0]
    values = people.table.frame[column.name].gather(rows.up)
    more = Table(rows.name, rows.table.frame.with_columns(values), (*rows.table.columns, column))
    fewer = people.table.columns[1:]
    less = Table(people.name, people.table.frame.select(c.name for c in fewer), fewer)
    return replace(made, tables=(replace(people, table=less), replace(rows, table=more)))


def _other_values(made):
    people, rows = made.tables
    frame = rows.table.frame.with_columns(pl.col("illness").reverse())
    return replace(made, tables=(people, replace(rows, table=replace(rows.table, frame=frame))))


LIES = {"moved": _moved, "merged": _merged, "repeated": _repeated, "other values": _other_values}


@pytest.mark.parametrize("lie", spread([*LIES.values(), _fewer], 2), ids=[*LIES, "fewer"])
def test_a_wrong_division_is_not_published(tmp_path, monkeypatch, lie):
    """The method and the truth of its lines go by the division; only the one table tells."""
    text = VISITS.replace("bob,m", "bob,f").replace("illness", "illness,town").replace("\n", ",x\n")
    text = text.replace("town,x", "town")
    columns = {**ROLES_OF_VISITS, "town": "quasi"}
    publish_to(tmp_path / "true", visits(tmp_path, text, columns=columns))
    divide = apply_divided.divide
    monkeypatch.setattr(apply_divided, "divide", lambda *said: lie(divide(*said)))
    with pytest.raises(VerificationError, match=re.escape("division by person")):
        publish_to(tmp_path / "out", visits(tmp_path, text, columns=columns))
    assert not (tmp_path / "out").exists()
    assert not verify(tmp_path / "true", original=visits(tmp_path, text, columns=columns)).holds


@pytest.mark.searches
def test_constant_columns_are_those_of_the_definition():
    chance = random.Random(5)
    for _ in range(tries(200, 3000)):
        frame = flat(chance)
        found = constant_columns(frame, first_rows(frame["pid"]))
        assert {*found} == constant(frame)
        assert [name for name in frame.columns if name in found] == [*found]


def test_floats_dates_and_labels_may_be_constant():
    frame = pl.DataFrame({
        "pid": ["a", "a", "b"],
        "zero": [0.0, -0.0, 1.0],
        "day": [date(2020, 1, 1), date(2020, 1, 1), None],
        "label": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
        "enum": pl.Series(["x", "x", "y"], dtype=pl.Enum(["y", "x"])),
    })  # fmt: skip
    assert constant_columns(frame, first_rows(frame["pid"])) == ("pid", "zero", "day", "enum")


def test_two_attacks_find_the_same():
    """They try some of the people, and the same ones each time."""
    chance = random.Random(4)
    frame = pl.DataFrame({
        "pid": [f"p{n // 3}" for n in range(900)],
        "age": [chance.randrange(20, 60) for _ in range(900)],
        "day": [chance.randrange(30) for _ in range(900)],
    })  # fmt: skip
    policy = order(2, {"age": "quasi", "day": "quasi"})
    release = publish(frame, policy, seed=1)
    one, other = (attack(release, original=policy, data=frame) for _ in range(2))
    assert any(each.attack == "known_children" for each in one)
    assert one == other

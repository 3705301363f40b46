"""People with several rows, more of them than memory holds.

The name of the person is also a plain column here, so that releases say whose each line is and
everything can be counted from outside.
"""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from on_disk import left_behind, publish_on_disk
from oracles import closeness, diversity
from oracles import people as oracle
from papilio import Policy
from papilio.data.people import people_of, person_names, person_numbers
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.errors import DataError, InfeasibleError, PolicyError, VerificationError
from papilio.families.engines.disk import counted_people as counting
from papilio.families.engines.piece import PiecePeople
from papilio.families.generalising import pieces as module
from papilio.families.generalising.top_tree import NodeCounts, meets
from papilio.kernels.demand import class_meets
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.requirement import (
    demand_of,
    over_people,
    with_codes_of_people,
    with_rule_of_people,
)
from papilio.privacy.t_closeness import TCloseness
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import verify
from sizes import some, tries

COLUMNS = {"pid": "identifier", "age": "quasi", "town": "quasi", "ill": "sensitive", "who": "plain"}
LEVELS = {**COLUMNS, "age": {"role": "quasi", "hierarchy": {"intervals": [5, 20]}}}
KNOWN = {"clinic": ["age"], "council": ["town"]}


def visits(rows=900, people=300, seed=7, hub=0):
    """Rows of people, one of whom may have many in one place."""
    chance = np.random.default_rng(seed)
    owners = chance.integers(0, people, rows)
    owners[:hub] = people
    return pl.DataFrame(
        {
            "pid": [f" p{each}" for each in owners],
            "age": np.where(np.arange(rows) < hub, 40, chance.integers(20, 70, rows)),
            "town": chance.choice(list("ABCDEF"), rows),
            "ill": chance.choice(["x", "y", "z", "w"], rows, p=[0.4, 0.3, 0.2, 0.1]),
            "who": [f"p{each}" for each in owners],
        }
    )


def written(folder, frame, form="parquet"):
    file = folder / f"visits.{form}"
    frame.write_parquet(file) if form == "parquet" else frame.write_csv(file)
    return file


def order(file, privacy=None, **more):
    said = {
        "source": str(file),
        "person": "pid",
        "columns": COLUMNS,
        "privacy": privacy or {"k": 4},
    }
    return Policy(**{"papilio": 1, **said, **more})


def classes_in(frame, known=("age", "town")):
    """Rows (person, disease) of each class that somebody sees who knows some columns."""
    cells = [name for name in frame.columns if name.split("_")[0] in known]
    return [list(zip(part["who"], part["ill"], strict=True)) for part in frame.partition_by(cells)]


def t_close(table, most):
    values = [value for _, value in table]
    domain = sorted(set(values))
    whole = closeness.shares(values, domain)
    return lambda some: closeness.equal(closeness.shares(some, domain), whole) <= most


def check_classes(frame, known, k, least=None, most=None):
    found = classes_in(frame, known)
    table = [row for rows in found for row in rows]
    for rows in found:
        assert oracle.k_over_people(rows, k)
        if least:
            assert oracle.over_people(rows, table, lambda some: diversity.distinct(some, least))
        if most:
            assert oracle.over_people(rows, table, t_close(table, most))


@pytest.mark.parametrize("form", some(["parquet", "csv"]))
@pytest.mark.parametrize(
    "method", some(["mondrian", "relaxed-mondrian", "hybrid", "bottom-up", "rising"])
)
def test_classes_meet_the_demand_over_people(method, form, tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 170)
    file = written(tmp_path, visits(hub=30), form)
    privacy = {"k": 4, "l": {"ill": 2}, "t": {"ill": 0.6}}
    policy = order(file, privacy, method=method)
    made = publish_on_disk(tmp_path / "out", policy, piece_rows=200)
    assert len(list((tmp_path / "out").glob("*.parquet"))) > 2
    assert made.verdict.holds
    assert sum(found.claim.endswith("over people") for found in made.verdict.findings) == 3
    frame = made.release.frames["visits"]
    check_classes(frame, ("age", "town"), 4, 2, 0.6)
    # Cut, and not one class in many files.
    assert len(classes_in(frame)) > 20
    assert "pid" not in str(made.release.manifest)


@pytest.mark.parametrize("privacy", some([{"k": 4, "l": {"ill": 2}}, {"k": 4, "suppress": 0.2}]))
def test_levels_meet_it_as_in_memory(privacy, tmp_path):
    file = written(tmp_path, visits())
    policy = order(file, privacy, method="incognito", columns=LEVELS)
    made = publish_on_disk(tmp_path / "out", policy, piece_rows=200)
    assert made.verdict.holds
    frame = made.release.frames["visits"]
    check_classes(frame, ("age", "town"), 4, 2 if "l" in privacy else None)
    memory = publish_to(tmp_path / "memory", policy)
    key = frame.columns
    there = memory.release.frames["visits"].select(key).sort(key)
    assert frame.sort(key).equals(there)


@pytest.mark.parametrize("method", some(["butterfly", "union"]))
def test_recipients_are_promised_people(method, tmp_path):
    file = written(tmp_path, visits())
    privacy = {"k": 5, "collusion_k": 3}
    policy = order(file, privacy, method=method, recipients=KNOWN)
    made = publish_on_disk(tmp_path / "out", policy, piece_rows=200)
    frame = made.release.frames["visits"]
    for known in KNOWN.values():
        check_classes(frame, known, 5)
    check_classes(frame, ("age", "town"), 3)


def test_the_verdict_beside_the_original_is_the_same(tmp_path):
    policy = order(written(tmp_path, visits()), {"k": 4, "l": {"ill": 2}}, method="mondrian")
    publish_on_disk(tmp_path / "out", policy, piece_rows=200)
    verdict = verify(tmp_path / "out", original=policy)
    assert verdict.holds
    assert any(found.claim == "k-anonymity over people" for found in verdict.findings)


@pytest.mark.parametrize("privacy", some([{"k": 60}, {"k": 3, "t": {"ill": 0.05}}]))
def test_a_class_that_cannot_be_cut_is_in_one_file(privacy, tmp_path):
    file = written(tmp_path, visits(rows=500))
    made = publish_on_disk(tmp_path / "out", order(file, privacy), piece_rows=150)
    assert made.verdict.holds
    check_classes(made.release.frames["visits"], ("age", "town"), privacy["k"])
    with pytest.raises(DataError, match="more memory is accepted"):
        publish_on_disk(tmp_path / "other", order(file, privacy), piece_rows=30)


def test_a_person_who_has_too_many_rows_is_refused_as_in_memory(tmp_path):
    policy = order(written(tmp_path, visits(hub=300)), {"k": 4})
    with pytest.raises(InfeasibleError) as caught:
        publish_on_disk(tmp_path / "out", policy, piece_rows=200)
    assert caught.value.nearest == "a k of at most 3 is accepted"
    assert left_behind(tmp_path) == []


def test_diversity_that_rests_on_one_person_is_refused(tmp_path):
    frame = visits(rows=60).with_columns(ill=pl.lit("x"))
    one = frame.with_columns(
        pid=pl.when(pl.int_range(60) < 10).then(pl.lit("a")).otherwise("pid"),
        ill=pl.when(pl.int_range(60) < 10).then(pl.lit("y")).otherwise("ill"),
    )
    policy = order(written(tmp_path, one), {"k": 2, "l": {"ill": 2}})
    with pytest.raises(InfeasibleError, match="over people cannot be met"):
        publish_on_disk(tmp_path / "out", policy, piece_rows=200)


def test_rows_of_nobody_are_refused_with_their_number(tmp_path, monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 170)
    nobody = pl.when(pl.int_range(900) % 100 == 0).then(pl.lit(" ")).otherwise("pid")
    file = written(tmp_path, visits().with_columns(pid=nobody))
    with pytest.raises(DataError, match="9 of 900 rows have nothing there"):
        publish_on_disk(tmp_path / "out", order(file), piece_rows=200)


@pytest.mark.parametrize(
    "more",
    some(
        [
            {},
            {"recipients": KNOWN},
            {"method": "projections"},
            {"method": "permutation", "privacy": {"k": 3, "e": 2}},
        ]
    ),
)
def test_an_identifier_that_repeats_is_asked_about(more, tmp_path):
    frame = visits().with_columns(ill=pl.int_range(900) % 7)
    columns = {**COLUMNS, "ill": {"role": "sensitive", "type": "numeric"}}
    policy = order(written(tmp_path, frame), **{"columns": columns, **more, "person": None})
    different = frame["pid"].n_unique()
    with pytest.raises(PolicyError, match=f"has {different} different values in 900 rows"):
        publish_on_disk(tmp_path / "out", policy, piece_rows=200)
    named = frame.with_columns(pid=pl.int_range(900))
    policy = order(written(tmp_path, named), **{"columns": columns, **more, "person": None})
    assert publish_on_disk(tmp_path / "out", policy, piece_rows=200).verdict.holds


@pytest.mark.parametrize("claim", ["k-anonymity", "distinct-l-diversity", "t-closeness"])
def test_a_method_that_forgets_people_publishes_nothing(claim, tmp_path, monkeypatch):
    make = module.finish

    def forgetful(piece, meanings, policy, choice, randomness):
        alone = np.zeros(piece.rows, np.bool_)
        blind = replace(piece, people=PiecePeople(np.arange(piece.rows), alone))
        return make(blind, meanings, policy, choice, randomness)

    monkeypatch.setattr(module, "finish", forgetful)
    privacy = {
        "k-anonymity": {"k": 4},
        "distinct-l-diversity": {"k": 1, "l": {"ill": 4}},
        "t-closeness": {"k": 1, "t": {"ill": 0.3}},
    }[claim]
    file = written(tmp_path, visits(people=25))
    with pytest.raises(VerificationError, match=f"{claim} over people"):
        publish_on_disk(tmp_path / "out", order(file, privacy), piece_rows=200)
    assert left_behind(tmp_path) == []


def test_totals_that_are_not_the_tables_are_noticed(tmp_path, monkeypatch):
    made = module.totals_of

    def wrong(meanings):
        return {name: (values, counts[::-1]) for name, (values, counts) in made(meanings).items()}

    monkeypatch.setattr(module, "totals_of", wrong)
    policy = order(written(tmp_path, visits()), {"k": 2, "t": {"ill": 0.9}})
    with pytest.raises(VerificationError, match="t-closeness over people"):
        publish_on_disk(tmp_path / "out", policy, piece_rows=200)


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(5, 40)))
def test_people_are_counted_as_in_memory(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "HEAVY", 5)
    chance = np.random.default_rng(seed)
    names = pl.Series("pid", [f"p{n}" for n in chance.integers(0, 40, chance.integers(1, 90))])
    key = int(chance.integers(0, 1 << 40))
    with (tmp_path / "a").open("w+b") as one, (tmp_path / "b").open("w+b") as other:
        found = counting.NumbersOnDisk(one)
        for begin in range(0, len(names), 7):
            found.add(person_numbers(names[begin : begin + 7], key))
        told, repeated = counting.count_people(found, other)
        known = people_of(person_names(names))
        assert (told.count, told.several, told.most) == (known.count, known.several, known.most)
        numbers = counting.PeopleOnDisk(told, key, repeated).numbers(names)
    counts = dict(names.value_counts().iter_rows())
    assert [each >= 0 for each in numbers] == [counts[name] > 1 for name in names]
    heavy = sorted((count for count in counts.values() if count > 1), reverse=True)
    assert len(told.heavy) == min(len(heavy), 5)
    assert told.rest == (heavy[5] if len(heavy) > 5 else 1)
    codes = told.heavy_codes(numbers)
    chosen = [counts[n] for n, code in zip(names, codes, strict=True) if code == len(told.heavy)]
    assert max(chosen, default=1) <= told.rest


@pytest.mark.searches
def test_no_node_is_taken_that_does_not_meet_the_demand():
    """What counts say of a node holds for its rows, and they say it often."""
    taken = [taken_node(seed) for seed in range(tries(300, 5000))]
    assert sum(taken) > len(taken) / 20


def taken_node(seed):
    """Whether a random node is taken by its counts; its rows then meet the demand."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(4, 60))
    owners = chance.integers(0, int(chance.integers(2, 40)), rows)
    ill = pl.Series("ill", chance.choice(list("abc"), rows))
    column = Column("ill", Role.SENSITIVE, ColumnType.CATEGORY)
    people = people_of(person_names(pl.Series("pid", owners.astype(str))))
    table = Table("t", ill.to_frame(), (column,), people=people)
    about = [DistinctDiversity("ill", 2), EntropyDiversity("ill", 1.4), TCloseness("ill", 0.5)]
    chosen = [KAnonymity(2), about[seed % 3]]
    exact = demand_of(over_people(chosen), table)
    plain = demand_of(chosen, table)
    some_rows = np.flatnonzero(chance.random(rows) < chance.random()).astype(np.int32)
    if not len(some_rows):
        return False
    heavy = np.sort(chance.permutation(np.unique(owners))[:3])
    rest = max((int((owners == p).sum()) for p in set(owners) - set(heavy)), default=1)
    careful = with_rule_of_people(plain, len(heavy), rest, 2)._replace(total=rows)
    codes = np.where(np.isin(owners, heavy), np.searchsorted(heavy, owners), len(heavy))
    held = with_codes_of_people(plain.sensitive, codes.astype(np.int32))[some_rows]
    counts = tuple(np.bincount(each, minlength=9) for each in held.T)
    node = NodeCounts((np.array([len(some_rows)]),), (counts[0], counts[1][: len(heavy) + 1]))
    found = meets(careful, node)
    assert not found or class_meets(exact, some_rows)
    return found

"""Permuted values of more rows than memory: the same groups as in memory, true, and by chance."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certain_lies import exchanged_groups, first_line_twice
from on_disk import left_behind, publish_on_disk
from papilio import Policy
from papilio.errors import DataError, InfeasibleError, PolicyError, VerificationError
from papilio.families.engines.disk import people as dealing
from papilio.families.engines.piece import Drawing
from papilio.families.permutation import pieces as module
from papilio.families.permutation import plan as planning
from papilio.kernels.draw_groups import draw_groups, sums_tree
from papilio.randomness import Randomness
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import out_of_core
from papilio.workflow.verify import verify
from sizes import some

ROWS = 1200


def salaries(rows=ROWS, seed=1, missing=0.04):
    chance = np.random.default_rng(seed)
    values = chance.lognormal(10, 0.7, rows).astype(np.int64) % 97
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": chance.integers(18, 90, rows),
            "job": [f"job\n{number}" for number in chance.integers(0, 900, rows)],
            "half": [(None, -0.0, n / 2)[min(n, 2)] for n in chance.integers(0, 90, rows)],
            "born": pl.Series(chance.integers(0, 9000, rows), dtype=pl.Int32).cast(pl.Date),
            "salary": pl.Series(values).set(pl.Series(chance.random(rows) < missing), None),
        }
    )


def order(path, privacy=None, **more):
    columns = {
        "name": "identifier", "age": "quasi", "job": "quasi", "half": "quasi", "born": "plain",
        "salary": {"role": "sensitive", "type": "numeric"},
    }  # fmt: skip
    said = {"privacy": privacy or {"k": 4, "e": 5}, "method": "permutation", **more}
    return Policy(source=str(path), columns=columns, **said)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr("papilio.data.io.stream.BATCH_ROWS", 190)
    monkeypatch.setattr("papilio.data.io.stream.BLOCK_BYTES", 3000)


def cells_of_groups(publication, column="salary"):
    """The values of each group, and its missing ones apart, as sorted lists."""
    values = publication.release.frames[publication.release.manifest.tables[1].name]
    found = values.group_by("group").agg(pl.col(column).drop_nulls().sort())
    return sorted(map(tuple, found.get_column(column).to_list()))


def check_same(pieces, memory, policy):
    assert pieces.release.manifest.claims == memory.release.manifest.claims
    assert pieces.release.manifest.tables == memory.release.manifest.tables
    assert pieces.left_out == memory.left_out
    assert pieces.choice == memory.choice
    for name, frame in memory.release.frames.items():
        assert dict(pieces.release.frames[name].schema) == dict(frame.schema), name
    assert verify(pieces.directory, original=policy).holds


@pytest.mark.usefixtures("small_blocks")
def test_known_rows_windows_and_shares_of_the_range(tmp_path):
    source = tmp_path / "people.parquet"
    salaries().write_parquet(source, row_group_size=300)
    privacy = {"k": 4, "e": "10%", "known": 2, "near": {"width": "5%", "at_most": 0.5}}
    policy = order(source, privacy)
    pieces = publish_on_disk(tmp_path / "pieces", policy)
    memory = publish_to(tmp_path / "memory", policy)
    check_same(pieces, memory, policy)
    assert cells_of_groups(pieces) == cells_of_groups(memory)
    assert pieces.release.manifest.claims[0].parameters["known"] == 2
    for stricter in ({"known": 9}, {"e": "90%"}, {"near": "10% within 5%"}):
        other = order(source, {**privacy, **stricter})
        assert not verify(pieces.directory, original=other).holds


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("minimise", some(["sum", "max", "max-exact", "groups"], first=2))
@pytest.mark.parametrize("kind", some(["parquet", "csv"]))
def test_the_groups_of_a_table_in_memory(tmp_path, kind, minimise):
    frame = salaries()
    source = tmp_path / f"people.{kind}"
    frame.write_csv(source) if kind == "csv" else frame.write_parquet(source, row_group_size=300)
    policy = order(source, minimise=minimise)
    form = "csv" if kind == "parquet" else "parquet"
    pieces = publish_on_disk(tmp_path / "pieces", policy, format=form)
    memory = publish_to(tmp_path / "memory", policy, format=form)
    check_same(pieces, memory, policy)
    assert cells_of_groups(pieces) == cells_of_groups(memory)
    assert [f.claim for f in pieces.verdict.findings] == [f.claim for f in memory.verdict.findings]
    shown = ["age", "job", "half", "born"]
    published = pieces.release.frames["people"].select(shown)
    assert published.sort(shown).equals(frame.select(shown).sort(shown))
    files = {table.name: 0 for table in pieces.release.manifest.tables}
    for file in pieces.release.manifest.files:
        files[file.table] += 1
    assert min(files.values()) > 4
    assert left_behind(tmp_path) == []


def test_the_help_table_is_that_of_memory(tmp_path):
    """Apart from the numbers of the groups; where groups are larger than files, too."""
    source = tmp_path / "people.parquet"
    salaries(missing=0.0).with_columns(pl.col("salary") / 8).write_parquet(source)
    policy = order(source, {"k": 20, "e": 3})
    made = [
        publish_on_disk(tmp_path / "pieces", policy, piece_rows=90),
        publish_to(tmp_path / "memory", policy),
    ]
    lines = []
    for each in made:
        helping = each.release.frames["people_help"].drop("group")
        lines.append(helping.select(pl.all().round(6)).sort(pl.all()))
    assert lines[0].equals(lines[1])


def test_both_zeros_are_one_value(tmp_path):
    chance = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "group": chance.integers(0, 5, 400),
            "place": chance.integers(0, 5, 400),
            "pay": pl.Series(chance.choice([0.0, -0.0, 0.1, 1.5, 2.25, -7.125, 1e100], 400)).set(
                pl.Series(chance.random(400) < 0.1), None
            ),
        }
    )
    frame.write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"group": "quasi", "place": "quasi", "pay": "sensitive"},
        privacy={"k": 2, "e": 0.1},
        method="permutation",
    )
    made = publish_on_disk(tmp_path / "out", policy, piece_rows=60)
    assert verify(made.directory, original=policy).holds
    assert made.release.frames["people"].columns == ["group", "place", "group_"]


def test_rows_of_equal_value_are_dealt_out_by_chance(tmp_path):
    frame = pl.DataFrame({"place": range(400), "pay": [1] * 100 + [2] * 200 + [3] * 100})
    frame.write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"place": "quasi", "pay": "sensitive"},
        privacy={"k": 2, "e": 1},
        method="permutation",
    )
    shared = []
    for run in ("one", "two"):
        people = publish_on_disk(tmp_path / run, policy).release.frames["people"]
        assert people.group_by("group").len().get_column("len").to_list() == [200, 200]
        assert not people.get_column("place").is_sorted()
        high = people.filter(pl.col("place") == 399).get_column("group").item()
        middle = people.filter(pl.col("place").is_between(100, 299) & (pl.col("group") == high))
        mine = set(middle.get_column("place").to_list())
        assert len(mine) == 100
        # Of a random half, about half are among the first half.
        assert 25 < len([place for place in mine if place < 200]) < 75
        shared.append(mine)
    assert shared[0] != shared[1]


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=12),
    st.integers(0, 2**32),
    st.integers(1, 7),
)
def test_every_place_of_a_plan_is_filled(entries, seed, window):
    kinds, copies = (np.array(each, np.int64) for each in zip(*sorted(entries), strict=True))
    groups = np.arange(len(kinds)) + 10
    rows = np.random.default_rng(seed).permutation(np.repeat(kinds, copies))
    drawing, drawn, random = Drawing(kinds, groups, copies, 5), [], Randomness(seed)
    for begin in range(0, len(rows), window):
        drawn += drawing.draw(rows[begin : begin + window], random).tolist()
    taken = np.bincount(np.array(drawn, np.int64) - 10, minlength=len(groups)).tolist()
    assert taken == copies.tolist()
    assert all(kinds[group - 10] == kind for kind, group in zip(rows, drawn, strict=True))
    with pytest.raises(DataError, match="changed while it was read"):
        drawing.draw(np.array([0]), random)


def test_each_way_to_fill_places_is_equally_likely():
    """Three rows of one kind, of which one place is in the first group and two in the second."""
    ways = {}
    for seed in range(600):
        keys = Randomness(seed).keys(3)
        copies = np.array([1, 2], np.int64)
        left, starts = np.array([3], np.int64), np.array([0, 2], np.int64)
        zero = np.zeros(3, np.int64)
        drawn = draw_groups(zero, keys, starts, np.array([0, 1]), left, sums_tree(copies))
        ways[tuple(drawn.tolist())] = ways.get(tuple(drawn.tolist()), 0) + 1
    assert set(ways) == {(0, 1, 1), (1, 0, 1), (1, 1, 0)}
    assert min(ways.values()) > 140


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.one_of(st.none(), st.integers(-5, 5)), min_size=6, max_size=30),
    st.integers(1, 3),
    st.integers(0, 3),
)
def test_tiny_tables(tmp_path_factory, values, k, e):
    folder = tmp_path_factory.mktemp("tiny")
    frame = pl.DataFrame({"age": range(len(values)), "pay": pl.Series(values, dtype=pl.Int64)})
    frame.write_parquet(folder / "people.parquet")
    policy = Policy(
        source=str(folder / "people.parquet"),
        columns={"age": "quasi", "pay": "sensitive"},
        privacy={"k": k, "e": e},
        method="permutation",
    )
    try:
        memory = publish_to(folder / "memory", policy)
    except InfeasibleError as error:
        with pytest.raises(InfeasibleError, match=re.escape(str(error))):
            publish_on_disk(folder / "pieces", policy, piece_rows=5)
        return
    pieces = publish_on_disk(folder / "pieces", policy, piece_rows=5)
    assert cells_of_groups(pieces, "pay") == cells_of_groups(memory, "pay")


@pytest.mark.parametrize(
    ("minimise", "privacy", "message"),
    [
        (
            "random",
            {"k": 2, "e": 1},
            "the memory limit, or sum, max, max-exact or groups",
        ),
        ("groups", {"k": 1, "e": 0}, "every row would be a group; leave out the memory limit"),
    ],
)
def test_what_is_refused_before_anything_is_read(tmp_path, monkeypatch, minimise, privacy, message):
    monkeypatch.setattr("papilio.families.engines.disk.memory._PER_ROW", 1 << 20)
    salaries().write_parquet(tmp_path / "people.parquet")
    policy = order(tmp_path / "people.parquet", privacy, minimise=minimise)
    with pytest.raises(PolicyError, match=message):
        out_of_core(policy, 1 << 30)


def test_too_many_values_are_refused_without_one_of_them(tmp_path):
    frame = salaries().with_columns(pl.int_range(pl.len()).alias("salary") + 70_000)
    frame.write_parquet(tmp_path / "people.parquet")
    with pytest.raises(DataError, match="'salary' has too many different values") as refused:
        publish_on_disk(tmp_path / "out", order(tmp_path / "people.parquet"), values=1000)
    assert "70" not in str(refused.value)
    assert left_behind(tmp_path) == []


def test_quasi_identifiers_may_have_any_number_of_values(tmp_path):
    frame = salaries().with_columns(pl.col("name").alias("job"))
    frame.write_csv(tmp_path / "people.csv")
    policy = order(tmp_path / "people.csv")
    made = publish_on_disk(tmp_path / "out", policy, values=150)
    jobs = made.release.frames["people"].get_column("job")
    assert jobs.sort().equals(frame.get_column("name").sort().alias("job"))


# Lies: each release proves its claims, and is not true.


@pytest.fixture
def refused(tmp_path):
    salaries(600).write_parquet(tmp_path / "people.parquet")

    def run(message):
        policy = order(tmp_path / "people.parquet", {"k": 3, "e": 2})
        with pytest.raises(VerificationError, match=f"not written: {message}"):
            publish_on_disk(tmp_path / "out", policy, piece_rows=250)
        assert not (tmp_path / "out").exists()
        assert left_behind(tmp_path) == []

    return run


def writing(monkeypatch, bend, table="people"):
    """Let ``bend`` change what is written to files of a table."""
    from papilio.families.engines.disk.run import Run

    true = Run.write

    def write(run, frame, name, number):
        return true(run, bend(frame) if name == table else frame, name, number)

    monkeypatch.setattr(Run, "write", write)


@pytest.mark.parametrize(
    "lie",
    [
        lambda frame: frame.with_columns(pl.col("half").reverse()),
        lambda frame: first_line_twice(frame, keep="group"),
    ],
)
def test_columns_of_others(refused, monkeypatch, lie):
    writing(monkeypatch, lie)
    refused("truthfulness: in 3 of 3 files not: ")


def test_people_in_groups_of_others(refused, monkeypatch):
    shown = ["age", "job", "half", "born"]
    writing(monkeypatch, lambda frame: exchanged_groups(frame, salaries(600), shown, "salary"))
    refused("truthfulness of groups: some groups have other values")


def test_values_of_other_groups(refused, monkeypatch):
    """Values and help table agree with each other."""
    true, drawing, honest = planning.deal, module.drawing_of, []

    def swapped(*arguments):
        dealt = true(*arguments)
        honest.append(dealt)
        sizes = dealt.sizes
        # Two groups of one size, so that people and values are as many.
        pairs = ((a, b) for a in range(dealt.count) for b in range(a) if sizes[a] == sizes[b])
        one, other = next(pairs)
        group = dealt.group.copy()
        group[dealt.group == one], group[dealt.group == other] = other, one
        return planning.Dealt(dealt.value, group, dealt.first, dealt.copies, dealt.count)

    monkeypatch.setattr(module, "deal", swapped)
    monkeypatch.setattr(module, "drawing_of", lambda _, known: drawing(honest[-1], known))
    refused("truthfulness of groups: some groups have other values")


def test_values_that_are_others(refused, monkeypatch):
    """One value is another, and so is the help table, which follows from it."""
    true = module.counted

    def raised(*arguments):
        known, nulls = true(*arguments)
        values = known.values.copy()
        values[-1] += 1
        return planning.ValueCounts(values, known.starts), nulls

    codes = module.value_codes

    def lowered(known, values):
        honest = known.values.copy()
        honest[-1] -= 1
        return codes(planning.ValueCounts(honest, known.starts), values)

    monkeypatch.setattr(module, "counted", raised)
    monkeypatch.setattr(module, "value_codes", lowered)
    refused("truthfulness of people_values: the files are made of other rows")


@pytest.mark.parametrize("field", ["born", "half"])
def test_rows_that_changed_on_their_way(refused, monkeypatch, field):
    true = dealing.pack

    def bent(frame, *more):
        turned = frame.get_column(field).gather(np.roll(np.arange(frame.height), 1))
        return true(frame.with_columns(turned), *more)

    monkeypatch.setattr(dealing, "pack", bent)
    refused("truthfulness: the files are made of other rows than the original's 600")


def test_a_file_that_gets_lost(refused, monkeypatch):
    true = module.write_people

    def fewer(run, people, *more):
        kept = dealing.People(people.files[1:], people.meanings, people.source)
        return true(run, kept, *more)

    monkeypatch.setattr(module, "write_people", fewer)
    refused("rows of people")


class Unshuffled(Randomness):
    """Leaves everything in the order in which it came."""

    def permutation(self, count):
        return np.arange(count)


def test_lines_as_they_came(refused, monkeypatch):
    monkeypatch.setattr("papilio.workflow.publish_pieces.Randomness", Unshuffled)
    refused("(order of lines|order of the source): ")


def test_files_that_changed_after_they_were_looked_at(refused, monkeypatch):
    true = module.write_help

    def written_again(run, *more, **options):
        true(run, *more, **options)
        for file in run.draft.glob("people_values.*"):
            pl.read_parquet(file).reverse().write_parquet(file, statistics=False)

    monkeypatch.setattr(module, "write_help", written_again)
    refused("truthfulness of people_values: the files are not those")

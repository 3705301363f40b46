"""An order of lines that says something is found, and one left to chance is not."""

import dataclasses
import hashlib
import json
import math
import os

import numpy as np
import polars as pl
import pytest

from line_orders import POLICIES, source_of
from oracles import line_order as oracle
from papilio import Policy, publish
from papilio.errors import VerificationError
from papilio.randomness import Randomness
from papilio.verify import line_chance
from papilio.verify.kinds import check_source_order
from papilio.verify.line_chance import least_chance, neighbour_chance, trend_chance
from papilio.verify.line_order_kinds import Sequence, check_lines
from papilio.verify.opened import open_frames
from papilio.verify.verdict import Status
from papilio.workflow.verify import verify
from sizes import spread

#: How often a family is published anew to see that chance is not suspected.
TIMES = int(os.environ.get("PAPILIO_FUZZ", "1"))
CLAIM = "order of lines"


def order_of(release, **original):
    (found,) = [f for f in verify(release, **original).findings if f.claim == CLAIM]
    return found


def status(*sequences):
    return check_lines(CLAIM, sequences).status


def lines(block, key, place=None):
    block, key = np.asarray(block, np.int64), np.asarray(key, np.int64)
    return Sequence("x", block, np.arange(len(key)) if place is None else place, key)


# -- chances ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_a_trend_has_the_chance_that_writing_all_orders_out_gives(seed):
    generator = np.random.default_rng(seed)
    block = np.sort(generator.integers(0, 3, generator.integers(2, 8)))
    key = generator.integers(0, 4, len(block))
    found = math.exp(trend_chance(block, key))
    assert found == pytest.approx(float(oracle.trend(block.tolist(), key.tolist())))


@pytest.mark.parametrize("chance", [trend_chance, neighbour_chance])
@pytest.mark.parametrize(
    ("block", "key"),
    [
        ([0] * 7, [0, 1, 2, 3, 4, 5, 6]),
        ([0] * 7, [0, 0, 0, 1, 1, 2, 9]),
        ([0, 0, 0, 1, 1, 1, 1], [0, 1, 2, 0, 1, 2, 3]),
        ([0, 0, 0, 1, 1, 1, 2], [5, 5, 1, 5, 1, 5, 1]),
    ],
)
def test_no_chance_is_found_more_often_than_it_says(chance, block, key):
    block = np.array(block)
    found = [chance(block, np.array(order)) for order in oracle.orders(block.tolist(), key)]
    for limit in set(found):
        share = sum(each <= limit for each in found) / len(found)
        assert share <= math.exp(limit) * (1 + 1e-9)


@pytest.mark.parametrize("sizes", [[30, 30], [2] * 45, [7, 5, 3] * 3 + [10]])
@pytest.mark.parametrize("values", [4, 40])
def test_bounds_for_many_lines_are_above_what_is_exact_and_not_by_much(monkeypatch, sizes, values):
    block = np.repeat(np.arange(len(sizes)), sizes)
    key = np.random.default_rng(1).integers(0, values, len(block))
    key = key[np.lexsort((key, block))]
    found = []
    for lines_ in (10**6, 0):
        monkeypatch.setattr(line_chance, "EXACT_LINES", lines_)
        found.append(trend_chance(block, key))
    exact, bound = found
    assert exact - 1e-9 <= bound <= 0.85 * exact < -10
    assert least_chance(block, key) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("size", [2, 5, 40, 3000])
@pytest.mark.parametrize("values", [2, 10**6])
def test_chances_of_random_orders_are_no_smaller_than_chance_has_them(size, values):
    generator = np.random.default_rng(size)
    block = np.arange(3000) // size
    rounds = 150
    found = np.array(
        [
            [chance(block, key) for chance in (trend_chance, neighbour_chance)]
            for key in generator.integers(0, values, (rounds, 3000))
        ]
    )
    # Of 150, 7.5 are to be expected below 0.05, and more than 22 once in 10^5 times.
    assert (found < math.log(0.05)).sum(axis=0).max() <= 22
    assert found.min() > math.log(1e-6)


# -- orders -----------------------------------------------------------------------------------

_GENERATOR = np.random.default_rng(8)
_N = 2000


def _chunks(size):
    """Stretches of lines, themselves in random order, their lines too."""
    chunk = _GENERATOR.permutation(_N // size)[np.arange(_N) // size]
    return np.lexsort((_GENERATOR.random(_N), chunk))


#: By name: blocks and, line by line, where the line stood in the source.
TELLING = {
    "the same": (np.zeros(_N), np.arange(_N)),
    "reversed": (np.zeros(_N), np.arange(_N)[::-1]),
    "stretches in their order": (
        np.zeros(_N),
        (_GENERATOR.permutation(100)[:, None] * 20 + np.arange(20)).ravel(),
    ),
    "stretches shuffled inside": (np.zeros(_N), _chunks(20)),
    "there and back": (np.zeros(_N), np.abs(np.arange(_N) - _N // 2)),
    "moved a little": (np.zeros(_N), np.argsort(np.arange(_N) + _GENERATOR.normal(0, 300, _N))),
    "inside groups of two": (np.arange(_N) // 2, np.arange(_N)),
    "inside groups of five": (np.arange(_N) // 5, np.arange(_N)[::-1]),
    "a few values": (np.arange(_N) // 50, np.arange(_N) % 50 // 25),
    "one in ten": (
        np.zeros(_N),
        np.where(np.arange(_N) % 4 == 0, np.arange(_N), _GENERATOR.permutation(_N)),
    ),
}


@pytest.mark.parametrize("name", TELLING)
def test_an_order_that_follows_something_is_found(name):
    block, key = TELLING[name]
    assert status(lines(block, key)) is Status.VIOLATED
    mixed = np.random.default_rng(3).permutation(_N)
    assert status(lines(block, np.asarray(key)[mixed])) is Status.HOLDS


def test_fourteen_lines_are_enough_and_twelve_are_not():
    # 2 / 14! is below 5e-10 / 2 and 2 / 12! is not.
    assert status(lines([0] * 14, range(14))) is Status.VIOLATED
    found = check_lines(CLAIM, [lines([0] * 12, range(12))])
    assert (found.status, found.measured) == (Status.HOLDS, "too few lines to tell")


def test_nothing_to_look_at_is_nothing_found():
    assert check_lines(CLAIM, []).measured == "too few lines to tell"
    assert status(lines([], [])) is Status.HOLDS
    assert status(lines([0] * 500, [7] * 500)) is Status.HOLDS


def test_places_decide_and_not_the_order_in_which_lines_are_told():
    key = np.random.default_rng(2).permutation(100)
    assert status(lines([0] * 100, key, place=key)) is Status.VIOLATED


# -- releases ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest():
    return {kind: publish(source_of(kind), POLICIES[kind], name="t") for kind in POLICIES}


@pytest.mark.parametrize("kind", spread(POLICIES, 2))
def test_what_chance_ordered_is_not_suspected(honest, kind):
    for _ in range(TIMES):
        release = publish(source_of(kind), POLICIES[kind], name="t")
        assert order_of(release).status is Status.HOLDS
    assert "nothing in" in order_of(honest[kind]).measured


class _Zeros(Randomness):
    """The same for all tables, so that people stand in the same places in each of them."""

    def keys(self, count):
        return np.zeros(count, np.uint64)


class _Rising(Randomness):
    """Permutations that leave everything where it was."""

    def keys(self, count):
        return np.arange(count, dtype=np.uint64)


@pytest.mark.parametrize("forgot", [_Zeros, _Rising])
@pytest.mark.parametrize("kind", POLICIES)
def test_a_method_that_forgets_to_shuffle_publishes_nothing(monkeypatch, kind, forgot):
    monkeypatch.setattr("papilio.workflow.publish.Randomness", forgot)
    with pytest.raises(VerificationError, match=CLAIM):
        publish(source_of(kind), POLICIES[kind], name="t")


def changed(release, **frames):
    return dataclasses.replace(release, frames={**release.frames, **frames})


def only_the_order_is_wrong(release):
    wrong = [f.claim for f in verify(release).findings if f.status is not Status.HOLDS]
    assert wrong == [CLAIM]
    return order_of(release).measured


@pytest.mark.parametrize("kind", ["permuted", "disguised"])
@pytest.mark.parametrize("backwards", [False, True])
def test_people_who_stand_beside_their_values(honest, kind, backwards):
    release = honest[kind]
    people, values = release.frames["t"], release.frames["t_values"]
    group = "group"
    own = "pay" if kind == "permuted" else "pay_min"
    ranks = people.select(
        group, rank=pl.col("height").rank("ordinal", descending=backwards).over(group)
    )
    sorted_ = values.sort(group, own).with_columns(rank=pl.int_range(1, pl.len() + 1).over(group))
    beside = ranks.join(sorted_, on=[group, "rank"], how="left", maintain_order="left")
    measured = only_the_order_is_wrong(changed(release, t_values=beside.select(values.columns)))
    assert measured.startswith("follows 'height' of 't' in 't_values'")


@pytest.mark.parametrize("kind", ["permuted", "disguised"])
def test_values_in_ascending_order(honest, kind):
    values = honest[kind].frames["t_values"]
    release = changed(honest[kind], t_values=values.sort(values.columns))
    assert "'pay' inside the groups of 't_values'" in only_the_order_is_wrong(release)


def test_projections_in_one_order_of_people(honest):
    release = honest["projected"]
    order = np.random.default_rng(1).permutation(600)
    # Classes of both tables follow height, which goes with nothing but the person.
    frames = {
        name: frame.sort("height_min", "height_max")[order]
        for name, frame in release.frames.items()
    }
    assert "of 't_1' in 't_2'" in only_the_order_is_wrong(changed(release, **frames))


def test_projections_whose_classes_stand_in_one_order(honest):
    release = honest["projected"]
    frames = {name: frame.sort("height_min", "town") for name, frame in release.frames.items()}
    measured = only_the_order_is_wrong(changed(release, **frames))
    assert "'height' from class to class of 't_1'" in measured


def test_secrets_in_ascending_order_inside_classes(honest):
    release = honest["generalised"]
    cells = ["height_min", "height_max", "town"]
    number = release.frames["t"].select(pl.struct(cells).rle_id()).to_series()
    frame = release.frames["t"].with_columns(number.alias("n")).sort("n", "pay").drop("n")
    measured = only_the_order_is_wrong(changed(release, t=frame))
    assert measured == "follows 'pay' inside the classes of 't'"


def test_keys_in_the_order_of_lines(honest):
    release = honest["linked"]
    student = release.frames["student"].sort("sid")
    assert "'sid' of 'student'" in only_the_order_is_wrong(changed(release, student=student))


def test_lines_of_a_table_in_the_order_of_those_above(honest):
    release = honest["linked"]
    line = release.frames["student"].select("sid", line=pl.int_range(pl.len()))
    takes = release.frames["takes"].join(line, on="sid", how="left").sort("line").drop("line")
    measured = only_the_order_is_wrong(changed(release, takes=takes))
    assert measured.startswith("follows lines of 'student' in 'takes'")


def test_keys_that_follow_the_keys_above(honest):
    release = honest["linked"]
    takes = release.frames["takes"]
    cid = takes.get_column("sid").rank("ordinal").cast(takes.schema["cid"])
    measured = only_the_order_is_wrong(changed(release, takes=takes.with_columns(cid.alias("cid"))))
    assert measured.startswith("follows 'sid' by the keys of 'takes'")


def test_entities_who_stand_beside_their_nodes():
    # Nodes of a group have different degrees only if degrees do not choose the groups.
    policy = POLICIES["graph"].varied([(("graph", "order"), "random")])
    release = publish(source_of("graph"), policy, name="t")
    degree = release.frames["edges"].group_by("a").len().rename({"a": "node", "len": "degree"})
    nodes = release.frames["left_nodes"].join(degree, on="node", how="left")
    rank = pl.col("degree").fill_null(0).rank("ordinal").over("group").alias("rank")
    customers = release.frames["left"].sort("group", "visits")
    customers = customers.with_columns(rank=pl.int_range(1, pl.len() + 1).over("group"))
    beside = nodes.with_columns(rank.cast(pl.Int64)).join(
        customers.with_columns(pl.col("rank").cast(pl.Int64)),
        on=["group", "rank"],
        how="left",
        maintain_order="left",
    )
    left = beside.select(release.frames["left"].columns)
    measured = only_the_order_is_wrong(changed(release, left=left))
    assert "'visits' of 'left' in 'left_nodes' (degree)" in measured


@pytest.mark.parametrize("table", ["edges", "left_nodes", "right_nodes"])
def test_edges_and_nodes_that_do_not_stand_by_their_numbers(honest, table):
    release = honest["graph"]
    frame = release.frames[table]
    moved = frame[np.random.default_rng(1).permutation(frame.height)]
    measured = only_the_order_is_wrong(changed(release, **{table: moved}))
    assert measured == f"'{table}' does not stand in the order of its numbers"


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_order_of_lines_is_that_of_the_file(tmp_path, honest, form):
    values = honest["permuted"].frames["t_values"]
    bad = changed(honest["permuted"], t_values=values.sort(values.columns))
    bad.save(tmp_path / "bad", format=form)
    honest["permuted"].save(tmp_path / "good", format=form)
    for memory in (None, 1 << 30):
        verdict = verify(tmp_path / "bad", memory=memory)
        assert [f.claim for f in verdict.findings if f.status is not Status.HOLDS] == [CLAIM]
        assert verify(tmp_path / "good", memory=memory).holds


def test_of_several_files_the_first_is_looked_at(tmp_path, honest):
    frame = honest["generalised"].frames["t"].sort("height_min", "town", "pay")
    changed(honest["generalised"], t=frame).save(tmp_path / "r")
    _split(tmp_path / "r", frame, [300, 300])
    assert "inside the classes of 't'" in only_the_order_is_wrong(tmp_path / "r")


def _split(directory, frame, heights):
    manifest = json.loads((directory / "release.json").read_text(encoding="utf-8"))
    (directory / "t.parquet").unlink()
    files, start = [], 0
    for number, height in enumerate(heights, 1):
        file = directory / f"t.{number:05}.parquet"
        frame[start : start + height].write_parquet(file)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        files.append({"name": file.name, "sha256": digest, "table": "t"})
        start += height
    manifest["files"] = files
    (directory / "release.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_classes_with_equal_cells_are_shuffled_as_one():
    """Apart, they would tell which of the rows that look alike were grouped together."""
    frame = pl.DataFrame({"age": np.repeat([30, 31], 300), "ill": ["a", "b"] * 300})
    columns = {"age": "quasi", "ill": "sensitive"}
    policy = Policy(columns=columns, privacy={"k": 5}, method="relaxed-mondrian")
    release = publish(frame, policy, name="t")
    published = release.frames["t"]
    cells = published.select(pl.struct("age_min", "age_max"))
    assert cells.select(pl.all().rle_id().max() + 1).item() == cells.n_unique()


def test_a_release_of_few_lines_is_not_suspected():
    release = publish(source_of("permuted")[:12], POLICIES["permuted"], name="t")
    found = order_of(release)
    assert (found.status, found.measured) == (Status.HOLDS, "too few lines to tell")


# -- beside the source ------------------------------------------------------------------------

SOURCE = "order of the source"


def beside_source(release, kind):
    verdict = verify(release, original=POLICIES[kind], data=source_of(kind))
    wrong = {f.claim for f in verdict.findings if f.status is not Status.HOLDS}
    (found,) = [f for f in verdict.findings if f.claim == SOURCE]
    return wrong, found.measured


@pytest.mark.parametrize("kind", spread(POLICIES, 2))
def test_what_chance_ordered_does_not_follow_the_source(honest, kind):
    wrong, measured = beside_source(honest[kind], kind)
    assert not wrong
    assert measured.startswith("nothing in")


@pytest.mark.parametrize("kind", spread(POLICIES, 2))
def test_a_method_that_forgets_to_shuffle_is_seen_beside_the_source(monkeypatch, kind):
    monkeypatch.setattr("papilio.workflow.publish.Randomness", _Zeros)
    monkeypatch.setattr("papilio.workflow.publish.confirm", lambda verdict: verdict)
    release = publish(source_of(kind), POLICIES[kind], name="t")
    assert SOURCE in beside_source(release, kind)[0]


def in_source_order(frame, source, *by):
    """Lines by where their secret, of which each is there once, stands in the source."""
    place = source.select("pay", place=pl.int_range(pl.len()))
    return frame.join(place, on="pay", how="left").sort(*by, "place").drop("place")


@pytest.mark.parametrize("backwards", [False, True])
def test_rows_in_the_order_of_the_source(honest, backwards):
    frame = in_source_order(honest["generalised"].frames["t"], source_of("generalised"))
    release = changed(honest["generalised"], t=frame.reverse() if backwards else frame)
    # Nothing in the source goes with its order, so that the release alone does not tell.
    wrong, measured = beside_source(release, "generalised")
    assert wrong == {SOURCE}
    assert measured == "follows the source in 't', not class by class"


def test_rows_in_the_order_of_the_source_inside_classes(honest):
    frame = honest["generalised"].frames["t"]
    cells = ["height_min", "height_max", "town"]
    number = frame.select(pl.struct(cells).rle_id().alias("n")).to_series()
    ordered = in_source_order(frame.with_columns(number), source_of("generalised"), "n").drop("n")
    wrong, measured = beside_source(changed(honest["generalised"], t=ordered), "generalised")
    assert wrong == {SOURCE}
    assert measured == "follows the source inside classes of 't'"


def test_values_in_the_order_of_the_source_inside_groups(honest):
    values = in_source_order(honest["permuted"].frames["t_values"], source_of("permuted"), "group")
    wrong, measured = beside_source(changed(honest["permuted"], t_values=values), "permuted")
    assert wrong == {SOURCE}
    assert measured == "follows the source inside groups of 't_values'"


def test_a_witness_says_where_lines_come_from(honest):
    """Values alone would not tell: all are equal."""
    release = honest["generalised"]
    frame = release.frames["t"].with_columns(pl.lit(7).alias("pay"))
    with open_frames(release.manifest, {"t": frame.to_arrow()}, {}) as opened:
        chance = np.random.default_rng(1).permutation(600)
        assert check_source_order(opened, {"t": chance}).status is Status.HOLDS
        found = check_source_order(opened, {"t": np.arange(600)})
    assert "the source inside classes of 't'" in found.measured
    assert "the source from class to class of 't'" in found.measured


def test_lines_that_nobody_knows_the_source_of_say_nothing(honest):
    release = honest["generalised"]
    with open_frames(release.manifest, {"t": release.frames["t"].to_arrow()}, {}) as opened:
        for rows in (np.full(600, -1), np.arange(9), np.zeros(0, np.int64)):
            assert check_source_order(opened, {"t": rows}).status is Status.HOLDS
        assert check_source_order(opened, {}).measured == "too few lines to tell"

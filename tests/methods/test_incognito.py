"""Incognito against the search of all vectors, and the promises about what it publishes."""

import csv
import io
import json
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import incognito as oracle
from papilio import samples
from papilio.data.encode import EncodedColumn, EncodedTable, encode
from papilio.data.hierarchy.rules import IntervalsRule, PathsRule
from papilio.data.hierarchy.tree import from_leaf_paths
from papilio.data.table import ColumnType, Role
from papilio.errors import DataError, InfeasibleError
from papilio.families.classes import Classes
from papilio.families.generalising.full_domain import full_domain_cells, trees_of
from papilio.families.generalising.incognito import incognito
from papilio.kernels.demand import Demand
from papilio.kernels.incognito import Levels, merge_classes
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import demand_of
from tables import column, quasi_tables, table

METRICS = ("ncp", "discernibility", "height")
shares = st.sampled_from([0, 0.1, 0.29, 0.5, 0.9])


@st.composite
def trees(draw):
    """Hierarchies of up to five leaves and four levels; some paths are short or repetitive."""
    leaves, height = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    groups = list(range(leaves))
    levels = [[f"v{leaf}" for leaf in range(leaves)]]
    for level in range(1, height):
        parents = draw(st.lists(st.integers(0, 2), min_size=5, max_size=5))
        groups = [parents[group] for group in groups]
        levels.append([f"g{level}.{group}" for group in groups])
    levels.append(["*"] * leaves)
    paths = [list(path) for path in zip(*levels, strict=True)]
    for leaf, path in enumerate(paths):
        shape = draw(st.sampled_from(["full", "full", "short", "repeated"]))
        if shape == "short":
            paths[leaf] = [path[0], path[-1]]
        if shape == "repeated":
            paths[leaf] = [path[0], *path]
    return from_leaf_paths(paths, {"paths": True})


@st.composite
def encoded_tables(draw, *, max_columns=4, max_rows=14):
    """Tables of codes with hierarchies, or without one in some columns."""
    hierarchies = draw(st.lists(st.one_of(st.none(), trees()), min_size=1, max_size=max_columns))
    columns, codes = [], []
    rows = draw(st.integers(1, max_rows))
    for index, tree in enumerate(hierarchies):
        values = ["a", "b", "c"] if tree is None else list(tree.leaves)
        described = column(f"c{index}")
        columns.append(EncodedColumn(described, pl.Series(values), has_null=False, hierarchy=tree))
        cells = st.integers(0, len(values) - 1)
        codes.append(draw(st.lists(cells, min_size=rows, max_size=rows)))
    codes += [[0] * rows] * (-len(codes) % 4)
    return EncodedTable(np.array(codes, np.int16).T.copy(), tuple(columns))


def plain(encoded):
    """Rows and columns as the twin wants them."""
    described = []
    for each, tree in zip(encoded.columns, trees_of(encoded), strict=True):
        if each.hierarchy is None:
            levels = [each.values.to_list(), ["*"] * len(each.values)]
            leaves = {**dict.fromkeys(levels[0], 1), "*": len(each.values)}
        else:
            levels = [[tree.labels[node] for node in level] for level in tree.levels.tolist()]
            leaves = {
                label: int(tree.last[node] - tree.first[node]) + 1
                for node, label in enumerate(tree.labels)
            }
        described.append((levels, leaves))
    return encoded.codes[:, : len(encoded.columns)].tolist(), described


def spare_rows(share, rows):
    return int(Fraction(str(share)) * rows)


def as_sets(classes: Classes):
    return {frozenset(classes.rows[a:b].tolist()) for a, b in pairwise(classes.starts.tolist())}


def assert_equals_twin(encoded, demand, meets, share, metric, **more):
    rows, columns = plain(encoded)
    spare = spare_rows(share, len(rows))
    acceptable = oracle.acceptable(rows, columns, meets, spare)
    if not acceptable:
        with pytest.raises(InfeasibleError):
            incognito(encoded, demand, suppress=share, metric=metric, **more)
        return
    found = incognito(encoded, demand, suppress=share, metric=metric, **more)
    expected = oracle.minimal(acceptable)
    assert set(found.minimal) == expected
    assert list(found.minimal) == sorted(expected, key=lambda v: (sum(v), v))
    assert found.levels == oracle.choice(rows, columns, expected, meets, metric)
    classes = [c for c in oracle.classes_at(rows, columns, found.levels) if meets(c)]
    assert as_sets(found.classes) == set(map(frozenset, classes))
    assert found.suppressed == len(rows) - sum(map(len, classes)) <= spare
    assert found.checked <= found.lattice


def demand_on(sensitive, *requirements):
    """Demand about one sensitive column ``s``."""
    values = pl.Series("s", [f"s{value}" for value in sensitive])
    return demand_of(requirements, table(s=(values, column("s", role=Role.SENSITIVE))))


def recursive(counts, least, ratio):
    ordered = sorted(counts, reverse=True)
    return len(ordered) >= least and ordered[0] * ratio[1] < ratio[0] * sum(ordered[least - 1 :])


@settings(max_examples=400)
@given(encoded_tables(), st.integers(1, 6), shares, st.sampled_from(METRICS))
def test_equals_the_search_of_all_vectors(encoded, k, share, metric):
    assert_equals_twin(encoded, Demand(k), lambda c: len(c) >= k, share, metric)


@settings(max_examples=200)
@given(encoded_tables(), st.integers(2, 6), shares)
def test_counts_classes_for_no_other_vector_than_it_must(encoded, k, share):
    rows, columns = plain(encoded)
    spare = spare_rows(share, len(rows))
    acceptable = oracle.acceptable(rows, columns, lambda c: len(c) >= k, spare)
    if acceptable:
        found = incognito(encoded, Demand(k), suppress=share)
        assert found.checked == len(oracle.counted(columns, acceptable))
        assert found.lattice == np.prod([len(levels) for levels, _ in columns])


@settings(max_examples=250)
@given(encoded_tables(max_rows=20), st.data(), shares, st.sampled_from(METRICS), st.booleans())
def test_distinct_values_may_be_searched_either_way(encoded, data, share, metric, monotone):
    k, least = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    sensitive = data.draw(
        st.lists(st.integers(0, 3), min_size=encoded.height, max_size=encoded.height)
    )

    def meets(rows):
        return len(rows) >= k and len({sensitive[row] for row in rows}) >= least

    demand = demand_on(sensitive, KAnonymity(k), DistinctDiversity("s", least))
    assert_equals_twin(encoded, demand, meets, share, metric, monotone_with_suppression=monotone)


@settings(max_examples=300)
@given(encoded_tables(max_rows=20), st.data(), shares, st.sampled_from(METRICS))
def test_demands_that_more_rows_can_break(encoded, data, share, metric):
    k, least = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    ratio = data.draw(st.sampled_from([(1, 1), (3, 2), (3, 1)]))
    sensitive = data.draw(
        st.lists(st.integers(0, 3), min_size=encoded.height, max_size=encoded.height)
    )

    def meets(rows):
        values = [sensitive[row] for row in rows]
        counts = [values.count(value) for value in set(values)]
        return len(rows) >= k and recursive(counts, least, ratio)

    demand = demand_on(sensitive, KAnonymity(k), RecursiveDiversity("s", Fraction(*ratio), least))
    assert_equals_twin(encoded, demand, meets, share, metric)


def test_a_vector_above_an_acceptable_one_may_fail_when_rows_are_left_out():
    """Why the search must not trust monotonicity there: merging brings bad rows into good classes.

    Under ``x`` the values 0 and 1 are equally frequent; the rows of ``y`` all have 0 and are left
    out. At the root they are one class in which 0 dominates.
    """
    tree = from_leaf_paths([("x", "*"), ("y", "*")], {"paths": True})
    columns = (EncodedColumn(column("c"), pl.Series(["x", "y"]), False, tree),)
    codes = np.array([[0, 0, 0, 0]] * 4 + [[1, 0, 0, 0]] * 4, np.int16)
    sensitive = [0, 1, 0, 1, 0, 0, 0, 0]
    demand = demand_on(sensitive, KAnonymity(2), RecursiveDiversity("s", 2, 2))
    found = incognito(EncodedTable(codes, columns), demand, suppress=0.5)
    assert found.levels == (0,)
    assert as_sets(found.classes) == {frozenset({0, 1, 2, 3})}
    with pytest.raises(InfeasibleError, match=r"recursive \(c,l\)-diversity.*at least 2 rows"):
        incognito(EncodedTable(codes, columns), demand)


def test_ties_go_to_the_smaller_penalty_whatever_the_height():
    """Both minimal vectors give two classes of two rows; (1, 0) is lower and loses more."""
    letters = from_leaf_paths([("a1", "*"), ("a2", "*")], {"paths": True})
    pairs = [(f"b{i}", f"b{i}", f"g{i // 2}", "*") for i in range(8)]
    columns = (
        EncodedColumn(column("a"), pl.Series(["a1", "a2"]), False, letters),
        EncodedColumn(
            column("b"), pl.Series([p[0] for p in pairs]), False, from_leaf_paths(pairs, {})
        ),
    )
    codes = np.array([[a, b, 0, 0] for a in (0, 1) for b in (0, 1)], np.int16)
    for metric, levels in (("discernibility", (0, 2)), ("ncp", (0, 2)), ("height", (1, 0))):
        found = incognito(EncodedTable(codes, columns), Demand(2), metric=metric)
        assert found.minimal == ((1, 0), (0, 2))
        assert found.levels == levels


def test_the_last_tie_goes_to_the_lower_level_in_the_first_column():
    made = table(
        one=(pl.Series(["a", "a", "b", "b"]), column("one")),
        two=(pl.Series(["a", "b", "a", "b"]), column("two")),
    )
    found = incognito(encode(made, made.with_role(Role.QUASI)), Demand(2))
    assert found.minimal == ((0, 1), (1, 0))
    assert found.levels == (0, 1)


@settings(max_examples=60)
@given(encoded_tables(), shares)
def test_one_row_a_class_needs_no_generalisation(encoded, share):
    found = incognito(encoded, Demand(1), suppress=share)
    assert found.minimal == ((0,) * len(encoded.columns),)
    assert found.suppressed == 0


@settings(max_examples=80)
@given(encoded_tables(max_rows=30), st.integers(1, 6), shares, st.randoms())
def test_does_not_depend_on_the_order_of_rows(encoded, k, share, random):
    order = list(range(encoded.height))
    random.shuffle(order)
    moved = EncodedTable(encoded.codes[order], encoded.columns)
    try:
        once = incognito(encoded, Demand(k), suppress=share)
    except InfeasibleError:
        assert encoded.height < k
        return
    again = incognito(moved, Demand(k), suppress=share)
    assert again.minimal == once.minimal
    assert again.levels == once.levels
    assert {frozenset(order[row] for row in c) for c in as_sets(again.classes)} == as_sets(
        once.classes
    )


def adult(rows):
    """Adult with the hierarchies that come with it, and one column without."""
    frame = (
        samples.adult()
        .head(rows)
        .select("age", "workclass", "marital-status", "race", "sex", "native-country")
    )
    rules = {
        name: PathsRule(samples.FOLDER / "hierarchies" / f"{name}.csv")
        for name in frame.columns
        if name not in ("age", "sex")
    }
    rules["age"] = IntervalsRule((5, 10, 20))
    described = {
        name: column(
            name,
            ColumnType.NUMERIC if name == "age" else ColumnType.CATEGORY,
            hierarchy=rules.get(name),
        )
        for name in frame.columns
    }
    made = table("adult", **{name: (frame[name], described[name]) for name in frame.columns})
    return encode(made, made.with_role(Role.QUASI))


@pytest.mark.parametrize("share", [0, 0.05])
def test_equals_the_search_of_all_vectors_on_real_data(share):
    assert_equals_twin(adult(150), Demand(5), lambda c: len(c) >= 5, share, "ncp")


def test_more_combinations_than_a_word_can_number():
    random = np.random.default_rng(1)
    codes = random.integers(0, 400, (500, 8))
    codes[250:] = codes[:250]
    # Two rows that differ from others in one column only.
    codes[498, 3] = (codes[248, 3] + 1) % 400
    values = pl.Series([f"{v:03}" for v in range(400)])
    columns = tuple(EncodedColumn(column(f"c{i}"), values, False) for i in range(8))
    encoded = EncodedTable(codes.astype(np.int16), columns)
    assert 400**8 > 2**62
    assert_equals_twin(encoded, Demand(2), lambda c: len(c) >= 2, 0, "ncp")


def test_combinations_with_the_same_hash_are_told_apart():
    """The size of the second column makes the hash blind to the first."""
    blind = 2_147_483_629
    levels = Levels(
        group=np.array([0, 1, 2, 0, 1, 2], np.int32),
        spread=np.zeros(6, np.int32),
        start=np.array([[0], [3]]),
        size=np.array([[3], [blind]]),
    )
    codes = np.array([[0, 1], [1, 1], [0, 1], [2, 1], [1, 1]], np.int16)
    which, members, counts = merge_classes(
        codes,
        np.arange(5, dtype=np.int32),
        np.array([1, 2, 4, 8, 16]),
        np.array([0, 1]),
        np.array([0, 0]),
        levels,
        0,
    )
    assert which.tolist() == [0, 1, 0, 2, 1]
    assert members.tolist() == [0, 1, 3]
    assert counts.tolist() == [5, 18, 8]


def _label(each, tree, node, published):
    """Label of a node; an automatic one names the published values below it and no others."""
    below = [tree.leaves[rank] for rank in range(tree.first[node], tree.last[node] + 1)]
    kept = [leaf for rank, leaf in enumerate(below, tree.first[node]) if rank in published]
    if node == 0 or not tree.reading.get("automatic") or tree.reading.get("flat"):
        return tree.labels[node]
    if len(kept) == 1:
        return kept[0]
    if each.column.type.ordered:
        return f"[{kept[0]}, {kept[-1]}]"
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


@settings(max_examples=150)
@given(quasi_tables(), st.integers(1, 5), st.sampled_from([0, 0.2]))
def test_every_cell_is_the_label_of_its_row_at_the_level_of_the_column(made, k, share):
    encoded = encode(made, made.with_role(Role.QUASI))
    if made.height < k:
        return
    found = incognito(encoded, Demand(k), suppress=share)
    cells = full_domain_cells(encoded, found.levels, found.classes)
    which = found.classes.class_of_position
    for index, (each, level) in enumerate(zip(encoded.columns, found.levels, strict=True)):
        tree = trees_of(encoded)[index]
        published = cells[each.column.name]
        (labels,) = published.series
        assert labels.dtype == pl.String
        assert published.column.cells == "node"
        assert published.column.hierarchy["level"] == level
        for position, row in enumerate(found.classes.rows.tolist()):
            node = tree.levels[level][encoded.codes[row, index]]
            expected = _label(each, tree, node, set(encoded.codes[found.classes.rows, index]))
            assert labels[int(which[position])] == expected
    sizes = pl.DataFrame([cells[name].series[0].gather(which) for name in cells])
    assert sizes.is_empty() or sizes.group_by(pl.all()).len()["len"].min() >= k


def test_a_file_of_paths_shows_the_label_of_each_value_at_each_level(tmp_path):
    file = tmp_path / "job.csv"
    file.write_text("cook;kitchen;service;*\nnurse;health;health;*\nother;*\n")
    jobs = ["cook", "nurse", "other", None]
    made = table(job=(pl.Series(jobs), column("job", hierarchy=PathsRule(file))))
    encoded = encode(made, made.with_role(Role.QUASI))
    rows = np.arange(4, dtype=np.int32)
    single = Classes(rows, np.arange(5))
    for level in range(4):
        cells = full_domain_cells(encoded, (level,), single)["job"]
        assert cells.column.hierarchy == {"paths": "hierarchy_1.csv", "level": level}
        (text,) = cells.hierarchy_file.values()
        lines = list(csv.reader(io.StringIO(text)))
        assert {len(line) for line in lines} == {4}
        label_of = {line[0]: line[level] for line in lines}
        expected = [label_of[job] if job else ("*" if level == 3 else None) for job in jobs]
        assert cells.series[0].to_list() == expected
    assert label_of == {"cook": "*", "nurse": "*", "other": "*"}


def test_columns_without_a_hierarchy_are_published_as_they_are_or_not_at_all():
    made = table(
        age=(pl.Series([30, 30, 41, None]), column("age", ColumnType.NUMERIC)),
        born=(
            pl.Series(["2020-01-02"] * 4).str.to_datetime(),
            column("born", ColumnType.DATE),
        ),
        ill=(pl.Series([True, True, False, False]), column("ill", ColumnType.BOOLEAN)),
    )
    encoded = encode(made, made.with_role(Role.QUASI))
    found = incognito(encoded, Demand(2))
    assert found.minimal == ((1, 0, 0),)
    cells = full_domain_cells(encoded, found.levels, found.classes)
    assert cells["age"].series[0].to_list() == ["*", "*"]
    assert cells["born"].series[0].to_list() == ["2020-01-02 00:00:00"] * 2
    assert cells["ill"].series[0].to_list() == ["true", "false"]
    assert cells["ill"].column.hierarchy == {"automatic": True, "flat": True, "level": 0}
    as_they_are = full_domain_cells(
        encoded, (0, 0, 0), Classes(np.arange(4, dtype=np.int32), np.arange(5))
    )
    assert as_they_are["age"].series[0].to_list() == ["30", "30", "41", None]


def test_a_value_that_reads_like_the_root_is_refused_without_naming_it():
    made = table(job=(pl.Series(["*", "b"]), column("job")))
    with pytest.raises(DataError) as error:
        incognito(encode(made, made.with_role(Role.QUASI)), Demand(1))
    assert error.value.reason == "value-like-label"


def test_more_rows_demanded_than_there_are():
    made = table(job=(pl.Series(["a", "b", "b"]), column("job")))
    encoded = encode(made, made.with_role(Role.QUASI))
    with pytest.raises(InfeasibleError) as error:
        incognito(encoded, Demand(4), suppress=0.9)
    assert error.value.reason == "too-few-rows"
    assert re.search(r"at least 4 rows.*has 3; classes of up to 3", str(error.value))
    assert incognito(encoded, Demand(3)).levels == (1,)


def test_a_table_whose_sensitive_values_never_suffice():
    made = table(job=(pl.Series(["a", "b", "b"]), column("job")))
    encoded = encode(made, made.with_role(Role.QUASI))
    demand = demand_on([1, 1, 1], KAnonymity(2), DistinctDiversity("s", 2))
    for share in (0, 0.5):
        with pytest.raises(InfeasibleError) as error:
            incognito(encoded, demand, suppress=share)
        assert error.value.reason == "no-levels"
        assert "meet distinct l-diversity;" in str(error.value)


@pytest.mark.parametrize("share", [-0.1, 1, 1.5])
def test_suppress_is_a_share(share):
    made = table(job=(pl.Series(["a"]), column("job")))
    with pytest.raises(ValueError, match="share"):
        incognito(encode(made, made.with_role(Role.QUASI)), Demand(1), suppress=share)


def test_a_share_counts_as_it_is_written():
    """0.29 times 100 is 28.999999999999996 in floating numbers."""
    values = ["a"] * 71 + [f"b{i}" for i in range(29)]
    made = table(job=(pl.Series(values), column("job")))
    found = incognito(encode(made, made.with_role(Role.QUASI)), Demand(2), suppress=0.29)
    assert found.levels == (0,)
    assert found.suppressed == 29


def test_a_lattice_beyond_memory_is_refused():
    many = {f"c{i}": (pl.Series(["a", "b"]), column(f"c{i}")) for i in range(26)}
    made = table(**many)
    with pytest.raises(DataError) as error:
        incognito(encode(made, made.with_role(Role.QUASI)), Demand(1))
    assert error.value.reason == "lattice-too-large"
    assert "67108864" in str(error.value)


def test_a_table_without_rows_has_no_classes():
    made = table(job=(pl.Series([], dtype=pl.String), column("job")))
    found = incognito(encode(made, made.with_role(Role.QUASI)), Demand(5))
    assert found.levels == (0,)
    assert found.classes.count == 0

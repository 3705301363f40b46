"""A hierarchy file is published as far as published values need it, and no further."""

import csv
from io import StringIO

import numpy as np
import polars as pl
import pytest

from papilio import Policy, publish
from papilio.data.hierarchy.published_labels import measuring_leaves
from papilio.data.hierarchy.tree import from_leaf_paths
from papilio.data.io.stream import open_stream
from papilio.policy.apply import columns_to_read
from papilio.progress import silent
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import limits_for, publish_out_of_core
from papilio.workflow.verify import verify
from sizes import spread

#: Towns of two regions, and secrets that are no towns at all.
TREE = """Ulm,South,Germany,*
Aalen,South,Germany,*
Kiel,North,Germany,*
Husum,North,Germany,*
hunter2,passwords,secrets,*
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tree.csv").write_text(TREE)
    return tmp_path


def policy(folder, towns, *, method="mondrian", more="", k=2):
    """A policy for a table of towns and illnesses."""
    pl.DataFrame(
        {"town": towns, "ill": ["flu", "none"] * (len(towns) // 2), "age": range(len(towns))},
        schema_overrides={"town": pl.String},
    ).write_parquet(folder / "t.parquet")
    (folder / "p.yaml").write_text(
        "source: t.parquet\n"
        "columns: {town: {role: quasi, type: category, hierarchy: tree.csv}, ill: sensitive}\n"
        f"privacy: {{k: {k}{more}}}\nmethod: {method}\n"
    )
    return Policy.load(folder / "p.yaml")


def leaves(text):
    return [line[0] for line in csv.reader(StringIO(text))]


@pytest.mark.parametrize("method", spread(["mondrian", "hybrid", "bottom-up", "incognito"], 2))
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_column_of_nulls_publishes_nothing_of_its_file(folder, method, ending):
    made = publish_to(folder / "out", policy(folder, [None] * 6, method=method), format=ending)
    assert set(made.release.hierarchies.values()) == {""}
    assert "hunter2" not in "".join(
        file.read_text(errors="replace") for file in (folder / "out").iterdir()
    )
    assert verify(folder / "out", original=Policy.load(folder / "p.yaml")).holds


@pytest.mark.parametrize("method", ["mondrian", "hybrid", "bottom-up"])
def test_values_below_published_labels_stay_and_others_go(folder, method):
    order = policy(folder, ["Ulm", "Ulm", "Kiel", "Husum"], method=method)
    release = publish(None, order)
    assert set(release.frames["t"]["town"]) == {"Ulm", "North"}
    assert leaves(release.hierarchies["hierarchy_1.csv"]) == ["Ulm", "Kiel", "Husum"]
    # A value that no row has stays below a published label: to leave it out would tell that.
    order = policy(folder, ["Ulm", "Ulm", "Kiel", "Kiel"], method=method, k=3)
    release = publish(None, order)
    assert set(release.frames["t"]["town"]) == {"Germany"}
    assert leaves(release.hierarchies["hierarchy_1.csv"]) == ["Ulm", "Aalen", "Kiel", "Husum"]


def test_rows_that_are_left_out_bring_nothing(folder):
    towns = ["Ulm"] * 10 + ["Kiel"] * 9 + ["hunter2"]
    order = policy(folder, towns, method="incognito", more=", suppress: 5%")
    release = publish(None, order)
    assert release.frames["t"].height == 19
    assert leaves(release.hierarchies["hierarchy_1.csv"]) == ["Ulm", "Kiel"]


def test_the_root_may_be_anything_so_the_whole_file_stays(folder):
    release = publish(None, policy(folder, ["Ulm", "hunter2"]))
    assert set(release.frames["t"]["town"]) == {"*"}
    assert len(leaves(release.hierarchies["hierarchy_1.csv"])) == 5


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_pieces_on_disk_publish_the_same(folder, ending):
    order = policy(folder, ["Ulm", "Ulm", "Kiel", "Husum"] * 40)
    text = in_pieces(order, folder / "out", ending)
    assert leaves(text) == ["Ulm", "Kiel", "Husum"]


def in_pieces(order, target, ending):
    """File of paths of a release that is made piece by piece."""
    stream = open_stream(order.where(), columns_to_read(order))
    limits = limits_for(1 << 30, 2)
    publish_out_of_core(target, order, stream, limits, format=ending, seed=1, tell=silent)
    return (target / "hierarchy_1.csv").read_text()


def test_linked_tables_publish_what_their_rows_need(folder):
    (folder / "s.csv").write_text("sid,town\n1,Ulm\n2,Ulm\n3,Kiel\n4,Kiel\n")
    (folder / "p.yaml").write_text(
        "tables:\n  s:\n    source: s.csv\n    key: sid\n"
        "    columns: {town: {role: quasi, hierarchy: tree.csv}}\n"
        "person: s\nprivacy: {k: 2}\n"
    )
    release = publish(None, Policy.load(folder / "p.yaml"))
    (text,) = release.hierarchies.values()
    assert leaves(text) == ["Ulm", "Kiel"]
    assert release.verify().holds


DISEASES = """flu,lung,*
asthma,lung,*
gastritis,inner,stomach,*
ulcer,stomach,*
fracture,bones,deep,deeper,deepest,*
"""


def close(folder, ill):
    """A policy that demands closeness by distances in the tree of diseases."""
    (folder / "ill.csv").write_text(DISEASES)
    frame = pl.DataFrame({"age": range(len(ill)), "ill": ill}, schema_overrides={"ill": pl.String})
    frame.write_parquet(folder / "t.parquet")
    (folder / "p.yaml").write_text(
        "source: t.parquet\ncolumns:\n  age: quasi\n"
        "  ill: {role: sensitive, type: category, hierarchy: ill.csv}\n"
        "privacy: {k: 2, t: {ill: {t: 0.9, distance: hierarchical}}}\n"
    )
    return Policy.load(folder / "p.yaml")


def test_a_tree_that_distances_need_has_published_values_and_what_gives_heights(folder):
    """The root is as high as its deepest value, so one such path stays; lungs need no other."""
    made = publish(None, close(folder, ["flu", "ulcer"] * 3))
    (text,) = made.hierarchies.values()
    # The stomach is two steps high because of gastritis, the root five because of fractures.
    assert leaves(text) == ["flu", "gastritis", "ulcer", "fracture"]
    assert made.verify().holds


def test_a_sensitive_column_of_nulls_needs_no_tree(folder):
    made = publish(None, close(folder, [None] * 6))
    assert set(made.hierarchies.values()) == {""}
    assert made.verify().holds


def test_heights_of_what_stays_are_those_of_the_whole_tree():
    random = np.random.default_rng(7)
    for _ in range(200):
        paths = [(f"v{n}", *_groups(random), "*") for n in range(random.integers(2, 12))]
        tree = from_leaf_paths(paths, {"paths": True})
        ranks = random.integers(0, len(paths), random.integers(1, 4))
        kept = measuring_leaves(tree, ranks)
        assert set(ranks.tolist()) <= set(kept.tolist())
        small = from_leaf_paths([_path(tree, rank) for rank in kept.tolist()], {"paths": True})
        whole = _heights(tree)
        assert all(height == whole[label] for label, height in _heights(small).items())


def _groups(random):
    """A way up in a fixed tree of groups, from somewhere."""
    ways = [["g0"], ["g1", "h0"], ["g2", "h1", "i0"], ["g3", "h1", "i0"], ["h1", "i0"], []]
    return ways[random.integers(len(ways))]


def _path(tree, rank):
    path, node = [], int(tree.leaf_node[rank])
    while node >= 0:
        path.append(tree.labels[node])
        node = int(tree.parent[node])
    return path


def _heights(tree):
    heights = dict.fromkeys(tree.labels, 0)
    for rank in range(len(tree.leaves)):
        for steps, label in enumerate(_path(tree, rank)):
            heights[label] = max(heights[label], steps)
    return heights

"""Chapter 4 of Zhang as known answers, corrected as docs/papers.md says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from graph_arrays import AUTHORS, EXAMPLE, PAPERS, WRITES, graph_policy
from oracles.grouped_graph import is_safe
from papilio.attack.learned_links import LinkIndex, belief, placements
from papilio.attack.static_edge import link_beliefs
from papilio.policy.apply_graph import graph_order
from papilio.query.graph.grouped import GroupedGraph, GroupedSide
from papilio.query.graph.question import Filter, Question, ask_graph

US, SIGMOD, VLDB = (
    pl.col("location") == "US",
    pl.col("venue") == "SIGMOD",
    pl.col("venue") == "VLDB",
)
NAMES = AUTHORS["author"].to_list(), PAPERS["paper"].to_list()
ENDS = [(NAMES[0].index(a), NAMES[1].index(p)) for a, p in WRITES]


def graph(left, right):
    """Table 4.1 under groups that are given as lists of names; one that is missing is alone."""
    sides = []
    for place, (groups, frame, key) in enumerate(
        [(left, AUTHORS, "author"), (right, PAPERS, "paper")]
    ):
        number = {name: at for at, group in enumerate(groups) for name in group}
        of = [number.setdefault(name, 100 + at) for at, name in enumerate(NAMES[place])]
        codes = np.unique(of, return_inverse=True)[1]
        ends = np.array([edge[place] for edge in ENDS])
        sides.append(GroupedSide(key, key, frame.drop(key), codes, codes, ends))
    return GroupedGraph(*sides, "writes", ("author", "paper"))


#: Example 2.
AG = [["a1", "a2", "a4"], ["a3", "a5", "a6"]]
PG = [["p2", "p3", "p5"], ["p1", "p4", "p6"]]


def test_table_4_2_follows_from_table_4_1():
    edges, authors, papers = EXAMPLE["edges"], EXAMPLE["left"], EXAMPLE["right"]
    joined = edges.join(authors, on="author").join(papers, on="paper")
    assert joined.height == 11
    assert joined.filter(SIGMOD).select("author", "paper").rows() == [
        ("a4", "p5"), ("a5", "p1"), ("a5", "p5"),
    ]  # fmt: skip
    # (b): AS and VLDB together, SIGMOD together, the rest of VLDB together: three or more each.
    kind = pl.when(SIGMOD).then(1).when(pl.col("location") == "AS").then(2).otherwise(3)
    assert sorted(joined.group_by(kind.alias("c")).len()["len"].to_list()) == [3, 4, 4]
    # (c): the matrix is that of the graph.
    built = graph_order(graph_policy(), EXAMPLE).graph
    matrix = np.zeros((6, 6), int)
    matrix[np.repeat(np.arange(6), built.forward.degrees), built.forward.links] = 1
    assert matrix.tolist() == [
        [0, 1, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0], [0, 1, 0, 1, 0, 0],
        [0, 0, 0, 0, 1, 0], [1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1],
    ]  # fmt: skip


def test_example_2_is_safe_and_strict():
    grouped = graph(AG, PG)
    assert grouped.left.sizes.tolist() == grouped.right.sizes.tolist() == [3, 3]
    assert is_safe(ENDS, grouped.left.group_of_node.tolist(), 0)
    assert is_safe(ENDS, grouped.right.group_of_node.tolist(), 1)


def test_example_7_on_example_2():
    # Exact over all originals: 0, 10/9, 2; the truth is 1.
    question = Question("count", "right", left=Filter(US), right=Filter(SIGMOD))
    found = ask_graph(graph(AG, PG), question)
    assert (found.lo, found.hi) == (0, 2)
    assert found.estimate == pytest.approx(10 / 9)
    sums = ask_graph(graph(AG, PG), question, program=False)
    assert sums.lo <= 0
    assert sums.hi >= 2


def test_example_7_s_expectation_does_not_pass_its_upper_bound():
    # Two author groups all of whom are chosen, papers in one group of two, one of them chosen.
    ends = [(0, 0), (1, 1), (2, 0), (3, 1)]
    left = GroupedSide(
        "a", "a", pl.DataFrame({"p": [True] * 4}), np.array([0, 0, 1, 1]),
        np.array([0, 0, 1, 1]), np.array([x for x, _ in ends]),
    )  # fmt: skip
    right = GroupedSide(
        "b", "b", pl.DataFrame({"p": [True, False]}), np.zeros(2, int), np.zeros(2, int),
        np.array([y for _, y in ends]),
    )  # fmt: skip
    chosen = Filter(pl.col("p"))
    question = Question("count", "right", left=chosen, right=chosen)
    found = ask_graph(GroupedGraph(left, right, "e", ("a", "b")), question)
    # The paper's formula gives 3/2.
    assert (found.lo, found.hi, found.estimate) == (1, 1, 1)


def test_example_8_with_the_corrected_bounds():
    # Nodes with 2 and 0 papers, one US author among them: from 0 to 2, not from 2.
    left = GroupedSide(
        "a", "a", pl.DataFrame({"location": ["US", "EU"]}), np.zeros(2, int), np.zeros(2, int),
        np.array([0, 0]),
    )  # fmt: skip
    right = GroupedSide(
        "b", "b", pl.DataFrame({"venue": ["VLDB", "VLDB"]}), np.arange(2), np.arange(2),
        np.array([0, 1]),
    )  # fmt: skip
    question = Question(
        "max", "left", "links", left=Filter(US), right=Filter(VLDB, pl.col("degree") == 1)
    )
    found = ask_graph(GroupedGraph(left, right, "e", ("a", "b")), question)
    assert (found.lo, found.hi, found.estimate) == (0, 2, 1)


def test_example_8_on_the_example():
    question = Question(
        "max", "left", "links", left=Filter(US), right=Filter(VLDB, pl.col("degree") == 1)
    )
    found = ask_graph(graph(AG, PG), question)
    # The one paper with a single author, p1, is by somebody of AG2, where nobody is in the US.
    assert (found.lo, found.hi) == (0, 0)
    wider = Question("max", "left", "links", left=Filter(US), right=Filter(VLDB))
    assert (ask_graph(graph(AG, PG), wider).lo, ask_graph(graph(AG, PG), wider).hi) == (0, 2)


def test_example_9_hides_which_paper():
    grouped = graph([], PG)
    index = LinkIndex(grouped)
    ways = placements(index, [], 1)
    common = NAMES[0].index("a1")
    chances = [belief(index, ways, (common, NAMES[1].index(p))) for p in ("p2", "p3", "p5")]
    assert chances == pytest.approx([1 / 3] * 3)
    assert link_beliefs(grouped).max() == pytest.approx(1 / 3)


def test_example_10_with_named_papers():
    grouped = graph(AG, [])
    question = Question("count", "right", left=Filter(US), right=Filter(SIGMOD))
    found = ask_graph(grouped, question)
    # p1: a5 of AG2, no US author there. p5: a4 of AG1 (2 of 3) and a5 of AG2 (none).
    assert (found.lo, found.hi) == (0, 1)
    assert found.estimate == pytest.approx(2 / 3)


def test_type_0_is_exact():
    for question in (
        Question("count", "edges"),
        Question("avg", "left", "degree"),
        Question("max", "right", "degree"),
        Question("count", "right", left=Filter(nodes=pl.col("degree") == 2)),
        Question("max", "left", "links", right=Filter(nodes=pl.col("degree") == 1)),
    ):
        assert ask_graph(graph(AG, PG), question).exact
    assert ask_graph(graph(AG, PG), Question("count", "edges")).lo == 11
    assert ask_graph(graph(AG, PG), Question("avg", "left", "degree")).lo == pytest.approx(11 / 6)


def test_type_1_on_a_named_side_is_exact():
    found = ask_graph(graph(AG, []), Question("avg", "right", "degree", right=Filter(SIGMOD)))
    assert (found.lo, found.exact) == (1.5, True)


def test_the_bound_of_theorem_7_can_be_1():
    # Three pairs, one group a side (papers D4.7).
    ends = np.arange(3)
    side = GroupedSide("s", "s", pl.DataFrame(), np.zeros(3, int), np.zeros(3, int), ends)
    index = LinkIndex(GroupedGraph(side, side, "e", ("a", "b")))
    chances = []
    for learnt in range(3):
        ways = placements(index, [(x, x) for x in range(learnt)], 100)
        chances.append(belief(index, ways, (2, 2)))
    assert chances == pytest.approx([1 / 3, 1 / 2, 1])

"""Figures 4.6 to 4.9 of "Anonymizing bipartite graph data" (Zhang, chapter 4), made again.

Run with ``python benchmarks/graphs.py`` from the root of the repository; ``--quick`` takes a small
generated graph instead. On a real part of DBLP, if it is in ``../shared/data/dblp``, it prints the
errors of queries A, B and C by selectivity and group size (4.6, 4.7), by order (4.8 a) and by how
a predicate falls on groups (4.8 b), and how many authors signatures single out (4.9). On a
generated graph of the size of all of DBLP it measures the time and memory of grouping, verifying
and asking. It says where the paper agrees, and draws ``docs/images/graphs.svg``.

Choices the paper leaves open: predicates select entities by a random number from 0 to 99, so they
are independent of the structure; query C's second predicate selects 80% of the authors.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import polars as pl

from graph_data import Frames, generated_graph, real_graph
from papilio import Policy
from papilio.attack.signature import class_sizes, signatures
from papilio.families.graph.make import graph_order_of, make_graph
from papilio.progress import silent
from papilio.query.answer import Bounds
from papilio.query.graph.grouped import GroupedGraph, grouped_graph
from papilio.query.graph.question import Filter, Question, ask_graph
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.workflow.verify import verify
from pictures import COLOURS, save_picture

SHARES = (10, 30, 50, 70, 90)
SIZES = ((5, 5), (10, 10), (20, 20), (10, 1), (1, 10))
PICTURE = Path("docs/images/graphs.svg")
Row = dict[str, Any]


def main() -> None:
    quick = "--quick" in sys.argv
    real = None if quick else real_graph()
    frames = real or generated_graph(0.02)
    what = "a real part of DBLP" if real else "a generated graph (--quick, or no DBLP there)"
    print(f"Queries on {what}: {_size(frames)}\n")
    rows = list(errors(frames))
    print_errors(rows)
    spread = list(touched(frames))
    print_touched(spread)
    found = singled_out(frames)
    print_signatures(found)
    print_claims(rows, spread, found)
    scale(generated_graph(0.02 if quick else 1.0))
    if not quick:
        save_picture(picture(rows), PICTURE, "Errors of queries A, B and C by selectivity")
        print(f"\n{PICTURE} drawn.")


def _size(frames: Frames) -> str:
    counts = [f"{frames[part].height:,}" for part in ("left", "right", "edges")]
    return f"{counts[0]} authors, {counts[1]} papers, {counts[2]} edges"


def policy_for(k: int, l: int, order: str) -> Policy:  # noqa: E741
    return Policy(
        graph={
            "left": {"key": "author", "columns": {"chance": "plain"}},
            "right": {"key": "paper", "columns": {"chance": "plain"}},
            "edges": {"left": "author", "right": "paper"},
            "order": order,
        },
        privacy={"k": k, "l": l},
    )


def released(frames: Frames, k: int, l: int, order: str) -> Release:  # noqa: E741
    policy = policy_for(k, l, order)
    made, kind = graph_order_of(frames, policy)
    return make_graph(made, policy, Randomness(1), kind, silent).release


def below(share: int) -> Filter:
    return Filter(pl.col("chance") < share)


def single(share: int) -> Filter:
    return Filter(pl.col("chance") < share, pl.col("degree") == 1)


def ask(graph: GroupedGraph, query: str, share: int) -> Bounds:
    if query == "A":
        question = Question("avg", "right", "degree", right=below(share))
    elif query == "B":
        question = Question("count", "right", right=single(share))
    else:
        question = Question("count", "right", left=below(80), right=below(share))
    return ask_graph(graph, question, program=False)


def truth(frames: Frames, query: str, share: int) -> float:
    papers = frames["right"].filter(pl.col("chance") < share)
    degrees = frames["edges"].group_by("paper").len()
    if query == "A":
        return float(papers.join(degrees, on="paper", how="left")["len"].fill_null(0).mean())
    if query == "B":
        alone = degrees.filter(pl.col("len") == 1)
        return papers.join(alone, on="paper", how="semi").height
    authors = frames["left"].filter(pl.col("chance") < 80)
    edges = frames["edges"].join(authors, on="author", how="semi")
    return papers.join(edges, on="paper", how="semi").height


def errors(frames: Frames) -> Iterator[Row]:
    """Worst and expected errors; also of query B on groups by degree."""
    cases = [(*sizes, "random") for sizes in SIZES] + [(5, 5, "degree"), (10, 10, "degree")]
    for k, size, order in cases:
        graph = grouped_graph(released(frames, k, size, order))
        for query in ("A", "B", "C"):
            for share in SHARES:
                found, right = ask(graph, query, share), truth(frames, query, share)
                yield {
                    "query": query,
                    "groups": f"({k},{size})",
                    "order": order,
                    "share": share,
                    "worst": (found.hi - found.lo) / (2 * right),
                    "expected": None
                    if found.estimate is None
                    else abs(found.estimate - right) / right,
                }


def touched(frames: Frames) -> Iterator[Row]:
    """Figure 4.8 (b): predicates that select 0 or m papers of each group of a (5,5)-grouping."""
    graph = grouped_graph(released(frames, 5, 5, "random"))
    side = graph.right
    random = np.random.default_rng(3)
    wanted = len(side.group_of_entity) // 5
    single_paper = Filter(nodes=pl.col("degree") == 1).nodes
    for each in range(1, 6):
        groups = random.permutation(len(side.sizes))[: wanted // each]
        order = np.argsort(side.group_of_entity, kind="stable")
        first = np.concatenate([[0], np.cumsum(side.sizes)[:-1]])
        rank = np.empty(len(order), int)
        rank[order] = np.arange(len(order)) - first[side.group_of_entity[order]]
        chosen = np.isin(side.group_of_entity, groups)
        # Groups of six are selected as a whole in the last case.
        chosen &= (rank < each) | (each == 5)
        found = ask_graph(graph, Question("count", "right", right=Filter(chosen, single_paper)))
        middle = float(found.estimate)
        yield {
            "each": each,
            "worst": (found.hi - found.lo) / (2 * middle),
            "std": (found.std or 0.0) / middle,
        }


def singled_out(frames: Frames) -> list[tuple[int, float, float]]:
    """Figure 4.9: share of authors with a signature of their own, and in classes of 10 or more."""
    graph = grouped_graph(released(frames, 1, 2, "random"))
    found = []
    for step, (authors, _) in enumerate(signatures(graph, 5)):
        sizes = class_sizes(authors)
        found.append((step, float((sizes == 1).mean()), float((sizes >= 10).mean())))
    return found


def print_errors(rows: list[Row]) -> None:
    for query, name in (
        ("A", "average number of authors of a paper"),
        ("B", "number of single-author papers"),
        ("C", "number of papers with a selected author"),
    ):
        print(f"Query {query}, {name}: worst error (U - L)/2Q and expected error |E - Q|/Q")
        print("groups   order   " + "".join(f"{share:>17}%" for share in SHARES))
        names = dict.fromkeys((row["groups"], row["order"]) for row in rows)
        for groups, order in names:
            mine = [
                row
                for row in rows
                if (row["query"], row["groups"], row["order"]) == (query, groups, order)
            ]
            cells = "".join(
                f"{row['worst']:>9.4f} "
                + (f"{row['expected']:>8.4f}" if row["expected"] is not None else "       -")
                for row in mine
            )
            print(f"{groups:<9}{order:<8}{cells}")
        print()


def print_touched(rows: list[Row]) -> None:
    print("Figure 4.8 (b), query B on (5,5): papers selected in each touched group")
    print("each     worst error     std / mean")
    for row in rows:
        print(f"{row['each']:<9}{row['worst']:>11.4f}{row['std']:>15.4f}")
    print()


def print_signatures(found: list[tuple[int, float, float]]) -> None:
    print("Figure 4.9: authors that (k,1) and (1,l) together single out")
    print("steps    alone    in classes of 10 or more")
    for step, alone, many in found:
        print(f"{step:<7}{alone:>7.1%}{many:>12.1%}")
    print("paper, 4 steps: one half alone, one fifth in classes of 10 or more\n")


def print_claims(rows: list[Row], spread: list[Row], found: list[tuple[int, float, float]]) -> None:
    """What the paper says, and whether it is so here."""
    worst = {
        (row["query"], row["groups"], row["order"], row["share"]): row["worst"] for row in rows
    }

    def mean(query: str, groups: str, order: str = "random") -> float:
        return float(np.mean([worst[query, groups, order, share] for share in SHARES]))

    claims = [
        (
            "4.6: smaller groups have smaller errors (A, B)",
            all(mean(q, "(5,5)") < mean(q, "(10,10)") < mean(q, "(20,20)") for q in "AB"),
        ),
        (
            "4.6: errors of A and B fall with selectivity",
            all(
                worst[q, "(10,10)", "random", 90] < worst[q, "(10,10)", "random", 10] for q in "AB"
            ),
        ),
        ("4.6 (c): (10,1) beats (10,10) on C", mean("C", "(10,1)") < mean("C", "(10,10)")),
        (
            "4.6 (c): (1,10) is close to (10,10) on C (within a factor 2)",
            mean("C", "(10,10)") < 2 * mean("C", "(1,10)"),
        ),
        (
            "4.8 (a): groups by degree make B 10 times better or more",
            mean("B", "(10,10)", "degree") < 0.1 * mean("B", "(10,10)"),
        ),
        (
            "4.8 (a): 'two orders of magnitude'",
            mean("B", "(10,10)", "degree") < 0.01 * mean("B", "(10,10)"),
        ),
        (
            "4.8 (b): more papers of a touched group selected, better; all of them, exact",
            all(a["worst"] > b["worst"] for a, b in pairwise(spread)) and spread[-1]["worst"] == 0,
        ),
        (
            "4.9: no change after the fourth step (less than 1%)",
            abs(found[5][1] - found[4][1]) < 0.01,
        ),
        ("4.9: half of the authors alone after 4 steps (40% to 60%)", 0.4 < found[4][1] < 0.6),
    ]
    print("What the paper says")
    for words, holds in claims:
        print(f"  {'agrees' if holds else 'does not agree':<16}{words}")
    print()


def scale(frames: Frames) -> None:
    """Time and memory on a graph of the size of DBLP, beside the time to sort its edges."""
    print(f"Scale: generated graph, {_size(frames)}")
    ends = frames["edges"]["author"].to_numpy() * 1_000_000 + frames["edges"]["paper"].to_numpy()
    yardstick = timed(lambda: np.sort(np.random.default_rng(1).permutation(ends)))[0]
    policy = policy_for(20, 20, "random")
    read, (order, kind) = timed(lambda: graph_order_of(frames, policy))
    group, release = timed(lambda: make_graph(order, policy, Randomness(1), kind, silent).release)
    check, verdict = timed(lambda: verify(release))
    strict = release.manifest.claims[0].parameters["strict"]
    graph = grouped_graph(release)
    question = Question("count", "right", left=below(50), right=below(30))
    asked, answer = timed(lambda: ask_graph(graph, question))
    again, _ = timed(lambda: ask_graph(graph, question))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"yardstick, sorting the edges: {yardstick:.3f} s")
    for words, seconds, bound in (
        ("reading the frames", read, None),
        ("(20,20)-grouping and masking", group, None),
        ("verifying", check, None),
        ("read, group, mask and verify", read + group + check, 30),
        ("type-2 count, first time (compiles)", asked, None),
        ("type-2 count with sum bounds", again, 5),
    ):
        limit = (
            "" if bound is None else f"   bound {bound} s: {'met' if seconds < bound else 'MISSED'}"
        )
        print(f"{words:<38}{seconds:>8.2f} s{seconds / yardstick:>9.1f} x{limit}")
    print(f"memory at most {memory:.2f} GiB   bound 4 GiB: {'met' if memory < 4 else 'MISSED'}")
    print(f"strict: {strict}; verdict: {verdict.status.value}; answer: {answer}")


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    done = work()
    return time.perf_counter() - start, done


def picture(rows: list[Row]) -> alt.TopLevelMixin:
    """Worst errors of the three queries."""
    named = [{**row, "name": f"{row['groups']} {row['order']}"} for row in rows]
    names = list(dict.fromkeys(row["name"] for row in named))
    plots = [
        alt.Chart(
            alt.Data(values=[row for row in named if row["query"] == query and row["worst"]]),
            title=f"Query {query}: worst error",
            width=230,
            height=190,
        )
        .mark_line(point=alt.OverlayMarkDef(size=22), strokeWidth=1.8)
        .encode(
            x=alt.X("share:O", title="selectivity, %", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("worst:Q", title=None, scale=alt.Scale(type="log")),
            color=alt.Color(
                "name:N",
                sort=names,
                scale=alt.Scale(domain=names, range=COLOURS[: len(names)]),
                legend=alt.Legend(title=None, orient="bottom", columns=4),
            ),
        )
        for query in ("A", "B", "C")
    ]
    return alt.concat(*plots, columns=3, spacing=28)


if __name__ == "__main__":
    main()

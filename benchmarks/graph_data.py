"""Graphs to measure on: a real part of DBLP, and a generated graph of the size of all of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

ROOT = Path(__file__).parents[1]
DBLP = ROOT.parent / "shared" / "data" / "dblp"

#: What Zhang, 4.2.3 and 4.4.2 say of DBLP: authors, papers, edges, and the most papers
#: of an author and authors of a paper.
AUTHORS, PAPERS, EDGES, MOST_PAPERS, MOST_AUTHORS = 402_023, 543_065, 1_401_349, 400, 100

Frames = dict[str, pl.DataFrame]


def real_graph() -> Frames | None:
    """The part of DBLP beside the project, if it is there; authors get a random country."""
    if not DBLP.is_dir():
        return None
    edges = pl.read_csv(DBLP / "author_paper_edges.csv").rename({"paper_id": "paper"}).unique()
    papers = pl.read_csv(DBLP / "paper_labels.csv").rename({"paper_id": "paper"})
    names = edges.get_column("author").unique().sort()
    authors = pl.DataFrame({"author": names}).with_row_index("number")
    edges = edges.join(authors, on="author").select(author="number", paper="paper")
    edges = edges.join(papers.select("paper"), on="paper", how="semi")
    random = np.random.default_rng(1)
    return {
        "left": pl.DataFrame(
            {"author": authors["number"], "chance": random.integers(0, 100, len(authors))}
        ),
        "right": papers.with_columns(chance=pl.Series(random.integers(0, 100, len(papers)))),
        "edges": edges,
    }


def generated_graph(share: float = 1.0, seed: int = 7) -> Frames:
    """A random graph with the numbers of DBLP, or a share of them.

    Degrees of authors follow a power law cut off at the paper's maximum; those of papers are one
    more than a Poisson number, with a few up to the maximum; both have the mean of DBLP. Ends are
    joined at random; pairs that come twice are drawn anew.
    """
    random = np.random.default_rng(seed)
    authors, papers, edges = (int(number * share) for number in (AUTHORS, PAPERS, EDGES))
    left = _power_law(authors, edges, MOST_PAPERS, random)
    right = 1 + random.poisson(edges / papers - 1, papers)
    right[random.integers(0, papers, papers // 20_000 + 1)] = random.integers(10, MOST_AUTHORS)
    codes = _join(left, right, edges, random)
    tails, heads = np.divmod(codes, papers)
    return {
        "left": pl.DataFrame(
            {"author": np.arange(authors), "chance": random.integers(0, 100, authors)}
        ),
        "right": pl.DataFrame(
            {"paper": np.arange(papers), "chance": random.integers(0, 100, papers)}
        ),
        "edges": pl.DataFrame({"author": tails, "paper": heads}),
    }


def _power_law(count: int, total: int, most: int, random: np.random.Generator) -> np.ndarray:
    """Degrees with P(d) proportional to d**-s; s is found by halving so that the mean fits."""
    degrees = np.arange(1, most + 1)
    low, high = 1.0, 4.0
    for _ in range(50):
        exponent = (low + high) / 2
        chance = degrees**-exponent / (degrees**-exponent).sum()
        low, high = (exponent, high) if chance @ degrees > total / count else (low, exponent)
    return random.choice(degrees, count, p=chance)


def _join(left, right, edges: int, random: np.random.Generator) -> np.ndarray:
    """Different pairs of ends, as many as wanted."""
    tails = np.repeat(np.arange(len(left)), left)
    heads = np.repeat(np.arange(len(right)), right)
    found = np.empty(0, np.int64)
    while len(found) < edges:
        pairs = random.choice(tails, edges) * len(right) + random.choice(heads, edges)
        new = np.setdiff1d(pairs, found)
        found = np.concatenate([found, random.permutation(new)[: edges - len(found)]])
    return found

"""The report on a graph: what it says, and that it is one safe page."""

from __future__ import annotations

import numpy as np
import pytest

from graph_arrays import EXAMPLE, bare, frames, graph_policy
from papilio import K, Policy, publish
from papilio.document import Owned
from papilio.document.html import render
from papilio.errors import ReleaseError
from papilio.families.graph.document import document
from papilio.families.graph.facts import degree_bars, graph_facts
from papilio.verify.verdict import Verdict
from papilio.workflow.report import report


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    release = publish(EXAMPLE, graph_policy(), seed=2)
    path = tmp_path_factory.mktemp("report") / "report.html"
    report(release, path, original=graph_policy(), data=EXAMPLE)
    return path.read_text(encoding="utf-8")


def test_it_says_what_is_promised_and_found(page):
    for text in (
        "nobody can believe in a link",
        "What is masked",
        "Risk",
        "What this release does not protect against",
        "safe-grouping",
        "structure of the original",
        "The claims hold",
    ):
        assert text in page


def test_it_has_all_pictures_and_no_scripts(page):
    # Degrees and sizes of both sides, the risk, and a neighbourhood.
    assert page.count("<svg") == 6
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page


def test_degrees_are_counted_once():
    degrees = np.array([0, 1, 1, 2, 7, 7, 9, 25, 1500])
    bars = degree_bars(degrees)
    assert sum(bar.count for bar in bars) == len(degrees)
    assert {bar.label: bar.count for bar in bars if bar.count} == {
        "0": 1, "1": 2, "2": 1, "6–9": 3, "20–49": 1, "1000–1500": 1,
    }  # fmt: skip


def test_a_graph_without_edges_has_no_neighbourhood():
    data = frames([], 4, 4)
    data["edges"] = data["edges"].clear()
    release = publish(data, bare(2, 2), seed=1)
    content = graph_facts(release)
    assert content.neighbourhood is None
    assert content.learnt == ()
    assert "What is masked" not in render(
        document(Owned(release, bare(2, 2), None, Verdict(()), "why"))
    )


@pytest.mark.parametrize(("k", "l", "near"), [(3, 3, "left"), (3, 1, "left"), (1, 3, "right")])
def test_the_neighbourhood_is_one_that_is_masked(k, l, near):
    release = publish(EXAMPLE, graph_policy(k, l), seed=2)
    found = graph_facts(release).neighbourhood
    assert (found.near, found.entities, found.nodes) == (near, 3, 3)
    assert found.edges


def test_another_policy_is_refused(tmp_path):
    release = publish(EXAMPLE, graph_policy(), seed=2)
    other = Policy(columns={"age": "quasi"}, privacy=K(2))
    with pytest.raises(ReleaseError, match="not for one"):
        report(release, tmp_path / "r.html", original=other)

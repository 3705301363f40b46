"""Bipartite graphs, as a value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papilio.families.family import Attack, Choice, Family, Method, Original, keys, later
from papilio.families.graph.policy import (
    GROUPING,
    WORDS,
    even_groups,
    graph_faults,
    grouping_of,
    level_degrees,
)

if TYPE_CHECKING:
    from papilio.policy.policy import Policy
    from papilio.progress import Progress
    from papilio.query.answer import Answer
    from papilio.randomness import Randomness
    from papilio.release.layout import Layout
    from papilio.release.made import Made
    from papilio.release.release import Release


def _why(policy: Policy) -> str | None:
    return None if policy.graph is None else "the policy is about a graph"


def _choose(policy: Policy, people: int) -> Choice:
    del policy, people
    return Choice(GROUPING, "it is the method for bipartite graphs")


def _requirements(policy: Policy) -> tuple[Any, ...]:
    return (grouping_of(policy),)


def _read(data: Any, policy: Policy, name: str | None) -> Original:
    from papilio.families.graph.make import read_graph

    del name
    return read_graph(data, policy)


def _make(original: Original, choice: Choice, randomness: Randomness, tell: Progress) -> Made:
    from papilio.families.graph.make import make_graph

    del choice
    return make_graph(original.order, original.policy, randomness, original.kind, tell)


def _layout() -> Layout:
    from papilio.release.layout import GRAPH_LAYOUT

    return GRAPH_LAYOUT


def _ask(release: Release | Path, sql: str, dialect: str) -> Answer:
    from papilio.query.graph.sql import ask_graph_sql
    from papilio.release.release import Release

    return ask_graph_sql(
        release if isinstance(release, Release) else Release.open(release), sql, dialect
    )


def _rewrite(release: Release | Path, sql: str, to: str, dialect: str) -> str:
    from papilio.errors import ReleaseError

    del release, sql, to, dialect
    raise ReleaseError(
        "questions about a graph are answered by Papilio and cannot be rewritten into SQL",
        reason="no-rewrite",
    )


def _questions(release: Release) -> Iterator[str]:
    from papilio.query.example_questions import graph_questions

    return graph_questions(release)


def _check_policy(release: Release, policy: Policy, original: Original) -> None:
    from papilio.errors import ReleaseError

    del release, original
    if policy.graph is None:
        raise ReleaseError(
            "the policy is not one of a graph; give the policy the release was made with",
            reason="another-policy",
        )


#: What helps where no line of a policy closes what an attack found.
_LARGER = "Demand a larger k and l, or let more links go under suppress with known: degree."

GRAPH = Family(
    name="graph",
    kind="graph",
    called="graph",
    words=WORDS,
    keys=keys("papilio graph privacy method lights"),
    demands=keys("k l suppress known"),
    columns={},
    methods=(Method(GROUPING),),
    layout=_layout,
    data="graph",
    rank=5,
    why=_why,
    choose=_choose,
    faults=graph_faults,
    requirements=_requirements,
    read=_read,
    make=_make,
    ask=_ask,
    rewrite=_rewrite,
    questions=_questions,
    attacks=(
        Attack("static_edge", "secret", remedy=even_groups, otherwise=_LARGER),
        Attack(
            "known_degrees",
            "secret",
            remedy=level_degrees,
            beyond="how many links a person has",
            otherwise=_LARGER,
        ),
        Attack(
            "chosen_link",
            "secret",
            remedy=even_groups,
            beyond="a link of a person",
            otherwise=_LARGER,
        ),
        Attack("learned_links", "secret", beyond="some links"),
        Attack("signature", "alone", beyond="another release of the graph"),
    ),
    document=later("papilio.families.graph.document", "document"),
    loss=later("papilio.families.graph.document", "loss"),
    loss_words="doubt about an average link",
    variants=later("papilio.families.graph.variants", "variants"),
    check_policy=_check_policy,
    classes=False,
    risk_note=(
        "The entities of both sides are published, and who they are is no secret. What is "
        "protected is who is linked to whom, so that prosecutor, journalist and marketer are not "
        "defined."
    ),
    one_table=(("graph",), "one table is checked, and this policy is about a graph"),
)

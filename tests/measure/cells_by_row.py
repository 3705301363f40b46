"""What published cells may be, row by row, as plain sets of values; and releases to read."""

from __future__ import annotations

import json

import polars as pl
from hypothesis import strategies as st

from papilio.data.encode import encode
from papilio.data.hierarchy.build import flat
from papilio.data.table import Role
from papilio.families.generalising.grouping import group
from papilio.families.generalising.publish import generalised_release
from papilio.policy.apply import order_of
from papilio.privacy.requirement import demand_of
from papilio.randomness import Randomness
from policies import policy_for
from tables import quasi_tables

#: A method, and what the policy says beside it.
METHODS = [
    {"method": "mondrian"},
    {"method": "relaxed-mondrian"},
    {"method": "hybrid", "cells": "text"},
    {"method": "incognito"},
    {"method": "incognito", "suppress": 0.4},
]


@st.composite
def published_tables(draw):
    """A small table as Papilio loads it, a release of it, and its k."""
    made = draw(quasi_tables(max_rows=20))
    k = draw(st.integers(1, min(made.height, 4)))
    said = dict(draw(st.sampled_from(METHODS)))
    suppress = said.pop("suppress", 0.0)
    policy = policy_for(made, k, **said)
    policy = policy.model_copy(
        update={"privacy": policy.privacy.model_copy(update={"suppress": suppress})}
    )
    original = order_of(made.frame, policy, "table")[0].table
    return original, release_of(original, policy), k


def release_of(original, policy):
    """Publish without verifying, which would take most of the time."""
    made, randomness = encoded(original), Randomness()
    demand = demand_of(policy.requirements, original)
    found = group(made, demand, policy.method, policy, randomness)
    return generalised_release(
        original,
        made,
        found.classes,
        policy.requirements,
        method=policy.method,
        text=policy.cells == "text",
        randomness=randomness,
        levels=found.levels,
    ).release


def encoded(original):
    return encode(original, original.with_role(Role.QUASI))


def domains(original):
    """Values of each quasi-identifier, leaves of a hierarchy as text; NULL is ``None``."""
    return [column.values.to_list() for column in encoded(original).columns]


def original_values(original):
    """Values of each quasi-identifier, row after row, as :func:`domains` has them."""
    made = encoded(original)
    return [
        [column.values[int(code)] for code in made.codes[:, place]]
        for place, column in enumerate(made.columns)
    ]


def possible_sets(release, original):
    """Published rows as lists of sets, one set per quasi-identifier."""
    (described,) = release.manifest.tables
    quasi = [column for column in described.columns if column.role == "quasi"]
    meaning = encoded(original).columns
    return [
        [_set(column, row, m) for column, m in zip(quasi, meaning, strict=True)]
        for row in release.frames["table"].iter_rows(named=True)
    ]


def _set(column, row, meaning):
    if column.cells == "node":
        tree = meaning.hierarchy or flat(meaning.values)
        node = tree.labels.index(row[column.name])
        return set(meaning.values[int(tree.first[node]) : int(tree.last[node]) + 1])
    if column.cells == "set":
        return _members(row[column.published[0]], text=column.text)
    return _range(column, row, meaning.values)


def _members(cell, text):
    if text:
        inside = [part for part in cell[1:-1].split(", ") if part]
        return {None if part == "NULL" else part for part in inside}
    return {str(v).lower() if isinstance(v, bool) else v for v in json.loads(cell)}


def _range(column, row, values):
    if column.text:
        return _text_range(row[column.published[0]], values)
    low, high, *null = (row[name] for name in column.published)
    found = {v for v in values if v is not None and low is not None and low <= v <= high}
    return found | ({None} if low is None or (null and null[0]) else set())


def _text_range(cell, values):
    if cell is None:
        return {None}
    bare = cell.removesuffix(" or NULL")
    ends = [float(end) for end in bare.strip("[]").split(", ")]
    found = {v for v in values if v is not None and ends[0] <= v <= ends[-1]}
    return found | ({None} if bare != cell else set())


def labels(release):
    return release.frames["table"]["disease"].to_list()


def keys(release):
    """Published cells of each row, as one text."""
    (described,) = release.manifest.tables
    names = [n for c in described.columns if c.role == "quasi" for n in c.published]
    return [str(row) for row in release.frames["table"].select(pl.col(names)).rows()]

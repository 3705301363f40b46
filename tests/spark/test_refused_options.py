"""What needs the whole table is refused before anything is read or an engine is looked for."""

from __future__ import annotations

import polars as pl
import pytest

from papilio import Policy
from papilio.errors import PolicyError
from papilio.workflow.publish import publish_to
from seven_families import make_memory_small


@pytest.mark.parametrize(
    ("minimise", "privacy", "message"),
    [
        ("random", {"k": 2, "e": 1}, "use local, or sum, max, max-exact or groups"),
        ("groups", {"k": 1, "e": 0}, "every row would be a group"),
    ],
)
def test_permutations(tmp_path, minimise, privacy, message):
    pl.DataFrame({"age": [1, 2], "pay": [1, 5]}).write_parquet(tmp_path / "people.parquet")
    policy = Policy(
        source=str(tmp_path / "people.parquet"),
        columns={"age": "quasi", "pay": "sensitive"},
        privacy=privacy,
        method="permutation",
        minimise=minimise,
    )
    with pytest.raises(PolicyError, match=message):
        publish_to(tmp_path / "out", policy, engine="spark", remote="sc://127.0.0.1:1")
    assert not (tmp_path / "out").exists()


#: What is learnt from, or formed over, the whole table -> columns, the rest, and what is said.
WHOLE = {
    "follows": (
        {"age": "quasi", "pay": {"role": "plain", "follows": "age"}},
        {"privacy": {"k": 2}},
        "learnt from the whole table; .* or give the rule as depends",
    ),
    "follows, recipients": (
        {"age": "quasi", "job": "quasi", "pay": {"role": "plain", "follows": "age"}},
        {"privacy": {"k": 2}, "recipients": {"one": ["age"], "two": ["job"]}},
        "learnt from the whole table; .* or give the rule as depends",
    ),
    "shared classes": (
        {"age": "quasi", "job": "sensitive", "pay": "sensitive"},
        {"privacy": {"k": 2, "exposure": 0}, "method": "projections", "classes": "shared"},
        "classes that all tables share are formed in memory; ",
    ),
    "safe cells of projections": (
        {"age": "quasi", "id": "quasi", "job": "sensitive", "pay": "sensitive"},
        {"privacy": {"k": 2, "exposure": 0}, "method": "projections", "cells": "safe"},
        "cells of projections are made safe in memory; .*, or use bounds or text",
    ),
}


@pytest.mark.parametrize("engine", ["pieces", "spark"])
@pytest.mark.parametrize("name", WHOLE)
def test_what_needs_the_whole_table(tmp_path, name, engine, monkeypatch):
    columns, more, message = WHOLE[name]
    rows = {"age": [n // 2 for n in range(40)], "job": list("abcd") * 10, "pay": [*range(40)]}
    rows["id"] = rows["age"]
    pl.DataFrame(rows).write_parquet(tmp_path / "people.parquet")
    policy = Policy(source=str(tmp_path / "people.parquet"), columns=columns, **more)
    if engine == "pieces":
        make_memory_small(monkeypatch)
        how = {"memory": "1GiB"}
    else:
        how = {"engine": "spark", "remote": "sc://127.0.0.1:1"}
    with pytest.raises(PolicyError, match=message) as error:
        publish_to(tmp_path / "out", policy, **how)
    assert len(str(error.value).splitlines()) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["people.parquet"]

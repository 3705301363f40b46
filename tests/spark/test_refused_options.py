"""Options of permutation that are refused before an engine is looked for."""

from __future__ import annotations

import polars as pl
import pytest

from papilio import Policy
from papilio.errors import PolicyError
from papilio.workflow.publish import publish_to


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

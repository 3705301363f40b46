"""Candidates where cells are of every kind and values may be NULL, against the reader of a twin."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import attacks, verification
from papilio.attack.candidates import candidates
from papilio.data.table import Role
from papilio.workflow.publish import publish
from policies import policy_for
from tables import quasi_tables


@settings(max_examples=20, deadline=None)
@given(
    quasi_tables(min_rows=2, max_rows=10),
    st.sampled_from(["bounds", "text"]),
    st.randoms(use_true_random=False),
)
def test_candidates_are_the_rows_whose_cells_allow_what_is_known(made, cells, draw: random.Random):
    release = publish(made.frame, policy_for(made, 2, cells=cells), name="people", seed=1)
    quasi = [column.name for column in made.with_role(Role.QUASI)]
    known = draw.sample(quasi, draw.randrange(1, len(quasi) + 1))
    described = {
        column["name"]: column
        for column in json.loads(release.manifest.to_json())["tables"][0]["columns"]
    }
    rows = release.frames["people"].to_dicts()
    counts, learnt = [], []
    for person in made.frame.to_dicts():
        fitting = [
            row
            for row in rows
            if all(
                verification.allows(described[name], row, person[name], release.hierarchies)
                for name in known
            )
        ]
        counts.append(len(fitting))
        learnt.append(len({row["disease"] for row in fitting}) == 1)
    found = candidates(release, made, known, ["disease"]).figures()
    assert found == pytest.approx(attacks.figures(counts, {"disease": learnt}))
    assert found["smallest"] >= 2

"""The data of the disguise example is what its script invents, and its policies cover it."""

from __future__ import annotations

import csv
import runpy

import pytest
from generate import ROOT

from papilio import Policy
from papilio.policy.apply import order_from_source

EXAMPLE = ROOT / "examples" / "disguise"


def test_the_data_is_what_the_script_invents():
    script = runpy.run_path(str(EXAMPLE / "make_staff.py"))
    made = [script["HEADER"], *script["staff"]()]
    with (EXAMPLE / "staff.csv").open(encoding="utf-8", newline="") as file:
        assert [[str(cell) for cell in row] for row in made] == list(csv.reader(file))


@pytest.mark.parametrize(("policy", "left_out"), [("policy", ("level",)), ("personal", ())])
def test_the_policies_leave_out_what_they_say(policy, left_out):
    order = order_from_source(Policy.load(EXAMPLE / f"{policy}.yaml"))
    assert order.left_out == left_out
    assert (order.personal is not None) is (policy == "personal")

"""The data of the permutation example is what its script invents, and its policy covers it."""

from __future__ import annotations

import csv
import runpy

from generate import ROOT

from papilio import Policy
from papilio.policy.apply import order_from_source

EXAMPLE = ROOT / "examples" / "permutation"


def test_the_data_is_what_the_script_invents():
    script = runpy.run_path(str(EXAMPLE / "make_staff.py"))
    made = [script["HEADER"], *script["staff"]()]
    with (EXAMPLE / "staff.csv").open(encoding="utf-8", newline="") as file:
        assert [[str(cell) for cell in row] for row in made] == list(csv.reader(file))


def test_the_policy_mentions_every_column():
    policy = Policy.load(EXAMPLE / "policy.yaml")
    order = order_from_source(policy)
    assert order.left_out == ()
    assert 0 < order.table.frame.get_column("salary").null_count() < 20

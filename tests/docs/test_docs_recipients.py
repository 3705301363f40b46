"""The data of the example for several recipients are what its script invents."""

from __future__ import annotations

import csv
import runpy

from generate import ROOT

from papilio import Policy
from papilio.policy.apply import order_from_source

FOLDER = ROOT / "examples" / "recipients"


def rows(name):
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_data_is_what_the_script_invents():
    script = runpy.run_path(str(FOLDER / "make_accidents.py"))
    made = [script["HEADER"], *script["accidents"]()]
    assert [[str(cell) for cell in row] for row in made] == rows("accidents.csv")


def test_the_policy_covers_every_column_and_each_has_a_recipient():
    policy = Policy.load(FOLDER / "policy.yaml")
    assert order_from_source(policy).left_out == ()
    assert {name for known in policy.known.values() for name in known} == set(policy.quasi)


def test_the_hierarchies_have_a_path_for_every_value_and_no_other():
    header, *accidents = rows("accidents.csv")
    for name in ("vehicle", "occupation"):
        values = {row[header.index(name)] for row in accidents}
        assert {row[0] for row in rows(f"{name}.csv")} == values

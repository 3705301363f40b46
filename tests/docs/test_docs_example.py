"""The example's data is what its script invents, and its policy covers it."""

from __future__ import annotations

import csv
import runpy

from generators.blocks import EXAMPLE

from papilio import Policy
from papilio.policy.apply import order_from_source


def rows(name):
    with (EXAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_data_is_what_the_script_invents():
    script = runpy.run_path(str(EXAMPLE / "make_patients.py"))
    made = [script["HEADER"], *script["patients"]()]
    assert [[str(cell) for cell in row] for row in made] == rows("patients.csv")


def test_the_policy_leaves_out_what_the_readme_says():
    policy = Policy.load(EXAMPLE / "policy.yaml")
    assert order_from_source(policy).left_out == ("admitted",)


def test_the_hierarchy_has_a_path_for_every_job_and_no_other():
    jobs = {row[5] for row in rows("patients.csv")[1:]}
    assert {row[0] for row in rows("job.csv")} == jobs

"""Permutation from the command line: publish, verify, report, and what is refused."""

from __future__ import annotations

import json

import pytest

from sizes import some

STAFF = "name,age,job,pay\n" + "".join(
    f"person{i},{20 + i % 17},job{i % 3},{'' if i % 9 == 4 else 1000 + 37 * i}\n" for i in range(40)
)
POLICY = """\
papilio: 1
source: staff.csv
columns:
  name: identifier
  age: quasi
  job: quasi
  pay: sensitive
privacy: {k: 4, e: 100}
minimise: MINIMISE
"""


@pytest.fixture
def staff(bench):
    bench.write("staff.csv", STAFF)
    bench.write("policy.yaml", POLICY.replace("MINIMISE", "sum"))
    return bench


@pytest.mark.parametrize("minimise", some(["sum", "max", "max-exact", "groups", "random"], first=2))
@pytest.mark.parametrize("form", some(["parquet", "csv"]))
def test_publish_verify_report(staff, minimise, form):
    staff.write("policy.yaml", POLICY.replace("MINIMISE", minimise))
    done = staff.publish("--format", form)
    assert done.code == 0, done.err
    assert "Method: permutation (e is about groups of permuted values)." in done.out
    checked = staff.run("verify", "release", "--original", "policy.yaml", "--json")
    assert json.loads(checked.out)["holds"] is True
    claims = {finding["claim"] for finding in json.loads(checked.out)["findings"]}
    assert {"ke-anonymity", "truthfulness", "groups", "help of staff_help"} <= claims
    written = staff.run("report", "release", "--original", "policy.yaml", "-o", "report.html")
    assert written.code == 0, written.err
    names = sorted(path.name for path in (staff.folder / "release").iterdir())
    tables = [f"{name}.{form}" for name in ("staff", "staff_help", "staff_values")]
    assert names == sorted([*tables, "release.json"])
    for table in tables:
        assert b"person1" not in (staff.folder / "release" / table).read_bytes()


def test_what_cannot_be_met(staff):
    staff.write("policy.yaml", POLICY.replace("MINIMISE", "sum").replace("k: 4", "k: 400"))
    done = staff.publish()
    assert done.code == 1
    assert "a k of at most 36 and an e of at most 1443 are accepted" in done.lines[0]
    assert not (staff.folder / "release").exists()


def test_numbers_of_values_are_compared(staff):
    done = staff.run("compare", "policy.yaml", "--k", "2,3", "--json")
    assert done.code == 0
    losses = {each["values"]["k"]: each["loss"] for each in json.loads(done.out)["trials"]}
    assert losses[2] <= losses[3]


def test_mistakes_have_their_line(staff):
    staff.write("policy.yaml", POLICY.replace("MINIMISE", "rank-swap"))
    done = staff.publish()
    assert done.code == 2
    assert "policy.yaml:9" in done.lines[0]
    assert "'groups'" in done.lines[0]


def test_no_value_in_a_message(staff):
    staff.write("staff.csv", STAFF.replace("1037", "Zebra"))
    done = staff.publish()
    assert done.code == 2
    assert "Zebra" not in done.err
    assert "the column is category" in done.err

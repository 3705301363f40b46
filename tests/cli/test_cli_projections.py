"""All commands on examples/projections."""

import json
import re
import shutil
from pathlib import Path

import pytest

from papilio.cli.app import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "projections"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("projections") / "example"
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("README.md"))
    assert run(["publish", str(target / "policy.yaml"), "-o", str(target / "release")]) == 0
    return target


def said(capsys, *arguments):
    capsys.readouterr()
    code = run([str(each) for each in arguments])
    return code, capsys.readouterr()


def test_release_has_a_file_per_table(folder):
    names = sorted(path.name for path in (folder / "release").iterdir())
    assert names == [
        "patients_1.parquet",
        "patients_2.parquet",
        "patients_3.parquet",
        "patients_4.parquet",
        "release.json",
    ]


def test_publish_tells_the_plan(folder, capsys):
    code, shown = said(
        capsys, "publish", folder / "policy.yaml", "-o", folder / "csv", "--format", "csv"
    )
    assert code == 0
    assert "Plan: exact plan, hybrid. patients_1: " in shown.out
    assert "Association loss " in shown.out
    code, _ = said(capsys, "verify", folder / "csv", "--original", folder / "policy.yaml")
    assert code == 0


def test_verify(folder, capsys):
    code, shown = said(
        capsys, "verify", folder / "release", "--original", folder / "policy.yaml", "--json"
    )
    found = json.loads(shown.out)
    assert code == 0
    assert found["holds"]
    claims = {each["claim"] for each in found["findings"]}
    assert {"association loss", "exposure", "completeness of the plan", "promised claims"} <= claims


def test_attack_and_report(folder, capsys):
    code, shown = said(
        capsys, "attack", folder / "release", "--original", folder / "policy.yaml", "--json"
    )
    assert code == 0
    assert "background_join" in shown.out
    assert "intersection" in shown.out
    page = folder / "report.html"
    code, _ = said(
        capsys, "report", folder / "release", "--original", folder / "policy.yaml", "-o", page
    )
    assert code == 0
    assert page.exists()


def test_a_policy_that_cannot_be_met(folder, capsys):
    policy = (folder / "policy.yaml").read_text().replace("exposure: 0.25", "exposure: 0.0001")
    (folder / "strict.yaml").write_text(policy)
    code, shown = said(capsys, "publish", folder / "strict.yaml", "-o", folder / "none")
    assert code == 1
    assert "no plan keeps to the limits" in shown.err
    assert "is accepted" in shown.err
    assert not (folder / "none").exists()
    # What is said to be accepted must be: a ratio is at most 1, also after rounding up.
    named = [float(each) for each in re.findall(r"\d\.\d+", shown.err)]
    assert named
    assert max(named) <= 1


def test_data_is_what_the_script_invents():
    import csv
    import runpy

    script = runpy.run_path(str(EXAMPLE / "make_patients.py"))
    for name, header, rows in zip(
        ("patients", "symptoms"),
        (script["HEADER"], script["LINKED"]),
        script["patients"](),
        strict=True,
    ):
        with (EXAMPLE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            assert list(csv.reader(file)) == [list(map(str, row)) for row in [header, *rows]]

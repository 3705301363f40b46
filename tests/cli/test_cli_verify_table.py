"""``papilio verify`` on plain tables, and how it tells them from releases."""

import json

import polars as pl
import pytest
from cli_bench import POLICY

TABLE = "age,job,disease\n" + "".join(
    f"{20 + 10 * (i % 2)}-{29 + 10 * (i % 2)},*,ILLMARK{i % 3}\n" for i in range(12)
)


@pytest.fixture
def tables(bench):
    bench.write("table.csv", TABLE)
    return bench


def test_a_table_that_holds(tables):
    result = tables.run("verify", "table.csv", "--policy", "policy.yaml")
    assert (result.code, result.err) == (0, "")
    assert "The table as a whole: holds" in result.out
    assert "k = 6 over 2 classes" in " ".join(result.out.split())


def test_a_table_that_does_not(tables):
    tables.write("policy.yaml", POLICY.replace("k: 5", "k: 7"))
    result = tables.run("verify", "table.csv", "--policy", "policy.yaml")
    assert (result.code, result.err) == (1, "")
    assert "The table as a whole: violated" in result.out


def test_the_raw_source_is_told_its_identifiers(tables):
    """The policy's own source has 34 pairs of age and job, and names."""
    result = tables.run("verify", "people.csv", "--policy", "policy.yaml", "--json")
    assert result.code == 1
    found = {each["claim"]: each for each in json.loads(result.out)["findings"]}
    assert found["identifiers"]["measured"] == "1 in the table: name"
    assert found["k-anonymity"]["status"] == "violated"
    assert "k = 1 over" in found["k-anonymity"]["measured"]


def test_as_json(tables):
    tables.write("table.csv", TABLE.replace("disease\n", "disease,more\n").replace("K0\n", "K0,\n"))
    pl.read_csv("table.csv", truncate_ragged_lines=True).write_parquet("table.parquet")
    result = tables.run("verify", "table.parquet", "--policy", "policy.yaml", "--json")
    content = json.loads(result.out)
    assert (result.code, content["holds"], content["left_out"]) == (0, True, ["more"])
    for finding in content["findings"]:
        assert set(finding) - {"recipient", "column"} == {"claim", "demanded", "measured", "status"}
    shown = tables.run("verify", "table.parquet", "--policy", "policy.yaml")
    assert "Not looked at, because the policy does not mention them: more." in shown.out


def test_a_folder_of_tables(tables):
    tables.write("parts/one.csv", TABLE)
    tables.write("parts/two.csv", TABLE)
    result = tables.run("verify", "parts", "--policy", "policy.yaml")
    assert result.code == 0
    assert "k = 12 over 2 classes" in " ".join(result.out.split())


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_no_cell_is_shown(tables, options):
    tables.write("policy.yaml", POLICY + "  l: {disease: 9}\n  t: {disease: 0.001}\n")
    result = tables.run("verify", "table.csv", "--policy", "policy.yaml", *options)
    assert result.code == 1
    assert "ILLMARK" not in result.out + result.err
    assert "20-29" not in result.out + result.err


def test_a_release_does_not_take_a_policy(tables):
    assert tables.publish().code == 0
    (message,) = tables.refused("verify", "release", "--policy", "policy.yaml")
    assert "release is a release and makes its own claims" in message
    assert "--original" in message
    assert tables.run("verify", "release", "--original", "policy.yaml").code == 0
    (message,) = tables.refused("verify", "release", "--original", "policy.yaml", "--policy", "p")
    assert "release is a release" in message


@pytest.mark.parametrize("options", [(), ("--original", "policy.yaml")])
def test_a_table_needs_a_policy(tables, options):
    (message,) = tables.refused("verify", "table.csv", *options)
    assert "table.csv is not a release" in message
    assert "--policy" in message


def test_a_table_does_not_take_an_original(tables):
    (message,) = tables.refused(
        "verify", "table.csv", "--policy", "policy.yaml", "--original", "policy.yaml"
    )
    assert "table.csv is no release" in message


def test_a_policy_without_a_table(tables):
    (message,) = tables.refused("verify", "nowhere.csv", "--policy", "policy.yaml")
    assert "nowhere.csv: no such file or folder" in message
    (message,) = tables.refused("verify", "--policy", "policy.yaml")
    assert "Missing argument" in message


def test_a_table_of_another_policy(tables):
    tables.write("table.csv", TABLE.replace("job", "jop"))
    (message,) = tables.refused("verify", "table.csv", "--policy", "policy.yaml")
    assert "no column 'job'; did you mean 'jop'?" in message
    assert "policy.yaml:6" in message


def test_no_such_policy(tables):
    (message,) = tables.refused("verify", "table.csv", "--policy", "nowhere.yaml")
    assert "nowhere.yaml" in message


def test_an_unreachable_server_is_not_taken_for_a_path(tables):
    address = "postgresql://u:SECRET@127.0.0.1:1/db#t"
    (message,) = tables.refused("verify", address, "--policy", "policy.yaml")
    assert "SECRET" not in message
    assert "postgresql://u@127.0.0.1:1/db" in message

"""``papilio compare``: the table, the page, and what goes wrong."""

import json
import re

import pytest
from cli_bench import PEOPLE, POLICY


def compare(bench, *options):
    return bench.run("compare", "policy.yaml", *options)


def rows_of(out):
    """Lines of the table as lists of cells, the heading first."""
    table = out.split("\n\n")[1]
    return [re.split(r"\s{2,}", line.strip()) for line in table.splitlines()]


def test_table_and_page(bench):
    result = compare(bench, "--methods", "mondrian,hybrid", "--k", "2,5", "-o", "c.html")
    assert (result.code, result.err) == (0, "")
    assert "people: 40 people" in result.out
    head, *rows = rows_of(result.out)
    wanted = "method k NCP Risk DM classes least C_avg ratio divergence certain CM people seconds"
    assert head == [*wanted.split(), "lights"]
    named = [(row[0].removesuffix(" *"), row[1]) for row in rows]
    assert named == [("mondrian", "2"), ("hybrid", "2"), ("mondrian", "5"), ("hybrid", "5")]
    assert all(len(row) == len(head) for row in rows)
    assert sum(row[0].endswith(" *") for row in rows) == 2
    assert "* least loss under the same demands" in result.out
    assert "Risk: Highest chance to find the row of a person" in result.out
    assert "Page written to c.html" in result.out
    page = (bench.folder / "c.html").read_text()
    assert "For the data owner only" in page
    assert "whose ‘disease’ is not the most frequent" in page


def test_who_is_exposed_and_what_would_help_stands_below_the_table(bench):
    result = compare(bench, "--methods", "mondrian", "--k", "5,20", "-o", "c.html")
    said = [line for line in result.out.splitlines() if line.startswith("mondrian, k = ")]
    red = [line for line in said if line.startswith("mondrian, k = 5: red: ")]
    assert any(
        re.search(r"\d+ people \(\d+.*%\) stand alone.* Try cells: safe\.$", each) for each in red
    )
    page = (bench.folder / "c.html").read_text()
    assert "Lights that are amber or red" in page
    assert "Try cells: safe." in page
    assert not [each for each in said if "green" in each]


def test_as_json(bench):
    result = compare(bench, "--methods", "mondrian", "--k", "5,41", "-o", "c.html", "--json")
    assert result.code == 0
    content = json.loads(result.out)
    done, failed = content["trials"]
    assert (done["method"], done["values"], done["best"]) == ("mondrian", {"k": 5}, True)
    assert done["risk"] == 1 / done["measures"]["smallest"] <= 1 / 5
    (reason,) = (each for each in done["reasons"] if each["light"] == "alone")
    assert (reason["colour"], reason["remedy"]["line"]) == ("red", "cells: safe")
    assert failed == {
        "method": "mondrian",
        "values": {"k": 41},
        "why_not": "k is 41, but the table has only 40 rows; a k of at most 40 is accepted",
        "best": False,
    }
    assert content["page"] == "c.html"
    assert (content["people"], content["varied"]) == (40, ["k"])
    assert 0 < content["original"]["query_ratio"] < 1
    assert {"loss", "risk", "query_ratio", "classification"} <= set(content["measures"])


def test_usual_methods_and_place(bench):
    result = compare(bench, "--k", "5")
    assert result.code == 0
    found = {row[0].removesuffix(" *") for row in rows_of(result.out)[1:]}
    assert found == {"mondrian", "relaxed-mondrian", "hybrid"}
    assert (bench.folder / "compare.html").is_file()


def test_improvement(bench):
    result = compare(bench, "--methods", "hybrid", "--k", "5", "--improve", "50ms")
    assert [row[0] for row in rows_of(result.out)[1:]].count("hybrid+improve *") <= 1
    names = [row[0].removesuffix(" *") for row in rows_of(result.out)[1:]]
    assert names == ["hybrid", "hybrid+improve"]


def test_blanks_around_commas(bench):
    result = compare(bench, "--methods", " mondrian , hybrid ", "--k", " 5 , 2 ")
    assert result.code == 0
    assert len(rows_of(result.out)) == 5


def test_without_a_label_there_is_no_cm(bench):
    bench.write("policy.yaml", POLICY.replace("disease: sensitive", "disease: plain"))
    result = compare(bench, "--methods", "mondrian", "--k", "5")
    assert "CM" not in result.out
    head, row = rows_of(result.out)
    assert len(head) == len(row) == 14


def test_a_k_beyond_the_table_says_so_in_its_row(bench):
    result = compare(bench, "--methods", "mondrian", "--k", "5,1000")
    assert result.code == 0
    *_, row = rows_of(result.out)
    assert row[:2] == ["mondrian", "1000"]
    assert row[2].startswith("not run: k is 1000, but the table has only 40 rows")


def test_any_key_of_the_policy(bench):
    """Each value with each other; what one method does not have stays in its row."""
    result = compare(
        bench,
        *("--methods", "mondrian,incognito", "--set", "privacy.suppress=0,10%"),
        *("--set", "columns.age.type=numeric,category", "--json"),
    )
    trials = json.loads(result.out)["trials"]
    assert [list(each["values"].values()) for each in trials[:4]] == [
        [0, "numeric"],
        [0, "category"],
        ["10%", "numeric"],
        ["10%", "category"],
    ]
    told = {each["why_not"] for each in trials if "why_not" in each}
    assert told == {"privacy.suppress: only the methods rising and incognito leave rows out"}
    assert [each["method"] for each in trials if "why_not" in each] == ["mondrian"] * 2
    assert all(each["left_out"] == 0 for each in trials if each["values"]["suppress"] == 0)


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--set=k", "a key and its values are accepted"),
        ("--set==5", "a key and its values are accepted"),
        ("--set=l=", "a value is missing"),
        ("--set=l=2,,3", "a value is missing"),
        ("--set=exposure=0.1", "'exposure' is nothing that varies here; privacy.k, privacy.l"),
        ("--set=privacy=1", "'privacy' is nothing that varies here"),
        ("--set=columns=1", "'columns' is nothing that varies here"),
        ("--set=tables.x.key=1", "'tables.x.key' is nothing that varies here"),
        ("--set=privacy.l=0", "l = 0: "),
        ("--set=method=hibrid", "method = 'hibrid': "),
        ("--e=3", "'e' is nothing that varies here"),
    ],
)
def test_what_cannot_vary(bench, option, told):
    (message,) = bench.refused("compare", "policy.yaml", option)
    assert told in message


def test_the_policys_own_k_does_not_matter(bench):
    bench.write("policy.yaml", POLICY.replace("k: 5", "k: 1000"))
    assert compare(bench, "--methods", "mondrian", "--k", "5").code == 0


@pytest.mark.parametrize("k", ["", "x", "5,", "5;10", "5.0", "-5", "5,,10", "²", "1e3"])
def test_malformed_k(bench, k):
    (message,) = bench.refused("compare", "policy.yaml", f"--k={k}")
    assert f"--k {k}: whole numbers of at least 1" in message
    assert "such as 5,10,20" in message


def test_k_of_nothing(bench):
    (message,) = bench.refused("compare", "policy.yaml", "--k", "0,5")
    assert "at least 1" in message


def test_unknown_method(bench):
    (message,) = bench.refused("compare", "policy.yaml", "--methods", "hybird")
    assert "unknown method 'hybird'; did you mean 'hybrid'?" in message
    assert "relaxed-mondrian" in message


def test_no_method(bench):
    (message,) = bench.refused("compare", "policy.yaml", "--methods", ",")
    assert "no method to compare" in message


def test_bad_time(bench):
    (message,) = bench.refused("compare", "policy.yaml", "--improve", "10")
    assert "10s, 2m or 500ms" in message


def test_nothing_is_overwritten(bench):
    bench.write("compare.html", "mine")
    (message,) = bench.refused("compare", "policy.yaml", "--k", "5")
    assert "compare.html exists already" in message


def test_not_into_a_release(bench):
    assert bench.publish().code == 0
    (message,) = bench.refused("compare", "policy.yaml", "-o", "release/compare.html")
    assert "inside a release" in message


def test_no_such_folder(bench):
    (message,) = bench.refused("compare", "policy.yaml", "-o", "nowhere/compare.html")
    assert "not a directory" in message


def test_no_such_policy(bench):
    (message,) = bench.refused("compare", "nowhere.yaml")
    assert "nowhere.yaml" in message


def test_demands_that_cannot_be_met(bench):
    bench.write("policy.yaml", POLICY + "  l: {disease: 6}\n")
    (message,) = bench.refused("compare", "policy.yaml", "--k", "5", code=1)
    assert "column 'disease'" in message
    assert "illness" not in message


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_no_cell_is_shown(bench, options):
    marked = PEOPLE.replace("job", "JOBMARK").replace("illness", "ILLMARK")
    bench.write("people.csv", marked.replace("age,JOBMARK", "age,job"))
    result = compare(bench, "--methods", "mondrian,hybrid,incognito", "--k", "5,90", *options)
    assert result.code == 0
    page = (bench.folder / "compare.html").read_text()
    for text in (result.out, result.err, page):
        assert not re.search(r"JOBMARK|ILLMARK|person\d", text)


def test_help(bench):
    result = bench.run("compare", "--help")
    assert result.code == 0
    shown = {word.strip(",") for word in result.out.split() if word.startswith("-")}
    wanted = {
        "--methods",
        "--k",
        "--e",
        "--set",
        "--improve",
        "--allow",
        "--output",
        "-o",
        "--json",
        "--help",
    }
    assert shown == wanted
    assert "+improve" in result.out
    assert "privacy.exposure=0.1,0.2" in result.out

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
    assert "people: 40 rows" in result.out
    head, *rows = rows_of(result.out)
    assert head == [
        "method",
        "k",
        "NCP",
        "DM",
        "classes",
        "least",
        "C_avg",
        "ratio",
        "CM",
        "seconds",
    ]
    named = [(row[0].removesuffix(" *"), row[1]) for row in rows]
    assert named == [("mondrian", "2"), ("hybrid", "2"), ("mondrian", "5"), ("hybrid", "5")]
    assert all(len(row) == len(head) for row in rows)
    assert sum(row[0].endswith(" *") for row in rows) == 2
    assert "CM is about the column 'disease'" in result.out
    assert "Page written to c.html" in result.out
    assert "For the data owner only" in (bench.folder / "c.html").read_text()


def test_as_json(bench):
    result = compare(bench, "--methods", "mondrian", "--k", "5,41", "-o", "c.html", "--json")
    assert result.code == 0
    content = json.loads(result.out)
    done, failed = content["trials"]
    assert (done["method"], done["k"], done["smallest"] >= 5) == ("mondrian", 5, True)
    assert failed == {
        "method": "mondrian",
        "k": 41,
        "why_not": "k is 41, but the table has only 40 rows",
    }
    assert content["page"] == "c.html"
    assert (content["rows"], content["label"], content["quasi"]) == (40, "disease", ["age", "job"])


def test_usual_methods_and_place(bench):
    result = compare(bench, "--k", "5")
    assert result.code == 0
    found = {row[0].removesuffix(" *") for row in rows_of(result.out)[1:]}
    assert found == {"mondrian", "relaxed-mondrian", "hybrid"}
    assert (bench.folder / "compare.html").is_file()


def test_improvement(bench):
    result = compare(bench, "--methods", "hybrid", "--k", "5", "--improve", "100ms")
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
    assert len(head) == len(row) == 9


def test_a_k_beyond_the_table_says_so_in_its_row(bench):
    result = compare(bench, "--methods", "mondrian", "--k", "5,1000")
    assert result.code == 0
    *_, row = rows_of(result.out)
    assert row == ["mondrian", "1000", "not run: k is 1000, but the table has only 40 rows"]


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
        assert not [mark for mark in ("JOBMARK", "ILLMARK", "person") if mark in text]


def test_help(bench):
    result = bench.run("compare", "--help")
    assert result.code == 0
    shown = {word.strip(",") for word in result.out.split() if word.startswith("-")}
    wanted = {"--methods", "--k", "--improve", "--allow", "--output", "-o", "--json", "--help"}
    assert shown == wanted
    for name in ("mondrian", "relaxed-mondrian", "bottom-up", "hybrid", "incognito", "+improve"):
        assert name in result.out

"""All commands but ``publish``, and the help texts."""

import json
import shutil

import polars as pl
import pytest
import yaml
from cli_bench import PEOPLE, POLICY

import papilio as pp

COMMANDS = {
    "profile": {"--json"},
    "init": {"--output", "-o", "--json"},
    "publish": {"--output", "-o", "--format", "--seed", "--json"},
    "verify": {"--original", "--json"},
    "report": {"--original", "--output", "-o", "--json"},
    "demo": {"--output", "-o", "--json"},
}


@pytest.fixture
def released(bench):
    assert bench.publish().code == 0
    return bench


# profile


def test_profile(bench):
    result = bench.run("profile", "people.csv")
    assert (result.code, result.err) == (0, "")
    assert "40 rows, 4 columns" in result.out
    for part in ("identifier", "quasi", "sensitive", "rows alone"):
        assert part in result.out


def test_profile_as_json(bench):
    content = json.loads(bench.run("profile", "people.csv", "--json").out)
    assert content["rows"] == 40
    assert [each["name"] for each in content["columns"]] == ["name", "age", "job", "disease"]
    assert content["columns"][0]["role"] == "identifier"


def test_profile_of_other_sources(bench):
    pl.read_csv("people.csv").write_parquet("people.parquet")
    bench.write("folder/people.csv", PEOPLE)
    for source in ("people.parquet", "folder", bench.folder / "people.csv"):
        assert "40 rows, 4 columns" in bench.run("profile", source).out


# init


def test_draft_can_be_published(bench):
    result = bench.run("init", "people.csv", "-o", "draft.yaml")
    assert (result.code, result.err) == (0, "")
    assert "papilio publish draft.yaml -o release" in result.out
    assert bench.run("publish", "draft.yaml", "-o", "release").code == 0
    assert bench.run("verify", "release", "--original", "draft.yaml").code == 0
    assert "person1" not in pp.Release.open("release").frames["people"].write_csv()


def test_draft_as_json(bench):
    content = json.loads(bench.run("init", "people.csv", "-o", "draft.yaml", "--json").out)
    assert content == {
        "policy": "draft.yaml",
        "roles": {"name": "identifier", "age": "quasi", "job": "quasi", "disease": "sensitive"},
    }


def test_draft_names_its_source_from_where_it_lies(bench):
    bench.folder.joinpath("policies").mkdir()
    assert bench.run("init", "people.csv", "-o", "policies/draft.yaml").code == 0
    drafted = yaml.safe_load(bench.folder.joinpath("policies", "draft.yaml").read_text())
    assert drafted["source"] == "../people.csv"
    command = ("publish", "policies/draft.yaml", "-o", "release")
    assert bench.run(*command).code == 2
    assert bench.run(*command, "--allow", ".").code == 0


def test_draft_in_a_folder_behind_a_link(bench):
    bench.folder.joinpath("a", "b").mkdir(parents=True)
    bench.folder.joinpath("link").symlink_to("a/b")
    assert bench.run("init", "people.csv", "-o", "link/draft.yaml").code == 0
    assert bench.run("publish", "link/draft.yaml", "-o", "release", "--allow", ".").code == 0


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("postgresql://u:SECRET@host/db#t", "postgresql://u@host/db#t"),
        ("postgresql://u:SEC?R#ET@host/db#t", "postgresql://u@host/db#t"),
        ("postgresql://:SECRET@host/db#t", "postgresql://@host/db#t"),
        ("postgresql://u@host/db?password=SECRET#t", "postgresql://u@host/db?#t"),
        (
            "postgresql://host/db?sslpassword=SECRET&sslmode=require#t",
            "postgresql://host/db?sslmode=require#t",
        ),
        ("postgresql:///db?host=/run/pg&user=u#t", "postgresql:///db?host=/run/pg&user=u#t"),
    ],
)
def test_draft_holds_no_password(bench, monkeypatch, address, kept):
    found = pp.profile(pl.DataFrame({"age": [1, 2]}))
    monkeypatch.setattr("papilio.workflow.draft.profile", lambda data, progress: found)
    assert bench.run("init", address, "-o", "draft.yaml").code == 0
    text = bench.folder.joinpath("draft.yaml").read_text()
    assert yaml.safe_load(text)["source"] == kept
    assert "SEC" not in text


# verify


def test_verdict(released):
    result = released.run("verify", "release")
    assert (result.code, result.err) == (0, "")
    assert "The release as a whole: holds" in result.out
    assert "truthfulness" not in result.out


def test_verdict_with_the_original(released):
    result = released.run("verify", "release", "--original", "policy.yaml")
    assert result.code == 0
    assert "truthfulness" in result.out


def test_verdict_as_json(released):
    result = released.run("verify", "release", "--original", "policy.yaml", "--json")
    content = json.loads(result.out)
    assert list(content) == ["holds", "findings"]
    assert content["holds"] is True
    for finding in content["findings"]:
        assert set(finding) - {"recipient", "column"} == {"claim", "demanded", "measured", "status"}
        assert finding["status"] == "holds"
    (claim,) = [each for each in content["findings"] if each["claim"] == "k-anonymity"]
    assert claim["recipient"] == "everyone"
    assert claim["demanded"] == "k >= 5"
    columns = [each["column"] for each in content["findings"] if "column" in each]
    assert columns == ["age", "job"]


def _corrupt(folder, how):
    table, manifest = folder / "people.parquet", folder / "release.json"
    if how == "table changed":
        pl.read_parquet(table).head(39).write_parquet(table)
    elif how == "surplus file":
        folder.joinpath("notes.txt").write_text("mine")
    elif how == "larger k claimed":
        manifest.write_text(manifest.read_text().replace('"k": 5', '"k": 9'))
    elif how == "fewer rows claimed":
        manifest.write_text(manifest.read_text().replace('"rows": 40', '"rows": 39'))


@pytest.mark.parametrize(
    "how", ["table changed", "surplus file", "larger k claimed", "fewer rows claimed"]
)
def test_corrupted_release(released, how):
    _corrupt(released.folder / "release", how)
    result = released.run("verify", "release")
    assert (result.code, result.err) == (1, "")
    assert "The release as a whole: violated" in result.out
    as_json = released.run("verify", "release", "--json")
    assert as_json.code == 1
    assert json.loads(as_json.out)["holds"] is False


def test_release_without_its_table(released):
    released.folder.joinpath("release", "people.parquet").unlink()
    result = released.run("verify", "release")
    assert result.code in (1, 2)
    assert "people.parquet" in result.out + result.err


@pytest.mark.parametrize("name", ["nowhere", "people.csv", "."])
def test_no_release(bench, name):
    (message,) = bench.refused("verify", name)
    assert f"{name} is not a release" in message
    assert "release.json" in message


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 1}', "\xff"])
def test_release_with_another_manifest(released, content):
    released.folder.joinpath("release", "release.json").write_text(content, encoding="latin-1")
    (message,) = released.refused("verify", "release")
    assert "release.json" in message


def test_release_of_a_later_format(released):
    manifest = released.folder / "release" / "release.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 2'))
    (message,) = released.refused("verify", "release")
    assert "another format than 1" in message


def test_release_of_another_policy(released):
    released.write("other.yaml", POLICY.replace("  job: quasi\n", ""))
    result = released.run("verify", "release", "--original", "other.yaml")
    assert result.code in (1, 2), result
    assert result.err.count("\n") <= 1


# report and demo


def test_report_as_json(released):
    options = ("--original", "policy.yaml", "-o", "report.html", "--json")
    result = released.run("report", "release", *options)
    assert json.loads(result.out) == {"report": "report.html"}


REPORT = ("report", "release", "--original", "policy.yaml", "-o", "report.html")


def test_report_on_a_broken_release(released):
    released.folder.joinpath("release", "people.parquet").write_bytes(b"PAR1")
    (message,) = released.refused(*REPORT)
    assert "people.parquet" in message


def test_report_on_a_release_that_was_changed(released):
    """Shown beside the original, rows that somebody changed would mislead the owner."""
    released.folder.joinpath("release", "notes.txt").write_text("mine")
    (message,) = released.refused(*REPORT)
    assert message == "the release cannot be reported on: files: notes.txt is not listed"


def test_report_on_a_release_whose_claim_is_violated(released):
    """That is what a report is for."""
    manifest = released.folder / "release" / "release.json"
    manifest.write_text(manifest.read_text().replace('"k": 5', '"k": 9'))
    assert released.run(*REPORT).code == 0
    assert "violated" in released.folder.joinpath("report.html").read_text()


def test_report_on_a_release_of_another_policy(released):
    released.write("policy.yaml", POLICY.replace("  job: quasi\n", ""))
    (message,) = released.refused(*REPORT)
    assert "'job' is not promised; give the policy it was made with" in message


@pytest.mark.long
def test_demonstration(bench):
    result = bench.run("demo", "-o", "demo")
    assert (result.code, result.err) == (0, "")
    for part in ("holds", "One row, before and after", "demo/report.html"):
        assert part in result.out
    assert bench.run("verify", "demo/release", "--original", "demo/policy.yaml").code == 0
    shutil.rmtree("demo/release")
    assert bench.run("publish", "demo/policy.yaml", "-o", "demo/release").code == 0


@pytest.mark.long
def test_demonstration_as_json(bench):
    content = json.loads(bench.run("demo", "-o", "demo", "--json").out)
    assert content["policy"] == "demo/policy.yaml"
    assert content["verdict"]["holds"] is True
    for key in ("policy", "release", "report"):
        assert bench.folder.joinpath(content[key]).exists()


# help and misuse


def test_version(bench):
    result = bench.run("--version")
    assert (result.code, result.out) == (0, f"{pp.__version__}\n")


def test_help_lists_the_commands(bench):
    result = bench.run("--help")
    assert result.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.out


def test_no_command_at_all_shows_the_help(bench):
    result = bench.run()
    assert result.code == 2
    assert result.out == bench.run("--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_every_option(bench, command):
    from papilio.cli.commands import commands

    result = bench.run(command, "--help")
    assert result.code == 0
    shown = {word.strip(",") for word in result.out.split() if word.startswith("-")}
    assert shown >= COMMANDS[command] | {"--help"}
    declared = {
        option
        for parameter in commands.commands[command].params
        for option in parameter.opts
        if option.startswith("-")
    }
    assert shown >= declared


@pytest.mark.parametrize(
    ("arguments", "what", "help_of"),
    [
        (("pubish",), "No such command 'pubish'", "papilio"),
        (("--sed",), "No such option: --sed", "papilio"),
        (("publish",), "Missing argument 'policy'", "papilio publish"),
        (("publish", "policy.yaml"), "Missing option '--output'", "papilio publish"),
        (("publish", "policy.yaml", "-o", "r", "--sed", "1"), "--sed", "papilio publish"),
        (("publish", "policy.yaml", "more", "-o", "r"), "more", "papilio publish"),
        (("publish", "policy.yaml", "-o", "r", "--seed", "x"), "'--seed'", "papilio publish"),
        (("publish", "policy.yaml", "-o", "r", "--seed", "-1"), "'--seed'", "papilio publish"),
        (("report", "release"), "Missing option '--original'", "papilio report"),
        (("verify",), "Missing argument 'release'", "papilio verify"),
    ],
)
def test_misuse(bench, arguments, what, help_of):
    (message,) = bench.refused(*arguments)
    assert what in message
    assert message.endswith(f"see '{help_of} --help'")


def test_misuse_as_json(bench):
    result = bench.run("publish", "--json")
    assert result.code == 2
    assert json.loads(result.out)["error"]["reason"] == "misuse"

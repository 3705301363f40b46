"""Bad policy files: exit 2, one line per fault with file and line, nothing written."""

import pytest
from cli_bench import POLICY


def refused(bench, policy):
    bench.write("policy.yaml", policy)
    return bench.refused_publish()


def one_fault(bench, old, new, *, line, where=""):
    """Spoil the policy in one place; return the one message about it."""
    assert old in POLICY
    (message,) = refused(bench, POLICY.replace(old, new))
    place = f"policy.yaml:{line}: {where}"
    assert message.startswith(f"{place}: " if where else place)
    return message


def test_missing_policy_file(bench):
    (message,) = bench.refused("publish", "nowhere.yaml", "-o", "release")
    assert message == "nowhere.yaml: no such file"


def test_policy_is_a_folder(bench):
    bench.folder.joinpath("folder").mkdir()
    (message,) = bench.refused("publish", "folder", "-o", "release")
    assert "folder: cannot be read" in message


@pytest.mark.parametrize("k", ["0", "-3"])
def test_k_below_one(bench, k):
    message = one_fault(bench, "k: 5", f"k: {k}", line=9, where="privacy.k")
    assert "at least 1" in message


@pytest.mark.parametrize("k", ["ten", "2.5", "true", "'5'", "[5]", ".inf", ".nan"])
def test_k_is_no_whole_number(bench, k):
    message = one_fault(bench, "k: 5", f"k: {k}", line=9, where="privacy.k")
    assert "must be a whole number" in message


def test_column_with_two_roles_names_both_lines(bench):
    message = one_fault(bench, "  job: quasi\n", "  job: quasi\n  age: plain\n", line=7)
    assert "'age' has two roles" in message
    assert "line 5" in message


def test_other_key_twice(bench):
    message = one_fault(bench, "privacy:\n  k: 5\n", "privacy:\n  k: 5\n  k: 6\n", line=10)
    assert "'k' stands twice" in message
    assert "line 9" in message


def test_unknown_column_has_a_suggestion_and_a_line(bench):
    message = one_fault(bench, "  age: quasi", "  agee: quasi", line=5, where="columns.agee")
    assert "no column 'agee'" in message
    assert "did you mean 'age'?" in message


def test_every_unknown_column_gets_a_line(bench):
    policy = POLICY.replace("  age:", "  agee:").replace("  disease:", "  desease:")
    first, second = refused(bench, policy)
    assert first.startswith("policy.yaml:5: columns.agee: ")
    assert second.startswith("policy.yaml:7: columns.desease: ")


def test_unknown_key_has_a_suggestion(bench):
    missing, unknown = refused(bench, POLICY.replace("privacy:", "privcy:"))
    assert missing == "policy.yaml: privacy: this key is required"
    assert unknown.startswith("policy.yaml:8: privcy: unknown key; did you mean 'privacy'?")


def test_unknown_key_of_a_column(bench):
    message = one_fault(
        bench,
        "age: quasi",
        "age: {role: quasi, hierachy: automatic}",
        line=5,
        where="columns.age.hierachy",
    )
    assert "did you mean 'hierarchy'?" in message


def test_unknown_key_of_a_hierarchy_lists_the_known_ones(bench):
    message = one_fault(
        bench,
        "age: quasi",
        "age: {role: quasi, hierarchy: {interval: [5]}}",
        line=5,
        where="columns.age.hierarchy.interval",
    )
    assert "did you mean 'intervals'?" in message
    assert "prefix" in message


def test_a_requirement_this_version_does_not_know(bench):
    message = one_fault(bench, "k: 5", "m: {disease: 3}", line=9, where="privacy.m")
    assert "unknown key" in message
    assert "known here: k" in message


def test_unknown_role(bench):
    message = one_fault(bench, "age: quasi", "age: quasy", line=5, where="columns.age.role")
    assert "did you mean 'quasi'?" in message
    assert "'identifier', 'quasi', 'sensitive' or 'plain'" in message


def test_quasi_identifier_is_not_taken_for_an_identifier(bench):
    role = "age: quasi-identifier"
    message = one_fault(bench, "age: quasi", role, line=5, where="columns.age.role")
    assert "did you mean 'quasi'?" in message


@pytest.mark.parametrize("role", ["", " 3", " [quasi]"])
def test_column_without_a_role(bench, role):
    message = one_fault(bench, "age: quasi", f"age:{role}", line=5, where="columns.age")
    assert "identifier, quasi, sensitive, plain" in message


def test_unknown_method(bench):
    message = one_fault(bench, "papilio: 1", "method: mondrean", line=1, where="method")
    assert "did you mean 'mondrian'?" in message


def test_unknown_cells(bench):
    message = one_fault(bench, "papilio: 1", "cells: bound", line=1, where="cells")
    assert "accepted: 'bounds', 'text', 'safe' or 'safe-text'" in message


def test_version_of_the_format(bench):
    assert "accepted: 1" in one_fault(bench, "papilio: 1", "papilio: 2", line=1, where="papilio")


def test_no_quasi_column(bench):
    policy = POLICY.replace("age: quasi", "age: plain").replace("job: quasi", "job: plain")
    (message,) = refused(bench, policy)
    assert message.startswith("policy.yaml:3: columns: no column is quasi")


@pytest.mark.parametrize("privacy", ["privacy: {}", "privacy:", "privacy: 5", "privacy: [5]"])
def test_no_requirement(bench, privacy):
    message = one_fault(bench, "privacy:\n  k: 5", privacy, line=8, where="privacy")
    assert "k" in message.split(": ", 2)[2]


def test_no_privacy_at_all(bench):
    (message,) = refused(bench, POLICY.replace("privacy:\n  k: 5\n", ""))
    assert message == "policy.yaml: privacy: this key is required"


def test_no_source(bench):
    (message,) = refused(bench, POLICY.replace("source: people.csv\n", ""))
    assert "source: this key is required" in message


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("5", "must be a mapping"),
        ("{}", "exactly one of file, sql, postgresql"),
        ("{file: people.csv, sql: SELECT 1}", "exactly one of file, sql, postgresql"),
        ("{file: people.csv, table: people}", "go with postgresql"),
        ("{sql: SELECT 1, null: [NA]}", "null goes with file"),
        ("mysql://host/database", "mysql:// is not a source"),
        ("postgresql://host/database", "name either a table or a query"),
        ("{postgresql: 'postgresql://host/db', table: 'a b'}", "a table is named"),
    ],
)
def test_bad_source(bench, source, what):
    line = f"source: {source}"
    assert what in one_fault(bench, "source: people.csv", line, line=2, where="source")


def test_bad_name_of_the_table(bench):
    source = "source: {file: people.csv, name: ../people}"
    message = one_fault(bench, "source: people.csv", source, line=2, where="source.name")
    assert "letters" in message


def test_columns_as_a_list(bench):
    policy = "source: people.csv\ncolumns: [age, job]\nprivacy: {k: 5}\n"
    (message,) = refused(bench, policy)
    assert message.startswith("policy.yaml:2: columns: must be a mapping")


def test_invalid_yaml_names_the_line(bench):
    message = one_fault(bench, "  job: quasi", "  job: [quasi", line=7)
    assert "not valid YAML" in message
    assert "',' or ']'" in message


def test_control_character_names_the_line(bench):
    message = one_fault(bench, "  job: quasi", "  job: qu\x01asi", line=6)
    assert "U+0001" in message


@pytest.mark.parametrize("text", ["- a\n- b\n", "", "just text", "# only a comment\n", "5"])
def test_yaml_without_a_mapping(bench, text):
    (message,) = refused(bench, text)
    assert message == "policy.yaml: expected a mapping with keys such as 'columns'"


def test_policy_in_another_encoding(bench):
    (message,) = refused(bench, POLICY.replace("job", "métier").encode("latin-1"))
    assert message == "policy.yaml: not UTF-8 text"


def test_columns_whose_published_names_collide(bench):
    bench.write("people.csv", "age,age_min\n" + "30,1\n" * 5)
    policy = "source: people.csv\ncolumns:\n  age: quasi\n  age_min: plain\nprivacy: {k: 5}\n"
    (message,) = refused(bench, policy)
    assert message.startswith("policy.yaml:4: columns.age_min: 'age' may be published under this")


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        ("{intervals: [5, 7]}", "multiple"),
        ("{intervals: [.inf]}", "intervals"),
        ("{intervals: [.nan]}", "intervals"),
        ("{prefix: [1, 3]}", "get smaller"),
        ("{prefix: []}", "prefix"),
        ("{dates: [month, week]}", "day, month, quarter"),
        ("{dates: [year, month]}", "in this order"),
        ("{prefix: [3], intervals: [5]}", "exactly one of"),
        ("{automatic: false}", "exactly one of"),
        ("{prefix: [3], origin: 5}", "origin goes with intervals"),
        ("5", "must be a mapping with keys out of automatic"),
    ],
)
def test_bad_hierarchy_rule_has_a_line(bench, rule, what):
    column = f"age: {{role: quasi, hierarchy: {rule}}}"
    assert what in one_fault(bench, "age: quasi", column, line=5, where="columns.age.hierarchy")


@pytest.mark.parametrize(
    ("rule", "where", "what"),
    [
        ("{intervals: [5, wide]}", "intervals.1", "must be a number"),
        ("{prefix: [3, true]}", "prefix.1", "must be a whole number"),
        ("{prefix: 3}", "prefix", "must be a list"),
        ("{dates: month}", "dates", "must be a list"),
        ("{automatic: perhaps}", "automatic", "true or false"),
    ],
)
def test_wrong_type_inside_a_hierarchy_rule(bench, rule, where, what):
    column = f"age: {{role: quasi, hierarchy: {rule}}}"
    place = f"columns.age.hierarchy.{where}"
    assert what in one_fault(bench, "age: quasi", column, line=5, where=place)


@pytest.mark.parametrize(
    ("column", "what"),
    [
        ("disease: {role: plain, hierarchy: automatic}", "can have a hierarchy"),
        ("disease: {role: quasi, hierarchy: automatic, domain: [a]}", "a domain or a hierarchy"),
        ("disease: {role: quasi, domain: [a, a]}", "each value once"),
    ],
)
def test_column_that_contradicts_itself(bench, column, what):
    message = one_fault(bench, "disease: sensitive", column, line=7, where="columns.disease")
    assert what in message


def test_domain_of_a_numeric_column(bench):
    column = "age: {role: quasi, domain: [20, 21]}"
    message = one_fault(bench, "age: quasi", column, line=5, where="columns.age.domain")
    assert "type: category" in message


def test_missing_hierarchy_file(bench):
    column = "job: {role: quasi, hierarchy: lists/job.csv}"
    message = one_fault(bench, "job: quasi", column, line=6, where="columns.job.hierarchy")
    assert "no such file: lists/job.csv" in message


def test_all_faults_are_told_at_once(bench):
    policy = POLICY.replace("quasi", "quasy").replace("k: 5", "k: 0")
    messages = refused(bench, policy)
    assert [message.split(": ")[0] for message in messages] == [
        "policy.yaml:5",
        "policy.yaml:6",
        "policy.yaml:9",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "release", "--original", "bad.yaml"),
        ("report", "release", "--original", "bad.yaml", "-o", "report.html"),
    ],
)
def test_other_commands_tell_the_same(bench, arguments):
    assert bench.publish().code == 0
    bench.write("bad.yaml", POLICY.replace("k: 5", "k: 0"))
    (message,) = bench.refused(*arguments)
    assert message.startswith("bad.yaml:9: privacy.k: ")


def test_faults_as_json(bench, capsys):
    import json

    bench.write("policy.yaml", POLICY.replace("k: 5", "k: 0"))
    result = bench.publish("--json")
    assert result.code == 2
    assert json.loads(result.out)["error"]["reason"] == "bad-policy"
    assert "policy.yaml:9" in json.loads(result.out)["error"]["message"]
    assert len(result.lines) == 1

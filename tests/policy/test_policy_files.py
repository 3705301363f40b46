"""Policies as YAML: lines, names as they are written, aliases, and what YAML allows too much of."""

import pytest

from papilio import K, Policy
from papilio.errors import PolicyError
from papilio.policy.files import read_yaml


def policy(text, **options):
    return Policy.parse(text, **options)


def faults(text):
    with pytest.raises(PolicyError) as caught:
        Policy.parse(text)
    return caught.value.faults


def columns(text):
    return policy(f"columns:\n{text}\nprivacy: {{k: 5}}\n").columns


# Names and values as they are written.


@pytest.mark.parametrize(
    "name",
    ["2020", "007", "1e3", "0x1F", "yes", "No", "null", "~", "true", "2020-01-01", "2020-02-31",
     "12:30:00", ".inf", "marital status", "größe", "年齢", "🦋", "a.b", "=", "domain", "columns"],
)  # fmt: skip
def test_names_of_columns_are_text(name):
    assert list(columns(f"  {name}: quasi")) == [name]


def test_merge_sign_as_a_name_stands_in_quotes():
    assert list(columns("  '<<': quasi")) == ["<<"]


def test_names_stay_in_order():
    names = ["z", "2020", "a", "yes", "m"]
    assert list(columns("\n".join(f"  {name}: quasi" for name in names))) == names


def test_listed_values_are_text():
    written = ["007", "1.0", "yes", "no", "null", "~", "2020-01-01", "1e5", "a b", "0x10"]
    domain = columns(f"  age: {{role: quasi, domain: [{', '.join(written)}]}}")["age"].domain
    assert list(domain) == written


def test_quoted_values_lose_their_quotes():
    found = columns("""  age: {role: quasi, domain: ["a, b", 'it''s', "tab\\t"]}""")["age"]
    assert found.domain == ("a, b", "it's", "tab\t")


def test_texts_that_mean_null_are_text():
    source = policy(
        "source: {file: a.csv, null: [NA, null, -9, 99.0, '']}\n"
        "columns: {age: quasi}\nprivacy: {k: 5}\n"
    ).source
    assert source.null == ("NA", "null", "-9", "99.0", "")


def test_byte_order_mark(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_bytes("\ufeffcolumns: {age: quasi}\nprivacy: {k: 5}\n".encode())
    assert Policy.load(file).quasi == ("age",)


# Aliases and merge keys.


def test_alias():
    found = columns("  age: &q {role: quasi, type: numeric}\n  pay: *q")
    assert found["pay"] == found["age"]


def test_merge_key():
    found = columns(
        "  age: &q {role: quasi, type: numeric}\n  pay: {<<: *q, role: sensitive}\n"
        "  tax:\n    <<: *q\n    type: category"
    )
    assert (found["pay"].role, found["pay"].type) == ("sensitive", "numeric")
    assert (found["tax"].role, found["tax"].type) == ("quasi", "category")


def test_merged_columns_and_their_own():
    text = "columns:\n  <<: &shared {name: identifier, age: plain}\n  age: quasi\nprivacy: {k: 5}\n"
    assert policy(text).columns["age"].role == "quasi"
    assert policy(text).columns["name"].role == "identifier"


def test_fault_behind_an_alias_has_a_line():
    (fault,) = faults("columns:\n  age: &q quasy\n  pay: quasi\nprivacy: {k: 5}\n")
    assert fault.line == 2


def test_fault_of_a_merged_key_has_the_line_of_the_merge():
    text = "columns:\n  age: quasi\n  pay:\n    <<: {role: quasi, typ: numeric}\nprivacy: {k: 5}\n"
    (fault,) = faults(text)
    assert fault.where == "columns.pay.typ"
    assert fault.line == 3


def test_alias_inside_what_it_stands_for():
    (fault,) = faults("columns: &all\n  age: quasi\n  pay: *all\nprivacy: {k: 5}\n")
    assert "alias" in fault.message


def test_two_roles_by_different_spelling_of_one_name():
    (fault,) = faults("columns:\n  age: quasi\n  'age': plain\nprivacy: {k: 5}\n")
    assert fault.line == 3
    assert "two roles" in fault.message
    assert "line 2" in fault.message


# What is YAML, but no policy.


@pytest.mark.parametrize(
    "text",
    [
        "columns: {age: quasi}\nprivacy: {k: !!int x}\n",
        "columns: {age: quasi}\nprivacy: {k: !number 5}\n",
        "columns: {age: !!python/name:os.system x}\nprivacy: {k: 5}\n",
        "columns: {age: !!timestamp x}\nprivacy: {k: 5}\n",
        "columns: !!set {age, job}\nprivacy: {k: 5}\n",
        "columns: {age: quasi}\n---\nprivacy: {k: 5}\n",
        "columns: {[a, b]: quasi}\nprivacy: {k: 5}\n",
        "columns: {age: quasi}\nprivacy: {k: 5}\n" + "x: " + "[" * 5000,
        "columns: {<<: quasi}\nprivacy: {k: 5}\n",
    ],
)
def test_refused_without_a_traceback(text):
    assert faults(text)


def test_every_key_twice_is_told():
    found = faults("columns: {age: quasi, age: plain}\nprivacy: {k: 5}\nprivacy: {k: 6}\n")
    assert [fault.line for fault in found] == [1, 3]


# Where.


def test_lines():
    document = read_yaml("columns:\n  age: quasi\n\n  pay:\n    role: plain\nprivacy: {k: 5}\n")
    assert document.line_of(("columns", "age")) == 2
    assert document.line_of(("columns", "pay", "role")) == 5
    assert document.line_of(("columns", "pay", "type")) == 4
    assert document.line_of(("privacy", "k")) == 6
    assert document.line_of(("method",)) is None


def test_faults_of_text_have_lines_but_no_file():
    (fault,) = faults("columns: {age: quasi}\nprivacy:\n  k: 0\n")
    assert (fault.file, fault.line, fault.where) == (None, 3, "privacy.k")
    assert str(fault) == "policy:3: privacy.k: must be at least 1"


def test_faults_of_a_file_have_both(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text("columns: {age: {role: quasi, hierarchy: {prefix: [1, 2]}}}\nprivacy: {k: 5}\n")
    with pytest.raises(PolicyError) as caught:
        Policy.load(file)
    (fault,) = caught.value.faults
    assert (fault.file, fault.line) == (file, 1)
    assert fault.where == "columns.age.hierarchy"
    assert "prefix" in fault.message


def test_names_with_dots_keep_their_line():
    (fault,) = faults("columns:\n  age: quasi\n  a.b: {role: plain, typ: x}\nprivacy: {k: 5}\n")
    assert fault.line == 3


def test_base_is_the_folder_of_the_file(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text("source: a.csv\ncolumns: {age: quasi}\nprivacy: {k: 5}\n")
    assert Policy.load(file).base == tmp_path
    assert Policy.load(file).where().path == tmp_path / "a.csv"
    assert Policy.load(str(file)).requirements == (K(5),)


# Values of the data stand in two places of a policy; no message repeats them.

SECRET = "SECRETVALUE"


@pytest.mark.parametrize(
    "domain",
    [
        f"[{SECRET}, {SECRET}]",
        f"{SECRET}",
        f"[{SECRET}, [{SECRET}]]",
        f"[{SECRET}, {{{SECRET}: 1}}]",
        f"{{{SECRET}: 1}}",
        f"[{SECRET}",
        f"[*{SECRET}]",
        f"[!{SECRET} a]",
        f'["{SECRET}',
        f"[@{SECRET}]",
        f"[&{SECRET} a, &{SECRET} b]",
        f"[{SECRET}\x01]",
        f"[%{SECRET}]",
    ],
)
@pytest.mark.parametrize("key", ["domain", "null"])
def test_listed_values_are_never_repeated(key, domain):
    if key == "domain":
        text = f"columns:\n  age: {{role: quasi, domain: {domain}}}\nprivacy: {{k: 5}}\n"
    else:
        text = (
            f"source: {{file: a.csv, null: {domain}}}\ncolumns: {{age: quasi}}\nprivacy: {{k: 5}}\n"
        )
        if domain == f"[{SECRET}, {SECRET}]":
            assert policy(text).source.null == (SECRET, SECRET)
            return
    found = faults(text)
    assert SECRET not in "\n".join(map(str, found))

"""Numbers, names and cells at the edge of what there is: refused or said, never a defect."""

import shutil

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from papilio import Policy
from papilio.cli.app import run
from papilio.data.io.stream import open_stream
from papilio.data.text_values import nearly_numeric
from papilio.errors import DataError, PapilioError, PolicyError, shown
from papilio.progress import silent
from papilio.workflow.publish import publish_to
from papilio.workflow.publish_pieces import limits_for, publish_out_of_core
from seven_families import FAMILIES, policy_of, write_family

ROWS = 24


def published(folder, policy, capsys):
    """Publish a policy; what is said on standard error or, if it went well, on standard output."""
    file = folder / "policy.yaml"
    file.write_text(yaml.safe_dump(policy))
    shutil.rmtree(folder / "out", ignore_errors=True)
    code = run(["publish", str(file), "-o", str(folder / "out")])
    said = capsys.readouterr()
    assert code in (0, 1, 2), said.err
    return code, said.out if code == 0 else said.err


@pytest.mark.parametrize("keep", [10**21, 2**63, 1_000_001])
def test_prefixes_longer_than_any_text(tmp_path, capsys, keep):
    write_family(tmp_path, "one-table")
    policy = policy_of("one-table")
    policy["columns"]["town"] = {"role": "quasi", "hierarchy": {"prefix": [keep]}}
    code, said = published(tmp_path, policy, capsys)
    assert code == 2
    assert "up to 1000000" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("key", ["shift", "fakes"])
@pytest.mark.parametrize("number", [0.1234567891234, 1e-10, 1e-300])
def test_shares_have_nine_decimals(tmp_path, capsys, key, number):
    write_family(tmp_path, "disguise")
    policy = policy_of("disguise")
    policy["privacy"][key] = number
    code, said = published(tmp_path, policy, capsys)
    assert code == 2
    assert f"privacy.{key}: {key} may have 9 digits before and 9 after the point" in said


@pytest.mark.parametrize(
    "name", ["papilio_row", "papilio_up", "papilio_person", "Papilio_Row", "a\x1b[2Jb", "\u202ea"]
)
@pytest.mark.parametrize("family", FAMILIES)
def test_names_that_no_release_may_have(family, name):
    policy = policy_of(family)
    if family == "linked":
        columns = policy["tables"]["takes"]["columns"]
    else:
        columns = policy["graph"]["left"]["columns"] if family == "graph" else policy["columns"]
    columns[name] = "plain"
    with pytest.raises(PolicyError, match=r"Papilio's own|control character") as caught:
        Policy(**policy)
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


@pytest.mark.parametrize("where", ["key", "parent"])
def test_keys_of_linked_tables_have_names_of_their_own(where):
    policy = policy_of("linked")
    takes = policy["tables"]["takes"]
    takes.update(
        {"key": "papilio_row"} if where == "key" else {"parent": {"student": "papilio_up"}}
    )
    with pytest.raises(PolicyError, match="Papilio's"):
        Policy(**policy)


def with_cells(folder, column, cells):
    """Put cells into the first rows of a column."""
    lines = [line.split(",") for line in (folder / "people.csv").read_text().splitlines()]
    for line, cell in zip(lines[1:], cells, strict=False):
        line[lines[0].index(column)] = cell
    (folder / "people.csv").write_text("\n".join(map(",".join, lines)) + "\n")


@pytest.mark.parametrize("cell", ["1e400", "nan", "inf", "1" * 400, "n/a"])
def test_one_cell_that_makes_labels_of_numbers_is_said(tmp_path, capsys, cell):
    write_family(tmp_path, "one-table")
    with_cells(tmp_path, "age", [cell])
    code, said = published(tmp_path, policy_of("one-table"), capsys)
    assert code == 0
    assert "Column 'age' is taken for labels, because 1 of its 24 cells is no finite number" in said
    assert cell not in said
    declared = policy_of("one-table")
    declared["columns"]["age"] = {"role": "quasi", "type": "numeric"}
    code, said = published(tmp_path, declared, capsys)
    assert code == 2
    assert "first in row 1" in said
    assert cell not in said


def test_it_is_said_of_linked_tables_too(tmp_path):
    file, _ = write_family(tmp_path, "linked")
    lines = "".join(f"{n % 8},{n % 5},1\n" for n in range(80))
    (tmp_path / "takes.csv").write_text("sid,course,grade\n0,1e400,1\n" + lines)
    done = publish_to(tmp_path / "out", Policy.load(file))
    assert "Column 'course' is taken for labels" in done.notes[0]


def test_it_is_said_of_pieces_too(tmp_path):
    (tmp_path / "big.csv").write_text("a,b\n1e400,1\n" + "1,1\n2,1\n" * 500)
    (tmp_path / "p.yaml").write_text("source: big.csv\ncolumns: {a: quasi}\nprivacy: {k: 1}\n")
    policy = Policy.load(tmp_path / "p.yaml")
    stream = open_stream(policy.where(), ["a"])
    limits = limits_for(1 << 30, 1)
    done = publish_out_of_core(tmp_path / "out", policy, stream, limits, tell=silent)
    assert "1 of its 1,001 cells" in done.notes[0]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1"] * 99 + ["x"], True),
        (["a", "b"], False),
        (["1"] * 9 + ["x"], False),
        (["01067"], False),
    ],
)
def test_what_counts_as_nearly_numbers(cells, said):
    assert (nearly_numeric(pl.Series(cells), "c") is not None) is said
    assert nearly_numeric(pl.Series([None], dtype=pl.String), "c") is None


def parquet(folder, name, values):
    """A table of people with one more column."""
    table = {
        "age": list(range(ROWS)),
        "town": ["A"] * ROWS,
        "name": [f"x{row}" for row in range(ROWS)],
        "ill": ["flu", "none"] * (ROWS // 2),
        name: values,
    }
    pq.write_table(pa.table(table), folder / "people.parquet")
    return {**policy_of("one-table"), "source": "people.parquet"}


ODD = {
    "days": pa.array([2**31 - 1, -(2**31) + 1] * (ROWS // 2), pa.int32()).cast(pa.date32()),
    "moments": pa.array([2**62, -(2**62)] * (ROWS // 2), pa.int64()).cast(pa.timestamp("us")),
    "coarse": pa.array([2**62, 0] * (ROWS // 2), pa.int64()).cast(pa.timestamp("ms")),
}


@pytest.mark.parametrize("kind", ODD)
def test_dates_beyond_all_years_are_refused(tmp_path, capsys, kind):
    policy = parquet(tmp_path, "when", ODD[kind])
    policy["columns"]["when"] = "quasi"
    code, said = published(tmp_path, policy, capsys)
    assert code == 2
    assert "dates lie outside of the years 1 to 9999 (first in row 1)" in said


@pytest.mark.parametrize("name", ["a\0b", "\x1b[2Jred", "\u202eeveil", "two\nlines"])
def test_names_in_a_source_cannot_speak_to_the_terminal(tmp_path, capsys, name):
    policy = parquet(tmp_path, name, ["z"] * ROWS)
    code, said = published(tmp_path, policy, capsys)
    assert code == 0
    assert name not in said
    assert shown(name) in said
    for command in (["profile"], ["init", "-o", str(tmp_path / "draft.yaml")]):
        assert run([command[0], str(tmp_path / "people.parquet"), *command[1:]]) == 0
        assert name not in capsys.readouterr().out
    with pytest.raises(PapilioError, match="control character"):
        Policy.load(tmp_path / "draft.yaml")


def test_a_message_is_one_line_whatever_is_named_in_it():
    error = DataError("no column 'a\nb\x1b[31m\u202ec'", reason="x")
    assert str(error) == "no column 'a\\u000ab\\u001b[31m\\u202ec'"


def test_numbers_beyond_what_their_use_can_hold(tmp_path, capsys):
    write_family(tmp_path, "disguise")
    policy = policy_of("disguise")
    policy["privacy"]["target"] = {"pay": {"distribution": "zipf", "exponent": -1e300}}
    assert "must be at least -30" in published(tmp_path, policy, capsys)[1]
    write_family(tmp_path, "linked")
    policy = policy_of("linked")
    policy["tables"]["takes"]["at_most"] = 10**21
    assert "must be at most 1000000000" in published(tmp_path, policy, capsys)[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("age: quasi", '"\\ud800": quasi'),
        ("ill: sensitive", 'ill: {role: sensitive, domain: ["\\uDfff"]}'),
    ],
)
def test_half_a_character_is_refused_where_it_stands(old, new):
    text = "columns:\n  age: quasi\n  town: quasi\n  ill: sensitive\nprivacy: {k: 2}\n"
    with pytest.raises(PolicyError, match=r"policy:\d: half a character"):
        Policy.parse(text.replace(old, new))

"""Bad data: exit 2, one line that says where, nothing written, and no cell in the message."""

import gzip
from pathlib import Path

import polars as pl
import pytest
from cli_bench import PEOPLE, POLICY

from papilio.data.io import csv_file, files, parquet_file


def refused(bench, people=None, policy=POLICY, code=2):
    """Publish what must be refused for one reason; return it."""
    if people is not None:
        bench.write("people.csv", people)
    bench.write("policy.yaml", policy)
    (message,) = bench.refused_publish(code=code)
    return message


def test_missing_data_file(bench):
    bench.folder.joinpath("people.csv").unlink()
    assert refused(bench) == "people.csv: no such file or folder"


def test_missing_folder_in_the_source(bench):
    message = refused(bench, policy=POLICY.replace("people.csv", "data/people.csv"))
    assert message == "data/people.csv: no such file or folder"


def test_unknown_kind_of_file(bench):
    bench.write("people.xlsx", b"PK")
    message = refused(bench, policy=POLICY.replace("people.csv", "people.xlsx"))
    assert "people.xlsx: unknown kind of file" in message
    assert ".csv" in message


def test_header_only(bench):
    message = refused(bench, PEOPLE.splitlines()[0] + "\n")
    assert "people.csv: the table is empty" in message


def test_zero_bytes(bench):
    assert "people.csv: the file is empty" in refused(bench, b"")


def test_zero_bytes_of_parquet(bench):
    bench.write("people.parquet", b"")
    message = refused(bench, policy=POLICY.replace("people.csv", "people.parquet"))
    assert "people.parquet: the file is empty" in message


def test_parquet_without_rows(bench):
    schema = {"name": pl.String, "age": pl.Int64, "job": pl.String, "disease": pl.String}
    pl.DataFrame(schema=schema).write_parquet(bench.folder / "people.parquet")
    message = refused(bench, policy=POLICY.replace("people.csv", "people.parquet"))
    assert "people.parquet: the table is empty" in message


def test_broken_parquet(bench):
    pl.DataFrame({"age": [1]}).write_parquet(bench.folder / "people.parquet")
    whole = bench.folder.joinpath("people.parquet").read_bytes()
    bench.write("people.parquet", whole[: len(whole) // 2])
    message = refused(bench, policy=POLICY.replace("people.csv", "people.parquet"))
    assert "people.parquet: not a Parquet file, or a broken or incomplete one" in message


def test_broken_gzip(bench):
    bench.write("people.csv.gz", gzip.compress(PEOPLE.encode())[:-20])
    message = refused(bench, policy=POLICY.replace("people.csv", "people.csv.gz"))
    assert "people.csv.gz" in message
    assert "broken or incomplete" in message


def test_k_larger_than_the_table(bench):
    message = refused(bench, policy=POLICY.replace("k: 5", "k: 41"), code=1)
    assert "k is 41" in message
    assert "at most 40 is accepted" in message


def test_k_as_large_as_the_table_is_fine(bench):
    bench.write("policy.yaml", POLICY.replace("k: 5", "k: 40"))
    assert bench.publish().code == 0


@pytest.mark.parametrize(("row", "cells"), [("person,30,job1", 3), ("person,30,job1,flu,x", 5)])
def test_ragged_line(bench, row, cells):
    message = refused(bench, PEOPLE + row + "\n")
    assert f"people.csv: line 42 has {cells} cells" in message
    assert "header has 4" in message


def test_unclosed_quote(bench):
    message = refused(bench, PEOPLE + 'person,30,"job1,illness1\n' + "a,1,b,c\n" * 3)
    assert "starts in line 42" in message
    assert "never closed" in message


def test_wrong_encoding(bench):
    message = refused(bench, (PEOPLE + "person,30,métier,flu\n").encode("latin-1"))
    assert "people.csv: line 42 is not UTF-8" in message


def test_utf_16(bench):
    assert "not UTF-8" in refused(bench, PEOPLE.encode("utf-16"))


def test_duplicate_column_names(bench):
    message = refused(bench, PEOPLE.replace("name,age", "age,age", 1))
    assert "more than one column is named 'age'" in message


def test_column_without_a_name(bench):
    message = refused(bench, PEOPLE.replace("name,age", ",age", 1))
    assert "column 1 has no name" in message


def test_text_in_a_numeric_column(bench):
    policy = POLICY.replace("age: quasi", "age: {role: quasi, type: numeric}")
    message = refused(bench, PEOPLE + "person,thirty-seven,job1,flu\n", policy)
    assert "column 'age' is declared numeric" in message
    assert "1 of its cells" in message
    assert "row 41" in message
    assert "thirty" not in message


def test_text_in_a_date_column(bench):
    policy = POLICY.replace("job: quasi", "job: {role: quasi, type: date}")
    message = refused(bench, policy=policy)
    assert "column 'job' is declared date" in message
    assert "job1" not in message


def test_infinite_number(bench):
    pl.read_csv(PEOPLE.encode()).with_columns(age=float("inf")).write_parquet("people.parquet")
    message = refused(bench, policy=POLICY.replace("people.csv", "people.parquet"))
    assert "column 'age': 40 infinite numbers" in message


def test_hierarchy_file_that_misses_values_tells_how_many(bench):
    bench.write("job.csv", "job0,*\nother,*\n")
    policy = POLICY.replace("job: quasi", "job: {role: quasi, hierarchy: job.csv}")
    message = refused(bench, policy=policy)
    assert "column 'job': 2 values (in 26 rows) are not in the hierarchy file job.csv" in message
    assert "job1" not in message
    assert "job2" not in message


def test_hierarchy_file_that_is_no_tree(bench):
    bench.write("job.csv", "job0,a,*\njob1,b,*\njob2,c,*\njob0,b,*\n")
    policy = POLICY.replace("job: quasi", "job: {role: quasi, hierarchy: job.csv}")
    message = refused(bench, policy=policy)
    assert "job.csv:4" in message
    assert "job0" not in message


def test_empty_hierarchy_file(bench):
    bench.write("job.csv", "")
    policy = POLICY.replace("job: quasi", "job: {role: quasi, hierarchy: job.csv}")
    assert "job.csv is empty" in refused(bench, policy=policy)


def test_value_outside_the_domain(bench):
    policy = POLICY.replace("job: quasi", "job: {role: quasi, domain: [job0, job1]}")
    message = refused(bench, policy=policy)
    assert "column 'job': 1 values are not in the domain" in message
    assert "job2" not in message


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("SELEC * FROM 'people.csv'", "syntax error in line 1"),
        ("SELECT * FROM 'nobody.csv'", "nobody.csv, which is not a file"),
        ("COPY (SELECT 1) TO 'stolen.csv'", "single SELECT"),
        ("SELECT nothing FROM 'people.csv'", "not there"),
    ],
)
def test_bad_sql(bench, sql, what):
    source = f'source: {{sql: "{sql}"}}'
    assert what in refused(bench, policy=POLICY.replace("source: people.csv", source))


def test_folder_with_files_of_several_kinds(bench):
    bench.write("people/a.csv", PEOPLE)
    bench.write("people/b.parquet", b"")
    message = refused(bench, policy=POLICY.replace("people.csv", "people"))
    assert "people: the folder has files of several kinds" in message


def _appending(read, file):
    def reading(path, *arguments):
        result = read(path, *arguments)
        with Path(file).open("ab") as other:
            other.write(b"person,30,job1,flu\n")
        return result

    return reading


@pytest.mark.parametrize("command", ["publish", "profile", "init"])
def test_file_that_changes_while_it_is_read(bench, monkeypatch, command):
    """Somebody appends a row after the last byte was read and before the reading ends."""
    arguments = {
        "publish": ("publish", "policy.yaml", "-o", "release"),
        "profile": ("profile", "people.csv"),
        "init": ("init", "people.csv", "-o", "draft.yaml"),
    }[command]
    monkeypatch.setattr(files, "load_csv", _appending(csv_file.load_csv, "people.csv"))
    result = bench.run(*arguments)
    assert result.code == 2
    assert result.lines == [
        "people.csv: changed while it was read; read it again when nothing writes to it"
    ]
    assert sorted(path.name for path in bench.folder.iterdir()) == ["people.csv", "policy.yaml"]


def test_parquet_file_that_changes_while_it_is_read(bench, monkeypatch):
    pl.read_csv(PEOPLE.encode()).write_parquet("people.parquet")
    bench.write("policy.yaml", POLICY.replace("people.csv", "people.parquet"))
    reading = _appending(parquet_file.load_parquet, "people.parquet")
    monkeypatch.setattr(files, "load_parquet", reading)
    result = bench.publish()
    assert result.code == 2
    assert "people.parquet: changed while it was read" in result.lines[0]
    assert not bench.folder.joinpath("release").exists()


@pytest.mark.parametrize("command", [("profile",), ("init", "-o", "draft.yaml")])
@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"a,b\n", "the table is empty"),
        (b"a,b\n1\n", "line 2 has 1 cells"),
        (b"a,a\n1,2\n", "more than one column is named 'a'"),
        (b"a,b\n1,\xff\n", "line 2 is not UTF-8"),
        (None, "no such file or folder"),
    ],
)
def test_profile_and_init_tell_the_same(bench, command, content, what):
    if content is not None:
        bench.write("table.csv", content)
    name, *options = command
    (message,) = bench.refused(name, "table.csv", *options)
    assert message.startswith("table.csv: ")
    assert what in message


def test_data_that_changed_since_the_release(bench):
    """A release made from other data is not truthful, which is a verdict and not misuse."""
    assert bench.publish().code == 0
    bench.write("people.csv", PEOPLE + "person,99,job9,flu\n")
    result = bench.run("verify", "release", "--original", "policy.yaml")
    assert result.code == 1
    assert "violated" in result.out

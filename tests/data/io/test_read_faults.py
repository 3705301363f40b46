"""Every fault of a file or query: its reason, its place, and no cell in what the user sees."""

import gzip
import traceback

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from papilio.data.io.read import header, read
from papilio.data.source import FileSource, SqlSource
from papilio.errors import DataError
from sizes import spread

SECRET = "Zaphod-42"
GOOD = f"name,age\n{SECRET},41\n"


def text(content, name="t.csv"):
    """A file with the given content."""

    def make(folder):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return FileSource(path)

    return make


def table(columns, name="t.parquet"):
    """A Parquet file."""

    def make(folder):
        pq.write_table(columns, folder / name)
        return FileSource(folder / name)

    return make


def folder_of(**files):
    """A folder with files; ``__`` in a name stands for its dot."""

    def make(folder):
        for name, content in files.items():
            path = folder / name.replace("__", ".")
            if isinstance(content, pa.Table):
                pq.write_table(content, path)
            else:
                path.write_text(content)
        return FileSource(folder)

    return make


def sql(statement):
    """A query; ``people.csv`` and ``more.csv`` are there."""

    def make(folder):
        (folder / "people.csv").write_text(GOOD)
        (folder / "more.csv").write_text(GOOD)
        return SqlSource(statement, folder)

    return make


def parquet_bytes():
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table({"name": [SECRET] * 50, "age": range(50)}), buffer)
    return buffer.getvalue().to_pybytes()


def corrupted():
    content = bytearray(parquet_bytes())
    content[4:60] = bytes(56)
    return bytes(content)


def not_utf8_parquet():
    raw = pa.array([SECRET.encode() + b"\xff", b"x"])
    return pa.table({"name": pa.Array.from_buffers(pa.string(), 2, raw.buffers())})


LONG = f"{SECRET},1\n" * 300_000

FAULTS = {
    # name: (source, columns, reason, text in the message)
    "missing": (lambda folder: FileSource(folder / "no.csv"), None, "missing-file", "no.csv"),
    "missing without ending": (
        lambda folder: FileSource(folder / "nothing"), None, "missing-file", "nothing",
    ),
    "empty folder": (FileSource, None, "empty-folder", ".parquet"),
    "only hidden files": (
        folder_of(**{"_SUCCESS": "", ".x__csv": GOOD}), None, "empty-folder", ".csv",
    ),
    "unknown kind": (text(GOOD, "t.xlsx"), None, "unknown-kind", ".parquet"),
    "compressed parquet": (text(GOOD, "t.parquet.gz"), None, "unknown-kind", ".csv.gz"),
    "empty csv": (text(""), None, "empty-file", "header"),
    "blank csv": (text("\n  \n\n"), None, "empty-file", "header"),
    "only a byte order mark": (text("\ufeff"), None, "empty-file", "header"),
    "no rows": (text("name,age\n"), None, "empty-table", "at least one row"),
    "no rows, no line end": (text("name,age"), None, "empty-table", "at least one row"),
    "no rows, quoted header": (text('"name","age"'), None, "empty-table", "at least one row"),
    "short line": (text(GOOD + f"{SECRET}\n"), None, "ragged-line", "line 3 has 1 cells"),
    "long line": (text(GOOD + f"{SECRET},1,{SECRET}\n"), None, "ragged-line", "line 3 has 3"),
    "ragged after blank lines": (
        text(f"name,age\n\n\n{SECRET},1\n\n{SECRET}\n"), None, "ragged-line", "line 6 has 1",
    ),
    "ragged after quoted newlines": (
        text(f'name,age\n"{SECRET}\n\nx",1\n{SECRET}\n'), None, "ragged-line", "line 5 has 1",
    ),
    "ragged far away": (
        text("name,age\n" + LONG + f"{SECRET}\n"), None, "ragged-line", "line 300002 has 1",
    ),
    "ragged column that is not asked for": (
        text(GOOD + f"1,2,{SECRET}\n"), ["age"], "ragged-line", "line 3 has 3",
    ),
    "ragged gz": (
        text(gzip.compress(GOOD.encode() + b"1\n"), "t.csv.gz"), None, "ragged-line", "line 3",
    ),
    "open quote in the last column": (
        text(GOOD + f'x,"{SECRET}\nb,2\nc,3\n'), None, "unclosed-quote", "line 3",
    ),
    "open quote in the first column": (
        text(GOOD + f'"x,{SECRET}\nb,2\nc,3\n'), None, "unclosed-quote", "line 3",
    ),
    "open quote at the end of a line": (
        text(GOOD + f'x,"\n{SECRET},2\n'), None, "unclosed-quote", "line 3",
    ),
    "open quote, column not asked for": (
        text(GOOD + f'x,"{SECRET}\nb,2\n'), ["name"], "unclosed-quote", "line 3",
    ),
    "open quote after another quote": (
        text(GOOD + f'5" pipe,1\nx,"{SECRET}\nb,2\n'), None, "unclosed-quote", "line 4",
    ),
    "open quote before many lines": (
        text(GOOD + f'x,"{SECRET}\n' + LONG), None, "unclosed-quote", "line 3",
    ),
    "latin 1": (
        text(GOOD.encode() + f"{SECRET} caf\xe9,1\n".encode("latin-1")),
        None, "wrong-encoding", "line 3",
    ),
    "latin 1 header": (text("pr\xe9nom\nx\n".encode("latin-1")), None, "wrong-encoding", "line 1"),
    "utf 16": (text(GOOD.encode("utf-16")), None, "wrong-encoding", "line 1"),
    "utf 16 without mark": (text(GOOD.encode("utf-16-le")), None, "wrong-encoding", "line 1"),
    "duplicate name": (text(f"a,b,a\n{SECRET},1,2\n"), None, "duplicate-column", "'a'"),
    "duplicate after blanks": (text(f"a, a\n{SECRET},1\n"), None, "duplicate-column", "'a'"),
    "blank name": (text(f"a,,c\n{SECRET},1,2\n"), None, "blank-column", "column 2"),
    "blank first line": (text(f"\na,b\n{SECRET},1\n"), None, "blank-column", "column 1"),
    "unknown column": (text(GOOD), ["nmae"], "unknown-column", "did you mean 'name'"),
    "not gzip": (text(GOOD, "t.csv.gz"), None, "broken-file", "compressed"),
    "half a gzip": (
        text(gzip.compress(GOOD.encode() * 1000)[:-20], "t.csv.gz"), None, "broken-file", "",
    ),
    "empty parquet": (text("", "t.parquet"), None, "empty-file", "empty"),
    "not parquet": (text(GOOD * 10, "t.parquet"), None, "broken-file", "Parquet"),
    "half a parquet": (text(parquet_bytes()[:-9], "t.parquet"), None, "broken-file", "Parquet"),
    "corrupted parquet": (text(corrupted(), "t.parquet"), None, "broken-file", "Parquet"),
    "parquet without rows": (
        table(pa.table({"a": pa.array([], pa.string())})), None, "empty-table", "at least one row",
    ),
    "parquet list": (
        table(pa.table({"a": [[SECRET]]})), None, "unsupported-type", "'a' has type list",
    ),
    "parquet struct": (
        table(pa.table({"a": [{"x": SECRET}]})), None, "unsupported-type", "'a' has type struct",
    ),
    "parquet binary": (
        table(pa.table({"a": [SECRET.encode()]})), None, "unsupported-type", "'a' has type binary",
    ),
    "parquet duplicate": (
        table(pa.Table.from_arrays([pa.array([SECRET])] * 2, ["a", "a"])),
        None, "duplicate-column", "'a'",
    ),
    "parquet not utf-8": (table(not_utf8_parquet()), None, "wrong-encoding", "UTF-8"),
    "parquet unknown column": (
        table(pa.table({"name": [SECRET]})), ["Name"], "unknown-column", "did you mean 'name'",
    ),
    "folder of two kinds": (
        folder_of(a__csv=GOOD, b__parquet=pa.table({"name": [SECRET]})),
        None, "mixed-kinds", "csv, parquet",
    ),
    "folder with another file": (
        folder_of(a__csv=GOOD, notes__txt=SECRET), None, "unknown-kind", "notes.txt",
    ),
    "folder with other columns": (
        folder_of(a__csv=GOOD, b__csv=f"name,job\n{SECRET},1\n"), None, "unequal-columns", "b.csv",
    ),
    "folder with other types": (
        folder_of(a__parquet=pa.table({"v": [1]}), b__parquet=pa.table({"v": [SECRET]})),
        None, "unequal-types", "types",
    ),
    "folder with a ragged file": (
        folder_of(a__csv=GOOD, b__csv=GOOD + "1\n"), None, "ragged-line", "b.csv: line 3",
    ),
    "folder, unknown column": (folder_of(a__csv=GOOD), ["nmae"], "unknown-column", "'name'"),
    "sql syntax": (
        sql(f"SELECT *\nFROM 'people.csv'\nWERE name = '{SECRET}'"), None, "sql-syntax", "line 3",
    ),
    "sql empty": (sql("  "), None, "sql-not-a-select", "single SELECT"),
    "sql two statements": (sql("SELECT 1; SELECT 2"), None, "sql-not-a-select", "single SELECT"),
    "sql create": (sql("CREATE TABLE x AS SELECT 1"), None, "sql-not-a-select", "SELECT"),
    "sql copy": (
        sql("COPY (SELECT 1) TO 'stolen.csv'"), None, "sql-not-a-select", "SELECT",
    ),
    "sql writes in a with": (
        sql("WITH x AS (COPY (FROM 'people.csv') TO 'stolen.csv') SELECT 1"),
        None, "sql-not-a-select", "only reads",
    ),
    "sql writes deep inside": (
        sql("FROM (WITH x AS (COPY (FROM 'people.csv') TO 'stolen.csv') SELECT 1)"),
        None, "sql-not-a-select", "only reads",
    ),
    "sql overwrites its source": (
        sql("WITH x AS (COPY (SELECT 1) TO 'people.csv' (USE_TMP_FILE false)) FROM 'people.csv'"),
        None, "sql-not-a-select", "only reads",
    ),
    "sql in sql": (
        sql("FROM query('WITH x AS (COPY (SELECT 1) TO ''stolen.csv'') SELECT 1')"),
        None, "sql-function", "query",
    ),
    "sql reads any text": (sql("FROM read_text('people.csv')"), None, "sql-function", "read_csv"),
    "sql describe": (sql("DESCRIBE SELECT 1"), None, "sql-not-a-select", "SELECT"),
    "sql set": (sql("SET threads = 1"), None, "sql-not-a-select", "SELECT"),
    "sql install": (sql("INSTALL httpfs"), None, "sql-not-a-select", "SELECT"),
    "sql missing file": (sql("SELECT * FROM 'no.csv'"), None, "missing-file", "no.csv"),
    "sql missing pattern": (
        sql("SELECT * FROM read_csv('no*.csv')"), None, "missing-file", "no*.csv",
    ),
    "sql remote": (sql("FROM 'https://example.org/a.csv'"), None, "sql-remote-file", "this one"),
    "sql computed file name": (
        sql("FROM read_csv('people' || '.csv')"), None, "sql-file-name", "in quotes",
    ),
    "sql unknown table": (sql("SELECT * FROM people"), None, "sql-unknown-name", "table"),
    "sql unknown column": (
        sql("SELECT\nsurname FROM 'people.csv'"), None, "sql-unknown-name", "line 2",
    ),
    "sql conversion": (
        sql("SELECT age,\nname::INT AS n FROM 'people.csv'"), None, "sql-conversion", "converted",
    ),
    "sql error text": (
        sql("SELECT error(name) AS e FROM 'people.csv'"), None, "sql-failed", "cannot be run",
    ),
    "sql no rows": (
        sql("SELECT * FROM 'people.csv' WHERE age < 0"), None, "empty-table", "at least one row",
    ),
    "sql duplicate": (
        sql("SELECT name AS x, age AS x FROM 'people.csv'"), None, "duplicate-column", "'x'",
    ),
    "sql list": (sql("SELECT [name] AS l FROM 'people.csv'"), None, "unsupported-type", "list"),
    "sql asked column": (sql("FROM 'people.csv'"), ["agee"], "unknown-column", "mean 'age'"),
}  # fmt: skip


@pytest.mark.parametrize("case", spread(FAULTS, 20))
def test_fault(case, tmp_path):
    make, columns, reason, part = FAULTS[case]
    source = make(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(DataError) as caught:
        read(source, columns)
    error = caught.value
    assert error.reason == reason
    assert part in str(error)
    assert "\n" not in str(error)
    everything = "".join(traceback.format_exception(error))
    assert SECRET not in everything
    assert "another exception occurred" not in everything
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


HEADER_FAULTS = [
    "missing", "empty folder", "unknown kind", "empty csv", "duplicate name", "blank name",
    "not parquet", "sql syntax", "sql unknown column", "sql duplicate", "parquet duplicate",
]  # fmt: skip


@pytest.mark.parametrize("case", HEADER_FAULTS)
def test_the_header_alone_has_the_same_faults(case, tmp_path):
    make, _, reason, _ = FAULTS[case]
    with pytest.raises(DataError) as caught:
        header(make(tmp_path))
    assert caught.value.reason == reason
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_an_unclosed_quote_in_a_wide_table_is_not_read_as_one_cell(tmp_path):
    """The fault a parser forgives: without a check, all people after the quote vanish."""
    rows = "".join(f"{i},x\n" for i in range(1000))
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + rows + '1000,"x\n' + rows)
    with pytest.raises(DataError, match="line 1002"):
        read(FileSource(path))


def test_an_odd_but_sound_number_of_quotes_is_accepted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,5" pipe\n"2",x\n')
    assert read(FileSource(path)).frame["b"].to_list() == ['5" pipe', "x"]


def test_a_directory_named_like_a_file_is_a_folder(tmp_path):
    folder = tmp_path / "people.parquet"
    folder.mkdir()
    pl.DataFrame({"a": [1]}).write_parquet(folder / "part-0.parquet")
    raw = read(FileSource(folder))
    assert (raw.name, raw.frame["a"].to_list()) == ("people", [1])


def test_a_device_is_not_a_table(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError) as caught:
        read(FileSource(tmp_path / "pipe.csv"))
    assert caught.value.reason == "not-a-file"

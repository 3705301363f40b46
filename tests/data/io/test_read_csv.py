import gzip
import io

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from papilio.data.io.read import header, read
from papilio.data.source import FileSource
from papilio.data.table import ColumnType
from papilio.data.types import convert
from papilio.errors import DataError


@pytest.fixture
def csv(tmp_path):
    """Write bytes or text to a file and read it."""

    def read_back(content, name="a.csv", columns=None, null=()):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        raw = read(FileSource(path, tuple(null)), columns)
        assert raw.typed is False
        assert all(isinstance(kind, pl.Enum) for kind in raw.frame.dtypes)
        return raw.frame.to_dict(as_series=False)

    return read_back


def test_everything_is_text(csv):
    assert csv("a,b\n1,x\n02,true\n") == {"a": ["1", "02"], "b": ["x", "true"]}


def test_the_codes_are_the_ranks_of_the_values(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("v\nb\nÄ\na\nB\nb\n")
    series = read(FileSource(path)).frame["v"]
    assert series.dtype.categories.to_list() == ["B", "a", "b", "Ä"]
    assert series.to_physical().to_list() == [2, 3, 1, 0, 2]


def test_the_table_is_named_after_the_file(tmp_path):
    (tmp_path / "people.csv").write_text("a\n1\n")
    assert read(FileSource(tmp_path / "people.csv")).name == "people"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_told_from_the_header(csv, separator):
    name = "b" + "".join(sign * 5 for sign in ",;\t" if sign != separator) + separator + "\ne"
    content = separator.join(["a", f'"{name}"', "d"]) + "\n"
    content += separator.join(["1", '"x,;\ty"', "2"]) + "\n"
    assert csv(content) == {"a": ["1"], name: ["x,;\ty"], "d": ["2"]}


def test_a_tsv_is_cut_at_tabs_only(csv):
    assert csv("a,b\tc\n1,2\t3\n", "a.tsv") == {"a,b": ["1,2"], "c": ["3"]}


def test_a_single_column_keeps_its_empty_lines(csv):
    assert csv("a\n1\n\n2\n") == {"a": ["1", None, "2"]}


def test_a_wider_table_skips_empty_lines(csv):
    assert csv("a,b\n\n1,x\n\n2,y\n\n") == {"a": ["1", "2"], "b": ["x", "y"]}


def test_empty_cells_are_null(csv):
    content = 'a,b,c\n,"",  \n?,"?", ? \n1,2,3\n'
    assert csv(content) == {
        "a": [None, "?", "1"],
        "b": [None, "?", "2"],
        "c": [None, "?", "3"],
    }
    assert csv(content, null=["?", " 3"]) == {
        "a": [None, None, "1"],
        "b": [None, None, "2"],
        "c": [None, None, None],
    }


def test_blanks_around_cells_and_names_are_not_part_of_them(csv):
    content = ' a , b\n flu ,"  in side  "\nflu,\u00a0flu\n'
    assert csv(content) == {"a": ["flu", "flu"], "b": ["in side", "flu"]}


def test_a_column_of_nulls(csv):
    assert csv("a,b\n,1\n,2\n") == {"a": [None, None], "b": ["1", "2"]}


def test_quotes_newlines_and_separators_inside_cells(csv):
    content = 'a,b\n"x\ny","he said ""no"""\n"1,2",5" pipe\n"\r\nz",last\n'
    assert csv(content) == {"a": ["x\ny", "1,2", "z"], "b": ['he said "no"', '5" pipe', "last"]}


def test_a_quoted_newline_in_the_header(csv):
    assert csv('"a\nb",c\n1,2\n') == {"a\nb": ["1"], "c": ["2"]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_line_ends_and_byte_order_mark(csv, end, last, mark, quote):
    content = mark + f"{quote}a{quote},b" + end + "1,ü" + (end if last else "")
    assert csv(content) == {"a": ["1"], "b": ["ü"]}


def test_gzip(csv):
    assert csv(gzip.compress(b"a;b\n1;x\n"), "a.csv.gz") == {"a": ["1"], "b": ["x"]}
    assert csv(gzip.compress(b"a\tb\n1\tx\n"), "a.tsv.gz") == {"a": ["1"], "b": ["x"]}


def test_only_the_columns_asked_for_are_loaded_in_the_order_of_the_file(csv):
    assert csv("a,b,c\n1,2,3\n", columns=["c", "a"]) == {"a": ["1"], "c": ["3"]}
    assert csv("a,b,c\n1,2,3\n", columns={"b"}) == {"b": ["2"]}


def test_a_column_that_is_not_loaded_may_be_in_any_encoding(csv):
    assert csv(b"a,b\n1,\xff\n", columns=["a"]) == {"a": ["1"]}


def test_unknown_columns_are_listed_with_a_suggestion(csv):
    with pytest.raises(
        DataError, match=r"no column 'aeg' \(did you mean 'age'\?\), 'zz'"
    ) as caught:
        csv("age,job\n1,2\n", columns=["job", "aeg", "zz"])
    assert caught.value.reason == "unknown-column"


def test_no_column_is_no_request(csv):
    with pytest.raises(DataError) as caught:
        csv("age,job\n1,2\n", columns=[])
    assert caught.value.reason == "no-columns"


def test_the_header_alone_is_cheap_and_complete(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'a;"b;c"\nbroken \xff line')
    assert header(FileSource(path)) == ("a", "b;c")


def test_many_blocks_with_different_values(csv):
    rows = [f"{i % 1000},{'x' * (i % 7)}{i // 100}" for i in range(400_000)]
    assert csv("a,b\n" + "\n".join(rows) + "\n") == {
        "a": [row.split(",")[0] for row in rows],
        "b": [row.split(",")[1] for row in rows],
    }


def test_a_quoted_cell_over_a_block_border(csv):
    long = "word\n" * 100_000
    rows = ["1,x\n"] * 4_150_000
    frame = csv("a,b\n" + "".join(rows) + f'2,"{long}"\n3,y\n')
    assert len(frame["a"]) == len(rows) + 2
    assert frame["b"][-2:] == [long.strip(), "y"]


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=6)
COLUMNS = {
    "text": (pl.String, TEXT.map(str.strip).filter(bool)),
    "whole": (pl.Int64, st.integers(-(2**63), 2**63 - 1)),
    "number": (pl.Float64, st.floats(allow_nan=False, allow_infinity=False)),
    "day": (pl.Date, st.dates()),
    "moment": (pl.Datetime("us"), st.datetimes()),
    "flag": (pl.Boolean, st.booleans()),
}


@st.composite
def frames(draw):
    height = draw(st.integers(1, 12))
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, unique=True))

    def column(name):
        dtype, values = COLUMNS[name]
        cells = st.lists(st.none() | values, min_size=height, max_size=height)
        return pl.Series(name, draw(cells), dtype=dtype)

    return pl.DataFrame([column(name) for name in names])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(frame=frames(), separator=st.sampled_from(",;"))
@example(pl.DataFrame({"text": ["00123", None]}), ",")
@example(pl.DataFrame({"number": [1e-7, 1e300, 2.0, None]}), ",")
@example(pl.DataFrame({"text": ["true", "1", "2020-01-01"], "whole": [1, None, 3]}), ",")
def test_what_is_written_is_read_back(tmp_path, frame, separator):
    if frame.width == 1:
        separator = ","  # Nothing tells the separator of a single column; it is the comma.
    buffer = io.BytesIO()
    frame.write_csv(buffer, separator=separator, datetime_format="%Y-%m-%dT%H:%M:%S%.f")
    path = tmp_path / "a.csv"
    path.write_bytes(buffer.getvalue())
    got = read(FileSource(path)).frame
    wanted = {"text": "category", "day": "date", "moment": "date", "flag": "boolean"}
    for series in frame:
        kind = ColumnType(wanted.get(series.name, "numeric"))
        inferred = convert(got[series.name], None, typed=False)
        declared = convert(got[series.name], kind, typed=False)
        expected = series.to_list()
        assert declared.to_list() == expected
        if series.name != "text" and series.null_count() < len(series):
            assert inferred.to_list() == expected
            assert inferred.dtype.base_type() in (series.dtype.base_type(), pl.Int64)

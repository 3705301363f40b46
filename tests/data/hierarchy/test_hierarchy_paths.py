from pathlib import Path

import pytest

from papilio.data.hierarchy.paths import read_paths
from papilio.errors import DataError

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "adult" / "hierarchies"

SAME_LENGTH = """\
anna;nurses;health;*
bert;doctors;health;*
carl;doctors;health;*
dora;smiths;metal;*
"""
DIFFERENT_LENGTH = """\
alone;*
at home;family;*
with kin;family;*
abroad;*"""


@pytest.fixture
def write(tmp_path):
    def write(content, name="job.csv"):
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


def labels_of(tree):
    return [[tree.labels[node] for node in level] for level in tree.levels]


def test_a_file_in_the_shape_of_arx(write):
    tree = read_paths(write(SAME_LENGTH))
    assert tree.leaves == ("anna", "bert", "carl", "dora")
    assert labels_of(tree)[1:] == [
        ["nurses", "doctors", "doctors", "smiths"],
        ["health", "health", "health", "metal"],
        ["*"] * 4,
    ]
    assert tree.reading == {"paths": True}


def test_paths_of_different_length_without_final_newline(write):
    tree = read_paths(write(DIFFERENT_LENGTH))
    assert tree.leaves == ("alone", "at home", "with kin", "abroad")
    assert labels_of(tree)[1] == ["alone", "family", "family", "abroad"]
    assert tree.height == 2


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared Adult hierarchies are not here")
@pytest.mark.parametrize("file", sorted(SHARED.glob("?/*")), ids=lambda file: file.name)
def test_files_of_others(file):
    lines = [line.split(";") for line in file.read_text().splitlines()]
    tree = read_paths(file)
    assert sorted(tree.leaves) == sorted(line[0] for line in lines)
    for line in lines:
        rank = tree.leaves.index(line[0])
        column = [tree.labels[node] for node in tree.levels[:, rank]]
        assert column == line[:-1] + line[-2:-1] * (len(column) - len(line)) + ["*"]


def test_comma_quotes_blank_lines_and_byte_order_mark(write):
    text = '\ufeff"Smith, J", "a; b", *\n\n   \nMiller,c,*\r\n"say ""hi""",c , *\n'
    tree = read_paths(write(text))
    assert tree.leaves == ("Smith, J", "Miller", 'say "hi"')
    assert labels_of(tree)[1] == ["a; b", "c", "c"]


@pytest.mark.parametrize(
    ("text", "leaves", "groups"),
    [
        pytest.param("17;[10, 20);*\n23;[20, 30);*\n", ("17", "23"), ["[10, 20)", "[20, 30)"]),
        pytest.param("17,[10;20),*\n23,[20;30),*\n", ("17", "23"), ["[10;20)", "[20;30)"]),
        pytest.param("17;[10, 20)\n23;[20, 30)\n", ("17", "23"), ["[10, 20)", "[20, 30)"]),
        pytest.param("17,[10;20)\n23,[20;30)\n", ("17", "23"), ["[10;20)", "[20;30)"]),
        pytest.param("a, b;A;*\nc, d;C;*\n", ("a, b", "c, d"), ["A", "C"]),
        pytest.param("a, b;A;*\nc;C;*\n", ("a, b", "c"), ["A", "C"]),
        pytest.param("a;A;*\nb, c, d;*\n", ("a", "b, c, d"), ["A", "b, c, d"]),
        pytest.param('"a";"A, B";*\n"b";"C";*\n', ("a", "b"), ["A, B", "C"]),
    ],
)
def test_the_separator_that_makes_a_regular_table_is_taken(write, text, leaves, groups):
    tree = read_paths(write(text))
    assert tree.leaves == leaves
    assert labels_of(tree)[1] == groups


def test_blanks_belong_to_a_value_only_behind_it_or_in_quotes(write):
    tree = read_paths(write('" a"; A ;*\n b ;A;*\n'))
    assert tree.leaves == (" a", "b ")
    assert tree.labels == ("*", "A", " a", "b ")


def test_a_root_is_added_when_paths_end_apart(write):
    tree = read_paths(write("a;A\nb;B\nc;C;*\n"))
    assert labels_of(tree) == [["a", "b", "c"], ["A", "B", "C"], ["*", "*", "*"]]


def test_one_column_gets_a_root(write):
    tree = read_paths(write("a\nb\nc\n"))
    assert labels_of(tree) == [["a", "b", "c"], ["*", "*", "*"]]
    assert read_paths(write("a\n")).labels == ("*", "a")
    assert read_paths(write("a;a\n")).labels == ("*", "a")


def test_a_common_last_label_is_the_root(write):
    assert read_paths(write("a;all\nb;all\n")).labels == ("all", "a", "b")


def test_padding_collapses_and_keeps_its_level(write):
    tree = read_paths(write("a;a;*\nb;B;*\nc;C;C;*\n"))
    assert tree.labels == ("*", "a", "B", "b", "C", "c")
    assert labels_of(tree)[1:3] == [["a", "B", "C"], ["a", "B", "C"]]


def test_padding_with_the_root(write):
    tree = read_paths(write("a;*;*\nb;B;*\n"))
    assert labels_of(tree)[1] == ["*", "B"]


def test_repeated_lines_are_fine(write):
    tree = read_paths(write("a;A;*\nb;A;*\na;A;*\na;A;A;*\n"))
    assert tree.leaves == ("a", "b")


SECRET = "Zaphod"


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        pytest.param("Zaphod;A;*\nb;B;*\nZaphod;B;*\n", "value-twice", 3),
        pytest.param("Zaphod;A;*\n\n\nZaphod;*\n", "value-twice", 4),
        pytest.param("a;Zaphod;A;*\nb;Zaphod;B;*\n", "ambiguous-label", 2),
        pytest.param("a;Zaphod;*\nb;Zaphod;B;*\n", "ambiguous-label", 2),
        pytest.param("Zaphod;A;*\nb;Zaphod;*\n", "ambiguous-label", 2),
        pytest.param("Zaphod;A;*\nb;Zaphod;A;*\n", "ambiguous-label", 1),
        pytest.param("Zaphod;Zaphod;*\nb;Zaphod;*\n", "ambiguous-label", 1),
        pytest.param("Zaphod\nb;Zaphod\n", "ambiguous-label", 1),
        pytest.param("*;Zaphod;*\n", "group-in-itself", 1),
        pytest.param("*\n", "ambiguous-label", 1),
        pytest.param("*\nZaphod\n", "ambiguous-label", 1),
        pytest.param("a;A;*\nb;Zaphod;B;Zaphod;*\n", "group-in-itself", 2),
        pytest.param("Zaphod;B;Zaphod;*\n", "group-in-itself", 1),
        pytest.param("x;Zaphod;B;*\ny;B;Zaphod;*\n", "group-in-itself", 2),
        pytest.param("x;A;B;C;*\ny;C;A;*\nz;Zaphod;*\n", "group-in-itself", 2),
        pytest.param("Zaphod;;*\n", "empty-cell", 1),
        pytest.param("a;A;*\n;Zaphod;*\n", "empty-cell", 2),
        pytest.param("a;A;*\nb;B;*;\nc;Zaphod;*", "empty-cell", 2),
        pytest.param("a;A;*\nZaphod; ;*\n", "empty-cell", 2),
        pytest.param("a;A;*\n;;\n", "empty-cell", 2),
        pytest.param(b"a;A;*\nZaphod\xff;A;*\n", "not-utf8", 2),
        pytest.param('a;A;*\nZaphod;"A;*\n', "bad-quotes", 2),
        pytest.param('a,A,*\n"Zaphod"x,A,*\n', "bad-quotes", 2),
    ],
)
def test_each_fault_names_file_and_line_and_no_value(write, content, reason, line):
    file = write(content)
    with pytest.raises(DataError) as caught:
        read_paths(file)
    assert caught.value.reason == reason
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_after_a_quoted_line_break_keeps_its_number(write):
    with pytest.raises(DataError, match=r":3: "):
        read_paths(write('"a\nb";A;*\nc;;*\n'))


@pytest.mark.parametrize("content", ["", "\n \n\n", "\ufeff"])
def test_an_empty_file_is_refused(write, content):
    file = write(content)
    with pytest.raises(DataError, match="is empty") as caught:
        read_paths(file)
    assert caught.value.reason == "empty-file"
    assert str(file) in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"job\.csv does not exist") as caught:
        read_paths(tmp_path / "job.csv")
    assert caught.value.reason == "missing-file"


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(DataError, match="cannot be read") as caught:
        read_paths(tmp_path)
    assert caught.value.reason == "unreadable-file"

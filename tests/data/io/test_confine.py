"""Names of files that a policy may use, and those it may not."""

from pathlib import Path

import pytest

from papilio.data.io.confine import confined, confined_matches
from papilio.errors import DataError


@pytest.fixture
def places(tmp_path):
    """A policy's folder, the owner's other files, and ways from one to the other."""
    base, other = tmp_path / "policy", tmp_path / "other"
    for folder in (base / "lists", other / "deep"):
        folder.mkdir(parents=True)
    for file in (base / "a.csv", base / "lists" / "b.csv", other / "x.csv", other / "deep/y.csv"):
        file.write_text("v\n1\n")
    (base / "link.csv").symlink_to(other / "x.csv")
    (base / "linked").symlink_to(other)
    (base / "inside.csv").symlink_to(base / "lists" / "b.csv")
    (base / "loop.csv").symlink_to(base / "loop.csv")
    return base, other


@pytest.mark.parametrize(
    "name",
    ["a.csv", "lists/b.csv", "lists/../a.csv", "lists", ".", "inside.csv", "not-there.csv"],
)
def test_what_lies_in_the_folder_is_accepted_by_its_real_place(places, name):
    base, _ = places
    assert confined(name, base, ()) == (base / name).resolve()
    assert confined(base / name, base, ()) == (base / name).resolve()


OUTSIDE = [
    "../other/x.csv",
    "link.csv",
    "linked/x.csv",
    "linked",
    "lists/../../other",
    "..",
    "/etc/hostname",
    "linked/not-there.csv",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_leads_out_of_the_folder_is_refused_with_what_would_be_accepted(places, name):
    base, _ = places
    with pytest.raises(DataError, match="--allow FOLDER") as caught:
        confined(name, base, ())
    assert caught.value.reason == "not-allowed"
    assert "\n" not in str(caught.value)


def test_the_owner_allows_folders_and_files(places):
    base, other = places
    for allowed in ((other,), (other / "x.csv",), (base, other.parent)):
        assert confined("link.csv", base, allowed) == other / "x.csv"
    with pytest.raises(DataError):
        confined("linked/deep/y.csv", base, (other / "x.csv",))
    with pytest.raises(DataError):
        confined(other, base, (other / "deep",))


def test_a_folder_whose_name_only_begins_alike_is_another(places):
    base, _ = places
    with pytest.raises(DataError):
        confined(f"{base}-more/a.csv", base, ())


def test_the_programs_owner_names_any_place(places):
    base, other = places
    assert confined("link.csv", base, None) == other / "x.csv"


def test_a_relative_folder_and_one_that_is_a_link(places, monkeypatch):
    base, other = places
    monkeypatch.chdir(base.parent)
    assert confined("a.csv", Path("policy"), ()) == base / "a.csv"
    assert confined("x.csv", base / "linked", ()) == other / "x.csv"
    assert confined(base / "a.csv", Path("other"), (Path("policy"),)) == base / "a.csv"


@pytest.mark.parametrize(
    "name", ["loop.csv", "a\0.csv", "loop.csv/../../other/x.csv", "x" * 5000, "x/" * 5000]
)
def test_a_name_that_cannot_be_followed_is_refused(places, name):
    base, _ = places
    with pytest.raises(DataError) as caught:
        confined(name, base, ())
    assert "\0" not in str(caught.value)


def test_wildcards_find_files_of_the_folder(places):
    base, _ = places
    assert confined_matches("*/b.csv", base, ()) == (base / "lists/b.csv",)
    assert confined_matches("a.csv", base, ()) == (base / "a.csv",)
    assert confined_matches("lists/*.csv", base, ()) == (base / "lists/b.csv",)
    assert confined_matches("z*.csv", base, ()) == ()
    assert confined_matches("no.csv", base, ()) == ()


def test_a_file_whose_name_has_a_wildcard_is_itself(places):
    base, _ = places
    (base / "[1]*.csv").write_text("v\n")
    assert confined_matches("[1]*.csv", base, ()) == (base / "[1]*.csv",)


@pytest.mark.parametrize(
    "pattern", ["*.csv", "/e*/hostname", "../oth*/x.csv", "linked/*", "*/x.csv", "l*/../../*/x.csv"]
)
def test_wildcards_lead_nowhere_else(places, pattern):
    base, _ = places
    with pytest.raises(DataError):
        confined_matches(pattern, base, ())


def test_wildcards_search_what_the_owner_allows(places):
    base, other = places
    assert confined_matches("linked/*.csv", base, (other,)) == (other / "x.csv",)
    assert confined_matches("../oth*/*.csv", base, (base.parent,)) == (other / "x.csv",)


@pytest.mark.parametrize("pattern", ["**/people.**/people.csv", "a**.csv", "*/../../*.csv"])
def test_wildcards_that_cannot_be_followed(places, pattern):
    with pytest.raises(DataError) as caught:
        confined_matches(pattern, places[0], ())
    assert caught.value.reason == "bad-file-name"

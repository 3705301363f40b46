"""What ``release.json`` says, there and back."""

import copy
import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from releases_by_hand import manifest

from papilio.data.wording import can_be_shown
from papilio.errors import ReleaseError
from papilio.release.manifest import (
    Claim,
    Manifest,
    PublishedColumn,
    PublishedFile,
    PublishedTable,
)
from papilio.version import __version__

FILES = (PublishedFile("people.csv", "ab", "people"), PublishedFile("hierarchy_2.csv", "cd"))

#: Signs that can be shown alone can be shown together: what is left out is told sign by sign.
text = st.text(st.characters().filter(can_be_shown), min_size=1, max_size=8)
names = st.lists(text, max_size=3).map(tuple)
numbers = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
parameters = st.dictionaries(text, numbers | text | st.lists(numbers, max_size=2), max_size=2)
columns = st.builds(
    PublishedColumn, text, text, text, text, names, st.booleans(), st.none() | parameters
)
manifests = st.builds(
    Manifest,
    kind=text,
    method=text,
    claims=st.lists(st.builds(Claim, text, text, text, names, parameters), max_size=2).map(tuple),
    tables=st.lists(
        st.builds(
            PublishedTable, text, st.lists(columns, max_size=2).map(tuple), st.integers(0, 2**60)
        ),
        max_size=2,
    ).map(tuple),
    files=st.just(FILES),
    seeded=st.booleans(),
)


@given(manifests)
def test_there_and_back(made):
    assert Manifest.from_json(made.to_json()) == made


def test_text_is_readable_and_stable():
    made = manifest(files=FILES)
    assert made.to_json() == made.to_json()
    content = json.loads(made.to_json())
    assert content["format"] == 1
    assert content["papilio"] == __version__
    assert content["files"][1] == {"name": "hierarchy_2.csv", "sha256": "cd"}
    assert content["tables"][0]["columns"][1]["hierarchy"] == {"paths": "hierarchy_2.csv"}
    assert "hierarchy" not in content["tables"][0]["columns"][0]
    assert made.to_json().endswith("}\n")


def test_names_of_other_scripts_stay_readable():
    assert "größe" in manifest("größe").to_json()


def test_table_by_name():
    assert manifest().table("people").rows == 4
    with pytest.raises(ReleaseError, match="does not describe the table 'others'"):
        manifest().table("others")


def places(content, path=()):
    """Paths of all values inside plain data."""
    inside = (
        content.items() if isinstance(content, dict)
        else enumerate(content) if isinstance(content, list)
        else ()
    )  # fmt: skip
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


CONTENT = json.loads(manifest(files=FILES).to_json())
#: Keys with a default; ``table`` is one of a file only.
OPTIONAL = {
    field.name
    for part in (Manifest, PublishedTable, PublishedColumn, PublishedFile)
    for field in dataclasses.fields(part)
    if field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
}
#: What a requirement or a hierarchy says is for its reader to judge.
FREE = ("parameters", "hierarchy")


def changed(path, value):
    content = copy.deepcopy(CONTENT)
    part = content
    for step in path[:-1]:
        part = part[step]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return json.dumps(content)


def strict(path):
    return not any(step in FREE for step in path[:-1])


@pytest.mark.parametrize("path", [path for path in places(CONTENT) if strict(path)])
def test_every_type_is_checked(path):
    kept = CONTENT
    for step in path:
        kept = kept[step]
    for wrong in ("text", 5, True, [], {}, [5], {"a": 1}, 1.5):
        if type(wrong) is type(kept) or (type(wrong), type(kept)) == (int, float):
            continue
        with pytest.raises(ReleaseError):
            Manifest.from_json(changed(path, wrong))


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in places(CONTENT)
        if strict(path) and isinstance(path[-1], str) and path[-1] not in OPTIONAL
    ],
)
def test_every_key_is_needed(path):
    with pytest.raises(ReleaseError) as caught:
        Manifest.from_json(changed(path, None))
    assert caught.value.reason == "bad-manifest"


@pytest.mark.parametrize(
    "path", [("surplus",), ("claims", 0, "seed"), ("tables", 0, "source"), ("files", 0, "path")]
)
def test_keys_that_nobody_knows_are_refused(path):
    with pytest.raises(ReleaseError):
        Manifest.from_json(changed(path, "x"))


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../people.csv", "/etc/passwd", "a/b", "a\\b", "nul\0"]
)
def test_files_stay_inside_the_directory(name):
    with pytest.raises(ReleaseError):
        Manifest.from_json(changed(("files", 0, "name"), name))


@pytest.mark.parametrize(
    "content", ["", "{", "null", "5", "[]", '""', "{}", '{"format": 1}', "[" * 100_000, "NaN"]
)
def test_other_text(content):
    with pytest.raises(ReleaseError) as caught:
        Manifest.from_json(content)
    assert caught.value.reason == "bad-manifest"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [0, 2, "1", [1]])
def test_other_formats(number):
    with pytest.raises(ReleaseError) as caught:
        Manifest.from_json(changed(("format",), number))
    assert caught.value.reason == "release-format"

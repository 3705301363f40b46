"""Changing one key of a policy text leaves everything else as it stands."""

from __future__ import annotations

import copy

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from papilio.errors import PolicyError
from papilio.policy.edit import dump, with_value, without
from papilio.policy.files import read_yaml

POLICY = """\
# Patients of one ward.
papilio: 1
source: patients.csv   # beside this file

columns:
  # never leaves
  name:     identifier
  age:      quasi      # in years
  job:      {role: quasi, hierarchy: job.csv}
  disease:  sensitive

privacy:
  # at least ten alike
  k: 10
  l: {disease: 3}
# the end
"""


def test_a_number_changes_and_nothing_else() -> None:
    assert with_value(POLICY, ("privacy", "k"), 20) == POLICY.replace("k: 10", "k: 20")


def test_columns_stay_below_each_other() -> None:
    wanted = POLICY.replace("age:      quasi ", "age:      plain ")
    assert with_value(POLICY, ("columns", "age"), "plain") == wanted


def test_a_role_alone_becomes_a_key_when_another_is_set() -> None:
    changed = with_value(POLICY, ("columns", "age", "type"), "numeric")
    assert changed == POLICY.replace("age:      quasi ", "age:      {role: quasi, type: numeric} ")


def test_a_key_is_added_inside_braces_and_below_others() -> None:
    changed = with_value(POLICY, ("columns", "job", "type"), "category")
    assert "{role: quasi, hierarchy: job.csv, type: category}" in changed
    changed = with_value(changed, ("privacy", "t", "disease"), 0.2)
    assert "  l: {disease: 3}\n  t: {disease: 0.2}\n# the end\n" in changed


def test_a_missing_part_is_added_at_the_end() -> None:
    changed = with_value(POLICY, ("recipients", "insurer"), ["age"])
    assert changed.startswith(POLICY.partition("# the end")[0])
    assert "recipients:\n  insurer: [age]\n" in changed


def test_a_key_goes_with_its_line() -> None:
    assert without(POLICY, ("columns", "disease")) == POLICY.replace("  disease:  sensitive\n", "")
    assert without(POLICY, ("columns", "job", "hierarchy")) == POLICY.replace(
        ", hierarchy: job.csv", ""
    )
    assert without(POLICY, ("columns", "job", "role")) == POLICY.replace("role: quasi, ", "")


def test_the_last_key_leaves_an_empty_mapping() -> None:
    changed = without(POLICY, ("privacy", "l", "disease"))
    assert "  l: {}\n" in changed
    changed = without(without(changed, ("privacy", "l")), ("privacy", "k"))
    assert read_yaml(changed).data["privacy"] == {}


def test_what_is_not_there_is_not_removed() -> None:
    assert without(POLICY, ("recipients",)) == POLICY
    assert without(POLICY, ("columns", "age", "type")) == POLICY


def test_a_mapping_is_replaced_key_by_key_so_comments_stay() -> None:
    columns = {"name": "identifier", "age": "quasi", "wage": "sensitive"}
    changed = with_value(POLICY, ("columns",), columns)
    assert read_yaml(changed).data["columns"] == columns
    assert "# never leaves" in changed
    assert "age:      quasi      # in years" in changed


def test_blocks_and_long_texts_are_replaced_whole() -> None:
    text = "a: 1\nsource:\n  sql: >\n    SELECT *\n    FROM x\nk:\n- 1\n- 2\n"
    assert with_value(text, ("source",), "x.csv") == "a: 1\nsource: x.csv\nk:\n- 1\n- 2\n"
    assert with_value(text, ("k",), [3]) == text.replace("\n- 1\n- 2", " [3]")


def test_aliases_are_written_out_where_they_are_in_the_way() -> None:
    text = "columns:\n  a: &q {role: quasi}\n  b: *q\n"
    changed = with_value(text, ("columns", "a", "type"), "date")
    assert read_yaml(changed).data == {
        "columns": {"a": {"role": "quasi", "type": "date"}, "b": {"role": "quasi"}}
    }


ANCHORED = """\
# ours
columns:
  a: &q {role: quasi}  # first
  b: *q
  c: plain
# why
privacy: {k: 5, # five
  l: {c: 2}}  # two
"""


@pytest.mark.parametrize("name", "abc")
@pytest.mark.parametrize("value", ["plain", {"role": "sensitive"}, None])
def test_anchors_cost_no_more_than_the_comments_beside_them(name: str, value: object) -> None:
    changed = without(ANCHORED, ("columns", name))
    expected = copy.deepcopy(dict(read_yaml(ANCHORED).data))
    del expected["columns"][name]
    if value is not None:
        changed = with_value(ANCHORED, ("columns", name), value)
        expected["columns"][name] = value
    assert read_yaml(changed).data == expected
    assert changed.startswith("# ours\ncolumns:\n")
    assert changed.endswith(ANCHORED[ANCHORED.index("# why") :])


def test_several_keys_of_a_mapping_at_once() -> None:
    columns = {"wage": "plain", "name": "identifier", "job": {"role": "plain"}, "at": {"role": "x"}}
    assert with_value(POLICY, ("columns",), columns) == POLICY.replace(
        "  age:      quasi      # in years\n", ""
    ).replace(", hierarchy: job.csv", "").replace("role: quasi", "role: plain").replace(
        "  disease:  sensitive\n", "  wage: plain\n  at: {role: x}\n"
    )


@pytest.mark.parametrize(
    ("gone", "left"),
    [("a", "{b: 2, # two\n  c: 3}"), ("b", "{a: 1, c: 3}"), ("c", "{a: 1, b: 2}"),
     ("ab", "{c: 3}"), ("bc", "{a: 1}"), ("ac", "{b: 2}")],
)  # fmt: skip
def test_keys_in_braces_go_with_one_comma(gone: str, left: str) -> None:
    numbers = {key: number for key, number in zip("abc", (1, 2, 3), strict=True) if key not in gone}
    text = "x: {a: 1, b: 2, # two\n  c: 3} # end\ny: 1\n"
    assert with_value(text, ("x",), numbers) == f"x: {left} # end\ny: 1\n"


@pytest.mark.parametrize("text", ["", "- 1\n", "a: [1\n"])
def test_what_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(PolicyError):
        with_value(text, ("a",), 1)


NAMES = st.sampled_from(["a", "b c", "yes", "007", "ü: x", "columns", "#", "'"]) | st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co", "Zl", "Zp")),
    min_size=1,
    max_size=6,
)
LEAVES = st.none() | st.booleans() | st.integers(-99, 99) | NAMES
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
)
TREES = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)


def written(tree: dict, style: int) -> str:
    """The same policy in one of several layouts."""
    if style == 0:
        return dump(tree)
    text: str = yaml.safe_dump(tree, allow_unicode=True, sort_keys=False, width=10_000,
                               default_flow_style=[False, True, None][style - 1])  # fmt: skip
    return text.replace("\n", "  # remark\n") if style == 2 else text


@given(TREES, st.integers(0, 3), st.lists(NAMES, min_size=1, max_size=3), VALUES)
def test_only_the_key_changes_whatever_the_layout(
    tree: dict, style: int, path: list[str], value: object
) -> None:
    text = written(tree, style)
    tree = copy.deepcopy(dict(read_yaml(text).data))
    changed = read_yaml(with_value(text, tuple(path), value)).data
    here, there = tree, changed
    for depth, key in enumerate(path[:-1]):
        rest = {name: inner for name, inner in here.items() if name != key}
        assert {name: inner for name, inner in there.items() if name != key} == rest
        inner = here.get(key)
        if isinstance(inner, str) and depth and path[depth - 1] == "columns":
            inner = {"role": inner}
        here, there = inner if isinstance(inner, dict) else {}, there[key]
    assert there == {**here, path[-1]: read_yaml(dump({path[-1]: value})).data[path[-1]]}


@given(TREES, st.integers(0, 3), st.data())
def test_only_the_key_goes(tree: dict, style: int, data: st.DataObject) -> None:
    text = written(tree, style)
    here = expected = copy.deepcopy(dict(read_yaml(text).data))
    path = [data.draw(st.sampled_from(sorted(here)))]
    while isinstance(here[path[-1]], dict) and here[path[-1]]:
        here = here[path[-1]]
        path.append(data.draw(st.sampled_from(sorted(here))))
    del here[path[-1]]
    if expected:
        assert read_yaml(without(text, tuple(path))).data == expected

"""Every policy survives its way through the forms: load, read forms, write them, same policy."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from papilio.policy.files import read_yaml
from papilio.policy.policy import Policy
from papilio.web.draft import Draft
from papilio.web.forms.column_form import read_column, written_column
from papilio.web.forms.demands_form import (
    closeness_edits,
    diversity_edits,
    read_closeness,
    read_diversity,
    read_target,
    target_edits,
)
from papilio.web.forms.edits import Edit, mapping_at, on_draft, on_tree, places
from papilio.web.forms.recipients_form import let_know, read_recipients
from sizes import spread

ROOT = Path(__file__).parents[2]
EXAMPLES = runpy.run_path(str(ROOT / "docs/generators/policy_examples.py"))["EXAMPLES"]
FILES = sorted(ROOT.glob("examples/*/*.yaml"))
_DEFAULTS = {"columns": {"age": "quasi"}, "privacy": {"k": 2}}


def through_the_forms(tree: Mapping[str, Any]) -> tuple[Edit, ...]:
    """All that the forms would write if every one of them were written as it was read."""
    edits: list[Edit] = []
    for place in places(tree):
        for name, said in mapping_at(tree, place.columns).items():
            edits.append(Edit(place.column(name), written_column(read_column(name, said))))
    edits += diversity_edits(read_diversity(tree))
    edits += closeness_edits(read_closeness(tree))
    form = read_recipients(tree)
    for recipient in form.recipients:
        for column in form.quasi:
            edits += let_know(form, recipient.name, column, column in recipient.known)
    target = read_target(tree)
    if target.column:
        edits += target_edits(target, target.column, target.said)
    return tuple(edits)


def same_both_ways(text: str, base: Path) -> None:
    policy = Policy.parse(text, base=base)
    draft = Draft(text, base)
    edits = through_the_forms(draft.tree)
    assert on_draft(draft, edits).policy() == policy
    assert Policy(**on_tree(draft.tree, edits)) == policy
    # Also if the forms have to write everything anew, without the text they were read from.
    emptied = [Edit(edit.path) for edit in edits]
    assert Policy(**on_tree(on_tree(draft.tree, emptied), edits)) == policy
    assert on_draft(on_draft(draft, emptied), edits).policy() == policy


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_examples_survive(file: Path) -> None:
    same_both_ways(file.read_text(encoding="utf-8"), file.parent)


@pytest.mark.parametrize("path", spread(EXAMPLES, 31))
def test_reference_survives(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "voters.csv").write_text("age,town\n")
    monkeypatch.chdir(tmp_path)
    text = EXAMPLES[path] + "\n"
    said = read_yaml(text).data
    for key, value in _DEFAULTS.items():
        if key not in said and not (key == "columns" and {"tables", "graph"} & set(said)):
            text += f"{key}: {value!r}\n".replace("'", '"')
    if not {"tables", "graph"} & set(said):
        # Some examples have no quasi-identifier, which a whole policy needs.
        text = Draft(text).with_value(("columns", "another"), "quasi").text
    if "recipients" in said:
        text = EXAMPLES[path] + ("" if "privacy" in said else "\nprivacy: {k: 2}")
    same_both_ways(text, tmp_path)


def test_who_has_a_file_is_told_columns_only_when_one_is_chosen() -> None:
    for said in ({"knows": "voters.csv"}, {"file": "voters.csv", "k": 5}):
        tree = {"columns": {"age": "quasi"}, "recipients": {"insurer": said}}
        form = read_recipients(tree)
        assert let_know(form, "insurer", "age", False) == ()
        written = on_tree(tree, let_know(form, "insurer", "age", True))["recipients"]["insurer"]
        kept = {key: value for key, value in said.items() if key == "k"}
        assert written == {"knows": ["age"], **kept}


def test_keys_nobody_knows_are_kept() -> None:
    text = (
        "papilio: 1\nfuture: {a: 1}\ncolumns:\n  age: {role: quasi, shade: blue}\n"
        "  odd: [1, 2]\n  job: {role: quasi, hierarchy: {prefix: [2], file: x}}\n"
        "privacy:\n  k: 2\n  l: {job: {odd: 1}}\n  t: {job: {t: 0.1, odd: 2}}\n"
        "  target: {job: {distribution: uniform, odd: 3}}\n  later: 1\n"
    )
    draft = Draft(text)
    written = on_draft(draft, through_the_forms(draft.tree))
    assert written.tree == draft.tree


def test_shorthands_stay_short() -> None:
    text = "columns:\n  age: quasi\n  ill: sensitive\nprivacy:\n  k: 2\n  l: 3\n  t: 0.2\n"
    draft = Draft(text)
    assert on_draft(draft, through_the_forms(draft.tree)).text == text

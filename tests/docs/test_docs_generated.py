"""The generated pages are current, and what they say is complete and valid."""

from __future__ import annotations

import pytest
from generate import FOLDER, GENERATED, ROOT, written
from generators.blocks import blocks_of
from generators.command_line import commands, parameters, root_options
from generators.command_notes import NOTES
from generators.policy_examples import EXAMPLES
from generators.policy_reference import listed, models

from papilio import Policy
from papilio.policy.files import read_yaml
from papilio.policy.policy import Policy as Model

REFERENCE = (FOLDER / "policy-reference.md").read_text(encoding="utf-8")
COMMANDS = (FOLDER / "command-line.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", list(GENERATED), ids=lambda path: path.name)
def test_generated_file_is_current(path):
    assert path.read_text(encoding="utf-8") == GENERATED[path](), "run `make docs`"


def test_models_are_found():
    assert set(models()) >= {"", "source", "columns.<name>", "columns.<name>.hierarchy", "privacy"}
    assert models()[""] is Model


KEYS = [key for inside in listed().values() for key in inside]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.dotted)
def test_every_policy_key_is_described(key):
    assert f"### `{key.dotted}`\n\n{key.words.sentence}\n" in REFERENCE
    # The example of the form is the one of the page.
    assert key.words.example in EXAMPLES[key.dotted]


def test_the_page_tells_ranges_and_families():
    entry = REFERENCE.partition("### `privacy.suppress`")[2].partition("###")[0]
    assert "- Value: a number, at least 0, less than 1\n- Default: `0`\n" in entry
    assert "- Goes with: One table, one recipient; several recipients;" in entry
    assert "permuted" not in entry


def test_examples_are_for_keys_that_exist():
    assert set(EXAMPLES) == {key.dotted for key in KEYS}


@pytest.mark.parametrize("path", EXAMPLES)
def test_example_is_a_valid_policy_and_uses_its_key(path, tmp_path, monkeypatch):
    # The list that a recipient has is read for its header.
    (tmp_path / "voters.csv").write_text("name,age,town\n")
    monkeypatch.chdir(tmp_path)
    example = read_yaml(EXAMPLES[path]).data
    base = {"columns": {"age": "quasi"}, "privacy": {"k": 2}}
    if not {"graph", "tables"} & set(example):
        example["columns"] = base["columns"] | example.get("columns", {})
    else:
        del base["columns"]
    Policy(**{**base, **example})
    assert path.partition(".")[0] in example


def test_every_command_has_a_note_and_a_section():
    assert set(NOTES) == set(commands())
    for name in commands():
        assert f"\n## papilio {name}\n" in COMMANDS


@pytest.mark.parametrize("name", list(commands()))
def test_every_option_is_in_its_section(name):
    section = COMMANDS.partition(f"\n## papilio {name}\n")[2].partition("\n## ")[0]
    for parameter in parameters(name):
        assert parameter.text, f"{parameter.names[0]} has no help"
        shown = parameter.names if parameter.option else (parameter.names[0].upper(),)
        assert all(f"`{each}`" in section for each in shown)
        assert parameter.text in section


def test_options_without_a_command_are_there():
    assert root_options()
    assert all(f"papilio {option}" in COMMANDS for option in root_options() if option != "--help")


def test_whole_policies_in_pages_are_valid():
    found = 0
    for path in [*written(), *GENERATED]:
        if path.suffix != ".md":
            continue
        for block in blocks_of(path.read_text(encoding="utf-8")):
            content = read_yaml(block.body).data if block.language == "yaml" else {}
            if {"columns", "privacy"} <= set(content):
                Policy(**content)
                found += 1
    assert found >= 3


def test_fragments_of_policies_in_pages_are_valid():
    for path in written():
        for block in blocks_of(path.read_text(encoding="utf-8")):
            if block.language == "yaml":
                said = read_yaml(block.body).data
                # A graph has its columns with its entities, linked tables with each table.
                elsewhere = "graph" in said or "tables" in said
                columns = {} if elsewhere else {"columns": {"age": "quasi"}}
                Policy(**{**columns, "privacy": {"k": 2}, **said})


def test_examples_folder_shows_a_valid_policy():
    for path in (ROOT / "examples").glob("*/policy.yaml"):
        policy = Policy.load(path)
        assert policy.quasi or policy.graph or policy.tables

"""Whatever the code has, some page explains; whatever a page names, the code has."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from generate import FOLDER, GENERATED, ROOT, written
from generators.blocks import blocks_of
from generators.command_line import commands, parameters, root_options
from generators.python_reference import parts

import papilio
from papilio import errors
from papilio.data.hierarchy.rules import DATE_LEVELS, HierarchyRule
from papilio.families import families
from papilio.families.keys import key_at
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.t_closeness import Distance
from papilio.release import manifest
from papilio.verify.tables import CHECKS
from papilio.verify.verdict import Status
from sizes import spread

SOURCE = Path(papilio.__file__).parent
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [*written(), *GENERATED]
    if path.suffix == ".md"
}


def page(name):
    return PAGES[f"docs/{name}.md"]


def python_files(folder):
    return sorted(path.name for path in (SOURCE / folder).glob("*.py") if path.stem != "__init__")


def requirements(file):
    """Requirements that a file defines; files of arithmetic define none."""
    module = import_module(f"papilio.privacy.{Path(file).stem}")
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and each.__module__ == module.__name__
        and isinstance(getattr(each, "name", None), str)
        and hasattr(each, "parameters")
    ]


def test_every_attack_is_explained_with_its_limits():
    tried = {attack.name for family in families() for attack in family.attacks}
    for name in sorted(tried | {"outside_file", "releases"}):
        for where in ("attacks", "limits"):
            assert f"`{name}`" in page(where), (name, where)


@pytest.mark.parametrize("name", python_files("measure"))
def test_every_measure_is_explained(name):
    assert f"`{name}`" in page("measures")


def test_measures_that_are_explained_exist():
    named = set(re.findall(r"`(\w+\.py)`", page("measures")))
    assert named == set(python_files("measure"))


def test_requirements_are_found():
    assert requirements("k_anonymity.py") == [KAnonymity]


@pytest.mark.parametrize("file", python_files("privacy"))
def test_every_requirement_is_explained(file):
    for requirement in requirements(file):
        for name in ("limits", "policy-reference", "release-format", "requirements"):
            assert requirement.name in page(name), f"{requirement.name} in {name}.md"


def accepted(key):
    """Values that a key of a policy accepts."""
    return list(key_at(key).choices)


@pytest.mark.parametrize("method", accepted("method"))
def test_every_method_is_explained(method):
    assert f"`method: {method}`" in page("methods")


@pytest.mark.parametrize("key", ["metric", "objective"])
def test_every_option_of_a_method_is_explained(key):
    first, *others = accepted(key)
    assert f"`{key}: {first}` (default)" in page("methods")
    assert all(re.search(rf"`(?:{key}: )?{other}`", page("methods")) for other in others)


@pytest.mark.parametrize("distance", list(Distance))
def test_every_distance_is_explained(distance):
    assert f"| `{distance}` |" in page("requirements")
    assert f'"{distance}"' in page("release-format")


@pytest.mark.parametrize("claim", CHECKS)
def test_every_claim_the_verifier_knows_is_in_the_format(claim):
    assert f'"{claim}"' in page("release-format")


@pytest.mark.parametrize("status", list(Status))
def test_every_status_is_explained(status):
    assert f"`{status.value}`" in page("command-line")


@pytest.mark.parametrize("name", papilio.__all__)
def test_every_public_name_is_in_the_python_reference(name):
    assert f"\n## pp.{name}\n" in page("python-reference")


def test_the_python_reference_has_no_other_name_and_none_twice():
    assert sorted(name for names in parts().values() for name in names) == sorted(papilio.__all__)


@pytest.mark.parametrize("name", PrivacyPolicy.model_fields)
def test_every_constructor_of_a_demand_is_in_the_python_page(name):
    words = {
        "k": "K",
        "l": "L",
        "t": "T",
        "e": "KE",
        "shift": "Target",
        "fakes": "Target",
        "volunteers": "Personal",
    }
    words["known"] = "SafeGrouping"
    # For coalitions of some there are the keys alone.
    words["collusion"] = "CollusionK"
    words["near"] = "Near"
    called = words.get(name, name.title().replace("_", ""))
    assert f"`pp.{called}(" in page("python")


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, errors.PapilioError)
    ],
)
def test_every_error_is_in_the_python_page(name):
    assert name in page("python")


@pytest.mark.parametrize("name", [n for n, e in vars(errors).items() if hasattr(e, "exit_code")])
def test_exit_codes_are_as_the_python_page_says(name):
    code = getattr(errors, name).exit_code
    if name != "PapilioError":
        assert re.search(rf"^\| `{name}` \|.*\| {code} \|$", page("python"), re.M)


@pytest.mark.parametrize(
    "key",
    sorted(
        {
            field.name
            for each in (
                manifest.Manifest,
                manifest.Claim,
                manifest.PublishedTable,
                manifest.PublishedColumn,
                manifest.PublishedFile,
            )
            for field in fields(each)
        }
        | {"format"}
    ),
)
def test_every_key_of_the_manifest_is_in_the_format(key):
    assert f"`{key}`" in page("release-format")


@pytest.mark.parametrize("level", DATE_LEVELS)
def test_every_level_of_dates_is_explained(level):
    assert f"`{level}`" in page("hierarchies")


def test_every_kind_of_hierarchy_is_explained():
    kinds = {each.__name__.removesuffix("Rule").lower() for each in get_args(HierarchyRule)}
    for kind in kinds:
        assert f'"{kind}"' in page("release-format")


@pytest.mark.parametrize(
    "path",
    [
        "architecture",
        "releasing",
        "guides/add-a-method",
        "guides/add-a-requirement",
        "guides/add-an-attack",
        *(f"decisions/{path.stem}" for path in (FOLDER / "decisions").glob("*.md")),
    ],
)
def test_every_module_that_is_named_exists(path):
    for name in re.findall(r"`([\w/]+(?:\.py|/))`", page(path)):
        inside = name.removeprefix("papilio/")
        found = [base / inside for base in (SOURCE, ROOT)] + [
            SOURCE / folder / inside for folder in ("verify", "data/hierarchy")
        ]
        assert any(path.exists() for path in found), name


def test_every_target_of_make_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = {each for text in PAGES.values() for each in re.findall(r"`?\bmake ([a-z-]+)`", text)}
    assert named
    assert named <= targets


@pytest.mark.parametrize("name", spread(PAGES, 14))
def test_commands_and_options_that_are_named_exist(name):
    for command, rest in calls(PAGES[name]):
        assert command in commands() or command in root_options(), f"papilio {command}"
        if command in commands():
            known = {each for parameter in parameters(command) for each in parameter.names}
            named = re.findall(r"(?<![\w-])--?[a-z][\w-]*", rest)
            assert set(named) <= known | {"--help"}, f"papilio {command} {rest}"


def test_calls_are_found():
    text = "Run `papilio publish x -o y`.\n\n```sh\npapilio verify z --json  # note\n```\n"
    assert sorted(calls(text)) == [("publish", "x -o y"), ("verify", "z --json")]


def calls(text):
    """Commands in code: ``papilio`` and two parts, the command and what follows."""
    lines = [
        line.removeprefix("$ ").partition(" #")[0].strip()
        for block in blocks_of(text)
        for line in block.body.splitlines()
    ]
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    spans = re.findall(r"`([^`\n]+)`", prose)
    for code in [*lines, *spans]:
        found = re.fullmatch(r"papilio ([a-z-][\w-]*)\s?(.*)", code)
        if found:
            yield found[1], found[2]


def test_pages_are_linked_from_the_readme():
    for path in FOLDER.rglob("*.md"):
        if path.with_name("README.md") in GENERATED and path.name != "README.md":
            # A folder with a generated list of its pages is linked as a whole.
            assert f"({path.name})" in GENERATED[path.with_name("README.md")]()
        else:
            assert f"(docs/{path.relative_to(FOLDER)})" in PAGES["README.md"]


def test_the_changelog_knows_the_version():
    assert f"## {papilio.__version__}\n" in PAGES["CHANGELOG.md"]

"""Everything that `papilio` offers has an example that runs, and types that others can check."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import papilio
from papilio.policy.privacy_policy import PrivacyPolicy
from sizes import spread

#: Address that examples load into; a server of the tests stands in for it.
ADDRESS = "postgresql://localhost/statistics"
#: Names that hold a value, which has no docstring; the example of the package shows them.
VALUES = {"__version__"}
NAMES = ["papilio", *sorted(set(papilio.__all__) - VALUES)]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def named(name):
    return papilio if name == "papilio" else getattr(papilio, name)


def examples(name):
    text = inspect.cleandoc(named(name).__doc__ or "")
    return doctest.DocTestParser().get_doctest(text, {}, name, f"pp.{name}", 0)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_an_example_that_shows_what_comes_out(name):
    shown = examples(name).examples
    assert any(each.want for each in shown), "its docstring needs an example with its output"
    if inspect.isfunction(named(name)):
        assert any(f"pp.{name}(" in each.source for each in shown), "the example does not call it"


@pytest.mark.parametrize("name", spread(NAMES, 11))
def test_the_example_runs(name, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    test = examples(name)
    if any(ADDRESS in each.source for each in test.examples):
        address = request.getfixturevalue("postgres")
        for each in test.examples:
            each.source = each.source.replace(ADDRESS, address)
    lines = []
    failed, tried = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=lines.append)
    assert tried
    assert not failed, "".join(lines)


def test_the_value_without_docstring_is_in_the_example_of_the_package():
    for name in VALUES:
        assert f"pp.{name}" in papilio.__doc__


def test_the_docstring_of_the_package_lists_every_name():
    long_names = {"KAnonymity", "KeAnonymity", "TCloseness"}
    for name in set(papilio.__all__) - long_names - VALUES:
        assert f"``{name}``" in papilio.__doc__


def test_names_that_are_loaded_lazily_are_the_names_that_are_typed():
    """The block for type checkers and the table that loads names say the same."""
    tree = ast.parse(Path(papilio.__file__).read_text(encoding="utf-8"))
    (block,) = [each for each in tree.body if isinstance(each, ast.If)]
    typed = {
        alias.asname or alias.name: (
            f"papilio.{alias.name}" if each.module == "papilio" else each.module,
            None if each.module == "papilio" else alias.name,
        )
        for each in block.body
        for alias in each.names
    }
    assert typed == papilio._HOME
    assert sorted(papilio.__all__) == sorted([*typed, "__version__"])


def test_verbs_are_verbs_whichever_subpackages_were_imported():
    code = """
import sys
import papilio.verify.judge, papilio.attack.risk, papilio.document.html
import papilio
from papilio import verify
from papilio.verify.judge import judge
assert callable(papilio.verify) and callable(papilio.attack) and callable(papilio.report)
assert verify is papilio.verify and judge.__module__ == "papilio.verify.judge"
import papilio.verify.sql
assert papilio.verify is verify
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_modules_that_are_public_stay_modules():
    import papilio.errors

    assert isinstance(papilio.errors, ModuleType)
    assert isinstance(papilio.samples, ModuleType)


def test_help_shows_the_names():
    text = subprocess.run(
        [sys.executable, "-m", "pydoc", "papilio"], capture_output=True, text=True, check=True
    ).stdout
    for name in ("publish", "Policy", "SafeGrouping", "samples"):
        assert name in text


@pytest.mark.parametrize(
    ("verb", "shorthand"),
    [
        ("verify", "verify"),
        ("attack", "attack"),
        ("risk", "risk"),
        ("report", "report"),
        ("ask", "query"),
    ],
)
def test_shorthands_of_a_release_take_what_the_verbs_take(verb, shorthand):
    verb_takes = dict(inspect.signature(getattr(papilio, verb)).parameters)
    takes = dict(inspect.signature(getattr(papilio.Release, shorthand)).parameters)
    del verb_takes["release"], takes["self"]
    assert takes == verb_takes


#: For every key under `privacy`, what is given in Python and what a policy file would say.
CONSTRUCTORS = {
    "k": ("K(3)", {"k": 3}),
    "l": ("L('s', 2)", {"l": {"s": 2}}),
    "t": ("T('s', 0.3, n=40)", {"t": {"s": {"t": 0.3, "n": 40}}}),
    "suppress": ("K(3), pp.Suppress('2%')", {"k": 3, "suppress": "2%"}),
    "collusion_k": ("K(3), pp.CollusionK(2)", {"k": 3, "collusion_k": 2}),
    "known": ("SafeGrouping(3, 4, 'degree')", {"k": 3, "l": 4, "known": "degree"}),
    "e": ("KE(3, 1.5)", {"k": 3, "e": 1.5}),
    "near": (
        "KE(3, 1.5, near=pp.Near('5%', 0.5))",
        {"k": 3, "e": 1.5, "near": {"width": "5%", "at_most": 0.5}},
    ),
    "association_loss": ("K(3), pp.AssociationLoss(0.2)", {"k": 3, "association_loss": 0.2}),
    "exposure": ("K(3), pp.Exposure(0.5)", {"k": 3, "exposure": 0.5}),
    "generalisation_loss": (
        "K(3), pp.GeneralisationLoss(0.5)",
        {"k": 3, "generalisation_loss": 0.5},
    ),
    "target": (
        "Target('s', 'zipf', exponent=2, tree={'arity': 3})",
        {"target": {"s": {"distribution": "zipf", "exponent": 2, "tree": {"arity": 3}}}},
    ),
    "shift": ("Target('s', 'uniform', shift=0.05)", {"target": {"s": "uniform"}, "shift": 0.05}),
    "fakes": ("Target('s', 'uniform', fakes='5%')", {"target": {"s": "uniform"}, "fakes": "5%"}),
    "personal": (
        "Target('s', 'uniform'), pp.Personal('level')",
        {"target": {"s": "uniform"}, "personal": "level"},
    ),
    "volunteers": (
        "Target('s', 'uniform'), pp.Personal('level', 'blind')",
        {"target": {"s": "uniform"}, "personal": "level", "volunteers": "blind"},
    ),
}


def test_every_key_under_privacy_has_a_constructor():
    # For coalitions of some recipients there are the keys alone; for all of them, `CollusionK`.
    assert set(CONSTRUCTORS) == set(PrivacyPolicy.model_fields) - {"collusion"}


@pytest.mark.parametrize("key", CONSTRUCTORS)
def test_what_is_constructed_is_what_the_file_says(key):
    import papilio as pp

    text, written = CONSTRUCTORS[key]
    given = eval(f"[pp.{text}]", {"pp": pp})
    made = PrivacyPolicy.model_validate(given)
    assert made == PrivacyPolicy.model_validate(written)
    assert key in made.model_fields_set
    if len(given) == 1:
        assert PrivacyPolicy.model_validate(given[0]) == made


def test_a_grouping_is_both_of_its_numbers():
    made = PrivacyPolicy.model_validate(papilio.SafeGrouping(5, 4))
    assert made == PrivacyPolicy.model_validate({"k": 5, "l": 4})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[pp.K(2), pp.Exposure(0.5), pp.Exposure(0.4)]", "exposure is given twice"),
        ("[pp.Target('s', 'uniform'), pp.Target('s', 'zipf')]", "target is given twice"),
        ("[pp.KE(2, 1), pp.K(2)]", "about groups"),
        ("pp.KeAnonymity('s', 2, 1)", "give KE"),
        ("[pp.K(2), {'suppress': 0.1}]", "requirements only"),
    ],
)
def test_demands_that_contradict_each_other_are_refused(text, says):
    with pytest.raises(papilio.PapilioError, match=says):
        papilio.Policy(
            columns={"a": "quasi", "s": "sensitive"}, privacy=eval(text, {"pp": papilio})
        )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("CollusionK(0)", "whole number of at least 1"),
        ("AssociationLoss(1.5)", "from 0 to 1"),
        ("Exposure(True)", "from 0 to 1"),
        ("GeneralisationLoss('0.5')", "from 0 to 1"),
        ("Suppress('100%')", "below 1"),
        ("Suppress('a lot')", "from 0 to 1"),
        ("Target('s', 'unifrom')", "did you mean 'uniform'"),
        ("Target('s')", "exactly one of distribution, file"),
        ("Target('s', 'uniform', men=3)", "did you mean 'mean'"),
        ("Target('s', 'uniform', shift=2)", "shift must be a number from 0 to 1"),
        ("Target('s', 'uniform', fakes=0.1234567891)", "9 after the point"),
        ("T('s', 0.2, n=0)", "n must be a whole number"),
        ("SafeGrouping(0, 2)", "k must be a whole number"),
    ],
)
def test_a_wrong_parameter_is_refused_at_once(text, says):
    with pytest.raises(ValueError, match=says):
        eval(f"pp.{text}", {"pp": papilio})


TYPED = """
import papilio as pp

policy = pp.Policy(columns={"age": "quasi"}, privacy=[pp.K(5), pp.Suppress("2%")])
release = pp.publish(None, policy, name="people")
reveal_type(policy)
reveal_type(release)
reveal_type(pp.verify(release))
reveal_type(pp.ask(release, "SELECT 1"))
reveal_type(pp.attack(release, original=policy))
reveal_type(pp.risk(release, original=policy))
reveal_type(pp.report(release, "report.html", original=policy))
reveal_type(pp.load(release, "postgresql://"))
reveal_type(pp.T("salary", 0.2))
reveal_type(release.risk(original=policy))
pp.publish(None, policy, seeds=3)
pp.verify(3)
"""


#: mypy as somebody else would run it: no settings of ours, no findings about our code; other
#: libraries would only take time.
MYPY = (
    "-m",
    "mypy",
    "--strict",
    "--output=json",
    "--config-file=",
    "--follow-imports=silent",
    "--no-site-packages",
)


def test_users_of_mypy_see_the_types(tmp_path):
    file = tmp_path / "user.py"
    file.write_text(TYPED)
    home = Path(papilio.__file__).parent
    assert (home / "py.typed").exists()
    done = subprocess.run(
        [sys.executable, *MYPY, "--cache-dir", str(tmp_path / "cache"), str(file)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(home.parent)},
    )
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    revealed = [
        each["message"].split('"')[1] for each in said if each["message"].startswith("Revealed")
    ]
    assert revealed == [
        "papilio.policy.policy.Policy",
        "papilio.release.release.Release",
        "papilio.verify.verdict.Verdict",
        "papilio.query.answer.Answer",
        "tuple[papilio.attack.result.AttackResult, ...]",
        "papilio.attack.risk.Risk",
        "pathlib.Path",
        "dict[str, int]",
        "papilio.privacy.t_closeness.TCloseness",
        "papilio.attack.risk.Risk",
    ], done.stdout + done.stderr
    wrong = [each["code"] for each in said if each["severity"] == "error"]
    assert wrong == ["call-arg", "arg-type"]

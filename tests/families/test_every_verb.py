"""Every command on an order of every family: it works, or says in one line why it does not."""

from __future__ import annotations

import pytest

from papilio.cli.app import run
from papilio.errors import InternalError
from seven_families import FAMILIES

QUESTIONS = {"projections": "people_1", "linked": "student", "graph": "edges"}


def _arguments(verb, family, folder, policy, data):
    release = folder / "release"
    return {
        "verify": ["verify", release],
        "verify --original": ["verify", release, "--original", policy],
        "verify --policy": ["verify", data, "--policy", policy],
        "compare": ["compare", policy, "--k", "2,3", "-o", folder / "compare.html"],
        "query": ["query", release, f"SELECT count(*) FROM {QUESTIONS.get(family, 'people')}"],
        "query --sql": [
            *["query", release, "--sql", "duckdb"],
            f"SELECT count(*) FROM {QUESTIONS.get(family, 'people')}",
        ],
        "attack": ["attack", release, "--original", policy],
        "report": ["report", release, "--original", policy, "-o", folder / "report.html"],
        "profile": ["profile", data],
        "init": ["init", data, "-o", folder / "draft.yaml"],
    }[verb]


#: Verb -> families it cannot serve, which it must say at once.
REFUSED = {
    "compare": {"permutation", "disguise", "projections", "linked", "graph"},
    "verify --policy": {"disguise", "linked", "graph"},
    "query --sql": {"linked", "graph"},
}
VERBS = (
    "verify", "verify --original", "verify --policy", "compare", "query", "query --sql",
    "attack", "report", "profile", "init",
)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("verb", VERBS)
def test_every_command_works_or_says_why_not(published, verb, family, capsys):
    capsys.readouterr()
    code = run([str(each) for each in _arguments(verb, family, *published[family])])
    said = capsys.readouterr()
    assert code != InternalError.exit_code, said.err
    if family in REFUSED.get(verb, ()):
        assert code == 2
        assert len(said.err.splitlines()) == 1
        assert said.out == ""
    else:
        assert code in (0, 1), said.err
        assert said.err == ""

"""Releases of strangers, damaged at random, under every verb: an answer or one line, never more.

``PAPILIO_FUZZ=35000`` tries so many; a failure names its seed, which repeats it.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from release_damage import mutate, outside
from tiny_releases import MAKERS, Tiny, make

from opened_files import Watch, watched
from papilio.engines import postgres
from papilio.errors import InternalError, PapilioError
from papilio.release.release import Release
from papilio.workflow.ask import ask, rewrite
from papilio.workflow.load import load
from papilio.workflow.report import document, report
from papilio.workflow.risk import attack, risk
from papilio.workflow.verify import verify
from sizes import spread, tries
from work_cost import measured

pytestmark = pytest.mark.searches

#: So many damaged releases are tried in all, in lots of which each is a test.
TRIES = tries(32, 1920, "PAPILIO_FUZZ")
FIRST = int(os.environ.get("PAPILIO_FUZZ_FIRST", "0"))
FORMS = ("parquet", "csv")
LOTS = [(name, form) for name in MAKERS for form in FORMS]
#: Most processor time and memory that a run may take.
SECONDS, BYTES = 20, 2 << 30


class _Cursor:
    """A server that takes everything."""

    def __enter__(self) -> _Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    cursor = __enter__

    def execute(self, statement: str, parameters: object = None) -> None:
        assert isinstance(statement, str)

    def fetchone(self) -> tuple[bool]:
        return (False,)

    def adbc_ingest(self, name: str, table: Any, **_: object) -> None:
        assert table.num_columns >= 0

    def commit(self) -> None:
        return None


DRIVER = SimpleNamespace(connect=lambda uri: _Cursor(), Error=ZeroDivisionError)


def _opened(place: Path, tiny: Tiny, chance: Random) -> None:
    release = Release.open(place)
    for name in release.frames:
        release.frames[name].height  # noqa: B018 - read


def _saved(place: Path, tiny: Tiny, chance: Random) -> None:
    Release.open(place).save(place.parent / "saved", format=chance.choice(FORMS))


VERBS = {
    "open": _opened,
    "save": _saved,
    "verify": lambda place, tiny, chance: verify(place),
    "verify --original": lambda place, tiny, chance: verify(
        place, original=tiny.policy, data=tiny.data
    ),
    "query": lambda place, tiny, chance: ask(place, chance.choice(tiny.questions)),
    "query --sql": lambda place, tiny, chance: rewrite(
        place, chance.choice(tiny.questions), to=chance.choice(("postgres", "spark", "duckdb"))
    ),
    "attack": lambda place, tiny, chance: attack(place, original=tiny.policy, data=tiny.data),
    "risk": lambda place, tiny, chance: risk(place, original=tiny.policy, data=tiny.data),
    "report": lambda place, tiny, chance: report(
        place, place.parent / "report.html", original=tiny.policy, data=tiny.data
    ),
    "document": lambda place, tiny, chance: document(place, original=tiny.policy, data=tiny.data),
    "load": lambda place, tiny, chance: load(place, "postgresql://nobody@nowhere/none"),
}

_OPENED: list[str] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        _OPENED.append(os.fsdecode(arguments[0]))


@pytest.fixture(scope="session")
def audited() -> None:
    """Every file that Python opens from here on."""
    sys.addaudithook(_watch)


@pytest.fixture(scope="module")
def tinies(tmp_path_factory):
    made: dict[tuple[str, str], Tiny] = {}
    folder = tmp_path_factory.mktemp("tiny")

    def get(name: str, form: str) -> Tiny:
        if (name, form) not in made:
            made[name, form] = make(name, folder / f"{name}-{form}", form)
        return made[name, form]

    return get


@contextmanager
def _one_line(seed: str, done: str, verb: str):
    """A run that ends well, or with one line that can be printed."""
    text = ""
    try:
        yield
    except PapilioError as error:
        text = f"{error!r}" if isinstance(error, InternalError) else str(error)
    except BaseException as error:
        raise AssertionError(f"{seed}: {done}: {verb}: {error!r}") from error
    assert "InternalError" not in text, (seed, done, verb)
    assert not set("\x1b\x00\n\r\u202e") & set(text), (seed, done, verb, text)


@pytest.mark.parametrize(("name", "form"), spread(LOTS, 4))
def test_every_verb_answers_or_says_one_line(tinies, tmp_path, monkeypatch, audited, name, form):
    tiny = tinies(name, form)
    monkeypatch.setattr(postgres, "_driver", lambda: DRIVER)
    secret = outside(tmp_path / "release")
    secret.parent.mkdir()
    secret.write_text("age,ill\n30,flu\n")
    # What libraries open without asking Python is told by the kernel.
    faults = []
    with watched(secret.parent) as watch:
        for number in range(FIRST, FIRST + -(-TRIES // len(LOTS))):
            try:
                _try(tiny, tmp_path, watch, f"{name} {form} {number}")
            except AssertionError as fault:
                faults.append(str(fault))
                shutil.rmtree(tmp_path / "release")
    assert not faults, "\n".join(faults)


def _try(tiny: Tiny, folder: Path, watch: Watch, seed: str) -> None:
    chance = Random(seed)
    place = folder / "release"
    shutil.copytree(tiny.directory, place)
    done = mutate(place, chance)
    # Damaging a file that is a link to the one outside opens that.
    watch.events()
    verbs = list(VERBS) if TRIES < 1000 else chance.sample(list(VERBS), 3)
    for verb in verbs:
        _OPENED.clear()
        with measured() as cost, _one_line(seed, done, verb):
            VERBS[verb](place, tiny, chance)
        assert cost.seconds() < SECONDS, (seed, done, verb)
        assert cost.memory() < BYTES, (seed, done, verb)
        assert not [each for each in _OPENED if each.startswith("/etc/")], (seed, done, verb)
        shutil.rmtree(folder / "saved", ignore_errors=True)
        (folder / "report.html").unlink(missing_ok=True)
    assert not watch.events(), (seed, done)
    shutil.rmtree(place)

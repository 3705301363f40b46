"""Random texts: each is refused in one line or runs, and nothing but its files is opened.

``PAPILIO_FUZZ=25000`` sets the number of texts, ``PAPILIO_SEED`` their seed.
"""

import collections
import json
import os
import random
import select
import subprocess
import sys
from pathlib import Path

import pytest
import sql_texts

import opened_files
from sizes import tries

pytestmark = pytest.mark.searches

TEXTS = tries(200, 2000, "PAPILIO_FUZZ")
SEED = int(os.environ.get("PAPILIO_SEED", "1"))
#: Seconds after which a text is ended; the child of a source would be as well.
LATE = 300


class Worker:
    """A process that answers texts, started anew when one ends it."""

    def __init__(self, base):
        self._base = base
        self._start()

    def _start(self):
        script = Path(__file__).with_name("fuzz_worker.py")
        environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(self._base)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def ask(self, text):
        self._process.stdin.write(json.dumps(text).encode() + b"\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], LATE)
        line = self._process.stdout.readline() if ready else b""
        if line:
            return json.loads(line)
        self.close()
        kind = "late" if not ready else f"ended by {-self._process.returncode}"
        self._start()
        return {"kind": kind}

    def close(self):
        self._process.kill()
        self._process.communicate()


def test_texts(tmp_path):
    base, canary = tmp_path / "base", tmp_path / "canary"
    for folder in (base / "parts", canary):
        folder.mkdir(parents=True)
    (base / "people.csv").write_text("name,age\nann,30\nbob,40\n")
    (base / "parts" / "p1.csv").write_text("a\n1\n")
    (canary / "secret.csv").write_text("name,age\nsecret,1\n")
    (base / "link.csv").symlink_to(canary / "secret.csv")
    contents = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    outcomes, faults, slowest, most = collections.Counter(), [], (0.0, ""), 0
    chance, worker = random.Random(SEED), Worker(base)
    with opened_files.watched(canary, base, base / "parts") as watch:
        try:
            for _ in range(TEXTS):
                text = sql_texts.text(chance).replace("{canary}", str(canary))
                answer = worker.ask(text)
                outcomes[answer["kind"]] += 1
                if answer["kind"] not in ("ran", "refused"):
                    faults.append((answer, text))
                slowest = max(slowest, (answer.get("seconds", LATE), text))
                most = max(most, answer.get("memory", 0))
                for kind, path in watch.events():
                    if kind != "opened" or path.is_relative_to(canary):
                        faults.append(({"kind": kind, "message": str(path)}, text))
        finally:
            worker.close()
    told = f"{dict(outcomes)}, slowest {slowest[0]:.1f} s, most memory {most >> 10} MiB"
    Path(os.environ.get("PAPILIO_FUZZ_TOLD", os.devnull)).write_text(
        f"{told}\n{slowest[1]!r}\n" + "\n".join(map(repr, faults[:50]))
    )
    assert not faults, (told, faults[:5])
    assert outcomes["ran"] > TEXTS // 20
    assert {path: path.read_bytes() for path in contents} == contents
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(contents)

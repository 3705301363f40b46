"""A folder with data and a policy, and a way to run commands in it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from heeded_signals import heed_signals
from papilio.cli.app import run

#: ``papilio`` in a process of its own, with the interpreter that runs the tests.
COMMAND = (sys.executable, "-m", "papilio.cli.app")

PEOPLE = "name,age,job,disease\n" + "".join(
    f"person{i},{20 + i % 17},job{i % 3},illness{i % 5}\n" for i in range(40)
)
POLICY = """\
papilio: 1
source: people.csv
columns:
  name: identifier
  age: quasi
  job: quasi
  disease: sensitive
privacy:
  k: 5
"""


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def lines(self):
        """Lines on standard error, without the name of the program in front."""
        found = self.err.splitlines()
        assert all(line.startswith("papilio: ") for line in found), found
        return [line.removeprefix("papilio: ") for line in found]


@dataclass(frozen=True)
class Bench:
    """``people.csv`` and ``policy.yaml`` in a folder, which is also the working directory."""

    folder: Path
    capsys: pytest.CaptureFixture

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    def run(self, *arguments):
        self.capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        said = self.capsys.readouterr()
        return Result(code, said.out, said.err)

    def publish(self, *options):
        return self.run("publish", "policy.yaml", "-o", "release", *options)

    def spawn(self, *arguments, **options):
        """Start the command in a process of its own."""
        usual = {
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "cwd": self.folder,
            "preexec_fn": heed_signals,
        }
        return subprocess.Popen([*COMMAND, *map(str, arguments)], text=True, **{**usual, **options})

    def spawn_and_wait(self, *arguments, **options):
        process = self.spawn(*arguments, **options)
        out, err = process.communicate(timeout=120)
        return Result(process.returncode, out, err)

    def content(self):
        """Everything below the folder, hidden files too."""
        return {
            str(Path(where, name)): _state(Path(where, name))
            for where, folders, files in os.walk(self.folder)
            for name in [*folders, *files]
        }

    def refused(self, *arguments, code=2):
        """Run a command that must fail; return its lines on standard error.

        It says so on standard error, prints nothing else, and changes nothing on the disk.
        """
        before = self.content()
        result = self.run(*arguments)
        assert result.code == code, result
        assert result.out == ""
        assert result.lines
        assert "Traceback" not in result.err
        assert self.content() == before
        return result.lines

    def refused_publish(self, *options, code=2):
        return self.refused("publish", "policy.yaml", "-o", "release", *options, code=code)


def _state(path):
    if path.is_symlink():
        return str(path.readlink())
    return path.read_bytes() if path.is_file() else None

"""Killed at any moment: no half release, and nothing of the original after the next start.

Each engine is killed a dozen times; ``PAPILIO_KILLS=100`` says how often.
"""

import fcntl
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import polars as pl
import pytest

from missing import missing
from papilio.cli.app import run
from papilio.release.locked_folder import LOCK
from papilio.workflow.verify import verify
from sizes import tries

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
KILLS = tries(2, 12, "PAPILIO_KILLS")
#: Longest wait for a process that should end by itself.
PATIENCE = 300
#: Values of people that no release shows.
RAW = re.compile(rb"RAW[0-9]{6}|NAMED[0-9]{4}")
COLUMNS = """\
columns:
  name: identifier
  code: {role: quasi, hierarchy: {prefix: [6, 5, 3]}}
  age: quasi
  ill: sensitive
privacy: {k: 5}
method: mondrian
"""
FILE = "source: people.parquet\n" + COLUMNS
QUERY = "source: {sql: SELECT * FROM 'people.parquet' ORDER BY code}\n" + COLUMNS
ENGINES = {
    "local": (FILE, [], {}),
    "pieces": (FILE, ["--memory", "600MiB"], {"KILL_PIECES": "1"}),
    "query": (QUERY, ["--memory", "600MiB"], {"KILL_PIECES": "1"}),
    "spark": (FILE, ["--engine", "spark"], {}),
}


@dataclass
class House:
    """Every folder that a run may write to, and the ways to run and to kill."""

    folder: Path
    options: list[str]
    more: dict[str, str]
    before: set[str] = field(default_factory=set)

    @property
    def target(self):
        return self.folder / "work" / "out"

    def start(self, at=0):
        """Start a run that kills itself at a moment, or never."""
        environment = {
            **os.environ,
            **self.more,
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "KILL_AT": str(at),
            "KILL_WATCHED": str(self.folder),
            "KILL_COUNTED": str(self.folder.parent / "counted"),
        }
        for name in ("PAPILIO_SCRATCH", "XDG_STATE_HOME"):
            environment.pop(name, None)
        command = [sys.executable, str(HERE / "killed_at.py"), "publish", "policy.yaml"]
        return self._process([*command, "-o", "out", *self.options], environment)

    def start_again(self):
        """Start another command, which has nothing to do but to clean up; say what it said."""
        command = ["publish", str(self.folder / "none.yaml"), "-o", str(self.target)]
        with pytest.MonkeyPatch.context() as patch, redirect_stderr(StringIO()) as said:
            patch.setenv("HOME", str(self.folder / "home"))
            patch.delenv("PAPILIO_SCRATCH")
            assert run(command) == 2
        return said.getvalue().splitlines()

    def _process(self, command, environment):
        return subprocess.Popen(
            command,
            cwd=self.folder / "work",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def files(self):
        """Everything that lies in the folders of the test."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}

    def left(self):
        """What is there that was not there before, besides a release."""
        return {
            name
            for name in self.files() - self.before
            if name != "work/out" and not name.startswith("work/out/")
        }


@pytest.fixture(params=ENGINES)
def house(request, tmp_path):
    if request.param == "spark" and find_spec("pysail") is None:
        missing("pysail is not installed")
    policy, options, more = ENGINES[request.param]
    made = House(tmp_path / "house", options, more)
    for name in ("home", "tmp", "work"):
        (made.folder / name).mkdir(parents=True)
    draw = random.Random(7)
    pl.DataFrame(
        {
            "name": [f"NAMED{n:04d}" for n in range(3000)],
            "code": [f"RAW{draw.randrange(10**6):06d}" for _ in range(3000)],
            "age": [draw.randrange(18, 90) for _ in range(3000)],
            "ill": [draw.choice(["flu", "hiv", "no"]) for _ in range(3000)],
        }
    ).write_parquet(made.folder / "work" / "people.parquet", compression="uncompressed")
    (made.folder / "work" / "policy.yaml").write_text(policy)
    return made


def test_killed_at_random_moments(house):
    # The first run may have to compile kernels; the second is as long as those that follow.
    undisturbed(house)
    moments, seconds = undisturbed(house)
    house.before = house.files()
    seed = int(os.environ.get("PAPILIO_KILL_SEED", time.time_ns()))
    draw, tally = random.Random(seed), {"killed": 0, "finished": 0, "left": 0}
    for number in range(KILLS):
        if number % 2:
            ending = killed_by_itself(house, draw.randint(1, moments))
        else:
            ending = killed_by_the_clock(house, draw.uniform(0, seconds))
        tally["finished" if ending == 0 else "killed"] += 1
        assert ending in (0, -signal.SIGKILL), f"seed {seed}, kill {number}"
        tally["left"] += bool(house.left())
        check(house, f"seed {seed}, kill {number}")
        print(f"{moments} moments, {seconds:.1f} s; {tally}")  # noqa: T201 - for the long run
    # Where runs get quicker than the one that was timed, some end before they are killed.
    assert tally["killed"] >= max(1, KILLS // 4)


def undisturbed(house):
    """Number of moments of a run that nobody kills, and its seconds from the first to the end."""
    with house.start() as process:
        assert process.stdout.readline() == b"begun\n", process.stderr.read()
        begun = time.monotonic()
        _, told = process.communicate(timeout=PATIENCE)
        seconds = time.monotonic() - begun
    assert process.returncode == 0, told
    assert verify(house.target).holds
    shutil.rmtree(house.target)
    assert not [path for path in house.folder.rglob("*") if holds_raw(path)]
    return int((house.folder.parent / "counted").read_text()), seconds


def killed_by_itself(house, moment):
    with house.start(moment) as process:
        process.communicate(timeout=PATIENCE)
    return process.returncode


def killed_by_the_clock(house, seconds):
    with house.start() as process:
        process.stdout.readline()
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate(timeout=PATIENCE)
    return process.returncode


def check(house, when):
    """No half release; nothing raw beside it, and nothing at all after the next start."""
    if house.target.exists():
        assert verify(house.target).holds, when
        assert not [path for path in house.target.iterdir() if holds_raw(path)], when
        shutil.rmtree(house.target)
    left = house.left()
    allowed = {"", LOCK}
    for name in left:
        top, _, rest = name.removeprefix("home/.local/state/papilio/").partition("/")
        if name.startswith("work/"):
            # Published rows, not verified yet.
            assert re.fullmatch(
                r"work/\.papilio-[0-9a-f]{16}(/papilio.lock|/release.*|/\..*)?", name
            )
        else:
            assert top.startswith("papilio-scratch-"), f"{name}, {when}"
            assert rest.partition("/")[2] in allowed, f"{name}, {when}"
    wait_for_the_server(house)
    said = house.start_again()
    assert house.left() == set(), when
    named = [line for line in said if "a run that was killed left behind" in line]
    assert len(named) == len({name for name in left if is_run(name)}), (when, said)


def wait_for_the_server(house):
    """Wait until the embedded server, which the system ends with its parent, has gone as well."""
    for lock in house.folder.glob("home/.local/state/papilio/*/run-*/papilio.lock"):
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)


def is_run(name):
    """Whether a path is that of the folder of a run."""
    return re.fullmatch(r"(work/\.papilio|home/.*/run)-[0-9a-f]{16}", name) is not None


def holds_raw(path):
    if path.name == "people.parquet" or not path.is_file():
        return False
    return RAW.search(path.read_bytes()) is not None

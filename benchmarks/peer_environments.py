"""An environment of its own for each package that Papilio is compared with.

Packages are installed from PyPI by name; where one does not declare what it needs, or does not work
with the newest of it, that is said here. Environments lie under ``bench-data/peers``, which Git
ignores, and are made once.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("bench-data/peers")


@dataclass(frozen=True)
class Environment:
    """What to install.

    Attributes
    ----------
    name
        The package.
    needs
        Requirements as pip reads them.
    """

    name: str
    needs: tuple[str, ...]

    @property
    def python(self) -> Path:
        """The interpreter."""
        return FOLDER / self.name / "bin" / "python"

    def version(self) -> str:
        """Version that is installed."""
        code = f"from importlib.metadata import version; print(version('{self.name}'))"
        run = subprocess.run([self.python, "-c", code], capture_output=True, text=True, check=True)
        return run.stdout.strip()


ENVIRONMENTS = (
    # Does not declare that it needs pandas.
    Environment("anonypy", ("anonypy", "pandas")),
    # Its MDAV-generic raises a TypeError with pandas 3.
    Environment("anonypyx", ("anonypyx", "pandas<3")),
    Environment("anjana", ("anjana",)),
    Environment("pycanon", ("pycanon",)),
)


def prepare(environment: Environment) -> str | None:
    """Make an environment unless it is there; return what went wrong, if anything did."""
    ready = FOLDER / environment.name / "ready"
    if ready.exists():
        return None
    make = [sys.executable, "-m", "venv", str(FOLDER / environment.name)]
    install = [str(environment.python), "-m", "pip", "install", "--quiet", *environment.needs]
    for command in (make, install):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            return last_line(run.stderr)
    ready.touch()
    return None


def last_line(text: str) -> str:
    """The line of an error message that says most."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no message"

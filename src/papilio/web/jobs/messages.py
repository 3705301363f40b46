"""What server and child tell each other through their pipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papilio.errors import Fault, InfeasibleError, PapilioError, PolicyError


@dataclass(frozen=True)
class Order:
    """What a child shall do.

    Attributes
    ----------
    path
        The function, as ``module:name``.
    folder
        Folder of the project it is for.
    scratch
        Where whatever spills to disk goes; it does not exist before and after.
    arguments
        Keyword arguments of the function; plain data.
    environment
        What the child finds in its environment while it does it, such as a password.
    """

    path: str
    folder: Path
    scratch: Path
    arguments: Mapping[str, Any]
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Step:
    """How far a child is.

    Attributes
    ----------
    stage
        What it does now.
    share
        Share of the work done before this stage began.
    """

    stage: str
    share: float


@dataclass(frozen=True)
class Done:
    """What came out, as plain data."""

    result: Any


@dataclass(frozen=True)
class Failure:
    """Why nothing came out; never a value of the data.

    Attributes
    ----------
    message
        What is wrong and what would be accepted.
    reason
        A stable code, such as ``"missing-file"``.
    nearest
        What could be met instead, if the policy cannot.
    faults
        What is wrong with the policy, if it is.
    """

    message: str
    reason: str
    nearest: str | None = None
    faults: tuple[Fault, ...] = ()


def failure_of(error: PapilioError) -> Failure:
    """Say an error as plain data."""
    return Failure(
        str(error),
        error.reason,
        error.nearest if isinstance(error, InfeasibleError) else None,
        error.faults if isinstance(error, PolicyError) else (),
    )

"""Every error Papilio raises on purpose.

A message is one line: what is wrong, where, and what would be accepted. It never contains a cell
of the data. The ``exit_code`` is what the command line returns when the error reaches it.

Examples
--------
>>> import papilio as pp
>>> try:
...     pp.Policy(columns={"age": "quasi"}, privacy={})
... except pp.errors.PolicyError as error:
...     print(error.faults[0])
policy: privacy: no requirement; give at least one of k, l, t, target
"""

from __future__ import annotations

import os
import re
import traceback
from dataclasses import dataclass
from pathlib import Path


class RefusedError(ValueError):
    """A file is not one that a release may have.

    The message goes on where the name of the file ends, such as "is not a Parquet file", and
    repeats nothing of what the file holds.
    """


#: Control characters, ends of lines, marks that turn the direction of writing, half characters.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def shown(text: str) -> str:
    r"""Write a text on one line, without characters that a terminal obeys or that turn it around.

    Names come from files of others. What cannot be shown becomes its code, such as ``\\u001b``.
    """
    return _HIDDEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


class PapilioError(Exception):
    """Base of all errors that are meant for the user.

    Parameters
    ----------
    message
        One line, without cell values.
    reason
        A stable code for programs, such as ``"missing-file"``.

    Examples
    --------
    >>> import papilio as pp
    >>> try:
    ...     pp.Policy(columns={"age": "quasy"}, privacy=pp.K(5))
    ... except pp.PapilioError as error:
    ...     print(error.reason, error.exit_code)
    bad-policy 2
    """

    exit_code = 2

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(shown(message))
        self.reason = reason


class DataError(PapilioError):
    """The data cannot be read or does not fit what the policy says about it."""


class OutputError(PapilioError):
    """A release or a report cannot be written; nothing was left behind."""


class ReleaseError(PapilioError):
    """A directory is not a release Papilio can read."""


class EngineError(PapilioError):
    """An engine that does the work cannot be reached, was lost, or gave up."""


class InfeasibleError(PapilioError):
    """The policy cannot be met; ``nearest`` says what can."""

    exit_code = 1

    def __init__(self, message: str, *, reason: str, nearest: str) -> None:
        super().__init__(f"{message}; {nearest}", reason=reason)
        self.nearest = nearest


class VerificationError(PapilioError):
    """The verifier did not confirm a finished release, so it was not written."""

    exit_code = 1


class ExposureError(PapilioError):
    """A light of a finished release is amber or red, so it was not written, as was asked."""

    exit_code = 1


class InternalError(PapilioError):
    """A defect of Papilio itself."""

    exit_code = 70


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a policy file.

    Attributes
    ----------
    message
        What is wrong and what would be accepted.
    where
        Path of the key inside the policy, such as ``privacy.k``.
    file
        The policy file, if the policy came from one.
    line
        Line in that file, counted from 1.
    """

    message: str
    where: str = ""
    file: Path | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = str(self.file) if self.file else "policy"
        if self.line is not None:
            place += f":{self.line}"
        key = f" {self.where}:" if self.where else ""
        return f"{place}:{key} {self.message}"


class PolicyError(PapilioError):
    """A policy is not valid; it carries one :class:`Fault` per mistake."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("", reason="bad-policy")
        self.args = ("\n".join(shown(str(fault)) for fault in faults),)
        self.faults = tuple(faults)


def told(error: BaseException) -> PapilioError:
    """Say any error in one line; what was not foreseen without its text, which may hold cells."""
    if isinstance(error, PapilioError):
        return error
    if isinstance(error, MemoryError):
        return PapilioError("there is not enough memory for this", reason="out-of-memory")
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{os.path.basename(place.filename)}:{place.lineno}"  # noqa: PTH119 - no need of Path
    return InternalError(
        f"a defect of Papilio ({type(error).__name__} in {where}); please report it",
        reason="defect",
    )

"""Parts of a policy, read on their own; what is wrong with one is told as a policy's faults are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from papilio.data.source import Source
from papilio.errors import PolicyError
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.faults import faults_of
from papilio.policy.source_policy import SourcePolicy
from papilio.web.allowed import allowed


def source_of(said: Any, folder: Path) -> Source:
    """Where rows are, as a policy says it; files are relative to ``folder``, the project's.

    Raises
    ------
    PolicyError
        If it is no source.
    DataError
        If it names a file that the owner did not allow.
    """
    try:
        return SourcePolicy.model_validate(said).source(folder, allowed(folder))
    except ValidationError as error:
        raise PolicyError(faults_of(error, SourcePolicy)) from None


def column_of(said: Any) -> ColumnPolicy:
    """What a column is, as a policy says it.

    Raises
    ------
    PolicyError
        If it is no column.
    """
    try:
        return ColumnPolicy.model_validate(said)
    except ValidationError as error:
        raise PolicyError(faults_of(error, ColumnPolicy)) from None

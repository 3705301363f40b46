"""A release and, for its owner's eyes only, whose row each published line is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.release.release import Release

#: Per published table, the number of the source row that each line is made of, from 0.
Witness: TypeAlias = Mapping[str, NDArray[np.integer[Any]]]


@dataclass(frozen=True, eq=False)
class Made:
    """A release that is not verified yet, with what its method says about its lines.

    Attributes
    ----------
    release
        What goes out.
    witness
        What the method says each line of each table is made of. It undoes the release, so it stays
        in memory, is never part of :class:`~papilio.release.release.Release`, is not printed, and
        is dropped once the release is verified. The verifier believes none of it: it is where to
        look, not what to find.
    notes
        What the owner should know about how it was made.
    """

    release: Release
    witness: Witness = field(repr=False)
    notes: tuple[str, ...] = ()

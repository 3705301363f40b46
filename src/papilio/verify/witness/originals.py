"""Tables of an original as the verifier takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import polars as pl

#: Tables of the original; that of a release made of one table is called :data:`ORIGINAL`.
Originals: TypeAlias = Mapping[str, pl.DataFrame]

ORIGINAL = "original"

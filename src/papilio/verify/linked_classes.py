"""How many people share each tree of a release of linked tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.release import Release
from papilio.verify.linked_links import ordered
from papilio.verify.linked_trees import number_trees
from papilio.verify.opened import open_frames


def people_per_class(release: Release) -> NDArray[np.int64]:
    """Number of people of each class, as the verifier counts them."""
    frames: dict[str, Any] = {
        name: frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)).to_arrow()
        for name, frame in release.frames.items()
    }
    with open_frames(release.manifest, frames, release.hierarchies) as opened:
        name = number_trees(opened)[ordered(opened)[0].name]
        (sizes,) = opened.arrays(f"SELECT count(*) AS n FROM {name} GROUP BY tree")
    return np.asarray(sizes, np.int64)

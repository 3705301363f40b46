"""The type of encoded rows."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: One line per row, one code per attribute; int16 where every attribute fits, else int32.
Codes: TypeAlias = NDArray[np.int16] | NDArray[np.int32]

"""Documents about releases: parts with sentences, numbers and pictures, for a file and for a page.

A family says what there is to say about a release of its own, as one :class:`Document`; one
template writes it as HTML, and the workbench shows the same parts.
"""

from papilio.document.contract import Owned, RiskFound
from papilio.document.model import (
    Bullets,
    Change,
    Document,
    Legend,
    Numbers,
    Part,
    Picture,
    Pictures,
    Styled,
    Terms,
    Text,
    Tile,
    Tiles,
)

__all__ = [
    "Bullets",
    "Change",
    "Document",
    "Legend",
    "Numbers",
    "Owned",
    "Part",
    "Picture",
    "Pictures",
    "RiskFound",
    "Styled",
    "Terms",
    "Text",
    "Tile",
    "Tiles",
]

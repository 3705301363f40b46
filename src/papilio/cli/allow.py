"""``--allow``: where a policy may name files besides its own folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

#: An option of every command that reads a policy.
Allow: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        exists=True,
        metavar="FOLDER",
        help="A folder, or a file, outside of the policy's own folder that the policy may name "
        "nevertheless; can be given several times.",
    ),
]

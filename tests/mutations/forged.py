"""A copy of a release that can be changed as a careful forger would: every file is hashed anew."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from papilio.release.manifest import Manifest


@dataclass(frozen=True)
class Forged:
    """A release on disk, its manifest as plain data."""

    directory: Path
    manifest: dict[str, Any]

    @classmethod
    def copy(cls, release: Path, target: Path) -> Forged:
        """Copy a release."""
        shutil.copytree(release, target)
        return cls(target, json.loads((target / "release.json").read_text(encoding="utf-8")))

    def file(self, table: str) -> Path:
        """The file of a table."""
        (name,) = [f["name"] for f in self.manifest["files"] if f.get("table") == table]
        return self.directory / name

    def frame(self, table: str) -> pl.DataFrame:
        """Read a table."""
        return pl.read_parquet(self.file(table))

    def put(self, table: str, frame: pl.DataFrame) -> None:
        """Replace a table; the manifest counts its rows."""
        frame.write_parquet(self.file(table))
        self.table(table)["rows"] = frame.height

    def table(self, name: str) -> dict[str, Any]:
        """What the manifest says of a table."""
        return next(t for t in self.manifest["tables"] if t["name"] == name)

    def seal(self) -> None:
        """Hash every file and write the manifest."""
        for file in self.manifest["files"]:
            content = (self.directory / file["name"]).read_bytes()
            file["sha256"] = hashlib.sha256(content).hexdigest()
        text = json.dumps(self.manifest)
        Manifest.from_json(text)
        (self.directory / "release.json").write_text(text, encoding="utf-8")

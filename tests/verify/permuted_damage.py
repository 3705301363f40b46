"""Permuted releases, and ways to damage them as a careful forger would."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from papilio import KE, Policy, publish
from papilio.release.release import Release
from papilio.workflow.verify import verify

NAME = "staff"


@dataclass(frozen=True)
class PermutedSample:
    """A permuted release on disk, and what it was made from."""

    directory: Path
    policy: Policy
    frame: pl.DataFrame

    def copy(self, target):
        shutil.copytree(self.directory, target)
        return PermutedSample(Path(target), self.policy, self.frame)

    @property
    def manifest(self):
        return json.loads((self.directory / "release.json").read_text(encoding="utf-8"))

    def table(self, name):
        return Release.open(self.directory).frames[name]

    def verdict(self, original=True):
        if original:
            return verify(self.directory, original=self.policy, data=self.frame)
        return verify(self.directory)

    def rewrite(self, **frames):
        """Publish other tables instead, with their numbers of rows and hashes."""
        manifest = self.manifest
        for name, frame in frames.items():
            (file,) = [f for f in manifest["files"] if f.get("table") == name]
            path = self.directory / file["name"]
            write = frame.write_csv if path.suffix == ".csv" else frame.write_parquet
            write(path)
            file["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
            (table,) = [t for t in manifest["tables"] if t["name"] == name]
            table["rows"] = frame.height
        return self.declare(manifest)

    def declare(self, manifest):
        text = json.dumps(manifest, indent=2, ensure_ascii=False)
        (self.directory / "release.json").write_text(text, encoding="utf-8")
        return self


def staff(kind=int, nulls=True):
    """Twenty people of different descriptions, some without a value."""
    pay = [kind(100 + 7 * n - 9 * (n % 4)) for n in range(20)]
    pay = [value / 8 if kind is float else value for value in pay]
    if nulls:
        pay = [None if n % 6 == 2 else value for n, value in enumerate(pay)]
    return pl.DataFrame(
        {
            "age": [20 + n for n in range(20)],
            "job": ["clerk", "cook"] * 10,
            "room": list(range(20)),
            "pay": pl.Series(pay, dtype=pl.Float64 if kind is float else pl.Int64),
        }
    )


def permuted_sample(folder, form="parquet", kind=int, nulls=True):
    frame = staff(kind, nulls)
    columns = {"age": "quasi", "job": "quasi", "room": "plain", "pay": "sensitive"}
    policy = Policy(columns=columns, privacy=KE(3, 2), minimise="groups")
    target = folder / f"{form}-{kind.__name__}-{nulls}"
    publish(frame, policy, name=NAME, seed=4).save(target, format=form)
    return PermutedSample(target, policy, frame)

"""Releases whose tables lie in several files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from papilio.release.draft import draft_of, part_file, seal


def save_in_parts(release, directory, parts=3):
    """Write a release with every table in so many files, as even as can be."""
    directory = Path(directory)
    with draft_of(directory) as draft:
        for name, frame in release.frames.items():
            step = -(-frame.height // parts)
            for number in range(parts):
                part = frame.slice(number * step, step)
                part.write_parquet(draft / part_file(name, number + 1))
        return seal(draft, directory, release.manifest, release.hierarchies)


def rehash(directory):
    """Write the true SHA-256 of all files into the manifest, as a careful forger would."""
    return declare(directory, lambda manifest: None)


def declare(directory, change):
    """Change the manifest, and bring its hashes up to date."""
    path = Path(directory) / "release.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    for file in manifest["files"]:
        there = Path(directory) / file["name"]
        if there.is_file():
            file["sha256"] = hashlib.sha256(there.read_bytes()).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return Path(directory)

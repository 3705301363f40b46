"""Releases of every kind of cell, and ways to damage them as a careful forger would.

Whatever changes a file also writes its new SHA-256 into the manifest, so that only a look at the
content can notice.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import numpy as np
import polars as pl

from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.randomness import Randomness
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.verify import verify

CITIES = """Bern,Switzerland,Anywhere
Zug,Switzerland,Anywhere
Lyon,France,Anywhere
"Nice, Var",France,Anywhere
Metz,France,Anywhere
Bergen,Norway,Anywhere
Oslo,Norway,Anywhere
Moss,Norway,Anywhere
Malta,Anywhere
"""


def tree(**rule):
    return {"role": "quasi", "hierarchy": rule}


def moment(text):
    return datetime.fromisoformat(text)


#: By kind of release: the quasi-identifiers, and the rows of each class.
LAYOUTS = {
    "numbers": (
        {"age": "quasi", "pay": "quasi"},
        [
            [(20, 1.5), (25, 2.0), (31, 0.1)],
            [(40, 10 / 3), (40, 4.5), (47, 9.75), (52, 5.0)],
            [(None, 7.0), (None, 8.25), (None, 7.5)],
            [(60, 20.0), (None, 22.5), (66, 30.0)],
            [(70, 1e20), (70, 1e20), (70, 1e20)],
            [(2**60, -0.25), (2**60 + 1, 0.0), (2**60 + 5, 0.5)],
        ],
    ),
    "days": (
        {"born": "quasi", "seen": "quasi"},
        [
            [
                (date(1987, 11, 3), moment("2020-03-01T12:30:00")),
                (date(1990, 1, 1), moment("2020-03-09T00:00:00")),
                (date(1999, 12, 31), moment("2020-05-01T23:59:59.999999")),
            ],
            [
                (None, moment("2021-01-01T00:00:00")),
                (None, moment("2021-01-01T00:00:00.000001")),
                (None, moment("2021-02-01T08:00:00")),
            ],
            [
                (None, moment("2022-01-01T00:00:00")),
                (date(2004, 2, 29), moment("2022-01-01T00:00:00")),
                (date(2008, 7, 1), moment("2022-01-01T00:00:00")),
                (date(2008, 7, 2), moment("2022-01-01T00:00:00")),
            ],
        ],
    ),
    "sets": (
        {"job": "quasi", "ill": "quasi"},
        [
            [("a, b", True), ('"q"', True), ("{x}", True)],
            [("NULL", False), ("", True), (" blank ", False), ("NULL", False)],
            [(None, None), (None, False), ("line\nbreak", True)],
            [(None, False), (None, False), (None, False)],
            [("back\\slash", True), ("é", True), ("😀", True), ("z", True)],
        ],
    ),
    "prefix": (
        {"zip": tree(prefix=[3, 2, 1])},
        [
            [("10",), ("10",), ("10",)],
            [("1011",), ("1012",), ("1011",), ("1013",)],
            [("2000",), ("2010",), ("2001",)],
            [(None,), (None,), (None,)],
            [(None,), ("10",), ("2000",)],
        ],
    ),
    "intervals": (
        {"tax": tree(intervals=[5, 10, 20]), "bmi": tree(intervals=[0.3, 1.5], origin=0.1)},
        [
            [(30, 0.1), (34, 1.5), (31, 0.2)],
            [(20, 1.6), (39, 3.0), (25, 2.9)],
            [(None, 0.1), (None, 0.1), (None, 0.1)],
            [(None, 5.0), (3, 0.4), (4, 9.9), (23, 0.4)],
        ],
    ),
    "calendar": (
        {
            "born": tree(dates=["month", "quarter", "year", "decade", "century"]),
            "seen": tree(dates=["day", "month"]),
        },
        [
            [(date(2002, 3, day), moment(f"2020-01-05T2{day % 4}:15:00")) for day in (1, 15, 31)],
            [(date(2004, month, 29), moment(f"2020-01-{month}1T10:00:00")) for month in (1, 2, 3)],
            [(date(year, 1, 1), moment(f"{year}-12-31T00:00:00")) for year in (2010, 2015, 2019)],
            [(date(year, 1, 1), moment(f"{year}-12-31T00:00:00")) for year in (1900, 1950, 1999)],
            [(None, moment(f"2021-02-{day}T00:00:00")) for day in (10, 11, 28)],
            [
                (None, moment("2020-01-31T23:59:59.999999")),
                (date(2004, 1, 29), moment("2020-01-01T00:00:00")),
                (date(2004, 1, 30), moment("2020-01-02T00:00:00")),
                (date(2005, 1, 30), moment("2020-01-02T00:00:00")),
            ],
        ],
    ),
    "paths": (
        {"city": {"role": "quasi", "hierarchy": "cities.csv"}},
        [
            [("Lyon",), ("Nice, Var",), ("Metz",)],
            [("Bern",), ("Bern",), ("Bern",), ("Bern",)],
            [(None,), (None,), (None,)],
            [(None,), ("Oslo",), ("Oslo",)],
            [("Malta",), ("Malta",), ("Malta",)],
        ],
    ),
    "automatic": (
        {"pet": tree(automatic=True), "score": tree(automatic=True), "seen": tree(automatic=True)},
        [
            [
                ("cat", 7, moment("2020-01-01T12:00:00")),
                ("dog", 11, moment("2020-01-01T13:00:00")),
                ("cat", 7, moment("2020-01-01T14:00:00")),
            ],
            [
                ("[1]", -3, moment("2020-01-02T00:00:00")),
                ("ant", 2, moment("2020-01-03T12:00:00")),
                ("bat", 5, moment("2020-01-02T23:59:59")),
            ],
            [(None, 5, moment("2020-01-04T00:00:00"))] * 3,
            [(None, 5, None), ("dog", 7, moment("2020-01-04T00:00:01")), ("dog", -3, None)],
            [("[1]", 2, None)] * 4,
        ],
    ),
}

KINDS = tuple(LAYOUTS)


@dataclass(frozen=True)
class Sample:
    """A published table, its policy, and the frame it was made from."""

    directory: Path
    policy: Policy
    frame: pl.DataFrame

    def copy(self, target):
        shutil.copytree(self.directory, target)
        return Sample(Path(target), self.policy, self.frame)

    # -- looking -------------------------------------------------------------------------------

    @property
    def manifest(self):
        return json.loads((self.directory / "release.json").read_text(encoding="utf-8"))

    @property
    def published(self):
        return Release.open(self.directory).frames["people"]

    @property
    def file(self):
        (name,) = [f["name"] for f in self.manifest["files"] if f.get("table") == "people"]
        return self.directory / name

    def described(self, column):
        return next(c for c in self.manifest["tables"][0]["columns"] if c["name"] == column)

    def verdict(self, original=False):
        if original:
            return verify(self.directory, original=self.policy, data=self.frame)
        return verify(self.directory)

    # -- damaging ------------------------------------------------------------------------------

    def rewrite(self, frame, rows=None):
        """Publish another frame instead, and say so many rows."""
        if self.file.suffix == ".csv":
            frame.write_csv(self.file)
        else:
            frame.write_parquet(self.file)
        manifest = self.manifest
        manifest["tables"][0]["rows"] = frame.height if rows is None else rows
        self.declare(manifest)
        self.rehash()
        return self

    def change(self, row, **cells):
        """Change cells of one row."""
        return self.change_all([row], **cells)

    def change_all(self, rows, **cells):
        frame = self.published
        for name, cell in cells.items():
            values = frame[name].to_list()
            for row in rows:
                values[row] = cell
            frame = frame.with_columns(pl.Series(name, values, dtype=frame[name].dtype))
        return self.rewrite(frame)

    def declare(self, manifest):
        text = json.dumps(manifest, indent=2, ensure_ascii=False)
        (self.directory / "release.json").write_text(text, encoding="utf-8")
        return self

    def rehash(self):
        manifest = self.manifest
        for file in manifest["files"]:
            content = (self.directory / file["name"]).read_bytes()
            file["sha256"] = hashlib.sha256(content).hexdigest()
        return self.declare(manifest)

    # -- classes -------------------------------------------------------------------------------

    @property
    def quasi_names(self):
        columns = self.manifest["tables"][0]["columns"]
        return [n for c in columns if c["role"] == "quasi" for n in c["published"]]

    def classes(self):
        """Row numbers of each class, by its cells."""
        found = {}
        for number, cells in enumerate(self.published.select(self.quasi_names).rows()):
            found.setdefault(cells, []).append(number)
        return found

    def smallest(self):
        """Rows of a smallest class."""
        return min(self.classes().values(), key=len)

    def tighten(self):
        """Claim the largest k that holds, so that no class can lose a row."""
        manifest = self.manifest
        manifest["claims"][0]["parameters"]["k"] = len(self.smallest())
        return self.declare(manifest)


def sample_of(kind, folder, form, cells):
    """Publish a release of a kind, its classes as laid out; their smallest size is k = 3."""
    (folder / "cities.csv").write_text(CITIES, encoding="utf-8")
    columns, classes = LAYOUTS[kind]
    rows = [row for members in classes for row in members]
    frame = pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)
    frame = frame.with_columns(
        disease=pl.Series([None if n % 7 == 3 else f"d{n % 4}" for n in range(len(rows))]),
        visits=pl.Series([n * 17 % 101 for n in range(len(rows))]),
    )
    policy = Policy.parse(
        json.dumps(
            {
                "papilio": 1,
                "columns": {**columns, "disease": "sensitive", "visits": "plain"},
                "privacy": {"k": 3},
                "cells": cells,
            }
        ),
        base=folder,
    )
    starts = np.cumsum([0, *map(len, classes)])
    target = folder / f"{kind}-{form}-{cells}"
    release_of(frame, policy, Classes(np.arange(len(rows), dtype=np.int32), starts)).save(
        target, format=form
    )
    return Sample(target, policy, frame)


def release_of(frame, policy, classes, seed=1):
    """Publish a frame with classes that no method made."""
    order, _ = order_of(frame, policy, "people")
    return generalised_release(
        order.table,
        encode(order.table, order.table.with_role(Role.QUASI)),
        classes,
        policy.requirements,
        method="by hand",
        text=policy.cells == "text",
        randomness=Randomness(seed),
    ).release


def status_of(verdict, claim, column=None):
    """Statuses of the findings about something."""
    found = [f for f in verdict.findings if f.claim == claim and f.column == column]
    assert found, f"no finding about {claim}"
    return {f.status for f in found}


def assert_violated(verdict, claim, column=None):
    assert status_of(verdict, claim, column) == {Status.VIOLATED}, verdict.findings
    assert verdict.status is Status.VIOLATED
    assert not verdict.holds


def assert_only_violated(verdict, *claims):
    """Assert that everything else is as it should be."""
    assert {f.claim for f in verdict.findings if f.status is not Status.HOLDS} == {*claims}
    for claim in claims:
        assert_violated(verdict, claim)


def assert_holds(verdict):
    assert verdict.holds, [f for f in verdict.findings if f.status is not Status.HOLDS]

"""Releases of every kind of cell, and ways to damage them as a careful forger would.

Whatever changes a file also writes its new SHA-256 into the manifest, so that only a look at the
content can notice.
"""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.publish import publish
from papilio.workflow.verify import verify

ROWS = 36
CITIES = """Bern,Switzerland,Anywhere
Basel,Switzerland,Anywhere
Zug,Switzerland,Anywhere
Chur,Switzerland,Anywhere
Lyon,France,Anywhere
"Nice, Var",France,Anywhere
Metz,France,Anywhere
Bergen,Norway,Anywhere
Oslo,Norway,Anywhere
Moss,Norway,Anywhere
Malta,Anywhere
"""
PLACES = [next(csv.reader([line]))[0] for line in CITIES.splitlines()]
JOBS = ["a, b", '"q"', "{x}", "NULL", "", " blank ", "line\nbreak", "back\\slash", "é", "😀", "z"]


def with_nulls(values, random, share=0.2):
    return [None if random.random() < share else value for value in values]


def columns_of(kind, random):
    """Values and policies of the quasi-identifiers of a kind of release."""

    def whole(high):
        return [int(n) for n in random.integers(0, high, ROWS)]

    def pick(values):
        return [values[int(n)] for n in random.integers(0, len(values), ROWS)]

    days = [date(1987, 11, 3) + timedelta(days=97 * n) for n in whole(150)]
    moments = [datetime(2020, 1, 1) + timedelta(minutes=997 * n) for n in whole(900)]
    evenings = [datetime(2020, 1 + n % 4, 1 + n % 3, 20, 15) for n in whole(12)]
    made = {
        "numbers": {
            "age": (with_nulls(whole(90), random), "quasi"),
            "pay": ([n / 7 for n in whole(500)], "quasi"),
        },
        "days": {"born": (with_nulls(days, random), "quasi"), "seen": (moments, "quasi")},
        "sets": {
            "job": (with_nulls(pick(JOBS), random), "quasi"),
            "ill": (with_nulls(pick([True, False]), random, 0.1), "quasi"),
        },
        "prefix": {
            "zip": (
                with_nulls(pick(["10", "101", "1011", "1012", "1100", "2000", "2010"]), random),
                {"role": "quasi", "hierarchy": {"prefix": [3, 2, 1]}},
            )
        },
        "intervals": {
            "tax": (
                with_nulls(whole(40), random),
                {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
            ),
            "bmi": (
                [n / 10 for n in whole(60)],
                {"role": "quasi", "hierarchy": {"intervals": [0.3, 1.5], "origin": 0.1}},
            ),
        },
        "calendar": {
            "born": (
                with_nulls(days, random),
                {
                    "role": "quasi",
                    "hierarchy": {"dates": ["month", "quarter", "year", "decade", "century"]},
                },
            ),
            "seen": (evenings, {"role": "quasi", "hierarchy": {"dates": ["day", "month"]}}),
        },
        "paths": {
            "city": (
                with_nulls(pick(PLACES), random, 0.1),
                {"role": "quasi", "hierarchy": "cities.csv"},
            )
        },
        "automatic": {
            "pet": (
                with_nulls(pick(["ant", "bat", "cat", "dog", "[1]"]), random),
                {"role": "quasi", "hierarchy": "automatic"},
            ),
            "score": (pick([-3, 2, 5, 7, 11]), {"role": "quasi", "hierarchy": "automatic"}),
            "seen": (moments, {"role": "quasi", "hierarchy": "automatic"}),
        },
    }
    return made[kind]


KINDS = ("numbers", "days", "sets", "prefix", "intervals", "calendar", "paths", "automatic")


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


def sample_of(kind, folder, form, cells, k=3, seed=1):
    """Publish a release of a kind."""
    random = np.random.default_rng([seed, KINDS.index(kind)])
    columns = columns_of(kind, random)
    (folder / "cities.csv").write_text(CITIES, encoding="utf-8")
    frame = pl.DataFrame({name: values for name, (values, _) in columns.items()}).with_columns(
        disease=pl.Series(with_nulls([f"d{n}" for n in random.integers(0, 5, ROWS)], random)),
        visits=pl.Series([int(n) for n in random.permutation(ROWS)]),
    )
    policies = {name: policy for name, (_, policy) in columns.items()}
    for policy in policies.values():
        if isinstance(policy, dict) and policy["hierarchy"] == "cities.csv":
            policy["hierarchy"] = str(folder / "cities.csv")
    policy = Policy(
        columns={**policies, "disease": "sensitive", "visits": "plain"},
        privacy={"k": k},
        cells=cells,
    )
    target = folder / f"{kind}-{form}-{cells}"
    publish(frame, policy, name="people", seed=seed).save(target, format=form)
    return Sample(target, policy, frame)


def status_of(verdict, claim, column=None):
    """Statuses of the findings about something."""
    found = [f for f in verdict.findings if f.claim == claim and f.column == column]
    assert found, f"no finding about {claim}"
    return {f.status for f in found}


def assert_violated(verdict, claim, column=None):
    assert status_of(verdict, claim, column) == {Status.VIOLATED}, verdict.findings
    assert verdict.status is Status.VIOLATED
    assert not verdict.holds


def assert_holds(verdict):
    assert verdict.holds, [f for f in verdict.findings if f.status is not Status.HOLDS]

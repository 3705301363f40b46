"""A tiny release of every family, with the policy and the data it was made from."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from papilio import Policy, publish

HERE = Path(__file__).parent
BOOKS = HERE.parents[1] / "examples" / "linked-tables"

AGES = [21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43, 44]
PEOPLE = pl.DataFrame(
    {
        "age": AGES,
        "sex": list("mfmfmfmfmfmf"),
        "postcode": [f"0{n % 4}{n:03d}" for n in range(12)],
        "job": ["nurse", "clerk", "cook", "nurse"] * 3,
        "born": pl.Series([f"{1950 + n}-0{n % 9 + 1}-17" for n in range(12)]).str.to_date(),
        "ill": ["flu", "cold", "none", "flu"] * 3,
        "days": [*range(11), None],
    }
)
JOBS = "nurse,health,*\nclerk,office,*\ncook,service,*\n"


@dataclass(frozen=True)
class Tiny:
    """A release on disk, what it was made from, and questions that it answers."""

    name: str
    directory: Path
    policy: Policy
    data: Any
    questions: tuple[str, ...]


def _table(folder: Path) -> tuple[Policy, Any]:
    (folder / "job.csv").write_text(JOBS)
    columns = {
        "age": "quasi",
        "sex": "quasi",
        "postcode": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [4, 2]}},
        "job": {"role": "quasi", "hierarchy": str(folder / "job.csv")},
        "ill": "sensitive",
        "days": "sensitive",
    }
    privacy = {"k": 3, "l": {"ill": [2, {"entropy": 1.2}]}, "t": {"days": 0.9}}
    return Policy(columns=columns, privacy=privacy, method="mondrian"), PEOPLE


def _levels(folder: Path) -> tuple[Policy, Any]:
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
        "postcode": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [4, 2]}},
        "born": {"role": "quasi", "hierarchy": {"dates": ["year", "decade"]}},
        "sex": "quasi",
        "ill": "sensitive",
    }
    return Policy(columns=columns, privacy={"k": 3}, method="incognito"), PEOPLE


def _recipients(folder: Path) -> tuple[Policy, Any]:
    columns = {"age": "quasi", "sex": "quasi", "postcode": "quasi", "ill": "sensitive"}
    recipients = {"one": ["age", "sex"], "other": ["age", "postcode"]}
    return Policy(columns=columns, privacy={"k": 3}, recipients=recipients), PEOPLE


def _permutation(folder: Path) -> tuple[Policy, Any]:
    columns = {"age": "quasi", "sex": "quasi", "postcode": "plain", "days": "sensitive"}
    return Policy(columns=columns, privacy={"k": 3, "e": 2}, method="permutation"), PEOPLE


def _disguise(folder: Path) -> tuple[Policy, Any]:
    columns = {"age": "quasi", "sex": "quasi", "days": "sensitive"}
    target = {"days": {"distribution": "uniform", "by": ["sex"]}}
    privacy = {"target": target, "fakes": "30%", "shift": 0.2}
    return Policy(columns=columns, privacy=privacy), PEOPLE.with_columns(days=pl.col("age") % 5)


def _projections(folder: Path) -> tuple[Policy, Any]:
    columns = {"age": "quasi", "sex": "quasi", "ill": "sensitive", "job": "sensitive"}
    return Policy(columns=columns, privacy={"k": 3, "exposure": 0.3}, method="projections"), PEOPLE


def _linked(folder: Path) -> tuple[Policy, Any]:
    for path in BOOKS.iterdir():
        shutil.copy(path, folder)
    return Policy.load(folder / "policy.yaml"), None


def _graph(folder: Path) -> tuple[Policy, Any]:
    pl.DataFrame({"c": range(6), "age": [1, 2, 3, 4, 5, 6]}).write_csv(folder / "left.csv")
    pl.DataFrame({"p": range(6), "price": [9, 8, 7, 6, 5, 4]}).write_csv(folder / "right.csv")
    pl.DataFrame({"c": range(6), "p": [1, 0, 3, 2, 5, 4]}).write_csv(folder / "edges.csv")
    (folder / "policy.yaml").write_text(
        "papilio: 1\ngraph:\n"
        "  left: {source: left.csv, key: c, columns: {age: plain}}\n"
        "  right: {source: right.csv, key: p, columns: {price: plain}}\n"
        "  edges: {source: edges.csv, left: c, right: p}\n"
        "privacy: {k: 2, l: 2}\nmethod: grouping\n"
    )
    return Policy.load(folder / "policy.yaml"), None


_QUERIES = (
    "SELECT count(*), sum({0}), avg({0}) FROM {1} WHERE {2} > 25",
    "SELECT max({0}), count(DISTINCT {0}) FROM {1}",
    "SELECT count(*) FROM {1} WHERE {2} BETWEEN 2 AND 30",
)
MAKERS = {
    "table": (_table, ("days", "people", "age")),
    "levels": (_levels, ("age", "people", "age")),
    "recipients": (_recipients, ("age", "people", "age")),
    "permutation": (_permutation, ("days", "people", "age")),
    "disguise": (_disguise, ("days", "people", "age")),
    "projections": (_projections, ("age", "people_1", "age")),
    "linked": (_linked, ("gpa", "student", "gpa")),
    "graph": (_graph, ("price", "right", "price")),
}


def make(name: str, folder: Path, form: str) -> Tiny:
    """Publish a tiny release of a family."""
    folder.mkdir(parents=True)
    maker, (value, table, condition) = MAKERS[name]
    policy, data = maker(folder)
    release = publish(data, policy, name="people", seed=1)
    directory = release.save(folder / "release", format=form)
    queries = tuple(text.format(value, table, condition) for text in _QUERIES)
    return Tiny(name, directory, policy, data, queries)

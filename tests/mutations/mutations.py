"""Mutations of a release, made from what its manifest says, so that every kind has its own.

Each has the verdict that is expected of the release alone: ``True`` where a weaker release is still
consistent with itself, ``False`` where it contradicts itself, ``None`` where that depends on the
data. Beside the original none may hold.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl
from forged import Forged

Change = Callable[[Forged], None]

#: What weakens a parameter of a claim until it says nothing.
NOTHING = {"k": 1, "l": 1, "t": 1, "e": 0, "c": 1000, "n": 1, "shift": 1, "fakes": 1}
NOTHING |= {"known": 0, "near": None, "secret": 1}
KINDS = ("generalised", "projected", "permuted", "disguised", "linked", "graph")
ROLES = ("quasi", "sensitive", "plain")
#: Kinds whose claims are about all of their tables at once, so that none may be missing.
ONE_CLAIM = ("permuted", "disguised", "graph")
#: Claims beside that one.
BESIDE = ("group-floor", "known-degree")


@dataclass(frozen=True)
class Mutation:
    """One change, and whether the release then holds alone; ``None`` if it depends."""

    name: str
    change: Change
    alone: bool | None


def mutations_of(forged: Forged) -> Iterator[Mutation]:
    """All mutations of a release."""
    for family in (_kinds, _claims, _tables, _columns, _rows, _trees, _files):
        yield from family(forged)


def _kinds(forged: Forged) -> Iterator[Mutation]:
    for kind in KINDS:
        if kind != forged.manifest["kind"]:
            # One generalised table may pass for one projection, and the other way round.
            tables = {"generalised", "projected"}
            alike = {kind, forged.manifest["kind"]} <= tables
            yield Mutation(f"kind {kind}", _set(("kind",), kind), None if alike else False)
    yield Mutation("kind of nobody", _set(("kind",), "garden"), False)


def _set(path: tuple[str | int, ...], value: Any) -> Change:
    def change(forged: Forged) -> None:
        inside: Any = forged.manifest
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = value

    return change


def _claims(forged: Forged) -> Iterator[Mutation]:
    alone_in_kind = forged.manifest["kind"] in ONE_CLAIM
    for place, claim in enumerate(forged.manifest["claims"]):
        name, path = f"claim {place} {claim['claim']}", ("claims", place)
        needed = alone_in_kind and claim["claim"] not in BESIDE
        yield Mutation(f"{name} dropped", _drop("claims", place), False if needed else None)
        for key in claim["parameters"]:
            if key in NOTHING:
                to = (*path, "parameters", key)
                yield Mutation(f"{name} without {key}", _set(to, NOTHING[key]), None)
        yield Mutation(f"{name} of no column", _set((*path, "columns"), []), None)
        yield Mutation(f"{name} of fewer columns", _fewer(place), None)
        yield Mutation(f"{name} for another", _set((*path, "recipient"), "nobody"), None)
        if claim["parameters"]:
            yield Mutation(f"{name} of nothing", _set((*path, "parameters"), {}), False)
        yield Mutation(f"{name} under another name", _set((*path, "claim"), "safety"), False)
        if "order" in claim["parameters"]:
            yield Mutation(f"{name} padded", _padded(place), True)
    yield Mutation("no claim at all", _set(("claims",), []), False)


def _drop(key: str, place: int) -> Change:
    return lambda forged: forged.manifest[key].pop(place) and None


def _fewer(place: int) -> Change:
    return lambda forged: forged.manifest["claims"][place]["columns"].pop() and None


def _padded(place: int) -> Change:
    def change(forged: Forged) -> None:
        order = forged.manifest["claims"][place]["parameters"]["order"]
        order += [f"padding {number}" for number in range(1000)]

    return change


def _tables(forged: Forged) -> Iterator[Mutation]:
    linked = forged.manifest["kind"] == "linked"
    for place, table in enumerate(forged.manifest["tables"]):
        name, path = f"table {table['name']}", ("tables", place)
        yield Mutation(f"{name} one row more", _set((*path, "rows"), table["rows"] + 1), False)
        below = linked and "parent" in table
        if not (linked and below):
            share = _set((*path, "left_out_at_most"), 0.999)
            held = forged.manifest["kind"] in ("generalised", "projected")
            yield Mutation(f"{name} nearly all left out", share, held or None)
        yield Mutation(f"{name} renamed", _renamed(place), False)
        yield Mutation(f"{name} with line numbers", _numbered(table["name"]), None)


def _renamed(place: int) -> Change:
    """Rename a table in its description and its file, but not where others refer to it."""

    def change(forged: Forged) -> None:
        old = forged.manifest["tables"][place]["name"]
        forged.manifest["tables"][place]["name"] = "others"
        for file in forged.manifest["files"]:
            if file.get("table") == old:
                file["table"] = "others"

    return change


def _numbered(table: str) -> Change:
    def change(forged: Forged) -> None:
        frame = forged.frame(table)
        forged.put(table, frame.with_columns(pl.int_range(frame.height).alias("line")))
        column = {"name": "line", "role": "plain", "type": "numeric", "cells": "value"}
        forged.table(table)["columns"].append({**column, "published": ["line"]})

    return change


def _columns(forged: Forged) -> Iterator[Mutation]:
    said = [claim for claim in forged.manifest["claims"] if claim["claim"] == "follows"]
    following = {(claim["table"], claim["parameters"]["column"]) for claim in said}
    for place, table in enumerate(forged.manifest["tables"]):
        for spot, column in enumerate(table["columns"]):
            name, path = f"{table['name']}.{column['name']}", ("tables", place, "columns", spot)
            for role in ROLES:
                if role != column["role"] and column["cells"] not in ("group", "hits", "bounds"):
                    yield Mutation(f"{name} called {role}", _set((*path, "role"), role), None)
            kind = "category" if column["type"] != "category" else "numeric"
            # Labels are text whatever they stand for; so is what follows from cells.
            follows = (table["name"], column["name"]) in following
            seen = None if follows or column["cells"] == "node" else False
            yield Mutation(f"{name} called {kind}", _set((*path, "type"), kind), seen)
            yield Mutation(f"{name} not described", _undescribed(place, spot), False)


def _undescribed(place: int, spot: int) -> Change:
    return lambda forged: forged.manifest["tables"][place]["columns"].pop(spot) and None


def _rows(forged: Forged) -> Iterator[Mutation]:
    for table in forged.manifest["tables"]:
        name = table["name"]
        yield Mutation(f"{name} without its first line", _changed(name, lambda f: f[1:]), None)
        yield Mutation(f"{name} with a line twice", _changed(name, _repeated), None)
        for column in table["columns"]:
            if column["cells"] != "value" or column["role"] in ("key", "parent"):
                continue
            published = column["published"][0]
            yield Mutation(f"{name}.{published} dealt anew", _rotated(name, published), None)
            yield Mutation(f"{name}.{published} NULL", _emptied(name, published), None)


def _repeated(frame: pl.DataFrame) -> pl.DataFrame:
    """The first line that differs from the first one takes its place."""
    other = next((n for n in range(frame.height) if frame.row(n) != frame.row(0)), 0)
    return pl.concat([frame[other : other + 1], frame[1:]])


def _changed(table: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Change:
    return lambda forged: forged.put(table, change(forged.frame(table)))


def _rotated(table: str, column: str) -> Change:
    """Give every line the value of another one: the next that differs."""

    def rotate(frame: pl.DataFrame) -> pl.DataFrame:
        values = frame.get_column(column).to_list()
        shift = next((s for s in range(1, len(values)) if values[s] != values[0]), 1)
        moved = pl.Series(column, values[shift:] + values[:shift], frame.schema[column])
        return frame.with_columns(moved)

    return _changed(table, rotate)


def _emptied(table: str, column: str) -> Change:
    def empty(frame: pl.DataFrame) -> pl.DataFrame:
        values = [None, *frame.get_column(column).to_list()[1:]]
        return frame.with_columns(pl.Series(column, values, frame.schema[column]))

    return _changed(table, empty)


def _trees(forged: Forged) -> Iterator[Mutation]:
    for file in forged.manifest["files"]:
        if file.get("table") is None and file["name"].startswith("hierarchy"):
            yield Mutation(f"{file['name']} deeper", _deeper(file["name"]), None)
            yield Mutation(f"{file['name']} regrouped", _regrouped(file["name"]), None)
    for place, table in enumerate(forged.manifest["tables"]):
        for spot, column in enumerate(table["columns"]):
            path = ("tables", place, "columns", spot, "hierarchy")
            if "prefix" in column.get("hierarchy", {}):
                to = _set((*path, "prefix"), [4, 3, 2, 1])
                yield Mutation(f"{column['name']} by other prefixes", to, None)


def _written(forged: Forged, file: str, change: Callable[[list[str]], list[str]]) -> None:
    path = forged.directory / file
    lines = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(change(line) for line in lines)
    path.write_text(text.getvalue(), encoding="utf-8")


def _deeper(file: str) -> Change:
    """Thirty further levels below the root, so that all distances below shrink."""

    def deepen(line: list[str]) -> list[str]:
        return [*line[:-1], *(f"level {number}" for number in range(30)), line[-1]]

    return lambda forged: _written(forged, file, deepen)


def _regrouped(file: str) -> Change:
    """All values in one group of a name of its own."""

    def regroup(line: list[str]) -> list[str]:
        return [line[0], *("together" for _ in line[1:-1]), line[-1]]

    return lambda forged: _written(forged, file, regroup)


def _files(forged: Forged) -> Iterator[Mutation]:
    def added(forged: Forged) -> None:
        (forged.directory / "notes.csv").write_text("from,the,source\n", encoding="utf-8")

    def listed(forged: Forged) -> None:
        added(forged)
        forged.manifest["files"].append({"name": "notes.csv", "sha256": ""})

    yield Mutation("a file beside", added, False)
    yield Mutation("a file that nothing needs", listed, False)

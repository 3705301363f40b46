"""Random damage to a release: to its manifest as a structure, to its text, and to its files.

Everything is drawn from one generator, so that a seed repeats a release.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import polars as pl

from forged_parquet import BINARY, I32, I64, LIST, STRUCT, read_footer, write_footer
from parts import rehash

#: What may stand anywhere instead of what should.
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 10**6, 10**30, -(10**40), 0.5, -0.0, 1e308, 5e-324, 1e-30,
    "", "x", "*", "0", "\x00", "\x1b[31m", "a\nb", "é", "\U0001f600", "'; DROP TABLE people; --",
    "../outside/secret.csv", "{outside}", "/etc/passwd", "people", "age", "x" * 5000, [], [[]],
    {}, [None], ["x"], [1, 2], [-1], [0], [1e308], {"k": 1}, {"x": {"y": []}},
    [[[[[[[[[[[[]]]]]]]]]]]], {"prefix": [4, 2]}, {"prefix": [-1, "x"]}, {"intervals": [0]},
    {"intervals": [5, 20], "origin": 0}, {"intervals": ["x"]}, {"prefix": [10**21]},
    {"dates": ["year"]}, {"dates": ["x"]}, {"automatic": True}, {"automatic": True, "flat": True},
    {"automatic": True, "level": 1}, {"paths": "nowhere.csv"}, {"paths": 1},
    "quasi", "sensitive", "plain", "key", "parent", "identifier", "numeric", "category", "date",
    "boolean", "value", "range", "set", "node", "group", "hits", "bounds", "generalised",
    "permuted", "disguised", "projected", "linked", "graph", "t-closeness", "k-anonymity",
    "ke-anonymity", "nt-closeness", "recursive-l-diversity", "entropy-l-diversity",
    "distinct-l-diversity", "safe-grouping", "entity-k-anonymity", "target-distribution",
    "personal-levels", "hierarchical", "ordered", "equal",
)  # fmt: skip
#: Keys that a part of a manifest may get.
KEYS = ("level", "order", "k", "l", "t", "e", "n", "c", "column", "distance", "parts", "tree",
        "shift", "fakes", "text", "hierarchy", "key", "parent", "table", "origin", "paths",
        "flat", "unknown", "automatic", "prefix", "intervals", "dates", "left", "right",
        "strict", "recipient", "left_out_at_most", "seeded")  # fmt: skip
#: Cells of text that may be misread.
CELLS = ("", "NULL", "nan", "inf", "-inf", "1e400", "9" * 40, "0x10", "[1, 2]", "[2, 1]", "{", "[",
         '["a","a"]', "[null]", "2020-13-45", "9999-99", "[1e999, 2)", "\u0000", '"', "é", "*",
         "[[[[", "true", "-0", "1_000", "2020-02-30T25:61:61", "x" * 2000)  # fmt: skip


def mutate(directory: Path, chance: Random) -> str:
    """Damage a release one to three times; say how."""
    done = [chance.choice(_WAYS)(directory, chance) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
    _name_outside(directory)
    if chance.random() < 0.9:
        _rehash(directory)
    return ", ".join(done)


def outside(directory: Path) -> Path:
    """A file beside a release that nobody who reads the release should open."""
    return directory.parent / "outside" / "secret.csv"


def _name_outside(directory: Path) -> None:
    manifest = directory / "manifest.json"
    if manifest.is_file() and not manifest.is_symlink():
        content = manifest.read_bytes()
        manifest.write_bytes(content.replace(b"{outside}", str(outside(directory)).encode()))


def _rehash(directory: Path) -> None:
    try:
        rehash(directory)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError):
        return


def _places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        if isinstance(value, (dict, list)):
            found += _places(value, (*path, key))
        else:
            found.append((*path, key))
    return found


def _at(content: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        content = content[key]
    return content


def _structured(directory: Path, chance: Random) -> str:
    file = directory / "release.json"
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        places = _places(manifest)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return "manifest as it is"
    path = chance.choice(places)
    holder, key = _at(manifest, path[:-1]), path[-1]
    way = chance.choice(("odd", "odd", "odd", "delete", "swap", "copy", "double", "add", "rename"))
    if way == "odd":
        holder[key] = copy.deepcopy(chance.choice(ODD))
    elif way == "delete":
        del holder[key]
    elif way == "swap":
        other = chance.choice(places)
        there = _at(manifest, other[:-1])
        holder[key], there[other[-1]] = copy.deepcopy(there[other[-1]]), copy.deepcopy(holder[key])
    elif way == "copy":
        holder[key] = copy.deepcopy(_at(manifest, chance.choice(places)))
    elif way == "double" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif way == "add" and isinstance(holder, dict):
        holder[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
    elif way == "rename" and isinstance(holder, dict):
        holder[chance.choice(KEYS)] = holder.pop(key)
    try:
        file.write_text(json.dumps(manifest), encoding="utf-8")
    except (ValueError, RecursionError):
        return "manifest as it is"
    return f"{way} {'.'.join(map(str, path))}"


def _text(directory: Path, chance: Random) -> str:
    file = directory / "release.json"
    text = file.read_text(encoding="utf-8", errors="replace")
    place = chance.randrange(max(len(text), 1))
    odd = ("{", "}", "[", '"', ",", "NaN", "1e999", "\x00", "\\ud800", '"k": 1, ', "[" * 3000,
           " " * 1000, '"kind": "graph", ', '"claims": [], ', "9" * 5000)  # fmt: skip
    new = chance.choice((text[:place], text[:place] + chance.choice(odd) + text[place:], text * 2))
    file.write_text(new, encoding="utf-8", errors="replace")
    return "text of the manifest"


def _file(directory: Path, chance: Random) -> Path:
    found = sorted(p for p in directory.iterdir() if p.name != "release.json")
    return chance.choice(found) if found else directory / "none"


def _bytes(directory: Path, chance: Random) -> str:
    path = _file(directory, chance)
    if not path.is_file():
        return "nothing"
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 4, 30))):
        if content:
            content[chance.randrange(len(content))] = chance.choice((0, 1, 127, 128, 255, 65))
    if chance.random() < 0.2:
        content = content[: chance.randrange(len(content) + 1)]
    path.write_bytes(content)
    return f"bytes of {path.name}"


def _lines(directory: Path, chance: Random) -> str:
    path = _file(directory, chance)
    if path.suffix != ".csv" or not path.is_file():
        return _frame(directory, chance)
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    line = chance.randrange(len(lines))
    cells = lines[line].split(",")
    cells[chance.randrange(len(cells))] = chance.choice(CELLS)
    lines[line] = ",".join(cells)
    if chance.random() < 0.2:
        lines.insert(line, chance.choice(lines))
    if chance.random() < 0.1:
        del lines[chance.randrange(len(lines))]
    path.write_text("\n".join(lines), encoding="utf-8", errors="replace")
    return f"lines of {path.name}"


def _frame(directory: Path, chance: Random) -> str:
    path = _file(directory, chance)
    if path.suffix != ".parquet" or not path.is_file():
        return _bytes(directory, chance)
    try:
        frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return "nothing"
    if frame.width == 0:
        return "nothing"
    _changed(frame, chance).write_parquet(path, statistics=chance.random() < 0.5)
    return f"table of {path.name}"


def _changed(frame: pl.DataFrame, chance: Random) -> pl.DataFrame:
    name = chance.choice(frame.columns)
    types = (pl.Int64, pl.Int8, pl.Float64, pl.String, pl.Boolean, pl.Date, pl.Datetime("ms"),
             pl.UInt64, pl.Float32, pl.Binary, pl.Null, pl.List(pl.Int64),
             pl.Datetime("us", "UTC"))  # fmt: skip
    ways = (
        lambda: frame.drop(name),
        lambda: frame.rename({name: chance.choice(("age", "x", "group", "a b", "A", "é", "hits"))}),
        lambda: frame.with_columns(pl.lit(None, dtype=chance.choice(types)).alias(name)),
        lambda: frame.with_columns(pl.lit(chance.choice((0, -1, 2**62, 1e308, 0.5))).alias(name)),
        lambda: frame.with_columns(pl.lit(chance.choice((float("nan"), float("inf")))).alias(name)),
        lambda: frame.with_columns(pl.lit(chance.choice(CELLS)).alias(name)),
        lambda: frame.with_columns(pl.col(name).cast(chance.choice(types), strict=False)),
        lambda: frame.with_columns(pl.lit(chance.choice(CELLS)).alias("more")),
        lambda: frame.with_columns(pl.col(name).reverse()),
        lambda: frame.with_columns(pl.when(pl.int_range(pl.len()) > 1).then(pl.col(name))),
        lambda: frame.clear(),
        lambda: pl.concat([frame, frame]),
        lambda: frame.head(chance.randrange(frame.height + 1)),
        lambda: frame.select(frame.columns[::-1]),
    )
    try:
        return chance.choice(ways)()
    except pl.exceptions.PolarsError:
        return frame


def _footer(directory: Path, chance: Random) -> str:
    path = _file(directory, chance)
    if path.suffix != ".parquet" or not path.is_file():
        return _bytes(directory, chance)
    try:
        before, footer = read_footer(path)
        for _ in range(chance.choice((1, 1, 3))):
            _change_field(footer, chance)
        write_footer(path, before, footer)
    except (IndexError, KeyError, ValueError, TypeError, RecursionError):
        return _bytes(directory, chance)
    return f"footer of {path.name}"


def _change_field(fields: Any, chance: Random) -> None:
    """Walk down a random way and change what is there."""
    number = chance.choice(sorted(fields))
    kind, value = fields[number]
    inner = value[1] if kind == LIST and value[0] == STRUCT else []
    if kind == STRUCT and value and chance.random() < 0.9:
        _change_field(value, chance)
    elif inner and chance.random() < 0.9:
        _change_field(chance.choice(inner), chance)
    elif kind in (I32, I64):
        fields[number] = (
            kind,
            chance.choice((0, 1, -1, 2, 3, 6, 100, 2**31 - 1, 2**62, value + 1)),
        )
    elif kind == BINARY:
        fields[number] = (kind, chance.choice((b"", b"x", b"\x00", b"\xff" * 8, value + b"\x00")))
    elif chance.random() < 0.5:
        del fields[number]
    else:
        fields[chance.randrange(1, 20)] = (kind, value)


def _listing(directory: Path, chance: Random) -> str:
    """Change which files there are."""
    path = _file(directory, chance)
    way = chance.choice(("link", "folder", "gone", "swap", "empty"))
    other = _file(directory, chance)
    if way == "swap" and path.is_file() and other.is_file():
        one, two = path.read_bytes(), other.read_bytes()
        path.write_bytes(two), other.write_bytes(one)
    elif way == "empty" and path.is_file():
        path.write_bytes(b"")
    elif path.is_file():
        path.unlink()
        if way == "link":
            path.symlink_to(outside(directory))
        if way == "folder":
            path.mkdir()
    return f"{way} {path.name}"


_WAYS = (
    *[_structured] * 10,
    _text,
    _bytes,
    _lines,
    _lines,
    _frame,
    _frame,
    _frame,
    _footer,
    _listing,
)

"""Policies that nobody would write: those of all families, changed at random."""

from __future__ import annotations

import copy
import types
from typing import Any, Literal, get_args, get_origin

import yaml
from pydantic import BaseModel

from papilio.policy.policy import Policy

#: Values that have gone wrong somewhere, in some program.
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    2,
    3,
    5,
    24,
    25,
    -1,
    255,
    2**31,
    2**63,
    2**64,
    10**21,
    -(10**30),
    10**90,
    0.0,
    -0.0,
    0.5,
    1.0,
    1.5,
    0.1,
    0.123456789,
    0.1234567890123,
    1e-9,
    1e-10,
    1e-320,
    5e-324,
    1e17,
    1e308,
    -1e308,
    float("inf"),
    float("nan"),
    "",
    " ",
    "*",
    "x",
    "0",
    "1",
    "-1",
    "2%",
    "100%",
    "150%",
    "-1%",
    "0.0000000001%",
    "1e-400%",
    "1e400%",
    "10s",
    "0s",
    "99999999999s",
    "1e9h",
    "NaN",
    "inf",
    "automatic",
    "null",
    "yes",
    "2020-01-01",
    "10000-01-01",
    "people.csv",
    "gone.csv",
    ".",
    "..",
    "../people.csv",
    "/etc/passwd",
    "{outside}",
    {"file": "{outside}"},
    {"sql": "SELECT * FROM '{outside}'"},
    {"sql": "SELECT * FROM read_csv('../outside/people.csv')"},
    "../outside/people.csv",
    "/dev/zero",
    "a\0b",
    "people.csv\0",
    "x" * 300,
    "x" * 5000,
    "ä",
    "\u202e",
    "\x1b[31m",
    "\ud800",
    "papilio_row",
    "papilio_up",
    "ghost",
    "age",
    "AGE",
    "ill",
    "pay",
    "town",
    "sid",
    "tree.csv",
    "postgresql://",
    "postgresql://h",
    "mysql://h/d",
    "{}",
    "'; DROP",
    [],
    {},
    [[]],
    [{}],
    [None],
    ["age"],
    ["age", "age"],
    ["town", "age"],
    [1, 2],
    [3, 2, 1],
    [10**21],
    [1e308, 1e308],
    [0],
    [-1],
    [0.1, 0.3],
    ["day"],
    ["year", "day"],
    ["century"],
    [""],
    ["a"] * 3,
    [True, False],
    {"x": 1},
    {"age": 1},
    {"ill": 2},
    {"pay": 0.5},
    {"": ""},
    {"k": 2},
    {"sql": "SELECT 1 AS age"},
    {"sql": "SELECT * FROM 'people.csv'"},
    {"sql": "SELECT a, a AS A FROM (SELECT 1 AS a)"},
    {"sql": ""},
    {"sql": "DROP TABLE x"},
    {"file": "people.csv"},
    {"prefix": [1]},
    {"prefix": [10**21]},
    {"intervals": [5, 10]},
    {"intervals": [1e-300]},
    {"intervals": [1e308]},
    {"intervals": [5], "origin": 1e308},
    {"dates": ["year"]},
    {"automatic": True},
    {"automatic": False},
    {"file": "tree.csv"},
    {"distribution": "zipf", "exponent": 1e9},
    {"distribution": "normal", "std": 1e-300},
    {"distribution": "normal", "mean": 1e308},
    {"distribution": "zipf", "exponent": -1e300},
    {"file": "people.csv"},
    {"role": "quasi"},
    {"role": "sensitive"},
    {"role": "sensitive", "values": "several"},
    {"tree": {"arity": 10**9}},
    {"lowest": 0, "highest": 1e18, "width": 1},
    {"lowest": -1e308, "highest": 1e308, "width": 1e-300},
    {"distribution": "uniform", "tree": {"lowest": 0, "highest": 1e12, "width": 1}},
    {"entropy": 1e308},
    {"recursive": [1e-300, 10**9]},
    {"recursive": [0, 0]},
    {"t": 1e-300},
    {"t": 0.3},
    {"t": 0.5, "distance": "hierarchical"},
    {"t": 0.5, "distance": "ordered"},
    {"n": 10**18, "t": 0.1},
)
NAMES = (
    "papilio_row",
    "papilio_up",
    "age_min",
    "age_max",
    "AGE",
    "a.b",
    'a"b',
    "a'b",
    "a\nb",
    "\u202eage",
    "\x1b[2J",
    "\0",
    "",
    " ",
    "x" * 2000,
    "ä",
    "a\u0308",
    "*",
    "columns",
    "source",
    "rowid",
    "value",
    "number",
    "group",
    "age",
    "ill",
    "pay",
    "town",
    "name",
    "signs",
    "2020",
    "null",
    "true",
    "select",
    "table",
)


def _without_none(annotation: Any) -> Any:
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return parts[0] if isinstance(annotation, types.UnionType) else annotation


def _models(model: type[BaseModel], found: dict[str, type[BaseModel]]) -> None:
    """Models of a policy by the keys of which they are."""
    for name, field in model.model_fields.items():
        for part in (field.annotation, *get_args(field.annotation)):
            inner = [_without_none(each) for each in (part, *get_args(part))]
            for each in inner:
                if isinstance(each, type) and issubclass(each, BaseModel) and name not in found:
                    found[name] = each
                    _models(each, found)


MODELS: dict[str, type[BaseModel]] = {}
_models(Policy, MODELS)
KEYS = tuple(
    dict.fromkeys(name for model in (Policy, *MODELS.values()) for name in model.model_fields)
)


def fitting(annotation: Any, random: Any, depth: int = 0) -> Any:
    """A value of about the kind that a key wants, often at the edge of what it takes."""
    kind = _without_none(annotation)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return random.choice(parts)
    if isinstance(kind, type) and hasattr(kind, "__members__"):
        return random.choice([each.value for each in kind])
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        if depth > 3:
            return None
        fields = list(kind.model_fields.items())
        chosen = random.sample(fields, min(len(fields), random.choice((1, 1, 2, 3))))
        return {name: fitting(field.annotation, random, depth + 1) for name, field in chosen}
    if origin is dict:
        names = random.sample(COLUMNS, random.choice((1, 1, 2)))
        return {name: fitting(parts[1], random, depth + 1) for name in names}
    if origin is tuple:
        return [fitting(parts[0], random, depth + 1) for _ in range(random.choice((1, 2, 3)))]
    if kind is bool:
        return random.random() < 0.5
    if kind in (int, float):
        return random.choice([each for each in VALUES if type(each) in (int, float)])
    if kind is str:
        return random.choice(COLUMNS)
    return random.choice(VALUES)


#: Names that stand somewhere in the data.
COLUMNS = (
    "age",
    "town",
    "ill",
    "drug",
    "pay",
    "signs",
    "wish",
    "name",
    "year",
    "course",
    "grade",
    "gpa",
    "sid",
    "id",
    "kind",
    "people.csv",
    "tree.csv",
    "takes",
    "student",
)


def mutated(policy: dict[str, Any], others: list[dict[str, Any]], random: Any) -> str:
    """A policy with one to four changes, as text; now and then with broken bytes."""
    for _ in range(random.choice((1, 1, 1, 1, 2, 2, 3))):
        _change(policy, others, random)
    text = _dumped(policy)
    return _broken(text, random) if random.random() < 0.1 else text


def _dumped(policy: Any) -> str:
    try:
        return yaml.safe_dump(policy, sort_keys=False, allow_unicode=True)
    except (yaml.YAMLError, UnicodeError, RecursionError):
        return "papilio: 1\n"


def _places(tree: Any, found: list[Any]) -> list[Any]:
    """All mappings and lists of a tree."""
    if isinstance(tree, (dict, list)):
        found.append(tree)
        for below in tree.values() if isinstance(tree, dict) else tree:
            _places(below, found)
    return found


def _value(key: str, others: list[dict[str, Any]], random: Any) -> Any:
    """A value for a key, to be changed at will."""
    return copy.deepcopy(_chosen(key, others, random))


def _chosen(key: str, others: list[dict[str, Any]], random: Any) -> Any:
    """One that fits the key, one that has gone wrong before, or one of another place."""
    which = random.random()
    fields = [
        model.model_fields[key] for model in (Policy, *MODELS.values()) if key in model.model_fields
    ]
    if which < 0.5 and fields:
        return fitting(random.choice(fields).annotation, random)
    if which < 0.85:
        return random.choice(VALUES)
    place = random.choice(_places(random.choice(others), []))
    return random.choice(list(place.values() if isinstance(place, dict) else place) or [None])


def _described(tree: Any, model: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """All mappings and lists of a tree with the model that reads them, if one does."""
    if isinstance(tree, list):
        found.append((tree, None))
    if isinstance(tree, dict):
        found.append((tree, model))
        for key, below in tree.items():
            inner = MODELS.get(key) if model is not None else None
            if inner is not None and key in _BY_NAME and isinstance(below, dict):
                found.append((below, None))
                for part in below.values():
                    _described(part, inner, found)
            else:
                _described(below, inner, found)
    return found


#: Keys whose mappings are by names of the data.
_BY_NAME = ("columns", "tables", "t", "l", "target")


def _change(policy: dict[str, Any], others: list[dict[str, Any]], random: Any) -> None:
    place, model = random.choice(_described(policy, Policy, []))
    if isinstance(place, list):
        place.insert(random.randrange(len(place) + 1), _value("", others, random))
        return
    named = list(place)
    which = random.random()
    if which < 0.25 and named:
        key = random.choice(named)
        place[key] = _value(key, others, random)
    elif which < 0.75 and model is not None:
        key = random.choice(list(model.model_fields))
        place[key] = _value(key, others, random)
    elif which < 0.8 and named:
        del place[random.choice(named)]
    elif which < 0.9 and named:
        place[random.choice(NAMES)] = copy.deepcopy(place[random.choice(named)])
    elif which < 0.95 and named and model is None:
        _richer(place, random.choice(named), random)
    else:
        key = random.choice(KEYS)
        place[key] = _value(key, others, random)


def _richer(columns: dict[str, Any], name: str, random: Any) -> None:
    """Say more of a column that has a role alone."""
    if isinstance(columns[name], str):
        model = MODELS["columns"]
        key = random.choice(list(model.model_fields))
        columns[name] = {
            "role": columns[name],
            key: fitting(model.model_fields[key].annotation, random),
        }


_BYTES = (
    "\0",
    "\x1b",
    "\u202e",
    ":",
    "- ",
    "? ",
    "&a ",
    "*a",
    "!!",
    "!!python/object:os.system ",
    "|",
    ">",
    "{",
    "}",
    "[",
    "]",
    "'",
    '"',
    "#",
    "%",
    "@",
    "`",
    "\t",
    "\n",
    "---\n",
    "...\n",
    "<<: *a",
    "\r",
    "\ufeff",
    "~",
    "0x",
    "1e999",
    "1:1:1:1",
    "=",
    ",",
    "\u2028",
)


def _broken(text: str, random: Any) -> str:
    for _ in range(random.randrange(1, 6)):
        place = random.randrange(len(text) + 1)
        match random.randrange(4):
            case 0:
                text = text[:place] + random.choice(_BYTES) + text[place:]
            case 1:
                text = text[:place] + text[place + random.randrange(1, 20) :]
            case 2:
                text = text[:place] + text[random.randrange(len(text) + 1) :]
            case 3:
                text = (
                    text[:place] + text[place : place + 40] * random.randrange(2, 5) + text[place:]
                )
    return text

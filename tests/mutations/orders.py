"""A small order of every family: its policy, its data, and weaker versions of each demand."""

from __future__ import annotations

import copy
import csv
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from papilio.policy.policy import Policy
from papilio.workflow.publish import publish_to


@dataclass(frozen=True)
class Order:
    """What an owner asks for.

    ``weaker`` has, by the name of a demand, a path in the policy and what it is set to (``None``:
    the key is left out), so that less is promised.
    """

    policy: dict[str, Any]
    files: dict[str, list[list[Any]]]
    weaker: dict[str, tuple[tuple[str, ...], Any]] = field(default_factory=dict)

    def write(self, folder: Path, policy: dict[str, Any] | None = None) -> Policy:
        """Write policy and data into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, rows in self.files.items():
            with (folder / name).open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(rows)
        file = folder / "policy.yaml"
        file.write_text(yaml.safe_dump(policy or self.policy, sort_keys=False), encoding="utf-8")
        return Policy.load(file)

    def publish(self, folder: Path, policy: dict[str, Any] | None = None) -> Policy:
        """Publish it beside its data; the policy."""
        loaded = self.write(folder, policy)
        publish_to(folder / "release", loaded, seed=5)
        return loaded

    def weakened(self, demand: str) -> dict[str, Any]:
        """The policy with one demand less."""
        path, value = self.weaker[demand]
        policy = copy.deepcopy(self.policy)
        inside = policy
        for key in path[:-1]:
            inside = inside[key]
        if value is None:
            del inside[path[-1]]
        else:
            inside[path[-1]] = value
        return policy


def _patients(count: int = 60) -> list[list[Any]]:
    draw = random.Random(7)
    rows: list[list[Any]] = [["name", "age", "zip", "job", "ill", "pay", "ward"]]
    jobs, ills = ["cook", "baker", "nurse", "vet"], ["flu", "cold", "asthma", "none"]
    for number in range(count):
        known = [f"n{number}", draw.randint(20, 69), f"10{draw.randint(10, 39)}"]
        secret = [ills[number % 4], 1000 + 37 * number, draw.choice(["north", "south"])]
        rows.append([*known, draw.choice(jobs), *secret])
    return rows


_JOBS = [
    ["cook", "food", "any"],
    ["baker", "food", "any"],
    ["nurse", "care", "any"],
    ["vet", "care", "any"],
]
_ILLS = [
    ["flu", "lungs", "any"],
    ["cold", "lungs", "any"],
    ["asthma", "lungs", "any"],
    ["none", "well", "any"],
]
_TABLE = {"patients.csv": _patients(), "jobs.csv": _JOBS, "ills.csv": _ILLS}
_QUASI = {
    "name": "identifier",
    "age": "quasi",
    "zip": {"role": "quasi", "type": "category", "hierarchy": {"prefix": [3, 2]}},
    "job": {"role": "quasi", "hierarchy": "jobs.csv"},
}
_ILL = {"ill": {"role": "sensitive", "hierarchy": "ills.csv"}, "ward": "plain"}


def _visits() -> dict[str, list[list[Any]]]:
    draw = random.Random(3)
    people: list[list[Any]] = [["sid", "year", "mark"]]
    visits: list[list[Any]] = [["vid", "sid", "course", "grade"]]
    for person in range(24):
        people.append([person, 2000 + person % 3, draw.randint(1, 6)])
        for _ in range(2):
            visits.append([len(visits), person, draw.choice(["cook", "baker", "nurse", "vet"])])
            visits[-1].append(len(visits) % 5)
    return {"student.csv": people, "takes.csv": visits, "jobs.csv": _JOBS}


def _graph() -> dict[str, list[list[Any]]]:
    # Towns and kinds go with the number of links, so that the graph has few symmetries.
    left: list[list[Any]] = [["customer", "town"]] + [[n, f"t{n % 3}"] for n in range(36)]
    right: list[list[Any]] = [["product", "kind"]]
    edges: list[list[Any]] = [["customer", "product"]] + [[n, n * 7 % 36] for n in range(36)]
    edges += [[n, (n * 7 + 5) % 36] for n in range(0, 36, 3)]
    ends = [edge[1] for edge in edges[1:]]
    right += [[n, f"k{ends.count(n)}"] for n in range(36)]
    return {"customers.csv": left, "products.csv": right, "bought.csv": edges}


ORDERS: dict[str, Order] = {
    "one table": Order(
        {
            "source": "patients.csv",
            "columns": {**_QUASI, **_ILL, "pay": {"role": "sensitive", "type": "numeric"}},
            "privacy": {
                "k": 4,
                "l": {"ill": [2, {"recursive": [3, 2]}], "pay": {"entropy": 3}},
                "t": {"ill": 0.5, "pay": {"t": 0.4, "n": 40}},
            },
        },
        _TABLE,
        {
            "k": (("privacy", "k"), 1),
            "l": (("privacy", "l"), {"ill": [1, {"recursive": [3, 2]}], "pay": {"entropy": 3}}),
            "recursive": (("privacy", "l"), {"ill": [2], "pay": {"entropy": 3}}),
            "entropy": (("privacy", "l", "pay"), {"entropy": 1.5}),
            "t": (("privacy", "t", "ill"), 0.9),
            "n": (("privacy", "t", "pay"), {"t": 0.4, "n": 10}),
            "distance": (("privacy", "t", "ill"), {"t": 0.5, "distance": "equal"}),
            "a role": (("columns", "age"), "plain"),
            "a hierarchy": (("columns", "zip", "hierarchy"), {"prefix": [3]}),
        },
    ),
    "rows left out": Order(
        {
            "source": "patients.csv",
            "columns": {**_QUASI, "ill": "sensitive"},
            "privacy": {"k": 4, "suppress": 0.05},
        },
        _TABLE,
        {
            "k": (("privacy", "k"), 2),
            "suppress": (("privacy", "suppress"), 0.4),
        },
    ),
    "recipients": Order(
        {
            "source": "patients.csv",
            "columns": {**_QUASI, "ill": "sensitive"},
            "recipients": {"insurer": ["age", "zip"], "personnel": ["age", "job"]},
            "privacy": {"k": 5, "collusion_k": 3, "l": {"ill": 2}},
        },
        _TABLE,
        {
            "k": (("privacy", "k"), 3),
            "collusion_k": (("privacy", "collusion_k"), None),
            "l": (("privacy", "l"), None),
            "what a recipient knows": (("recipients", "insurer"), ["zip"]),
        },
    ),
    "secrets of recipients": Order(
        {
            "source": "patients.csv",
            "columns": {**_QUASI, "ill": "sensitive"},
            "recipients": {
                "insurer": {"knows": ["age", "zip"], "secret": {"job": {"l": 2}}},
                "personnel": ["age", "job"],
                "clinic": ["zip", "job"],
            },
            "privacy": {"k": 4, "collusion": {"any_two": 3, "all": 2}},
        },
        _TABLE,
        {
            "a secret": (("recipients", "insurer"), ["age", "zip"]),
            "any two": (("privacy", "collusion", "any_two"), 2),
            "all of them": (("privacy", "collusion", "all"), None),
        },
    ),
    "permutation": Order(
        {
            "source": "patients.csv",
            "columns": {"age": "quasi", "job": "quasi", "ward": "plain"}
            | {"pay": {"role": "sensitive", "type": "numeric"}},
            "privacy": {"k": 3, "e": 500},
            "person": "rows",
            "method": "permutation",
        },
        _TABLE,
        {
            "k": (("privacy", "k"), 2),
            "e": (("privacy", "e"), 50),
            "a role": (("columns", "ward"), "identifier"),
        },
    ),
    "known rows": Order(
        {
            "source": "patients.csv",
            "columns": {"age": "quasi", "pay": {"role": "sensitive", "type": "numeric"}},
            "privacy": {"k": 3, "e": 100, "known": 2, "near": {"width": 200, "at_most": 0.5}},
            "person": "rows",
            "method": "permutation",
        },
        _TABLE,
        {
            "known": (("privacy", "known"), 1),
            "width": (("privacy", "near", "width"), 50),
            "at most": (("privacy", "near", "at_most"), 0.9),
        },
    ),
    "disguise": Order(
        {
            "source": "patients.csv",
            "columns": {"job": "quasi", "pay": {"role": "sensitive", "type": "numeric"}},
            "privacy": {
                "target": {
                    "pay": {
                        "distribution": "uniform",
                        "by": ["job"],
                        "tree": {"lowest": 1000, "highest": 3559, "width": 320},
                    }
                },
                "fakes": 0.1,
                "shift": 0.05,
            },
        },
        _TABLE,
        {
            "fakes": (("privacy", "fakes"), 0.3),
            "shift": (("privacy", "shift"), 1),
            "the target": (("privacy", "target", "pay", "distribution"), "same"),
            "the tree": (("privacy", "target", "pay", "tree", "width"), 160),
            "the parts": (("privacy", "target", "pay", "by"), []),
        },
    ),
    "floor": Order(
        {
            "source": "patients.csv",
            "columns": {"job": "quasi", "pay": {"role": "sensitive", "type": "numeric"}},
            "privacy": {
                "target": {
                    "pay": {
                        "distribution": "uniform",
                        "by": ["job"],
                        "tree": {"lowest": 1000, "highest": 3559, "width": 320},
                    }
                },
                "fakes": 0.1,
                "shift": 0.05,
                "k": 5,
                "l": {"pay": 4},
                "e": 500,
            },
        },
        _TABLE,
        {
            "k": (("privacy", "k"), 2),
            "l": (("privacy", "l"), {"pay": 2}),
            "e": (("privacy", "e"), None),
        },
    ),
    "projections": Order(
        {
            "source": "patients.csv",
            "columns": {"age": "quasi", "zip": _QUASI["zip"], "ill": "sensitive"}
            | {"job": "sensitive", "ward": "sensitive"},
            "privacy": {"k": 4, "t": 0.6, "exposure": 0.1, "association_loss": 1.0},
            "method": "projections",
        },
        _TABLE,
        {
            "k": (("privacy", "k"), 2),
            "t": (("privacy", "t"), None),
            "exposure": (("privacy", "exposure"), 1.0),
        },
    ),
    "linked tables": Order(
        {
            "tables": {
                "student": {
                    "source": "student.csv",
                    "key": "sid",
                    "columns": {"year": "quasi", "mark": "sensitive"},
                },
                "takes": {
                    "source": "takes.csv",
                    "key": "vid",
                    "parent": {"student": "sid"},
                    "columns": {
                        "course": {"role": "quasi", "hierarchy": "jobs.csv"},
                        "grade": "sensitive",
                    },
                },
            },
            "person": "student",
            "privacy": {"k": 3, "l": {"takes.grade": 2}, "suppress": 0.5},
        },
        _visits(),
        {
            "k": (("privacy", "k"), 2),
            "l": (("privacy", "l"), None),
            "suppress": (("privacy", "suppress"), 0.9),
            "a role": (("tables", "takes", "columns", "course"), "sensitive"),
        },
    ),
    "graph": Order(
        {
            "graph": {
                "left": {"source": "customers.csv", "key": "customer"}
                | {"columns": {"town": "plain"}},
                "right": {"source": "products.csv", "key": "product"}
                | {"columns": {"kind": "plain"}},
                "edges": {"source": "bought.csv", "left": "customer", "right": "product"},
            },
            "privacy": {"k": 4, "l": 3},
        },
        _graph(),
        {
            "k": (("privacy", "k"), 2),
            "l": (("privacy", "l"), 2),
            "a role": (("graph", "left", "columns", "town"), "identifier"),
        },
    ),
    "known degrees": Order(
        {
            "graph": {
                "left": {"source": "customers.csv", "key": "customer"},
                "right": {"source": "products.csv", "key": "product"},
                "edges": {"source": "bought.csv", "left": "customer", "right": "product"},
                "order": "level",
            },
            "privacy": {"k": 3, "l": 3, "known": "degree", "suppress": 0.5},
        },
        _graph(),
        {
            "k": (("privacy", "k"), 2),
            "suppress": (("privacy", "suppress"), 0.9),
        },
    ),
    "shared classes": Order(
        {
            "source": "patients.csv",
            "columns": {"age": "quasi", "ill": "sensitive", "ward": "sensitive"},
            "privacy": {"k": 4, "exposure": 0},
            "classes": "shared",
            "method": "projections",
        },
        _TABLE,
        {"shared": (("classes",), None), "k": (("privacy", "k"), 2)},
    ),
    "followers": Order(
        {
            "source": "patients.csv",
            "columns": {
                "name": "identifier",
                "job": {"role": "quasi", "hierarchy": "jobs.csv"},
                "age": "quasi",
                "kind": {"role": "plain", "follows": "job"},
                "ill": "sensitive",
            },
            "privacy": {"k": 4},
        },
        {
            **_TABLE,
            "patients.csv": [
                [*row, "kind" if not number else {"cook": "f", "baker": "f"}.get(row[3], "c")]
                for number, row in enumerate(_patients())
            ],
        },
        {"follows": (("columns", "kind"), "plain"), "k": (("privacy", "k"), 2)},
    ),
}

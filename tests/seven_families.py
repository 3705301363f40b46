"""One small order of each family: its files, its policy, and the table it is about.

Tests of all families go through :data:`FAMILIES`, which is Papilio's own table of them, and a
second order of linked tables, one table that is taken apart. Whoever adds a family brings one order
here.
"""

from __future__ import annotations

import copy
import random

import yaml

from papilio.families import families

ROWS = 24
PEOPLE_COLUMNS = {"name": "identifier", "age": "quasi", "town": "quasi"}


def _people():
    chance = random.Random(4)
    lines = ["name,age,town,ill,drug,pay,signs,wish,alias"]
    for row in range(ROWS):
        ill = chance.choice(["flu", "hiv", "none"])
        cells = [
            f"n{row}",
            20 + chance.randrange(20),
            chance.choice("ABC"),
            ill,
            ill if chance.random() < 0.7 else "rest",
            chance.randrange(1, 9),
            chance.choice(["x", "x;y", "y"]),
            2,
            f"n{row}",
        ]
        lines.append(",".join(map(str, cells)))
    return "\n".join(lines) + "\n"


def _signs():
    """Several values per person in a table of their own, and another column of them."""
    chance = random.Random(6)
    rows = [(row, chance.choice("pqr"), chance.choice("uv")) for row in range(ROWS)]
    return "name,sign,mark,alias\n" + "".join(f"n{r},{s},{m},n{ROWS - 1 - r}\n" for r, s, m in rows)


def _linked_files():
    chance = random.Random(5)
    takes = [f"{row % 30},{chance.choice('abcd')},{chance.randrange(1, 5)}" for row in range(80)]
    return {
        "student.csv": "sid,year,gpa\n"
        + "".join(f"{row},{2000 + row % 3},{row % 4}\n" for row in range(30)),
        "takes.csv": "sid,course,grade\n" + "\n".join(takes) + "\n",
    }


def _visits():
    """Several rows per person: age, pay and wish are constant within one, town and ill vary."""
    chance = random.Random(7)
    people = [(f"n{p}", 20 + chance.randrange(20), chance.randrange(1, 9)) for p in range(12)]
    lines = [
        f"{name},{age},{chance.choice('ABC')},{chance.choice(['flu', 'hiv', 'none'])},{pay},2"
        for name, age, pay in people
        for _ in range(chance.randrange(1, 4))
    ]
    chance.shuffle(lines)
    return "name,age,town,ill,pay,wish\n" + "\n".join(lines) + "\n"


def _graph_files():
    return {
        "left.csv": "id,town\n" + "".join(f"{row},{'AB'[row % 2]}\n" for row in range(12)),
        "right.csv": "id,kind\n" + "".join(f"{row},{'xy'[row % 2]}\n" for row in range(12)),
        "edges.csv": "a,b\n" + "".join(f"{row},{(5 * row) % 12}\n" for row in range(12)),
    }


def _side(name, column):
    return {"source": f"{name}.csv", "key": "id", "columns": {column: "plain"}}


def _one(privacy, columns, **more):
    return {
        "papilio": 1,
        "source": "people.csv",
        "columns": {**PEOPLE_COLUMNS, **columns},
        "privacy": privacy,
        **more,
    }


#: Family -> its policy.
POLICIES = {
    "one-table": _one({"k": 3}, {"ill": "sensitive"}),
    "recipients": _one(
        {"k": 3}, {"ill": "sensitive"}, recipients={"one": ["age"], "two": ["town"]}
    ),
    "permutation": _one({"k": 3, "e": 2}, {"pay": "sensitive"}, method="permutation"),
    "disguise": _one({"target": {"pay": "uniform"}}, {"pay": "sensitive"}),
    "projections": _one(
        {"k": 3, "t": 0.9, "exposure": 0.9},
        {
            "ill": {"role": "sensitive", "harmless": ["none"]},
            "drug": "sensitive",
            "signs": {"role": "sensitive", "values": "several"},
        },
    ),
    "linked": {
        "papilio": 1,
        "tables": {
            "student": {
                "source": "student.csv",
                "key": "sid",
                "columns": {"year": "quasi", "gpa": "sensitive"},
            },
            "takes": {
                "source": "takes.csv",
                "parent": {"student": "sid"},
                "columns": {"course": "quasi", "grade": "sensitive"},
            },
        },
        "person": "student",
        "privacy": {"k": 2},
    },
    "graph": {
        "papilio": 1,
        "graph": {
            "left": _side("left", "town"),
            "right": _side("right", "kind"),
            "edges": {"source": "edges.csv", "left": "a", "right": "b"},
        },
        "privacy": {"k": 2, "l": 2},
    },
}
#: One table with several rows per person, which becomes linked tables.
DIVIDED = "divided"
POLICIES[DIVIDED] = {
    **_one({"k": 2}, {"ill": "sensitive", "pay": "sensitive"}, person="name", link=True),
    "source": "visits.csv",
}
BY_NAME = {family.name: family for family in families()}
BY_NAME[DIVIDED] = BY_NAME["linked"]
FAMILIES = tuple(BY_NAME)
#: Family -> table of its release that is asked about, if it is not ``people``.
ASKED = {"projections": "people_1", "linked": "student", DIVIDED: "visits_rows", "graph": "edges"}
#: Family -> demands that its data cannot meet.
INFEASIBLE = {
    "one-table": {"l": 9},
    "recipients": {"k": 100},
    "permutation": {"e": 100},
    # For groups of more than a few thousand values, which a test makes fewer.
    "disguise": {"target": {"pay": {"distribution": "uniform", "allocation": "randomised"}}},
    "projections": {"k": 100},
    "linked": {"k": 100},
    DIVIDED: {"k": 100},
    "graph": {"k": 100},
}


def policy_of(family):
    """A policy of the family, to change at will."""
    return copy.deepcopy(POLICIES[family])


def write_family(folder, family, policy=None):
    """Write data and policy of a family into a folder; give the policy file and a table."""
    files = {
        "linked": _linked_files,
        DIVIDED: lambda: {"visits.csv": _visits()},
        "graph": _graph_files,
    }.get(family, lambda: {"people.csv": _people(), "signs.csv": _signs()})()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    file = folder / "policy.yaml"
    file.write_text(yaml.safe_dump(policy or policy_of(family)), encoding="utf-8")
    return file, folder / next(iter(files))


def make_memory_small(monkeypatch):
    """Let every table be larger than memory."""
    monkeypatch.setattr("papilio.families.engines.disk.memory._BASE", 1 << 40)
    monkeypatch.setattr("papilio.workflow.publish_pieces._PIECE_SHARE", 2e-5)

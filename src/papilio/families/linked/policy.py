"""What does not go with linked tables, and what they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.data.table import Role
from papilio.errors import Fault
from papilio.policy.person import link_faults
from papilio.policy.recipients import EVERY
from papilio.policy.remedy import Remedy
from papilio.policy.words import FamilyWords, Meaning, Words
from papilio.privacy.entity_k import EntityDiversity, EntityK

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.policy import Policy
    from papilio.policy.privacy_policy import DiversityPolicy
    from papilio.policy.tables_policy import TablePolicy


_K = Meaning(
    title="k: nobody’s records stand alone",
    stops=(
        "Someone who knows some of a person’s records, of however many tables, and how many there "
        "are."
    ),
    does_not_stop=(
        "Someone who does not care which records are whose, because a sensitive value is shared. "
        "Ask for l as well."
    ),
    example=(
        "With k = 5, whoever knows that Ann took History and Math finds five people who took such "
        "courses, and nothing tells them apart."
    ),
    usual="5 is a start. Trees of records are hard to make alike: large numbers cost many rows.",
)
_L = Meaning(
    title="l: mixed values at every place",
    stops="Someone who finds a person’s class and reads a value that all of it share.",
    does_not_stop="Someone who guesses a value that is frequent in the class.",
    example="With l = 2, the grade of Ann’s History course is one of at least two.",
    usual="2.",
)
_SUPPRESS = Meaning(
    title="suppress: rows that may be left out",
    stops="Nobody by itself. It says how much of each table has to stay.",
    does_not_stop="Someone who knows that a record is missing: unusual ones are left out first.",
    example="With 10%, at least nine of ten courses of all people together are published.",
    usual="Leave it out to see what it takes, then 10% or so if that is too much.",
)


def _lacks(tables: float, columns: int, types: frozenset[str]) -> str:
    del columns, types
    return "needs at least two tables; add them under Data" if tables < 2 else ""


WORDS = FamilyWords(
    title="Linked tables",
    when=(
        "When people have records in several tables that refer to each other. Keeps the tables "
        "and their links."
    ),
    icon="account_tree",
    demands={
        "k": Words(
            "k, people alike",
            "Everything published about a person, in all tables together, looks exactly like that "
            "of at least k − 1 other people.",
            "5",
            start=5,
            needed=True,
            meaning=_K,
        ),
        "l": Words(
            "l",
            "At every place of the records of a class, such as “the grade of the second course”, a "
            "sensitive column has several values.",
            "{takes.grade: 2}",
            widget="demands",
            meaning=_L,
        ),
        "suppress": Words(
            "Share of the rows",
            "No table loses more than this share of its rows, such as `10%`; left out, as many as "
            "it takes.",
            "10%",
            widget="percent",
            start="10%",
            meaning=_SUPPRESS,
        ),
    },
    lacks=_lacks,
)
MIRACLE = "miracle"
_NAME = re.compile(r"[A-Za-z0-9_-]+")


#: What k is proposed where none is demanded, or 1.
_USUAL_K = 5


def larger_k(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Demand people alike where nothing is demanded; what is demanded is kept anyway."""
    if not exposed.people or (policy.privacy.k or 1) > 1:
        return None
    why = f"Everybody then has the whole tree of rows of at least {_USUAL_K} people."
    return Remedy(((("privacy", "k"), _USUAL_K),), why)


def mixed_values(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Demand two values at every place of a column that groups share."""
    if not exposed.people or exposed.column is None:
        return None
    # In a table that is taken apart, it is not known before in which part a column will be.
    column = exposed.column if policy.tables else exposed.column.rpartition(".")[2]
    if column in policy.privacy.l:
        return None
    why = f"At every place of the rows of people alike there are then two values of {column}."
    return Remedy(((("privacy", "l", column), 2),), why)


def linked_faults(policy: Policy) -> list[Fault]:
    """Find what does not fit between ``tables``, or ``link``, and the other keys."""
    if not policy.tables:
        return [*_needs(policy), *link_faults(policy), *_wrong_demands(policy)]
    faults = [*_needs(policy), *_shape(policy), *_names(policy)]
    for name, table in policy.tables.items():
        faults += _columns(policy, name, table)
    if not any(table.with_role(Role.QUASI) for table in policy.tables.values()):
        faults.append(policy.fault("no column of any table is quasi; name at least one", "tables"))
    return faults + _wrong_demands(policy)


def _wrong_demands(policy: Policy) -> list[Fault]:
    return [fault for _, fault in diversity_of(policy) if isinstance(fault, Fault)]


def entities_of(policy: Policy) -> tuple[EntityK | EntityDiversity, ...]:
    """What is demanded of linked tables."""
    diverse = [each for _, each in diversity_of(policy) if isinstance(each, EntityDiversity)]
    return (EntityK(policy.privacy.k or 1), *diverse)


def diversity_of(policy: Policy) -> Iterator[tuple[str, EntityDiversity | Fault]]:
    """Demands of ``privacy.l``, each on a column of a table, or what is wrong with it."""
    for said, demands in policy.privacy.l.items():
        if said == EVERY:
            message = "name the column, as in {takes.grade: 2}; a bare l is not for linked tables"
            yield said, policy.fault(message, "privacy", "l")
            continue
        found = _places(policy, said)
        if len(found) == 1:
            yield from ((said, _diversity(*found[0], each)) for each in demands)
            continue
        message = (
            "more than one table has this sensitive column; write table.column"
            if found
            else "there is no such sensitive column; name one"
            if policy.link
            else "no table has such a sensitive column; write table.column"
        )
        yield said, policy.fault(message, "privacy", "l", said)


def _diversity(table: str, column: str, said: DiversityPolicy) -> EntityDiversity:
    return EntityDiversity(table, said.requirement(column))


def _places(policy: Policy, said: str) -> list[tuple[str, str]]:
    """Tables and sensitive columns that ``column`` or ``table.column`` may mean.

    In which table a column of one that is taken apart will be, is not known before it is read.
    """
    if not policy.tables:
        return [("", said)] if said in policy.with_role(Role.SENSITIVE) else []
    return [
        (name, column)
        for name, table in policy.tables.items()
        for column in table.with_role(Role.SENSITIVE)
        if said in (column, f"{name}.{column}")
    ]


def _needs(policy: Policy) -> Iterator[Fault]:
    if policy.privacy.k is None:
        yield policy.fault("linked tables need k, the least number of people alike", "privacy")


def _shape(policy: Policy) -> Iterator[Fault]:
    """Who hangs off whom; what the database may still say is looked at when it is read."""
    if policy.person is None:
        yield policy.fault("say which of the tables has one row per person", "person")
    elif policy.person not in policy.tables:
        known = ", ".join(policy.tables)
        yield policy.fault(f"tables has no such table (it has: {known})", "person")
    for name, table in policy.tables.items():
        if name == policy.person and table.parent is not None:
            yield policy.fault("the person table hangs off no other", "tables", name, "parent")
        elif table.above is not None and table.above not in policy.tables:
            yield policy.fault("tables has no such table", "tables", name, "parent", table.above)
        if name == policy.person and table.at_most is not None:
            message = "at_most is for tables that hang off another"
            yield policy.fault(message, "tables", name, "at_most")
        if policy.database is None:
            yield from _needed(policy, name, table)


def _needed(policy: Policy, name: str, table: TablePolicy) -> Iterator[Fault]:
    """Keys that must be written down where no catalog knows them."""
    if table.parent is None and name != policy.person:
        message = "say which table it hangs off, as in parent: {student: sid}"
        yield policy.fault(message, "tables", name)
    if table.key is None and any(each.above == name for each in policy.tables.values()):
        yield policy.fault("other tables hang off it, so it needs a key", "tables", name)


def _names(policy: Policy) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for name in policy.tables:
        if not _NAME.fullmatch(name):
            message = "a table's name may have letters from A to Z, digits, '_' and '-' only"
            yield policy.fault(message, "tables", name)
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            message = f"differs from '{other}' in letter case only; rename one of them"
            yield policy.fault(message, "tables", name)


def _columns(policy: Policy, name: str, table: TablePolicy) -> Iterator[Fault]:
    for key in (table.key, table.foreign_key):
        column = table.columns.get(key) if key is not None else None
        if column is not None and key is not None and column.role is not Role.IDENTIFIER:
            message = (
                f"a key cannot be {column.role}: keys are published with random numbers; leave it "
                "out of columns, or publish a copy under another name"
            )
            yield policy.fault(message, "tables", name, "columns", key)
    if table.key is not None and table.key == table.foreign_key:
        message = "the key of a table cannot be the column that refers to the table above"
        yield policy.fault(message, "tables", name, "key")
    seen: dict[str, str] = {}
    for published, owner in _published(table):
        other = seen.setdefault(published.casefold(), owner)
        if other != owner:
            message = f"'{other}' may be published under this name; rename one in the source"
            yield policy.fault(message, "tables", name, "columns", owner)


def _published(table: TablePolicy) -> Iterator[tuple[str, str]]:
    """Names that may be published, and the column they belong to."""
    for name in dict.fromkeys(n for n in (table.key, table.foreign_key) if n is not None):
        yield name, name
    for name in table.published:
        if name in (table.key, table.foreign_key):
            continue
        yield name, name
        if table.columns[name].role is Role.QUASI and table.columns[name].hierarchy is None:
            yield from ((f"{name}_{suffix}", name) for suffix in ("min", "max", "null"))

"""Guess from names and counts which tables hang off which others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from papilio.web.forms.facts import ColumnFacts, Facts, TableFacts


@dataclass(frozen=True)
class Link:
    """A table, the column in which it names rows of another, and that table's key."""

    child: str
    reference: str
    parent: str
    key: str


def guess_links(facts: Facts) -> tuple[Link, ...]:
    """At most one table above each, and no circles.

    A column may refer to the key of another table if both have the same name, or if it is called
    after that table, as ``student_id`` or ``student``. A key tells the rows of its table apart. Of
    two tables with such a key the first one is above. Values are not compared: a wrong guess is
    seen in the policy, and refused when rows without a counterpart are found.
    """
    links: dict[str, Link] = {}
    for link in _possible(facts):
        if link.child not in links and not _leads_up(links, link.parent, link.child):
            links[link.child] = link
    return tuple(links.values())


def all_references(facts: Facts, child: str) -> tuple[Link, ...]:
    """Every column of a table that may refer to another table, one for each such table."""
    found: dict[str, Link] = {}
    for link in _possible(facts):
        if link.child == child:
            found.setdefault(link.parent, link)
    return tuple(found.values())


def _possible(facts: Facts) -> Iterator[Link]:
    """Possible links; those between tables that differ in what a row is come first."""
    equal = []
    for parent in facts:
        for key in (each for each in parent.columns if each.tells_rows_apart):
            for child in (each for each in facts if each is not parent):
                for column in _referring(child, parent, key):
                    link = Link(child.name, column.name, parent.name, key.name)
                    if column.tells_rows_apart:
                        equal.append(link)
                    else:
                        yield link
    yield from equal


def _referring(child: TableFacts, parent: TableFacts, key: ColumnFacts) -> list[ColumnFacts]:
    table = parent.name.casefold()
    called = {table, table.removesuffix("s")}
    names = {key.name.casefold()} - {"id"}
    names |= {f"{each}{joint}{key.name.casefold()}" for each in called for joint in ("", "_", "-")}
    names |= called if key.name.casefold() in ("id", *called) else set()
    return [each for each in child.columns if each.name.casefold() in names]


def _leads_up(links: dict[str, Link], start: str, end: str) -> bool:
    while start in links and start != end:
        start = links[start].parent
    return start == end

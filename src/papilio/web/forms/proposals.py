"""Numbers to start with, so that nobody has to type one."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papilio.data.table import ColumnType, Role
from papilio.families import families
from papilio.families.family import Family
from papilio.families.one_table.draft import DraftColumn, draft_policy
from papilio.web.draft import Draft
from papilio.web.forms.edits import mapping_at, value_at
from papilio.web.forms.fields import (
    ColumnFacts,
    Facts,
    TableFacts,
    demand_key,
    facts_of,
    table_with,
)
from papilio.web.forms.recipients_form import sensitive_columns
from papilio.web.records import TableProfile


def suggested_columns(table: TableFacts, keys: Collection[str] = ()) -> dict[str, str]:
    """Give each column its suggested role; keys have none."""
    return {each.name: each.role for each in table.columns if each.name not in keys}


def suggested_attributes(table: TableFacts, key: str) -> dict[str, str]:
    """Roles of attributes of entities, which are published as they are or not at all."""
    return {
        each.name: "identifier" if each.role == "identifier" else "plain"
        for each in table.columns
        if each.name != key
    }


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


def first_tables(tree: Mapping[str, Any], facts: Facts) -> tuple[dict[str, Any], str]:
    """Linked tables and which of them has one row per person.

    Roles that the policy gives to the columns of its one table are kept. Tables that hang off
    nothing, and nothing off them, are left out if others are linked.
    """
    links = guess_links(facts)
    linked = {name for link in links for name in (link.child, link.parent)}
    chosen = [each for each in facts if each.name in linked] or list(facts)
    children = {link.child for link in links}
    person = next((each.name for each in chosen if each.name not in children), "")
    return {each.name: _table(each, tree, links) for each in chosen}, person


def _table(table: TableFacts, tree: Mapping[str, Any], links: tuple[Link, ...]) -> dict[str, Any]:
    above = next((link for link in links if link.child == table.name), None)
    key = next((link.key for link in links if link.parent == table.name), None)
    keys = [each for each in (key, above and above.reference) if each]
    said: dict[str, Any] = {"source": table.source}
    if key is not None:
        said["key"] = key
    if above is not None:
        said["parent"] = {above.parent: above.reference}
    said["columns"] = _roles(table, tree, keys)
    return said


def _roles(table: TableFacts, tree: Mapping[str, Any], keys: list[str]) -> dict[str, Any]:
    given = mapping_at(tree, ("columns",))
    if given and table_with((table,), tree.get("source")) is not None:
        return {name: said for name, said in given.items() if name not in keys}
    return dict(suggested_columns(table, keys))


def first_graph(tree: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """Sides and edges of a graph; the table that refers to two others has the edges."""
    for table in facts:
        ends = all_references(facts, table.name)
        if len(ends) >= 2:
            left, right = ends[0], ends[1]
            return {
                "left": _side(facts, left),
                "right": _side(facts, right),
                "edges": {
                    "source": table.source,
                    "left": left.reference,
                    "right": right.reference,
                },
            }
    return _unknown_graph(tree, facts)


def _side(facts: Facts, end: Link) -> dict[str, Any]:
    (table,) = (each for each in facts if each.name == end.parent)
    attributes = suggested_attributes(table, end.key)
    return {"source": table.source, "key": end.key, "columns": attributes}


def _unknown_graph(tree: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """Tables in their order; keys are for the owner to choose."""
    sources = [each.source for each in facts] or [tree.get("source")]
    first, second, third = (sources * 3)[:3]
    return {
        "left": {"source": first, "key": ""},
        "right": {"source": second, "key": ""},
        "edges": {"source": third, "left": "", "right": ""},
    }


def main_table(tree: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Source and columns of the person table, or of the left entities, as one table."""
    person = tree.get("person")
    path = ("tables", person) if isinstance(person, str) else ("graph", "left")
    columns = dict(mapping_at(tree, (*path, "columns")))
    if path[0] == "graph":
        # Attributes of entities are no quasi-identifiers; what they are here is asked anew.
        columns = {}
    return value_at(tree, (*path, "source")), columns


#: Steps that are easy to read, per power of ten.
_NICE = (1, 2, 5, 10)


def table_of_people(tree: Mapping[str, Any], facts: Facts) -> TableFacts | None:
    """The one table, or of linked ones that which has a row per person; ``None`` if unknown."""
    person, tables = tree.get("person"), mapping_at(tree, ("tables",))
    if isinstance(person, str) and person in tables:
        return table_with(facts, value_at(tree, ("tables", person, "source")))
    return table_with(facts, tree.get("source"))


def proposed_size(family: Family, key: str, table: TableFacts | None) -> int:
    """A fair k, or l of a graph, for a family, at most what the rows of people allow."""
    usual = int(demand_key(family, key).words.start)
    return usual if table is None else max(1, min(usual, table.rows // table.most_rows))


def nice(number: float) -> int | float:
    """Smallest of 1, 2, 5, 10, 20, 50, … that is not below a positive number."""
    power = 10.0 ** math.floor(math.log10(number))
    step = next(each for each in _NICE if each * power >= number * (1 - 1e-12))
    found = step * power
    return round(found) if found >= 1 else float(f"{found:.12g}")


def proposed_diversity(
    tree: Mapping[str, Any], facts: Facts, family: Family
) -> dict[str, int] | None:
    """An l for each sensitive column that can have one, where nothing is demanded of it yet.

    So that no class, or group beside a target, gives a value away. ``None`` if the family takes no
    such demands, or the policy has said something of l.
    """
    takes = "l" in family.demands and demand_key(family, "l").widget == "demands"
    if not takes or value_at(tree, ("privacy", "l")) is not None:
        return None
    close = value_at(tree, ("privacy", "t"))
    if close is not None and not isinstance(close, Mapping):
        return None  # A bare number is about every sensitive column.
    target = mapping_at(tree, ("privacy", "target"))
    return {
        name: least
        for name in sensitive_columns(tree)
        if name not in (close or {}) and (not target or name in target)
        for least in [_proposed_l(tree, facts, name)]
        if least is not None
    }


def proposed_near(tree: Mapping[str, Any], facts: Facts, family: Family) -> str | None:
    """What a narrow window of the sensitive column may hold of a group, if nobody has said it.

    Without it groups are as wide as ``e`` demands, and may hold most of their values in a window.
    """
    if "near" not in family.demands or value_at(tree, ("privacy", "near")) is not None:
        return None
    if tree.get("minimise") in _WITHOUT_NEAR:
        return None
    table = table_with(facts, tree.get("source"))
    found = [table.column(name) for name in sensitive_columns(tree)] if table else []
    return next((each.proposed_near for each in found if each is not None), None)


#: Goals that do not go with a limit on near values.
_WITHOUT_NEAR = ("random", "max-exact")


def _proposed_l(tree: Mapping[str, Any], facts: Facts, name: str) -> int | None:
    """The l to start with; at a place of linked records there are few rows, so two values."""
    table, _, column = name.rpartition(".")
    several = table in mapping_at(tree, ("tables",))
    source = value_at(tree, ("tables", table, "source")) if several else tree.get("source")
    found = table_with(facts, source)
    if found is None:
        return None
    wanted = column if several else name
    proposed = next((each.proposed_l for each in found.columns if each.name == wanted), None)
    apart = several or bool(tree.get("link"))
    return _AT_A_PLACE if apart and proposed is not None else proposed


#: Values of a sensitive column at each place of the records of people alike.
_AT_A_PLACE = 2


def proposed_widths(lowest: float, highest: float) -> tuple[int | float, ...]:
    """Widths of three levels of intervals over a range of numbers, each a multiple of the last."""
    spread = highest - lowest
    if not spread > 0:
        return (1, 4, 20)
    width = nice(spread / 20)
    return tuple(_tidy(width * times) for times in (1, 4, 20))


def _tidy(number: float) -> int | float:
    rounded = float(f"{number:.12g}")
    return int(rounded) if rounded.is_integer() else rounded


def proposed_prefixes(longest: int) -> tuple[int, ...]:
    """How many first characters to keep, for values of so many characters."""
    return tuple(range(longest - 1, 0, -1))[:3] or (1,)


def policy_of_table(table: TableProfile, draft: Draft) -> Draft:
    """A commented policy with the suggested role of every column, and a k."""
    columns = [
        DraftColumn(
            each["name"],
            Role(each["role"]),
            ColumnType(each["type"]),
            each["reason"],
            # Profiles that an earlier version stored do not say these.
            each.get("proposed_l"),
            each.get("most_l", 0),
            each.get("most_classes", 0),
            each["distinct"] - (each["missing_share"] > 0) > 1,
        )
        for each in table.profile["columns"]
    ]
    plain = table.source if isinstance(table.source, str) else ""
    facts = facts_of(table.name, table.source, table.profile)
    text = draft_policy(
        columns,
        plain,
        rows=facts.rows // facts.most_rows,
        person=(facts.person, facts.rows_of_people, facts.same_rows) if facts.person else None,
        repeats=table.profile.get("repeated_identifier", ""),
    )
    made = Draft(text, draft.base)
    return made if plain else made.with_value(("source",), table.source)


def _with_data(key: str) -> Family:
    """Family whose data stands under a key of the policy."""
    return next(family for family in families() if family.data == key)


def policy_of_linked(tables: Sequence[TableProfile], draft: Draft) -> Draft:
    """Linked tables: one has a row per person, the others hang off it by keys."""
    facts, family = _facts(tables), _with_data("tables")
    found, person = first_tables(draft.tree, facts)
    least = proposed_diversity({"tables": found}, facts, family)
    tree = {"tables": found, "person": person}
    size = proposed_size(family, "k", table_of_people(tree, facts))
    privacy = {"k": size} | ({"l": least} if least else {})
    return _written(draft, {"tables": found, "person": person, "privacy": privacy})


def policy_of_graph(tables: Sequence[TableProfile], draft: Draft) -> Draft:
    """A graph: two kinds of entities, and a table that says who is linked to whom."""
    graph = first_graph(draft.tree, _facts(tables))
    family = _with_data("graph")
    least = {key: demand_key(family, key).words.start for key in ("k", "l")}
    return _written(draft, {"graph": graph, "privacy": least})


def _facts(tables: Sequence[TableProfile]) -> Facts:
    return tuple(facts_of(each.name, each.source, each.profile) for each in tables)


def _written(draft: Draft, parts: dict[str, Any]) -> Draft:
    made = Draft("papilio: 1\n", draft.base)
    for key, value in parts.items():
        made = made.with_value((key,), value)
    return made

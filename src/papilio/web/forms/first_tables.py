"""The first sketch of linked tables or a graph, from the tables at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papilio.web.forms.edits import mapping_at, value_at
from papilio.web.forms.facts import Facts, TableFacts, table_with
from papilio.web.forms.guess_links import Link, all_references, guess_links
from papilio.web.forms.suggested_columns import suggested_attributes, suggested_columns


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

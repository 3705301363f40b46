"""A first policy from the profiles of a project's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from papilio.data.column import ColumnType
from papilio.data.roles import Role
from papilio.families.linked.family import LINKED
from papilio.families.one_table.draft import DraftColumn, draft_policy
from papilio.web.draft import Draft
from papilio.web.forms.facts import Facts, facts_of
from papilio.web.forms.fields import demand_key
from papilio.web.forms.first_tables import first_graph, first_tables
from papilio.web.profiles import TableProfile


def policy_of_table(table: TableProfile, draft: Draft) -> Draft:
    """A commented policy with the suggested role of every column, and a k."""
    columns = [
        DraftColumn(each["name"], Role(each["role"]), ColumnType(each["type"]), each["reason"])
        for each in table.profile["columns"]
    ]
    plain = table.source if isinstance(table.source, str) else ""
    made = Draft(draft_policy(columns, plain, rows=table.profile["rows"]), draft.base)
    return made if plain else made.with_value(("source",), table.source)


def policy_of_linked(tables: Sequence[TableProfile], draft: Draft) -> Draft:
    """Linked tables: one has a row per person, the others hang off it by keys."""
    found, person = first_tables(draft.tree, _facts(tables))
    return _written(
        draft,
        {
            "tables": found,
            "person": person,
            "privacy": {"k": demand_key(LINKED, "k").words.start},
        },
    )


def policy_of_graph(tables: Sequence[TableProfile], draft: Draft) -> Draft:
    """A graph: two kinds of entities, and a table that says who is linked to whom."""
    graph = first_graph(draft.tree, _facts(tables))
    return _written(draft, {"graph": graph, "privacy": {"k": 2, "l": 2}})


def _facts(tables: Sequence[TableProfile]) -> Facts:
    return tuple(facts_of(each.name, each.source, each.profile) for each in tables)


def _written(draft: Draft, parts: dict[str, Any]) -> Draft:
    made = Draft("papilio: 1\n", draft.base)
    for key, value in parts.items():
        made = made.with_value((key,), value)
    return made

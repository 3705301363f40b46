"""Roles that the profile of a table suggests, as a policy has them."""

from __future__ import annotations

from collections.abc import Collection

from papilio.web.forms.facts import TableFacts


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

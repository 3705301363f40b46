"""What changes in a policy when another family is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from papilio.data.table import Role
from papilio.families import AUTO, families
from papilio.families.family import Family
from papilio.families.keys import Key
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.policy import Policy
from papilio.privacy.safe_cells import SAFE, TIGHT
from papilio.web.forms.column_form import read_column, written_column
from papilio.web.forms.edits import ABSENT, Edit, Edits, mapping_at, on_tree, value_at
from papilio.web.forms.fields import (
    Facts,
    TableFacts,
    demand_key,
    demand_keys,
    family_of,
    loose_policy,
    methods_of,
    table_with,
)
from papilio.web.forms.proposals import (
    first_graph,
    first_tables,
    main_table,
    proposed_diversity,
    proposed_near,
    proposed_size,
    suggested_columns,
    table_of_people,
)
from papilio.web.forms.recipients_form import add_recipient, columns_with_role, read_recipients

#: Options of a method that another family would have to name anew.
_OF_A_METHOD = ("metric", "objective")


def switch_family(tree: Mapping[str, Any], facts: Facts, family: Family) -> Edits:
    """Keys to drop and to write so that a policy is one of another family.

    What does not go with the family goes away; everything else stays. What the family needs and
    nobody has said gets a proposal. A family with one sensitive column gets one if it is clear
    which; otherwise its owner is asked.

    Parameters
    ----------
    tree
        Content of the policy.
    facts
        What is known of the tables at hand.
    family
        The family to change to.
    """
    if family is family_of(tree):
        return ()
    return _fitted(tree, facts, family, tuple(_shape(tree, facts, family)))


def keep_together(tree: Mapping[str, Any], facts: Facts, *, together: bool) -> Edits:
    """Say whether the rows of a person are kept together, and bring the other keys into line.

    The table is then published as linked tables, which is another family: what does not go with it
    goes away, and what it needs and nobody has said gets a proposal. Columns stay as they are.

    Parameters
    ----------
    tree
        Content of the policy, which is about one table.
    facts
        What is known of the tables at hand.
    together
        Whether they are.
    """
    edits: Edits = (Edit(("link",), True if together else ABSENT),)
    family = family_of(on_tree(tree, edits))
    return _fitted(tree, facts, family, edits) if family is not family_of(tree) else edits


def _fitted(tree: Mapping[str, Any], facts: Facts, family: Family, edits: Edits) -> Edits:
    """Edits that make a policy one of a family, and those that follow from it."""
    edits += tuple(_dropped(on_tree(tree, edits), family))
    edits += tuple(_columns(on_tree(tree, edits), family))
    return edits + tuple(_proposed(on_tree(tree, edits), facts, family))


def _shape(tree: Mapping[str, Any], facts: Facts, family: Family) -> Iterator[Edit]:
    """Tables that the family speaks of, taken from those before or from the data."""
    if family.data == "tables":
        tables, person = first_tables(tree, facts)
        yield Edit(("tables",), tables)
        yield Edit(("person",), person)
    elif family.data == "graph":
        yield Edit(("graph",), first_graph(tree, facts))
    elif not isinstance(tree.get("columns"), Mapping):
        source, columns = main_table(tree)
        # It named a table.
        yield Edit(("person",))
        found = table_with(facts, source) or (facts[0] if facts else None)
        if found is not None:
            source, columns = found.source, columns or suggested_columns(found)
        if source is not None:
            yield Edit(("source",), source)
        yield Edit(("columns",), columns)


def _dropped(tree: Mapping[str, Any], family: Family) -> Iterator[Edit]:
    # Keys that no family has are unknown, and left for their owner.
    policy = loose_policy(tree)
    for key in tree:
        known = any(key in each.keys | each.divided for each in families())
        if known and (key not in family.keys_of(policy) or key in _OF_A_METHOD):
            yield Edit((key,))
    method = tree.get("method")
    if method is not None and method not in (*methods_of(family), AUTO):
        yield Edit(("method",))
    if "cells" in family.keys_of(policy):
        yield from _tight(tree, family, policy.method)
    for key, said in mapping_at(tree, ("privacy",)).items():
        known = any(key in each.demands for each in families())
        if known and (key not in family.demands or _unfit(key, said, family, tree)):
            yield Edit(("privacy", key))


def choose_method(tree: Mapping[str, Any], family: Family, name: str | None) -> Edits:
    """Name a method, or none, and take back what cells are to be where it could not make them so.

    Parameters
    ----------
    tree
        Content of the policy.
    family
        Its family.
    name
        The method.
    """
    chosen = Edit(("method",), ABSENT if name is None else name)
    return (chosen, *_tight(tree, family, name))


def _tight(tree: Mapping[str, Any], family: Family, name: str | None) -> Iterator[Edit]:
    """Let cells be as small as they can be where no method keeps rows from following."""
    method = family.method(name or "")
    form = tree.get("cells")
    if isinstance(form, str) and form in TIGHT and not (method or family).safe:
        tight = TIGHT[form]
        usual = Policy.model_fields["cells"].get_default()
        yield Edit(("cells",), ABSENT if tight == usual else tight)


def _unfit(key: str, said: Any, family: Family, tree: Mapping[str, Any]) -> bool:
    """Whether a key that two families share means something else in this one."""
    if key == "suppress":
        return True
    if key == "l" and demand_key(family, key).widget == "number":
        return not isinstance(said, int)
    if key in ("e", "known") and demand_key(family, key).widget == "number":
        # A share of a range, or a word, where the other one takes a number.
        return isinstance(said, str)
    # Columns of linked tables are named with their table; those of one that is taken apart are not.
    named = isinstance(said, Mapping) and family.data not in tree
    return key == "l" and family.data is not None and not named


def _columns(tree: Mapping[str, Any], family: Family) -> Iterator[Edit]:
    """Drop what columns say and the family does not have."""
    for name, said in mapping_at(tree, ("columns",)).items():
        form = read_column(name, said)
        if form.linked and "source" not in _takes(family, Role.SENSITIVE):
            yield Edit(("columns", name))
        elif isinstance(said, Mapping) and (wrong := _unknown_to(family, said)):
            kept = {key: value for key, value in said.items() if key not in wrong}
            yield Edit(("columns", name), written_column(read_column(name, kept)))


def _unknown_to(family: Family, said: Mapping[str, Any]) -> set[str]:
    known = set(ColumnPolicy.model_fields)
    role = next((role for role in Role if role == said.get("role")), None)
    accepted = known if role is None else _takes(family, role)
    return (set(said) & known) - accepted


def _takes(family: Family, role: Role) -> frozenset[str]:
    return family.columns.get(role, frozenset({"role"}))


def _proposed(tree: Mapping[str, Any], facts: Facts, family: Family) -> Iterator[Edit]:
    """What the family cannot do without, as far as nobody has said it."""
    privacy = mapping_at(tree, ("privacy",))
    table = table_of_people(tree, facts)
    if "recipients" in family.keys:
        yield from add_recipient(read_recipients(tree))
    for key in demand_keys(family):
        name = key.path[-1]
        if privacy.get(name) is None and _needed(key, privacy):
            yield Edit(key.path, _start(key, tree, table, family))
    # Beside a target, l is about its column; which that is was proposed above.
    targeted = "target" in family.demands and privacy.get("target") is None
    said = {"target": dict.fromkeys(columns_with_role(tree, "sensitive")[:1], "")}
    now = {**tree, "privacy": {**privacy, **said}} if targeted else tree
    if least := proposed_diversity(now, facts, family):
        yield Edit(("privacy", "l"), least)
    if near := proposed_near(tree, facts, family):
        yield Edit(("privacy", "near"), near)
    if _can_say_less(tree, family):
        yield Edit(("cells",), SAFE)
    if family.data is None and len(family.methods) == 1:
        # The demands alone might not tell which family it is.
        yield Edit(("method",), family.methods[0].name)


def _can_say_less(tree: Mapping[str, Any], family: Family) -> bool:
    """Whether nobody said what cells are to be, and two columns of them can say less."""
    quasi = columns_with_role(tree, "quasi")
    free = [name for name in quasi if value_at(tree, ("columns", name, "follows")) is None]
    said = tree.get("cells") is not None or bool(tree.get("depends"))
    return family.safe and not said and len(free) > 1


def _needed(key: Key, privacy: Mapping[str, Any]) -> bool:
    """Whether a demand has to be made: always, as the usual one, or as one of two."""
    if key.path[-1] == "exposure":
        return privacy.get("association_loss") is None
    return key.words.needed or key.path[-1] == "k"


def _start(key: Key, tree: Mapping[str, Any], table: TableFacts | None, family: Family) -> Any:
    sensitive = columns_with_role(tree, "sensitive")
    match key.path[-1]:
        case "k" | "l":
            return proposed_size(family, key.path[-1], table)
        case "target":
            # Without a sensitive column the policy says itself what is missing.
            return dict.fromkeys(sensitive[:1], key.words.start)
    return key.words.start


def only_sensitive(tree: Mapping[str, Any], column: str) -> Edits:
    """Make a column the only sensitive one; the others are not published any more."""
    others = [name for name in columns_with_role(tree, "sensitive") if name != column]
    gone = tuple(Edit(("columns", name)) for name in others)
    form = read_column(column, value_at(tree, ("columns", column), ABSENT))
    if form.role == "sensitive":
        return gone
    return (*gone, Edit(("columns", column), {"role": "sensitive"}))

"""Single changes of the forms: roles, recipients, demands, targets, families."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from papilio.families import families
from papilio.families.disguise.family import DISGUISE
from papilio.families.family import Family
from papilio.families.graph.family import GRAPH
from papilio.families.linked.family import LINKED
from papilio.families.one_table.family import ONE_TABLE
from papilio.families.permutation.family import PERMUTATION
from papilio.families.projections.family import PROJECTIONS
from papilio.families.recipients.family import RECIPIENTS
from papilio.policy.policy import Policy
from papilio.web.draft import Draft
from papilio.web.forms.column_form import (
    HierarchyForm,
    parse_levels,
    read_column,
    read_hierarchy,
    with_hierarchy,
    with_several,
)
from papilio.web.forms.demands_form import (
    ClosenessForm,
    DiversityForm,
    closeness_edits,
    diversity_edits,
    read_target,
    with_column,
    with_distribution,
    with_key,
    with_tree_key,
)
from papilio.web.forms.edits import ABSENT, Edit, on_draft, on_tree, places, value_at
from papilio.web.forms.fields import (
    ColumnFacts,
    TableFacts,
    facts_of,
    family_of,
    offers,
    table_with,
)
from papilio.web.forms.proposals import (
    guess_links,
    nice,
    proposed_near,
    proposed_prefixes,
    proposed_widths,
)
from papilio.web.forms.recipients_form import (
    add_recipient,
    drop_recipient,
    known_to,
    let_know,
    read_recipients,
    rename_recipient,
)
from papilio.web.forms.switch_family import (
    choose_method,
    keep_together,
    only_sensitive,
    switch_family,
)
from papilio.web.pages.columns import role_edits, suggested_edits

ONE = {
    "papilio": 1,
    "source": "people.csv",
    "columns": {
        "name": "identifier",
        "age": "quasi",
        "town": {"role": "quasi", "hierarchy": "town.csv"},
        "job": "quasi",
        "salary": {"role": "sensitive", "type": "numeric"},
    },
    "privacy": {"k": 5},
}


def column(name: str, role: str = "quasi", **more: Any) -> ColumnFacts:
    said = {"type": "category", "reason": "", "distinct": 5, "missing_share": 0.0}
    return ColumnFacts(name=name, role=role, **{**said, "unique_share": 0.1, **more})


def key(name: str) -> ColumnFacts:
    return column(name, "identifier", unique_share=1.0)


PEOPLE = TableFacts(
    "people",
    "people.csv",
    200,
    (key("name"), column("age"), column("salary", "sensitive", type="numeric", spread=4200.0)),
)
UNIVERSITY = (
    TableFacts("student", "student.csv", 6, (key("sid"), column("gpa", "sensitive"))),
    TableFacts("takes", "takes.csv", 9, (key("scid"), column("sid"), column("course"))),
    TableFacts("book", "book.csv", 9, (column("scid"), column("book"))),
)
SHOP = (
    TableFacts("customers", "customers.csv", 9, (key("customer"), column("district"))),
    TableFacts("products", "products.csv", 9, (key("product"), column("price"))),
    TableFacts("bought", "bought.csv", 30, (column("customer"), column("product"))),
)


def changed(tree: dict[str, Any], edits: tuple[Edit, ...]) -> dict[str, Any]:
    return on_tree(tree, edits)


def test_a_new_role_drops_what_does_not_go_with_it() -> None:
    (place,) = places(ONE)
    tree = changed(ONE, role_edits(ONE, place, "town", "plain"))
    assert tree["columns"]["town"] == "plain"
    tree = changed(ONE, role_edits(ONE, place, "age", None))
    assert "age" not in tree["columns"]
    tree = changed(ONE, role_edits(ONE, place, "new", "quasi"))
    assert tree["columns"]["new"] == "quasi"


def test_recipients_and_demands_follow_roles() -> None:
    told = {
        **ONE,
        "recipients": {"a": ["age", "town"], "b": ["job"]},
        "privacy": {"k": 5, "l": {"salary": 2, "other": 3}, "t": {"salary": 0.2}},
    }
    (place,) = places(told)
    tree = changed(told, role_edits(told, place, "age", "sensitive"))
    assert tree["recipients"] == {"a": ["town"], "b": ["job"]}
    tree = changed(told, role_edits(told, place, "salary", "quasi"))
    assert tree["recipients"] == {"a": ["age", "town", "salary"], "b": ["job", "salary"]}
    assert tree["privacy"] == {"k": 5, "l": {"other": 3}}


@pytest.mark.parametrize(
    ("privacy", "expected"),
    [
        ({"k": 5}, {"k": 5, "l": {"town": 3}}),
        ({"k": 5, "l": {"salary": 2}}, {"k": 5, "l": {"salary": 2, "town": 3}}),
        ({"k": 5, "l": 2}, {"k": 5, "l": 2}),
        ({"k": 5, "t": {"town": 0.3}}, {"k": 5, "t": {"town": 0.3}}),
        # Permuted values are not mixed within classes, and take no l.
        ({"k": 5, "e": 10}, {"k": 5, "e": 10}),
    ],
)
def test_a_column_that_becomes_sensitive_gets_an_l(privacy, expected) -> None:
    told = {**ONE, "privacy": privacy}
    (place,) = places(told)
    facts = replace(column("town"), proposed_l=3)
    tree = changed(told, role_edits(told, place, "town", "sensitive", facts))
    assert tree["privacy"] == expected
    again = changed(tree, role_edits(tree, place, "town", "quasi", facts))
    left = again["privacy"].get("l", {})
    assert left == privacy.get("l", {})


def test_suggestions_keep_what_columns_say_already() -> None:
    told = {**ONE, "recipients": {"a": ["age", "town"], "b": ["job"]}}
    (place,) = places(told)
    roles = {"town": "quasi", "age": "plain", "job": "plain", "new": "quasi"}
    tree = changed(told, suggested_edits(told, place, roles))
    assert tree["columns"]["town"] == ONE["columns"]["town"]
    assert tree["columns"]["age"] == "plain"
    assert tree["recipients"] == {"a": ["town", "new"], "b": ["new"]}


def test_keys_of_linked_tables_have_no_role() -> None:
    tree = {"tables": {"takes": {"key": "scid", "parent": {"student": "sid"}, "columns": {}}}}
    (place,) = places(tree)
    assert place.keys == ("scid", "sid")
    assert place.column("grade") == ("tables", "takes", "columns", "grade")


def test_hierarchies() -> None:
    assert read_hierarchy({"automatic": True}).kind == "automatic"
    assert read_hierarchy({"prefix": [3], "dates": ["year"]}).kind == "strange"
    assert parse_levels("prefix", "5, 3; 2") == (5, 3, 2)
    assert parse_levels("intervals", "0.5 x") == (0.5, "x")
    assert parse_levels("dates", "month,year") == ("month", "year")
    with_codes = with_hierarchy(read_column("zip", "quasi"), HierarchyForm("prefix", (2,)))
    assert with_codes.type == "category"
    listed = read_column("size", {"role": "quasi", "domain": ["s", "m"]})
    assert with_hierarchy(listed, HierarchyForm("automatic")).domain == ()
    several = with_several(read_column("ill", {"role": "sensitive", "type": "category"}), True)
    assert several.several
    assert several.type is None


def test_first_recipients_are_two_and_know_everything() -> None:
    tree = changed(ONE, add_recipient(read_recipients(ONE)))
    everything = ["age", "town", "job"]
    assert tree["recipients"] == {"insurer": everything, "employer": everything}
    assert Policy(**tree).recipients
    assert tree["privacy"]["collusion_k"] == 2
    tree = changed(tree, let_know(read_recipients(tree), "insurer", "job", False))
    tree = changed(tree, let_know(read_recipients(tree), "employer", "town", False))
    form = read_recipients(tree)
    assert known_to(form) == {
        ("insurer", "employer"): ("age",),
        ("insurer",): ("town",),
        ("employer",): ("job",),
    }
    tree = changed(tree, rename_recipient(form, "insurer", "Allsafe"))
    assert list(tree["recipients"]) == ["Allsafe", "employer"]
    assert rename_recipient(read_recipients(tree), "Allsafe", "employer") == ()
    tree = changed(tree, drop_recipient(read_recipients(tree), "Allsafe"))
    tree = changed(tree, drop_recipient(read_recipients(tree), "employer"))
    assert "recipients" not in tree


def test_what_else_is_said_of_a_recipient_stays() -> None:
    tree: Any = {
        **ONE,
        "recipients": {"one": {"knows": ["age"], "k": 9, "secret": {"job": 2}}, "two": ["town"]},
    }
    assert [each.known for each in read_recipients(tree).recipients] == [("age",), ("town",)]
    tree = changed(tree, let_know(read_recipients(tree), "one", "town", True))
    tree = changed(tree, rename_recipient(read_recipients(tree), "one", "uno"))
    said = {"knows": ["age", "town"], "k": 9, "secret": {"job": 2}}
    assert tree["recipients"] == {"uno": said, "two": ["town"]}


def test_demands() -> None:
    three = (
        DiversityForm("ill", "distinct", 3),
        DiversityForm("ill", "recursive", 3, 2),
        DiversityForm("pay", "entropy", 2.5),
    )
    (edit,) = diversity_edits(three)
    assert edit.value == {"ill": [3, {"recursive": [2, 3]}], "pay": {"entropy": 2.5}}
    assert diversity_edits(())[0].value is ABSENT
    (edit,) = closeness_edits((ClosenessForm("ill", 0.2, 500, "equal"), ClosenessForm("pay", 0.1)))
    assert edit.value == {"ill": {"t": 0.2, "n": 500, "distance": "equal"}, "pay": 0.1}


def test_targets() -> None:
    tree = {
        "privacy": {
            "target": {"pay": {"distribution": "normal", "mean": 3, "std": 1, "by": ["town"]}}
        }
    }
    zipf = changed(tree, with_distribution(read_target(tree), "zipf"))
    assert zipf["privacy"]["target"] == {"pay": {"distribution": "zipf", "by": ["town"]}}
    filed = changed(tree, with_distribution(read_target(tree), "file", "data/pay.csv"))
    assert filed["privacy"]["target"]["pay"] == {"file": "data/pay.csv", "by": ["town"]}
    bare = changed(zipf, with_key(read_target(zipf), "by", None))
    assert bare["privacy"]["target"] == {"pay": "zipf"}
    ranged = changed(bare, with_tree_key(read_target(bare), "lowest", 0))
    assert ranged["privacy"]["target"]["pay"]["tree"] == {"lowest": 0}
    assert changed(ranged, with_tree_key(read_target(ranged), "lowest", None)) == bare
    other = changed(ranged, with_column(read_target(ranged), "age"))
    assert other["privacy"]["target"] == {"age": "zipf"}


SINGLE = [each for each in families() if each not in (LINKED, GRAPH)]


@pytest.mark.parametrize("start", SINGLE, ids=lambda each: each.name)
@pytest.mark.parametrize("end", SINGLE, ids=lambda each: each.name)
def test_every_family_leads_to_every_other(start: Family, end: Family) -> None:
    began = changed(ONE, switch_family(ONE, (PEOPLE,), start))
    assert family_of(began) is start
    Policy(**began)
    ended = changed(began, switch_family(began, (PEOPLE,), end))
    assert family_of(ended) is end
    Policy(**ended)
    # Families that publish quasi-identifiers as they are have no hierarchies of them.
    exact = {PERMUTATION, DISGUISE} & {start, end}
    bare = ONE["columns"] | {"town": "quasi"}
    assert ended["columns"] == (bare if exact else ONE["columns"])


@pytest.mark.parametrize(("family", "facts"), [(LINKED, UNIVERSITY), (GRAPH, SHOP)])
@pytest.mark.parametrize("other", SINGLE, ids=lambda each: each.name)
def test_families_of_several_tables(
    family: Family, facts: tuple[TableFacts, ...], other: Family
) -> None:
    began = changed(ONE, switch_family(ONE, facts, family))
    assert family_of(began) is family
    Policy(**began)
    ended = changed(began, switch_family(began, facts, other))
    assert family_of(ended) is other
    assert ended["source"] == facts[0].source
    assert "tables" not in ended
    assert "graph" not in ended


def test_links_are_guessed() -> None:
    links = {(each.child, each.reference, each.parent) for each in guess_links(UNIVERSITY)}
    assert links == {("takes", "sid", "student"), ("book", "scid", "takes")}
    tree = changed({}, switch_family({}, UNIVERSITY, LINKED))
    assert tree["person"] == "student"
    assert tree["tables"]["book"]["parent"] == {"takes": "scid"}
    assert "sid" not in tree["tables"]["takes"]["columns"]
    graph = changed({}, switch_family({}, SHOP, GRAPH))["graph"]
    assert graph["edges"] == {"source": "bought.csv", "left": "customer", "right": "product"}
    assert graph["left"]["columns"] == {"district": "plain"}


def test_references_called_after_a_table_are_found() -> None:
    orders = TableFacts("orders", "o.csv", 9, (key("id"), column("person_id")))
    persons = TableFacts("persons", "p.csv", 3, (key("id"), column("town")))
    (link,) = guess_links((orders, persons))
    assert (link.child, link.reference, link.parent, link.key) == (
        "orders", "person_id", "persons", "id",
    )  # fmt: skip


def test_families_that_lack_something_say_what() -> None:
    lacking = {each.family for each in offers(ONE, (PEOPLE,)) if not each.possible}
    assert lacking == {LINKED, GRAPH}
    assert all(each.possible for each in offers(ONE, (PEOPLE, *SHOP)))
    linked = {"tables": {"a": {}}}
    assert next(o for o in offers(linked, ()) if o.family is LINKED).possible


def test_unknown_keys_survive_a_switch() -> None:
    odd = {**ONE, "future": 1, "privacy": {"k": 5, "later": 2}}
    tree = changed(odd, switch_family(odd, (PEOPLE,), PERMUTATION))
    assert tree["future"] == 1
    assert tree["privacy"]["later"] == 2


def test_projections_alone_know_several_values() -> None:
    said = {"role": "sensitive", "values": "several", "separator": "|", "harmless": ["none"]}
    linked = {"role": "sensitive", "values": "several", "source": "s.csv", "key": "name"}
    odd = {**ONE, "columns": {**ONE["columns"], "ill": said, "far": {**linked, "value": "v"}}}
    assert family_of(odd) is PROJECTIONS
    tree = changed(odd, switch_family(odd, (PEOPLE,), ONE_TABLE))
    assert tree["columns"]["ill"] == "sensitive"
    assert "far" not in tree["columns"]


def test_one_sensitive_column() -> None:
    two = {**ONE, "columns": {**ONE["columns"], "ill": "sensitive"}}
    tree = changed(two, only_sensitive(two, "salary"))
    assert tree["columns"] == ONE["columns"]
    assert value_at(changed(two, only_sensitive(two, "age")), ("columns", "age")) == {
        "role": "sensitive"
    }


def test_many_edits_say_the_same_as_one_after_another() -> None:
    draft = Draft("# kept\npapilio: 1\ncolumns: {a: quasi}\nprivacy: {k: 2}\nmethod: hybrid\n")
    edits = [Edit(("columns", f"c{number}"), "plain") for number in range(9)]
    edits += [Edit(("method",)), Edit(("columns", "a")), Edit(("privacy", "k"), 3)]
    many = on_draft(draft, edits)
    assert many.tree == on_tree(draft.tree, edits)
    assert many.text.startswith("# kept")
    assert on_draft(draft, [Edit(("columns", "a"), "quasi")]) is draft


def test_proposals() -> None:
    assert [nice(x) for x in (0.0123, 1, 3.65, 51)] == [0.02, 1, 5, 100]
    assert proposed_widths(17, 90) == (5, 20, 100)
    assert proposed_prefixes(5) == (4, 3, 2)
    assert proposed_prefixes(1) == (1,)
    tree = changed(ONE, switch_family(ONE, (PEOPLE,), PERMUTATION))
    assert tree["privacy"]["e"] == "5%"
    assert "near" not in tree["privacy"]


def test_a_numeric_column_is_not_to_be_guessed_closely_by_default() -> None:
    salary = column("salary", "sensitive", type="numeric", proposed_near="55% within 5%")
    facts = (replace(PEOPLE, columns=(*PEOPLE.columns[:2], salary)),)
    tree = changed(ONE, switch_family(ONE, facts, PERMUTATION))
    assert tree["privacy"]["near"] == "55% within 5%"
    Policy(**tree)
    goal = {**ONE, "method": "permutation", "minimise": "random"}
    assert proposed_near(goal, facts, PERMUTATION) is None
    said = {**ONE, "privacy": {"k": 3, "near": "60% within 1%"}}
    assert proposed_near(said, facts, PERMUTATION) is None
    assert proposed_near(ONE, facts, ONE_TABLE) is None


COUNTED = replace(
    PEOPLE,
    columns=(*PEOPLE.columns[:2], column("salary", "sensitive", type="numeric", proposed_l=3)),
)


@pytest.mark.parametrize("family", SINGLE, ids=lambda each: each.name)
def test_a_value_that_a_group_shares_is_ruled_out_by_default(family: Family) -> None:
    """Also beside a target, which by itself may be followed by one person alone."""
    tree = changed(ONE, switch_family(ONE, (COUNTED,), family))
    wanted = {"salary": 3} if "l" in family.demands and family_of(ONE) is not family else None
    assert value_at(tree, ("privacy", "l")) == wanted
    Policy(**tree)
    said = {**ONE, "privacy": {"k": 3, "t": {"salary": 0.3}}}
    kept = changed(said, switch_family(said, (COUNTED,), family))
    assert ("t" in kept["privacy"]) != (value_at(kept, ("privacy", "l")) is not None) or (
        "l" not in family.demands
    )


def test_linked_tables_are_to_have_two_values_at_a_place() -> None:
    gpa = (key("sid"), column("gpa", "sensitive", proposed_l=3))
    facts = (replace(UNIVERSITY[0], columns=gpa), *UNIVERSITY[1:])
    tree = changed({}, switch_family({}, facts, LINKED))
    assert tree["privacy"]["l"] == {"student.gpa": 2}
    Policy(**tree)
    bare = changed({}, switch_family({}, UNIVERSITY, LINKED))
    assert "l" not in bare["privacy"]


def test_linked_tables_of_few_people_are_to_have_a_k_that_can_be_met() -> None:
    few = (replace(UNIVERSITY[0], rows=4), *UNIVERSITY[1:])
    assert changed({}, switch_family({}, few, LINKED))["privacy"]["k"] == 4
    assert changed({}, switch_family({}, UNIVERSITY, LINKED))["privacy"]["k"] == 5


def test_facts_are_found_by_source() -> None:
    profile = {"rows": 3, "columns": [vars(each) | {"more": 1} for each in PEOPLE.columns]}
    table = facts_of("people", {"file": "people.csv"}, profile)
    assert table_with((table,), "people.csv") is table
    assert table_with((table,), "other.csv") is None


def test_a_table_taken_apart_becomes_one_again() -> None:
    tree = {**ONE, "person": "name", "link": True}
    assert family_of(tree) is LINKED
    edits = switch_family(tree, (PEOPLE,), ONE_TABLE)
    assert [each.path for each in edits if each.value is ABSENT] == [("link",)]
    assert family_of(on_tree(tree, edits)) is ONE_TABLE


SPREAD = {
    **ONE,
    "person": "name",
    "method": "hybrid",
    "improve": "10s",
    "privacy": {"l": {"salary": 2}, "t": {"salary": 0.3}, "suppress": "2%"},
}


def test_rows_that_are_kept_together_are_demanded_of_as_linked_tables() -> None:
    edits = keep_together(SPREAD, (PEOPLE,), together=True)
    tree = on_tree(SPREAD, edits)
    assert tree == {
        **{key: said for key, said in SPREAD.items() if key not in ("method", "improve")},
        "link": True,
        "columns": {**ONE["columns"], "salary": {"role": "sensitive", "type": "numeric"}},
        "privacy": {"l": {"salary": 2}, "k": 5},
    }
    assert family_of(tree) is LINKED
    Policy(**tree)
    alone = on_tree(tree, keep_together(tree, (PEOPLE,), together=False))
    assert family_of(alone) is ONE_TABLE
    kept = {key: said for key, said in tree.items() if key != "link"}
    assert alone == {**kept, "cells": "safe"}
    Policy(**alone)


def test_a_bare_l_does_not_go_with_rows_that_are_kept_together() -> None:
    tree = {**SPREAD, "privacy": {"k": 3, "l": 2}}
    together = on_tree(tree, keep_together(tree, (PEOPLE,), together=True))
    assert together["privacy"] == {"k": 3}


def test_safe_cells_are_proposed_where_a_family_takes_them_and_taken_back_where_not() -> None:
    safe = {**ONE, "cells": "safe", "method": "mondrian"}
    readable = {**ONE, "cells": "safe-text", "method": "mondrian"}
    assert {each.name for each in families() if each.safe} == {"one-table", "projections"}
    for family in families():
        tree = changed(safe, switch_family(safe, (PEOPLE,), family))
        proposed = changed(ONE, switch_family(ONE, (PEOPLE,), family))
        assert ("cells" in tree) == family.safe, family.name
        assert "cells" not in proposed or family.safe
        as_text = changed(readable, switch_family(readable, (PEOPLE,), family)).get("cells")
        if family.safe:
            assert as_text == "safe-text", family.name
        else:
            assert as_text == ("text" if "cells" in family.keys else None), family.name
    there = changed(safe, switch_family(safe, (PEOPLE,), PERMUTATION))
    assert changed(there, switch_family(there, (PEOPLE,), ONE_TABLE))["cells"] == "safe"
    one = {**there, "columns": {"age": "quasi", "salary": "sensitive"}}
    assert "cells" not in changed(one, switch_family(one, (PEOPLE,), ONE_TABLE))


def test_another_method_takes_back_what_cells_cannot_be() -> None:
    safe = {**ONE, "cells": "safe"}
    for method in ONE_TABLE.methods:
        tree = changed(safe, choose_method(safe, ONE_TABLE, method.name))
        assert tree.get("cells") == ("safe" if method.safe else None), method.name
        Policy(**tree)
    shared = {**ONE, "cells": "safe-text", "recipients": {"one": ["age"]}}
    assert changed(shared, choose_method(shared, RECIPIENTS, "union"))["cells"] == "safe-text"
    for name in ("butterfly", None):
        assert changed(shared, choose_method(shared, RECIPIENTS, name))["cells"] == "text"

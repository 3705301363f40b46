"""The requirements that each family knows, on the page."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from papilio.policy.family import Family
from papilio.web.forms.demands_form import read_closeness, read_diversity
from papilio.web.forms.edits import Edit, mapping_at
from papilio.web.forms.recipients_form import columns_with_role
from papilio.web.forms.target_form import read_target
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.closeness_demands import closeness_demands
from papilio.web.parts.collusion_demand import collusion_demand
from papilio.web.parts.complaint import complaint
from papilio.web.parts.diversity_demands import diversity_demands
from papilio.web.parts.live import Live
from papilio.web.parts.number_demand import demand, number_demand, two_numbers
from papilio.web.parts.section import section
from papilio.web.parts.target_fields import target_fields
from papilio.web.parts.view import View, edit
from papilio.web.words import WORDS

_K = ("privacy", "k")


def demand_shape(view: View, family: Family) -> Hashable:
    """What decides which controls there are."""
    target = read_target(view.tree)
    return (
        family,
        tuple(sorted(mapping_at(view.tree, ("privacy",)))),
        tuple((form.column, form.kind) for form in read_diversity(view.tree)),
        tuple((f.column, f.strange, f.n is None) for f in read_closeness(view.tree)),
        (target.column, target.distribution, tuple(sorted(map(str, target.said.get("by", ()))))),
    )


def family_demands(view: View, live: Live, family: Family) -> None:
    """Draw what can be demanded of a release of this family."""
    with section("What must hold", "Papilio checks all of it before anything is written."):
        _DRAW[family](view, live)


def _rows(view: View, live: Live) -> None:
    """Demands on classes of rows."""
    number_demand(view, live, _K, WORDS["k-anonymity"], "k", start=10)
    sensitive = columns_with_role(view.tree, "sensitive")
    diversity_demands(view, live, sensitive, linked=False)
    closeness_demands(view, live, sensitive)


def _one_table(view: View, live: Live) -> None:
    _rows(view, live)
    _share(view, live, "suppress", "2%")


def _recipients(view: View, live: Live) -> None:
    _rows(view, live)
    collusion_demand(view, live)


def _projections(view: View, live: Live) -> None:
    _rows(view, live)
    for key, start in (("exposure", 0.5), ("association_loss", 0.3), ("generalisation_loss", 0.3)):
        words = WORDS[key.replace("_", "-")]
        path = ("privacy", key)
        number_demand(view, live, path, words, "From 0 to 1", start=start, step=0.05)


def _permutation(view: View, live: Live) -> None:
    far = ("e", "e, largest − smallest")
    two_numbers(view, live, WORDS["ke-anonymity"], ("k", "k, different values"), far)


def _disguise(view: View, live: Live) -> None:
    target_fields(view, live)
    _share(view, live, "shift", 0.05)
    _share(view, live, "fakes", "5%")
    _personal(view, live)


def _personal(view: View, live: Live) -> None:
    path = ("privacy", "personal")
    said = view.said(path)
    columns = mapping_at(view.tree, ("columns",))
    candidates = [name for name, role in columns.items() if role == "identifier"]
    start = (candidates or ["level"])[0]
    with demand(WORDS["personal-levels"], live, path, start, said is not None):
        if said is None:
            return
        box = Choice(
            "Column with what each person demands",
            {name: name for name in candidates},
            text_of(said),
            lambda name: edit(live.project, Edit(path, name)),
            name="personal",
        )
        live.follow(lambda later: box.show(text_of(later.said(path))))
        complaint(view, live, path)


def _linked(view: View, live: Live) -> None:
    number_demand(view, live, _K, WORDS["entity-k-anonymity"], "k, people alike")
    diversity_demands(view, live, _sensitive_of_tables(view.tree), linked=True)
    _share(view, live, "suppress", "10%")


def _sensitive_of_tables(tree: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        f"{table}.{name}"
        for table, said in mapping_at(tree, ("tables",)).items()
        for name in columns_with_role(said if isinstance(said, Mapping) else {}, "sensitive")
    )


def _graph(view: View, live: Live) -> None:
    right = ("l", "l, right side")
    two_numbers(view, live, WORDS["safe-grouping"], ("k", "k, left side"), right)


def _share(view: View, live: Live, key: str, start: Any) -> None:
    path = ("privacy", key)
    percent = isinstance(start, str)
    label = "Share of the rows" if percent else "From 0 to 1"
    number_demand(
        view,
        live,
        path,
        WORDS[key],
        label,
        start=start,
        step=1 if percent else 0.01,
        percent=percent,
    )


_DRAW = {
    Family.ONE_TABLE: _one_table,
    Family.RECIPIENTS: _recipients,
    Family.PROJECTIONS: _projections,
    Family.PERMUTATION: _permutation,
    Family.DISGUISE: _disguise,
    Family.LINKED: _linked,
    Family.GRAPH: _graph,
}

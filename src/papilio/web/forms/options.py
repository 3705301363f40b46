"""How a release is reached: the method and its options, each as a choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papilio.policy.family import Family
from papilio.web.forms.edits import KeyPath, value_at

_ROW_METHODS = {
    "hybrid": "hybrid: loses least of the fast ones",
    "mondrian": "mondrian: fastest, for very large tables",
    "relaxed-mondrian": "relaxed-mondrian: small, even classes",
    "bottom-up": "bottom-up: for small tables",
    "incognito": "incognito: the same groups in every row",
}
_WINGS = {key: text for key, text in _ROW_METHODS.items() if key != "incognito"}
METHODS: Mapping[Family, Mapping[str, str]] = {
    Family.ONE_TABLE: _ROW_METHODS,
    Family.RECIPIENTS: {
        "butterfly": "butterfly: protects against each recipient",
        "union": "union: protects as if all were one",
    },
    Family.PROJECTIONS: {"projections": "projections"},
    Family.PERMUTATION: {"permutation": "permutation"},
    Family.DISGUISE: {"disguise": "disguise"},
    Family.LINKED: {"miracle": "miracle"},
    Family.GRAPH: {"grouping": "grouping"},
}


@dataclass(frozen=True)
class Option:
    """A key with a few values to choose from.

    Attributes
    ----------
    path
        The key.
    label
        What it is called.
    hint
        What it means, in a sentence.
    choices
        Value -> text.
    usual
        What leaving it out means.
    families
        Families that have it.
    """

    path: KeyPath
    label: str
    hint: str
    choices: Mapping[str, str]
    usual: str
    families: tuple[Family, ...]


_TABLES = (Family.ONE_TABLE, Family.RECIPIENTS)
OPTIONS = (
    Option(
        ("generalise",),
        "Generalising method",
        "How the classes inside are formed.",
        _ROW_METHODS,
        "Papilio chooses",
        (Family.RECIPIENTS, Family.PROJECTIONS),
    ),
    Option(
        ("wings",),
        "Wings",
        "How columns that only one recipient knows are generalised.",
        _WINGS,
        "Papilio chooses",
        (Family.RECIPIENTS,),
    ),
    Option(
        ("metric",),
        "Judge classes by",
        "What counts as loss while classes are formed.",
        {"ncp": "width of the cells (ncp)", "dm": "size of the classes (dm)", "height": "levels"},
        "width of the cells",
        _TABLES,
    ),
    Option(
        ("objective",),
        "Cut classes by",
        "Whether hybrid makes halves that lose little together, or halves that are alike.",
        {"sum": "least sum", "balance": "balance"},
        "least sum",
        _TABLES,
    ),
    Option(
        ("improve",),
        "Improve afterwards",
        "Time to look for better classes after the method; the promise stays the same.",
        {"2s": "2 seconds", "10s": "10 seconds", "60s": "1 minute", "10m": "10 minutes"},
        "no",
        _TABLES,
    ),
    Option(
        ("minimise",),
        "Make small",
        "What is made small about the groups; it decides how exact answers are.",
        {
            "sum": "sum of spreads",
            "max": "largest spread",
            "max-exact": "largest spread, exactly",
            "groups": "size of groups",
            "random": "nothing: random groups",
        },
        "sum of spreads",
        (Family.PERMUTATION,),
    ),
    Option(
        ("plan",),
        "Plan",
        "How Papilio looks for columns to publish together.",
        {"greedy": "greedy: quick", "exact": "exact: up to 16 columns"},
        "exact up to 16 columns",
        (Family.PROJECTIONS,),
    ),
    Option(
        ("pairing",),
        "Pair records",
        "How the records of two people are put side by side.",
        {"optimal": "at least cost", "local": "level by level, quicker"},
        "at least cost",
        (Family.LINKED,),
    ),
    Option(
        ("skeleton",),
        "Cluster people",
        "How people who become alike are found.",
        {"k-member": "all with all", "divide": "in groups of similar people"},
        "by their number",
        (Family.LINKED,),
    ),
    Option(
        ("graph", "order"),
        "Order of nodes",
        "By degree, questions about numbers of links are answered more exactly.",
        {"random": "random", "degree": "by degree"},
        "random",
        (Family.GRAPH,),
    ),
    Option(
        ("graph", "edges", "dangling"),
        "Links to nobody",
        "What happens to links with an end that is no entity.",
        {"refuse": "refuse to publish", "drop": "leave them out"},
        "refuse to publish",
        (Family.GRAPH,),
    ),
    Option(
        ("cells",),
        "Cells",
        "Ranges as two columns that programs read, or as one readable text.",
        {"bounds": "two columns", "text": "readable text"},
        "two columns",
        (*_TABLES, Family.PROJECTIONS, Family.LINKED),
    ),
)


def options_for(tree: Mapping[str, Any], family: Family) -> tuple[Option, ...]:
    """Options that go with the family and its method, and all that the policy mentions."""
    return tuple(
        each
        for each in OPTIONS
        if value_at(tree, each.path) is not None or (family in each.families and _goes(each, tree))
    )


def _goes(option: Option, tree: Mapping[str, Any]) -> bool:
    """Whether an option goes with the method that the policy names."""
    method = tree.get("generalise") or tree.get("method") or "auto"
    single = not tree.get("recipients")
    match option.path:
        case ("metric",):
            return method in ("hybrid", "incognito") or (single and method == "auto")
        case ("objective",):
            return method == "hybrid" or (single and method == "auto")
        case ("improve",):
            suppressed = value_at(tree, ("privacy", "suppress"))
            return method != "incognito" and not suppressed
        case ("wings",):
            return tree.get("method") != "union"
    return True


def option_text(value: Any) -> str:
    """What a policy says, as a value to choose; what cannot be chosen is shown in words."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{number} {key}" for key, number in value.items())
    return str(value)

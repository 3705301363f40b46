"""When to use each family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from papilio.policy.family import Family


@dataclass(frozen=True)
class FamilyWords:
    """How a page offers a family.

    Attributes
    ----------
    title
        Its name.
    when
        When to use it, in a sentence.
    icon
        Name of a Material icon.
    """

    title: str
    when: str
    icon: str


FAMILIES: Mapping[Family, FamilyWords] = {
    Family.ONE_TABLE: FamilyWords(
        "One table, one recipient",
        "When whoever gets the release may know every quasi-identifier. The usual case.",
        "table_rows",
    ),
    Family.RECIPIENTS: FamilyWords(
        "Several recipients",
        "When several parties get the same release and each can know some columns only. "
        "Loses less than protecting against all of them at once.",
        "groups",
    ),
    Family.PROJECTIONS: FamilyWords(
        "Many sensitive columns",
        "When one sensitive value of a person must not lead to the others. Publishes several "
        "tables that cannot be joined.",
        "splitscreen",
    ),
    Family.PERMUTATION: FamilyWords(
        "Permuted numbers",
        "When one numeric column is the secret and sums and averages are asked for. Everything "
        "else stays exact.",
        "shuffle",
    ),
    Family.DISGUISE: FamilyWords(
        "Disguised distribution",
        "When even the distribution of a column is a secret. It appears to follow one you choose.",
        "ssid_chart",
    ),
    Family.LINKED: FamilyWords(
        "Linked tables",
        "When people have records in several tables that refer to each other. Keeps the tables "
        "and their links.",
        "account_tree",
    ),
    Family.GRAPH: FamilyWords(
        "Bipartite graph",
        "When who is linked to what is the secret: who bought what, who wrote what. Keeps the "
        "whole structure.",
        "hub",
    ),
}

"""Plain-language explanations: one file per requirement, and what families and options mean."""

from __future__ import annotations

from collections.abc import Mapping

from papilio.web.words import (
    association_loss,
    collusion,
    distinct_diversity,
    entity_k,
    entity_l,
    entropy_diversity,
    exposure,
    fakes,
    generalisation_loss,
    k_anonymity,
    ke_anonymity,
    nt_closeness,
    personal_levels,
    recursive_diversity,
    safe_grouping,
    shift,
    suppress,
    t_closeness,
    target,
)
from papilio.web.words.words import Words

#: Words by requirement.
WORDS: Mapping[str, Words] = {
    "k-anonymity": k_anonymity.WORDS,
    "distinct-l-diversity": distinct_diversity.WORDS,
    "entropy-l-diversity": entropy_diversity.WORDS,
    "recursive-l-diversity": recursive_diversity.WORDS,
    "t-closeness": t_closeness.WORDS,
    "nt-closeness": nt_closeness.WORDS,
    "suppress": suppress.WORDS,
    "collusion": collusion.WORDS,
    "ke-anonymity": ke_anonymity.WORDS,
    "association-loss": association_loss.WORDS,
    "exposure": exposure.WORDS,
    "generalisation-loss": generalisation_loss.WORDS,
    "target-distribution": target.WORDS,
    "shift": shift.WORDS,
    "fakes": fakes.WORDS,
    "personal-levels": personal_levels.WORDS,
    "entity-k-anonymity": entity_k.WORDS,
    "entity-l-diversity": entity_l.WORDS,
    "safe-grouping": safe_grouping.WORDS,
}
#: Requirements that each key of ``privacy`` can demand.
BY_KEY: Mapping[str, tuple[str, ...]] = {
    "k": ("k-anonymity", "ke-anonymity", "entity-k-anonymity", "safe-grouping"),
    "l": (
        "distinct-l-diversity",
        "entropy-l-diversity",
        "recursive-l-diversity",
        "entity-l-diversity",
        "safe-grouping",
    ),
    "t": ("t-closeness", "nt-closeness"),
    "suppress": ("suppress",),
    "collusion_k": ("collusion",),
    "e": ("ke-anonymity",),
    "association_loss": ("association-loss",),
    "exposure": ("exposure",),
    "generalisation_loss": ("generalisation-loss",),
    "target": ("target-distribution",),
    "shift": ("shift",),
    "fakes": ("fakes",),
    "personal": ("personal-levels",),
}

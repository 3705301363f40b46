"""Whether a manifest says only what the format knows, so that nobody can read it otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from papilio.release.claim_parameters import well_formed
from papilio.release.hierarchy_rule import rule_fault
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding

#: Cells of columns that are published in one column of the same name.
_AS_THEY_ARE = ("value", "hits")


def check_form(opened: Opened, known: frozenset[str]) -> list[Finding]:
    """Check the claims of known names and the hierarchies; nothing is said if all are well formed.

    Parameters
    ----------
    opened
        The release.
    known
        Names of claims; others are judged as claims that are not checked.
    """
    manifest = opened.manifest
    faults = [*_claim_faults(manifest, known), *_name_faults(manifest), *_rule_faults(opened)]
    if not faults:
        return []
    return [finding("manifest", "as the format says", "; ".join(faults), holds=False)]


def _claim_faults(manifest: Manifest, known: frozenset[str]) -> Iterator[str]:
    for claim in manifest.claims:
        if claim.claim in known and not well_formed(claim.claim, claim.parameters):
            yield f"{claim.claim} has other parameters"
        if len(set(claim.columns)) < len(claim.columns):
            yield f"{claim.claim} names a column twice"


def _name_faults(manifest: Manifest) -> Iterator[str]:
    """Columns published as they are have one name; groups of a graph have that of a key."""
    kept = _AS_THEY_ARE if manifest.kind == "graph" else (*_AS_THEY_ARE, "group")
    for table in manifest.tables:
        for column in table.columns:
            if column.cells in kept and column.published != (column.name,):
                yield f"'{column.name}' of '{table.name}' is published under another name"


def _rule_faults(opened: Opened) -> Iterator[str]:
    listed = frozenset(file.name for file in opened.manifest.files) | opened.hierarchies.keys()
    for table in opened.manifest.tables:
        for column in table.columns:
            fault = None if column.hierarchy is None else rule_fault(column.hierarchy, listed)
            if fault is not None:
                yield f"'{column.name}' {fault}"

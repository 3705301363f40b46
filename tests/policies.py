"""Policies for tables made by :mod:`tables`."""

from __future__ import annotations

from papilio import K, Policy
from papilio.data.hierarchy.rules import AutomaticRule, DatesRule, IntervalsRule, PrefixRule


def policy_for(table, k, **more):
    """The policy that describes a test table exactly."""
    return Policy(columns={c.name: _column(c) for c in table.columns}, privacy=K(k), **more)


def _column(column):
    described = {"role": column.role.value, "type": column.type.value}
    if column.hierarchy is not None:
        described["hierarchy"] = _hierarchy(column.hierarchy)
    return described


def _hierarchy(rule):
    match rule:
        case PrefixRule(keep):
            return {"prefix": list(keep)}
        case IntervalsRule(widths, origin):
            return {"intervals": list(widths), "origin": origin}
        case DatesRule(levels):
            return {"dates": list(levels)}
        case AutomaticRule():
            return "automatic"
        case _:
            return str(rule.file)

"""Releases for several recipients, made by hand: each column has its own division of the rows."""

from __future__ import annotations

import json
from dataclasses import dataclass

import polars as pl

from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.policy.recipients import ALL_RECIPIENTS
from papilio.release.manifest import (
    Claim,
    Manifest,
    PublishedColumn,
    PublishedTable,
)
from papilio.release.release import Release
from papilio.workflow.verify import verify


@dataclass(frozen=True)
class Shared:
    """A release, the frame it was made from and the policy; ``cells`` as sets of values."""

    frame: pl.DataFrame
    policy: Policy
    release: Release
    cells: list[dict]

    @property
    def people(self):
        return self.frame.to_dicts()

    @property
    def table(self):
        return order_of(self.frame, self.policy, "people")[0].table

    def verdict(self, original=True):
        return verify(self.release, original=self.policy if original else None, data=self.frame)


def shared_release(frame, blocks, recipients, *, k=1, collusion_k=None, sensitive=(), more=()):
    """Publish a frame whose quasi-identifiers are generalised column by column.

    Parameters
    ----------
    frame
        The original; columns that are neither quasi-identifiers nor sensitive are plain.
    blocks
        Per quasi-identifier the block of each row; a cell covers the values of its block.
    recipients
        What each knows; ``None`` for one recipient who knows all.
    k, collusion_k, more
        What is claimed; ``more`` has pairs (claim, parameters) for each recipient.
    """
    privacy = {"k": k} | ({} if collusion_k is None else {"collusion_k": collusion_k})
    roles = {
        name: "quasi" if name in blocks else "sensitive" if name in sensitive else "plain"
        for name in frame.columns
    }
    policy = Policy(
        columns=roles, privacy=privacy, **({} if recipients is None else {"recipients": recipients})
    )
    columns, series, cells = [], [], [dict(row) for row in frame.rows(named=True)]
    for name in frame.columns:
        column, made, allowed = _published(frame[name], blocks.get(name), roles[name])
        columns.append(column)
        series += made
        for row, cell in zip(cells, allowed, strict=True):
            row[name] = cell
    # In another order than the source.
    published = pl.DataFrame(series).reverse()
    claims = _claims(recipients or {"everyone": tuple(blocks)}, k, collusion_k, more)
    table = PublishedTable("people", tuple(columns), frame.height)
    manifest = Manifest("generalised", "by hand", claims, (table,))
    return Shared(frame, policy, Release(manifest, {"people": published}), cells[::-1])


def _published(values, blocks, role):
    kind = "numeric" if values.dtype.is_numeric() else "category"
    if blocks is None:
        column = PublishedColumn(values.name, role, kind, "value", (values.name,))
        return column, [values], values.to_list()
    members = {}
    for value, block in zip(values, blocks, strict=True):
        members.setdefault(block, []).append(value)
    if kind == "numeric":
        names = (f"{values.name}_min", f"{values.name}_max")
        column = PublishedColumn(values.name, role, kind, "range", names)
        low = pl.Series(names[0], [min(members[block]) for block in blocks])
        high = pl.Series(names[1], [max(members[block]) for block in blocks])
        allowed = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
        return column, [low, high], allowed
    column = PublishedColumn(values.name, role, kind, "set", (values.name,))
    sets = [sorted(set(members[block])) for block in blocks]
    texts = [json.dumps(each, separators=(",", ":")) for each in sets]
    return column, [pl.Series(values.name, texts)], [frozenset(each) for each in sets]


def _claims(recipients, k, collusion_k, more):
    claims = [
        Claim(name, "people", recipient, tuple(columns), parameters)
        for recipient, columns in recipients.items()
        for name, parameters in [("k-anonymity", {"k": k}), *more]
    ]
    if collusion_k is not None:
        union = tuple(dict.fromkeys(each for columns in recipients.values() for each in columns))
        claims.append(Claim("k-anonymity", "people", ALL_RECIPIENTS, union, {"k": collusion_k}))
    return tuple(claims)

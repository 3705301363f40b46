"""The same order on one machine and in the engine: what must be the same, and how near the rest."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.families.generalising import spark as generalised
from papilio.measure.losses import ncp
from papilio.measure.published_classes import published_classes
from papilio.policy.apply import order_from_source
from papilio.workflow.publish import Publication, publish_to
from papilio.workflow.verify import verify

#: How much more may be lost than on one machine; borders between pieces may cost something.
MORE = 0.02


@dataclass(frozen=True, eq=False)
class Pair:
    """Two publications of one order."""

    local: Publication
    spark: Publication


def publish_both(monkeypatch, folder, policy, remote, piece_rows):
    """Publish with both engines, with a seed, in the engine in pieces of few rows."""
    monkeypatch.setattr(generalised, "rows_of_piece", lambda *_: piece_rows)
    local = publish_to(folder / "local", policy, seed=7)
    spark = publish_to(folder / "spark", policy, seed=7, engine="spark", remote=remote)
    return Pair(local, spark)


def check_parity(pair, policy, more=MORE):
    """Same claims, columns and verdict, true to the original, and no more lost."""
    local, spark = pair.local.release, pair.spark.release
    assert spark.manifest.claims == local.manifest.claims
    assert spark.manifest.tables == local.manifest.tables
    assert spark.manifest.method == local.manifest.method
    assert spark.hierarchies == local.hierarchies
    assert pair.spark.left_out == pair.local.left_out
    assert pair.spark.choice == pair.local.choice
    assert summary(pair.spark.verdict) == summary(pair.local.verdict)
    assert verify(pair.spark.directory, original=policy).holds
    assert loss(pair.spark, policy) <= (1 + more) * loss(pair.local, policy)


def summary(verdict):
    """What a verdict says, without what it measured, which classes differ in."""
    return [(f.claim, f.recipient, f.column, f.demanded, f.status) for f in verdict.findings]


def loss(publication, policy):
    """Mean loss of the cells of a publication."""
    table = order_from_source(policy).table
    return ncp(published_classes(publication.release, table)).overall


def pieces(publication):
    """Number of files of the published table."""
    return sum(file.table is not None for file in publication.release.manifest.files)

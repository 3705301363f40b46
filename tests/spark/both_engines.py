"""Orders of the families that keep quasi-identifiers, published with both engines."""

from __future__ import annotations

from parity import Pair, summary

from papilio.engines.spark.write import tallied
from papilio.workflow.publish import publish_to
from papilio.workflow.verify import verify


def publish_family(folder, policy, remote, seed=7):
    """Publish with both engines."""
    local = publish_to(folder / "local", policy, seed=seed, attacks=False)
    spark = publish_to(folder / "spark", policy, seed=seed, engine="spark", remote=remote)
    return Pair(local, spark)


def check_same(pair, policy, claims=list):
    """Same manifest but for the files, same verdict, same types, and true to the original.

    ``claims`` leaves out of them what each engine draws by chance.
    """
    local, spark = pair.local.release, pair.spark.release
    assert claims(spark.manifest.claims) == claims(local.manifest.claims)
    assert spark.manifest.method == local.manifest.method
    assert spark.manifest.kind == local.manifest.kind
    assert [t.name for t in spark.manifest.tables] == [t.name for t in local.manifest.tables]
    assert [t.columns for t in spark.manifest.tables] == [t.columns for t in local.manifest.tables]
    assert spark.hierarchies == local.hierarchies
    assert pair.spark.left_out == pair.local.left_out
    assert summary(pair.spark.verdict) == summary(pair.local.verdict)
    for name, frame in local.frames.items():
        assert dict(spark.frames[name].schema) == dict(frame.schema), name
    assert verify(pair.spark.directory).holds
    assert verify(pair.spark.directory, original=policy).holds


def collected(folder, policy, remote):
    """What came from the engine for a publication."""
    with tallied() as tally:
        publish_to(folder, policy, engine="spark", remote=remote)
    return tally


def mixed(frame):
    """Rows in an order that says nothing, to compare contents."""
    return frame.sort(frame.columns, nulls_last=True)

"""Releases with any classes and any claim, for the tests of the verifier."""

import polars as pl

from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.paths import paths_text
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.verify.opened import open_frames
from papilio.verify.tables import CHECKS


def check(made, classes, name, parameters, **spoil):
    """Finding on one claim about column ``s`` of a table whose rows are in these classes.

    Parameters
    ----------
    made
        A table with a sensitive column ``s``.
    classes
        Published cell of each row; equal cells are a class, ``None`` is a cell too.
    name, parameters
        The claim.
    spoil
        Other text of the hierarchy's file, other columns of the claim.
    """
    described = made.columns[-1]
    frame = pl.DataFrame(
        {"g_min": pl.Series(classes, dtype=pl.Int64), "g_max": pl.Series(classes, dtype=pl.Int64)}
    ).with_columns(made.frame["s"])
    files = {}
    if described.hierarchy is not None:
        tree = build(described.hierarchy, made.frame["s"], described.type, "s")
        files["tree.csv"] = spoil.get("paths", paths_text(tree))
    columns = (
        PublishedColumn("g", "quasi", "numeric", "range", ("g_min", "g_max")),
        PublishedColumn(
            "s",
            "sensitive",
            described.type.value,
            "value",
            ("s",),
            hierarchy={"paths": "tree.csv"} if files else None,
        ),
    )
    claim = Claim(name, "t", "everyone", spoil.get("columns", ("g",)), parameters)
    manifest = Manifest(
        "generalised", "none", (claim,), (PublishedTable("t", columns, frame.height),)
    )
    with open_frames(manifest, {"t": frame.to_arrow()}, files) as opened:
        return CHECKS[name](opened, claim)


def rows_by_class(classes):
    found = {}
    for row, each in enumerate(classes):
        found.setdefault(each, []).append(row)
    return list(found.values())

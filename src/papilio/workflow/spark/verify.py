"""Let the independent verifier judge a release, with Spark doing the counting."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from papilio.errors import EngineError
from papilio.release.disk import disk_faults
from papilio.release.store import read_manifest
from papilio.verify.judge import judge
from papilio.verify.verdict import Verdict
from papilio.workflow.spark.opened import open_in_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Kinds of releases whose checks are written in SQL that Spark understands.
KINDS = ("generalised", "permuted", "disguised", "projected")


def verify_with_spark(
    directory: str | Path, session: SparkSession, *, work: Path | None = None
) -> Verdict:
    """Judge a release on disk by the same statements as :func:`papilio.workflow.verify.verify`.

    The hashes of the files are taken here, everything else is counted in the engine; only counts,
    and the distinct cells of columns whose cells are texts, come back.

    Parameters
    ----------
    directory
        The release; this program and the workers see it under the same name.
    session
        A session of :func:`papilio.engines.spark.session.spark_session`.
    work
        A folder, seen alike as well, for tables that several checks read; the folder the release
        lies in if left out. What is put there comes from the release alone, and is removed.

    Raises
    ------
    EngineError
        If the release is of a kind that is verified on one machine only.
    """
    place = Path(directory)
    kind = read_manifest(place).kind
    if kind not in KINDS:
        raise EngineError(
            f"releases of kind '{kind}' are verified on one machine, with papilio verify",
            reason="kind-not-distributed",
        )
    with _folder(work or place.absolute().parent) as folder:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        with open_in_spark(place, session, folder) as opened:
            return judge(opened)


@contextmanager
def _folder(parent: Path) -> Iterator[Path]:
    folder = parent / f".papilio-{secrets.token_hex(8)}"
    try:
        with disk_faults(folder):
            folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

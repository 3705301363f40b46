"""Anonymise in a Spark engine, verify there, and write; all or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from papilio.engines.spark.embedded import check_installed
from papilio.engines.spark.session import check_address, spark_session
from papilio.errors import InternalError
from papilio.families import choose, method_of
from papilio.families.engines.made import checked_truth
from papilio.families.engines.spark.made import SparkMade
from papilio.families.engines.spark.table import check_possible, check_whose_rows
from papilio.families.engines.spark.verify import verify_with_spark
from papilio.families.facts import weight_facts
from papilio.families.family import Choice
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.randomness import Randomness
from papilio.release.draft import draft_of, seal
from papilio.release.needed_paths import labels_in_files, needed_paths
from papilio.release.release import Release
from papilio.release.scratch import check_target
from papilio.verify.kinds import promise_of
from papilio.verify.promise.promise import Facts
from papilio.verify.verdict import Verdict
from papilio.workflow.lights import lights_unseen
from papilio.workflow.publish import Publication, confirm
from papilio.workflow.refuse import check_engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def publish_with_spark(
    directory: Path,
    policy: Policy,
    *,
    remote: str | None = None,
    format: str = "parquet",  # noqa: A002
    seed: int | None = None,
    progress: Progress | None = None,
) -> Publication:
    """Publish the policy's source with a Spark engine.

    Rows are read, divided, finished and written by workers; this process sees counts alone. The
    verifier's questions are answered by the same engine from the files it wrote. Whatever fails,
    there is no release, and nothing is left beside its place.

    Parameters
    ----------
    directory
        Where the release goes; it must not exist. Workers write to a hidden folder beside it, so
        they must see it under the same path, and so the source.
    policy
        The order. Linked tables, graphs and sources other than files are refused.
    remote
        ``sc://host:port`` of a Spark Connect server; ``None`` starts the embedded one.
    format
        Only ``"parquet"``.
    seed
        For tests; see :func:`papilio.workflow.publish.publish`.
    progress
        Told of each stage.

    Raises
    ------
    PolicyError, DataError, InfeasibleError, VerificationError
        As on one machine.
    EngineError
        If the engine cannot be reached, is lost or gives up.
    """
    tell = progress or silent
    check_possible(policy, format)
    choice = choose(policy, 0)
    check_engine(policy, choice, "spark")
    check_target(directory)
    _check_engine(remote)
    verdicts: list[Verdict] = []
    tell("starting", 0.0)
    with draft_of(directory) as draft, spark_session(remote) as session:
        made = _make(session, policy, choice, draft, Randomness(seed), tell)

        def inspect(done: Path) -> None:
            tell("verifying", 0.8)
            facts = Facts((made.facts,), {}, weight_facts(policy, made.facts.types))
            promise = promise_of(policy, facts, made.manifest)
            found = verify_with_spark(
                done,
                session,
                promise=promise,
                rows=made.rows,
                truth=lambda opened: checked_truth(made.truth, opened),
            )
            verdicts.append(confirm(found))

        paths = needed_paths(made.manifest, made.hierarchies, labels_in_files(draft))
        seal(draft, directory, made.manifest, paths, inspect)
    tell("done", 1.0)
    lights = lights_unseen(verdicts[0], _UNSEEN, policy)
    return Publication(
        Release.open(directory),
        verdicts[0],
        made.choice or choice,
        made.left_out,
        directory,
        (*made.notes, *lights.told),
        lights,
    )


_UNSEEN = "Nobody looked: attackers need the whole table in memory, and Spark published it."


def _check_engine(remote: str | None) -> None:
    check_installed(embedded=remote is None)
    if remote is not None:
        check_address(remote)


def _make(
    session: SparkSession,
    policy: Policy,
    choice: Choice,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> SparkMade:
    maker = method_of(choice)[0].spark
    if maker is None:
        raise InternalError("a method has no maker on Spark", reason="method")
    check_whose_rows(session, policy)
    made: SparkMade = maker(session, policy, choice, draft, randomness, tell)
    return made

"""Apache Spark itself, where there is Java: the same rows, claims and failures as elsewhere.

One server for all tests here; the last one ends it.
"""

from __future__ import annotations

import os

import psutil
import pytest
import test_people_on_spark as people
from parity import check_parity, pieces, publish_both
from test_spark_reading import FRAME, TEXTS, check_as_local, policy_for

from papilio import Policy, samples
from papilio.engines.spark.session import spark_session
from papilio.engines.spark.worker import guarded
from papilio.engines.spark.write import collect
from papilio.errors import DataError, EngineError, PolicyError
from papilio.families.generalising import spark as generalised
from papilio.workflow.publish import publish_to
from spark_server import spark_server

pytestmark = pytest.mark.long

FIRST = ("age", "workclass", "marital-status")
SECOND = ("marital-status", "race", "sex")


@pytest.fixture(scope="module")
def apache():
    with spark_server() as address:
        yield address


@pytest.fixture(scope="module")
def session(apache):
    with spark_session(apache) as session:
        yield session


@pytest.fixture(scope="module")
def adult(tmp_path_factory):
    path = tmp_path_factory.mktemp("source") / "adult.parquet"
    samples.adult().write_parquet(path, row_group_size=8000)
    return path


def policy_of(path, method, privacy):
    recipients = {"insurer": FIRST, "personnel": SECOND} if method == "butterfly" else {}
    return Policy(
        source=str(path),
        columns=dict.fromkeys((*FIRST, *SECOND), "quasi") | {"income": "sensitive"},
        recipients=recipients,
        privacy=privacy,
        method=method,
    )


def test_parquet_of_all_types(session, tmp_path):
    FRAME.write_parquet(tmp_path / "people.parquet", row_group_size=7)
    check_as_local(session, policy_for(tmp_path / "people.parquet", FRAME.columns))


def test_text_files(session, tmp_path):
    TEXTS.write_csv(tmp_path / "people.csv")
    check_as_local(session, policy_for(tmp_path / "people.csv", TEXTS.columns))


@pytest.mark.parametrize(
    ("method", "privacy"),
    [("mondrian", {"k": 10, "l": {"income": 2}}), ("butterfly", {"k": 10})],
)
def test_publishing(monkeypatch, tmp_path, apache, adult, method, privacy):
    policy = policy_of(adult, method, privacy)
    pair = publish_both(monkeypatch, tmp_path, policy, apache, 16_000)
    assert pieces(pair.spark) > 1
    check_parity(pair, policy)


@pytest.mark.parametrize(
    ("method", "privacy"),
    [("mondrian", {"k": 3, "t": {"ill": 0.4}}), ("incognito", {"k": 3, "suppress": 0.3})],
)
def test_people_with_several_rows(monkeypatch, tmp_path, apache, method, privacy):
    monkeypatch.setattr(generalised, "rows_of_piece", lambda *_: 150)
    people.visits().write_parquet(tmp_path / "visits.parquet", row_group_size=100)
    policy = people.order(tmp_path, method=method, privacy=privacy)
    made = publish_to(tmp_path / "out", policy, engine="spark", remote=apache)
    people.check_counted(made, 3, people.is_close("2/5") if "t" in privacy else None)
    unsaid = people.order(tmp_path, method=method, privacy=privacy, person=None)
    with pytest.raises(PolicyError, match="different values in 600 rows; write person: pid"):
        publish_to(tmp_path / "asked", unsaid, engine="spark", remote=apache)


def test_errors_of_workers_arrive_as_what_they_are(apache):
    def refuse(batches):
        for _ in batches:
            raise DataError("column 'age': 3 infinite numbers", reason="infinite-number")
        yield

    with pytest.raises(DataError, match="3 infinite numbers"), spark_session(apache) as session:
        collect(session.range(3).mapInArrow(guarded(refuse), "id bigint"), "numbers")


def test_a_worker_that_dies_is_an_error_and_the_next_run_works(apache, tmp_path, adult):
    def die(batches):
        os._exit(1)
        yield from batches

    # Whether Spark's trace speaks of a connection that was reset is a matter of chance.
    for _ in range(4):
        with pytest.raises(EngineError) as error, spark_session(apache) as session:
            collect(session.range(3).mapInArrow(guarded(die), "id bigint"), "numbers")
        assert error.value.reason == "engine-failed"
        assert len(str(error.value).splitlines()) == 1
    policy = policy_of(adult, "mondrian", {"k": 100})
    assert publish_to(tmp_path / "out", policy, engine="spark", remote=apache).verdict.holds


def test_a_server_that_is_killed_leaves_nothing(apache, tmp_path, adult):
    port = int(apache.rpartition(":")[2])

    def kill(stage, share):
        if stage == "generalising":
            _listening(port).kill()

    policy = policy_of(adult, "mondrian", {"k": 10})
    with pytest.raises(
        EngineError, match=r"connection to the server sc://127\.0\.0\.1:\d+ was lost"
    ):
        publish_to(tmp_path / "out", policy, engine="spark", remote=apache, progress=kill)
    assert list(tmp_path.iterdir()) == []


def _listening(port):
    for process in psutil.Process().children(recursive=True):
        ports = [c.laddr.port for c in process.net_connections() if c.status == "LISTEN"]
        if port in ports:
            return process
    raise AssertionError("no server listens there")

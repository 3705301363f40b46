"""Sessions: how they begin, end and fail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pyarrow as pa
import pytest

from papilio.engines.spark import embedded as embedded_module
from papilio.engines.spark.embedded import check_installed, embedded_server
from papilio.engines.spark.session import check_address, check_reachable, shown, spark_session
from papilio.engines.spark.worker import guarded, guarded_table, packed, unpacked
from papilio.engines.spark.write import collect, tallied
from papilio.errors import DataError, EngineError, InfeasibleError, InternalError, PapilioError
from papilio.families.engines import spark as spark_tools

SECRET = "Ada Lovelace"


def servers():
    """Embedded servers that this process started."""
    mine = psutil.Process().children(recursive=True)
    return [p for p in mine if any("embedded_server" in part for part in p.cmdline())]


def test_the_embedded_server_answers_and_ends_with_the_block():
    before = {p.pid for p in servers()}
    with spark_session() as session:
        assert collect(session.range(5), "numbers").num_rows == 5
        (mine,) = [p for p in servers() if p.pid not in before]
    assert not mine.is_running()


def test_the_embedded_server_listens_on_this_machine_alone():
    before = {p.pid for p in servers()}
    with embedded_server():
        (mine,) = [p for p in servers() if p.pid not in before]
        heard = [c.laddr.ip for c in mine.net_connections() if c.status == psutil.CONN_LISTEN]
    assert heard == ["127.0.0.1"]


def test_the_embedded_server_ends_when_its_parent_is_killed():
    program = (
        "import sys, time\n"
        "from papilio.engines.spark.embedded import embedded_server\n"
        "with embedded_server() as address:\n"
        "    print(address, flush=True)\n"
        "    time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    address = parent.stdout.readline().strip()
    check_reachable(address)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            check_reachable(address)
        except EngineError:
            return
        time.sleep(0.1)
    pytest.fail("the server outlived its parent")


def test_nothing_of_the_engine_is_shown():
    program = (
        "from papilio.engines.spark.session import spark_session\n"
        "from papilio.engines.spark.write import collect\n"
        "with spark_session() as session:\n"
        "    collect(session.range(3), 'numbers')\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "default", "-c", program], capture_output=True, text=True, check=True
    )
    assert (run.stdout, run.stderr) == ("", "")


def kill_and_ask(session, before):
    for server in servers():
        if server.pid not in before:
            server.kill()
    collect(session.range(3), "numbers")


def test_a_server_that_dies_is_a_lost_connection_and_the_next_session_works():
    before = {p.pid for p in servers()}
    lost = "connection to the embedded Spark server was lost"
    with pytest.raises(EngineError, match=lost), spark_session() as session:
        kill_and_ask(session, before)
    with spark_session() as session:
        assert collect(session.range(3), "numbers").num_rows == 3


def test_a_worker_that_kills_its_process_is_a_lost_connection():
    def die(batches):
        os._exit(1)
        yield from batches

    with pytest.raises(EngineError) as error, spark_session() as session:
        collect(session.range(3).mapInArrow(guarded(die), "id bigint"), "numbers")
    assert error.value.reason == "connection-lost"
    assert error.value.exit_code == 2


def test_errors_of_workers_arrive_as_what_they_are(embedded):
    def refuse(batches):
        for _ in batches:
            raise DataError("column 'age': 3 infinite numbers", reason="infinite-number")
        yield

    with (
        pytest.raises(DataError, match="3 infinite numbers") as error,
        spark_session(embedded) as s,
    ):
        collect(s.range(3).mapInArrow(guarded(refuse), "id bigint"), "numbers")
    assert error.value.reason == "infinite-number"


@pytest.mark.parametrize("kind", ["batches", "tables"])
def test_a_defect_in_a_worker_tells_its_place_and_no_cell(embedded, kind):
    def batches(several):
        for _ in several:
            raise ValueError(SECRET)
        yield

    def tables(table):
        raise ValueError(SECRET)

    def made(rows):
        if kind == "batches":
            return rows.mapInArrow(guarded(batches), "id bigint")
        return rows.groupBy("id").applyInArrow(guarded_table(tables), "id bigint")

    with pytest.raises(InternalError) as error, spark_session(embedded) as session:
        collect(made(session.range(3)), "numbers")
    assert "ValueError in test_spark_session.py" in str(error.value)
    assert SECRET not in str(error.value)


def test_what_the_engine_says_is_not_repeated(embedded):
    with pytest.raises(EngineError) as error, spark_session(embedded) as session:
        collect(session.sql(f"SELECT assert_true(id < 0, '{SECRET}') FROM range(3)"), "numbers")
    assert SECRET not in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__


@pytest.mark.parametrize(
    "made",
    [
        DataError("column 'é': wrong", reason="bad"),
        InfeasibleError("no", reason="k", nearest="a k of 3 is accepted"),
        EngineError("x; y", reason="z"),
    ],
)
def test_errors_survive_the_way_through_an_engine(made):
    found = unpacked(f"Traceback …\n{packed(made)}\nat org.apache.spark")
    assert type(found) is type(made)
    assert str(found) == str(made)
    assert found.reason == made.reason
    assert getattr(found, "nearest", None) == getattr(made, "nearest", None)


def test_other_errors_of_an_engine_hold_none_of_papilio():
    assert unpacked("java.lang.OutOfMemoryError") is None


@pytest.mark.parametrize("address", ["sc://host", "sc://host:15002/;token=abc", "sc://[::1]:7"])
def test_addresses_are_accepted(address):
    check_address(address)


@pytest.mark.parametrize(
    "address", ["", "host:15002", "http://host", "sc://", "sc://host:99999", "sc://me:abc@host"]
)
def test_other_addresses_are_refused_without_repeating_them(address):
    with pytest.raises(EngineError) as error:
        check_address(address)
    assert error.value.reason == "bad-remote"
    assert "abc" not in str(error.value)


def test_a_server_that_does_not_answer_is_named_without_its_token():
    with pytest.raises(EngineError) as error, spark_session("sc://127.0.0.1:1/;token=abc"):
        pytest.fail("there is no server")
    assert error.value.reason == "unreachable"
    assert "sc://127.0.0.1:1;" in str(error.value)
    assert "abc" not in str(error.value)


def test_shown_addresses_have_host_and_port_alone():
    assert shown("sc://host:7/;token=abc;user_id=me") == "sc://host:7"
    assert shown("sc://host") == "sc://host:15002"


@pytest.mark.parametrize(("missing", "package"), [("pyspark", "pyspark-client"), ("pysail",) * 2])
def test_a_missing_library_is_told_with_what_installs_it(monkeypatch, missing, package):
    monkeypatch.setattr(
        embedded_module, "find_spec", lambda name: None if name == missing else object()
    )
    with pytest.raises(EngineError) as error:
        check_installed(embedded=True)
    assert package in str(error.value)
    assert "pip install 'papilio[spark]'" in str(error.value)


def test_the_embedded_server_is_not_needed_for_another_one(monkeypatch):
    monkeypatch.setattr(
        embedded_module, "find_spec", lambda name: None if name == "pysail" else object()
    )
    check_installed(embedded=False)


def test_a_server_that_does_not_start_is_told(monkeypatch):
    monkeypatch.setattr(embedded_module.sys, "executable", "/bin/true")
    with pytest.raises(EngineError) as error, embedded_server():
        pytest.fail("there is no server")
    assert error.value.reason == "server-not-started"


def test_importing_papilio_does_not_import_the_engine():
    program = "import sys, papilio.cli.app, papilio; sys.exit('pyspark' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_what_is_collected_is_put_down(session):
    with tallied() as tally:
        table = collect(session.range(7), "seven numbers")
        collect(session.range(2), "two")
    assert isinstance(table, pa.Table)
    assert [(each.what, each.rows) for each in tally.entries] == [("seven numbers", 7), ("two", 2)]
    assert tally.rows == 9
    assert tally.bytes == 9 * 8


CALLS = (".toArrow(", ".toPandas(", ".collect()", ".toLocalIterator(", ".take(", ".head(")


def test_only_one_function_brings_rows_here():
    folders = [Path(module.__file__).parent for module in (embedded_module, spark_tools)]
    found = [
        path.name
        for folder in folders
        for path in folder.rglob("*.py")
        if any(call in path.read_text() for call in CALLS)
    ]
    assert found == ["write.py"]


def test_papilio_errors_keep_their_exit_code():
    assert issubclass(EngineError, PapilioError)
    assert EngineError("x", reason="y").exit_code == 2

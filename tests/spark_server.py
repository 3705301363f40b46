"""An Apache Spark Connect server of our own for tests, where there is Java.

Spark itself lives in a virtual environment of its own (``make .venv-spark/installed``): the server
and the client that Papilio uses are two packages which cannot share one.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from missing import missing

ROOT = Path(__file__).parent.parent
HOME = Path(os.environ.get("PAPILIO_SPARK_VENV", ROOT / ".venv-spark"))
#: Seconds a server may take to start on a busy machine.
PATIENCE = 600


def why_not() -> str | None:
    """Why there can be no Apache Spark server here, or ``None`` if there can."""
    if shutil.which("java") is None:
        return "there is no Java, which Apache Spark needs"
    if _spark() is None:
        return f"Apache Spark is not installed in {HOME.name}; run: make {HOME.name}/installed"
    return None


@contextmanager
def spark_server() -> Iterator[str]:
    """Start a server on this machine alone and yield its address, ``sc://127.0.0.1:port``.

    Where there can be none, see :func:`missing.missing`.
    """
    if reason := why_not():
        missing(reason)
    folder = tempfile.mkdtemp(prefix="papilio-spark-")
    port = _free_port()
    process = subprocess.Popen(
        _command(port, folder),
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(process, port)
        yield f"sc://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _spark() -> Path | None:
    return next(HOME.glob("lib/python3*/site-packages/pyspark/bin/spark-submit"), None)


def _command(port: int, folder: str) -> list[str]:
    settings = {
        "spark.master": "local[2]",
        "spark.driver.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.sql.shuffle.partitions": "4",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }
    said = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
    service = "org.apache.spark.sql.connect.service.SparkConnectServer"
    return [str(_spark()), "--class", service, *said, "spark-internal"]


def _environment() -> dict[str, str]:
    spark = _spark()
    assert spark is not None
    # Workers run functions of Papilio, so they need our interpreter and our sources.
    paths = [str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "SPARK_HOME": str(spark.parent.parent),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(paths),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError("the Apache Spark server ended while it was starting")
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.25)
    raise RuntimeError("the Apache Spark server did not start in time")

"""The program of the embedded server's process: serve until the parent has gone.

It is started by :mod:`papilio.engines.spark.embedded`, which holds the other end of its standard
input. When that end closes, for whatever reason, the server ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

#: Of Linux: which signal to get when the parent ends.
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve on a free port of this machine alone, say which, and wait for the end of input."""
    _end_with_parent()
    # Read by the library when it is loaded; what it logs could hold text of the data.
    os.environ["RUST_LOG"] = "off"
    # Else a column whose smallest and largest value a Parquet file tells to be the same is read
    # as that value throughout, also where it is NaN.
    os.environ["SAIL_EXECUTION__COLLECT_STATISTICS"] = "false"
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    sys.stdout.write(f"{server.listening_address[1]}\n")
    sys.stdout.flush()
    sys.stdin.read()
    # Functions that still run in threads must not hold the process up.
    os._exit(0)


def _end_with_parent() -> None:
    """Let the system end this process with its parent, at once, where it can.

    The end of input is noticed only when no function holds the interpreter.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main()

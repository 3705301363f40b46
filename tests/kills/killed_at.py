"""The command line in a process that is killed at a given moment, like by ``kill -9``.

Moments are what happens to files in the folders of the test, and stages of the run. At the first
of them ``begun`` is printed, so that whoever started the process can kill it by the clock as well.
At the end, if it comes to that, the number of moments is written to a file.
"""

import os
import signal
import sys
from contextlib import contextmanager
from pathlib import Path

EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "fcntl.flock"}

moment = int(os.environ["KILL_AT"])
watched = os.environ["KILL_WATCHED"]
moments = 0


def happened():
    global moments
    moments += 1
    if moments == 1:
        os.write(1, b"begun\n")
    if moments == moment:
        os.kill(os.getpid(), signal.SIGKILL)


def hear(event, arguments):
    if event in EVENTS:
        named = isinstance(arguments[0], (str, bytes, os.PathLike))
        path = os.fsdecode(arguments[0]) if named else ""
        # What is named inside an open folder, or by its number, has no path.
        if path.startswith(watched) or not path.startswith("/"):
            happened()


@contextmanager
def stages():
    yield lambda stage, share: happened()


def main():
    import papilio.cli.output

    papilio.cli.output.progress_bar = stages
    if os.environ.get("KILL_PIECES"):
        # A small table is then larger than memory, and has many pieces.
        import papilio.families.engines.disk.memory as memory
        import papilio.workflow.publish_pieces as publish

        memory._BASE, publish._PIECE_SHARE = 1 << 40, 2e-4
    from papilio.cli.app import run

    sys.addaudithook(hear)
    code = run(sys.argv[1:])
    Path(os.environ["KILL_COUNTED"]).write_text(str(moments))
    sys.exit(code)


if __name__ == "__main__":
    main()

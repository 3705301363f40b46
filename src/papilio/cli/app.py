"""``papilio``: how a command starts, ends, fails and is interrupted.

The commands themselves load inside :func:`run`, when interrupts are already looked after.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType

from papilio.errors import OutputError, PapilioError, told

MISUSE = 2
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Seconds after which a signal comes once more whose exception Python has dropped.
_SOON = 0.05


def main() -> None:
    """Run the command line and exit with the code that says how it went."""
    received: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        del frame
        received.append(number)
        raise KeyboardInterrupt

    heeded = [each for each in _STOPPING if signal.getsignal(each) is not signal.SIG_IGN]
    for each in heeded:
        signal.signal(each, stop)
    _deliver_again(received)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    code = run(sys.argv[1:], received)
    for each in heeded:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(code)


def _deliver_again(received: Sequence[int]) -> None:
    """Send an interrupt once more if it came where Python drops and prints what is raised.

    That is so in destructors, and in callbacks of libraries such as Numba's when it loads machine
    code.
    """
    usual = sys.unraisablehook

    def dropped(what: sys.UnraisableHookArgs) -> None:
        if what.exc_type is not KeyboardInterrupt or not received:
            usual(what)
            return
        here = (threading.main_thread().ident, received[-1])
        again = threading.Timer(_SOON, signal.pthread_kill, here)
        again.daemon = True
        again.start()

    sys.unraisablehook = dropped


def run(arguments: list[str], received: Sequence[int] = ()) -> int:
    """Run one command and return its exit code; every failure is one line on standard error.

    Parameters
    ----------
    arguments
        What stands after ``papilio``.
    received
        Numbers of the signals that told the command to stop, filled while it runs. Libraries may
        turn the interrupt into an error of their own; it counts as an interrupt all the same.
    """
    try:
        return _invoke(arguments)
    except BaseException as error:  # noqa: BLE001 - a panic of Polars is not an Exception
        if received or isinstance(error, KeyboardInterrupt):
            return _interrupted(received)
        return _fail(told(error), as_json="--json" in arguments)


def _invoke(arguments: list[str]) -> int:
    import typer

    from papilio.cli.commands import commands
    from papilio.cli.output import drop_output

    try:
        with commands.make_context("papilio", [*arguments] or ["--help"]) as context:
            code = commands.invoke(context)
    except typer.Exit as error:
        return error.exit_code if arguments else MISUSE
    except typer.TyperException as error:
        raise _misuse(error) from None
    except BrokenPipeError:
        # Only help texts, which Typer prints, do not go through say.
        drop_output()
        return 0
    return code if isinstance(code, int) else 0


def _misuse(error: Exception) -> PapilioError:
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    path = "papilio" if context is None else context.command_path
    return PapilioError(f"{message.rstrip('.')}; see '{path} --help'", reason="misuse")


def _interrupted(received: Sequence[int]) -> int:
    _tell("interrupted; nothing is left half-written")
    return 128 + (received[0] if received else signal.SIGINT)


def _fail(error: PapilioError, *, as_json: bool) -> int:
    if as_json:
        from papilio.cli.output import say

        content = {"error": {"reason": error.reason, "message": str(error)}}
        with contextlib.suppress(OutputError):
            say(json.dumps(content, ensure_ascii=False))
    for line in str(error).splitlines():
        _tell(line)
    return error.exit_code


def _tell(line: str) -> None:
    # Where nobody can be told any more, the exit code has to do.
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"papilio: {line}\n")
            sys.stderr.flush()


if __name__ == "__main__":
    main()

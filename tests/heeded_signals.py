"""Signals that a process in a test must heed, however the tests themselves were started."""

import signal


def heed_signals():
    """Forget what nohup, or a shell that works in the background, told to ignore.

    Children inherit what is ignored: hand this to :class:`subprocess.Popen` as ``preexec_fn`` for
    those that are sent a signal.
    """
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)

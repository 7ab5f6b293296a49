"""The `pegwise` command of the wheel."""

import signal
import sys


def main() -> None:
    """Runs the command as if it were a program of its own."""
    from . import _native

    # An interrupt ends the command as it ends the program; the interpreter would only note it down.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.command(sys.argv))

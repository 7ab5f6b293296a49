"""The `pegwise` command that the wheel installs."""

import signal
import sys


def main() -> None:
    """Runs the command."""
    from . import _native

    # The interpreter would only record an interrupt.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.command(sys.argv))

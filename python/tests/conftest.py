"""What the tests share."""

import subprocess
import sys

import pytest


@pytest.fixture
def command():
    """Runs the command of the wheel, and gives what it printed."""

    def run(*arguments, code=0):
        ended = subprocess.run([sys.executable, "-m", "pegwise", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        assert ended.returncode == code, ended.stderr
        return ended.stdout

    return run

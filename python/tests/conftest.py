"""Fixtures."""

import os
import subprocess
import sys

import pytest

import pegwise

#: Safety net in seconds: no test depends on how fast the machine is.
TIMEOUT = 3600
os.environ["DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"] = os.environ["DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP"] = f"{TIMEOUT}s"
os.environ["DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL"] = f"{TIMEOUT}s"
# Tasks and environments analyze with the default limit, two seconds.
for function in (pegwise.analyze, pegwise.mend):
    function.__kwdefaults__["time_limit"] = TIMEOUT


@pytest.fixture
def command():
    """Runs the command of the wheel and returns its output."""

    def run(*arguments, code=0):
        ended = subprocess.run([sys.executable, "-m", "pegwise", *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT)
        assert ended.returncode == code, ended.stderr
        return ended.stdout

    return run

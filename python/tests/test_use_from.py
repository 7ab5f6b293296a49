"""The programs of docs/use-from.md print the same hint, and name the mistake of a wrong scorer."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "use-from.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)


@pytest.fixture
def with_command(tmp_path):
    """Runs programs in a folder, with the command of the wheel as `pegwise`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "pegwise"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pegwise "$@"\n')
    program.chmod(0o755)

    def run(*arguments, code=0):
        environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
        ended = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert ended.returncode == code, ended.stderr
        return ended.stdout

    return run


def test_python(with_command):
    hint = blocks("python")[0]
    assert with_command(sys.executable, "-c", hint) == "5 1 1 3 of 37\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the program starts the engine with fork")
def test_c(with_command, tmp_path):
    [program] = blocks("c")
    (tmp_path / "main.c").write_text(program)
    with_command("cc", "-Wall", "-Werror", "-o", "main", "main.c")
    assert '"guess":[5,1,1,3]' in with_command("./main")


def test_curl(tmp_path):
    start, question = blocks("sh")
    assert start == "pegwise serve\n"
    server = subprocess.Popen([sys.executable, "-m", "pegwise", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().removeprefix("http://").strip().rstrip("/")
        answer = subprocess.run(["sh", "-c", question.replace("localhost:7411", address)], capture_output=True, text=True, check=True)
    finally:
        server.kill()
        server.wait()
    assert '"guess":[5,1,1,3]' in answer.stdout and '"remaining":37' in answer.stdout


def test_the_scorer_of_the_document(with_command, tmp_path):
    [program] = [block for block in blocks("python") if "def score" in block]
    (tmp_path / "scorer.py").write_text(program)
    output = with_command("pegwise", "check-scorer", f"'{sys.executable}' scorer.py", code=1)
    assert output.startswith(blocks("text")[0].split("\n", 1)[1].removesuffix("...\n"))
    fixed = program.replace("white = sum(one != other and one in secret for one, other in zip(guess, secret))", "white = sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - black")
    assert fixed != program
    (tmp_path / "scorer.py").write_text(fixed)
    assert "All answers are right" in with_command("pegwise", "check-scorer", f"'{sys.executable}' scorer.py")

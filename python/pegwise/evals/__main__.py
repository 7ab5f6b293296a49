"""Evaluations on the command line: ``python -m pegwise.evals --help``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from .. import evals
from .._native import PegwiseError
from ._sets import KINDS, write


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m pegwise.evals", description="Evaluates models at Mastermind.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="evaluate a model or a baseline, resuming FILE if it exists")
    player = run.add_mutually_exclusive_group(required=True)
    player.add_argument("--model", help="name of a model behind an OpenAI-compatible API")
    player.add_argument("--baseline", choices=evals.BASELINES, help="a strategy instead of a model")
    run.add_argument("--url", default="https://api.openai.com/v1", help="base URL of the API [default: %(default)s]")
    run.add_argument("--key", default="OPENAI_API_KEY", help="environment variable with the API key [default: %(default)s]")
    run.add_argument("--set", default="pegwise-1", help="set of tasks [default: %(default)s]")
    run.add_argument("--kind", choices=[*KINDS, "game"], help="tasks of one kind only")
    run.add_argument("--difficulty", choices=evals.DIFFICULTIES, help="tasks of one difficulty only")
    run.add_argument("--limit", type=int, help="number of tasks, spread over all kinds and difficulties")
    run.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="result file, as JSON lines")
    board = commands.add_parser("leaderboard", help="compare result files")
    board.add_argument("files", nargs="+", type=Path, metavar="FILE")
    make = commands.add_parser("make", help="make a set of tasks and its data card")
    make.add_argument("folder", type=Path)
    make.add_argument("--name", default="pegwise-1")
    make.add_argument("--seed", type=int, default=1)
    make.add_argument("--count", type=int, default=20, help="tasks per kind and difficulty [default: %(default)s]")
    return parser


def run(wanted: argparse.Namespace) -> None:
    """Evaluates a model on the tasks that its result file lacks."""
    given = [
        task
        for task in evals.load(wanted.set)
        if wanted.kind in (None, task["kind"]) and wanted.difficulty in (None, task["difficulty"])
    ]
    if wanted.limit is not None:
        if wanted.limit < 1:
            raise PegwiseError(f"--limit is a number of tasks from 1 on, not {wanted.limit}")
        count = min(wanted.limit, len(given))
        given = [given[place * len(given) // count] for place in range(count)]
    known = {record["task"]["id"] for record in evals.read([wanted.output])} if wanted.output.exists() else set()
    model = evals.Baseline(wanted.baseline) if wanted.baseline else evals.ChatModel(wanted.model, wanted.url, os.environ.get(wanted.key))
    missing = [task for task in given if task["id"] not in known]
    with wanted.output.open("a", encoding="utf-8") as file:
        for number, record in enumerate(evals.evaluate(model, missing, wanted.model or wanted.baseline), 1):
            print(json.dumps(record), file=file, flush=True)
            print(f"\r{number} of {len(missing)} tasks", end="", file=sys.stderr)
    print(file=sys.stderr)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    wanted = parser().parse_args(arguments)
    try:
        if wanted.command == "run":
            run(wanted)
        elif wanted.command == "leaderboard":
            print(evals.leaderboard(wanted.files).markdown(), end="")
        else:
            write(wanted.name, wanted.seed, wanted.count, wanted.folder)
    except (PegwiseError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

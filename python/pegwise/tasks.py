"""Positions with exact answers, for evaluating solvers and language models.

>>> from pegwise import tasks
>>> task = tasks.make("remaining", count=1, seed=3)[0]
>>> task["question"][:42]
'In a game of Mastermind with 4 pegs and 6 '
>>> tasks.check(task, task["answer"])
1.0
>>> tasks.make("remaining", count=5, seed=3) == tasks.make("remaining", count=5, seed=3)
True

``python -m pegwise.tasks best --count 100 > best.jsonl`` writes them as JSON lines. Each has the kind, rules, turns, difficulty, a
question in words, and the exact answer:

- ``remaining``: which codes are consistent?
- ``best``: which guess is best? Every guess that loses nothing is right.
- ``lost``: how many guesses does this reply lose on average against the best guess, with best play afterwards?

The difficulty is the number of consistent codes: ``easy`` 2 to 5, ``medium`` 6 to 15, ``hard`` 16 to 40.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from ._coach import analyze
from ._native import History, PegwiseError, Rules, Strategy, best_guesses

__all__ = ["DIFFICULTIES", "KINDS", "check", "each", "make"]

#: Kinds of tasks.
KINDS = ("remaining", "best", "lost")
#: Range of the number of consistent codes.
DIFFICULTIES = {"easy": (2, 5), "medium": (6, 15), "hard": (16, 40)}


def make(
    kind: str, *, rules: Rules | str = "4x6", difficulty: str = "easy", count: int = 10, seed: int = 0
) -> list[dict[str, Any]]:
    """Returns ``count`` tasks; the same arguments give the same tasks."""
    tasks = each(kind, rules=rules, difficulty=difficulty, seed=seed)
    return [next(tasks) for _ in range(count)]


def each(
    kind: str, *, rules: Rules | str = "4x6", difficulty: str = "easy", seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Yields tasks indefinitely."""
    if kind not in KINDS:
        raise PegwiseError(f"'{kind}' is not a kind of task; the kinds are {', '.join(KINDS)}")
    if difficulty not in DIFFICULTIES:
        raise PegwiseError(f"'{difficulty}' is not a difficulty; they are {', '.join(DIFFICULTIES)}")
    rules = rules if isinstance(rules, Rules) else Rules(rules)
    rules.codes()
    number, missed = 0, 0
    while True:
        task = _task(kind, rules, difficulty, seed, number)
        number += 1
        if task is not None:
            missed = 0
            yield task
        elif (missed := missed + 1) >= 2000:
            raise PegwiseError(f"{rules} has no {difficulty} positions whose {kind} answer is known exactly")


def _task(kind: str, rules: Rules, difficulty: str, seed: int, number: int) -> dict[str, Any] | None:
    chance = random.Random(f"{kind} {rules} {difficulty} {seed} {number}")
    history = _position(rules, chance, *DIFFICULTIES[difficulty])
    if history is None:
        return None
    reply = rules.code(chance.choice(rules.codes()) if chance.random() < 0.5 else chance.choice(history.codes()))
    answer = _answer(kind, rules, history, reply)
    if answer is None:
        return None
    task = {
        "id": f"{kind}/{rules}/{difficulty}/{seed}/{number}",
        "kind": kind,
        "rules": str(rules),
        "difficulty": difficulty,
        "turns": history.texts,
        "left": len(history.codes()),
    }
    if kind == "lost":
        task["reply"] = rules.notation(reply)
    return {**task, "question": _question(kind, rules, history, reply), "answer": answer}


def _position(rules: Rules, chance: random.Random, least: int, most: int) -> History | None:
    """Plays random consistent codes until ``least`` to ``most`` codes are left."""
    secret = rules.draw(chance.getrandbits(63))
    player = Strategy("random-consistent", seed=chance.getrandbits(63))
    history = History(rules)
    for _ in range(12):
        left = len(history.codes())
        if left < least:
            return None
        if left <= most:
            return history
        guess = player.next_guess(history)
        history.push(guess, rules.score(guess, secret))
        if history.solved:
            return None
    return None


def _answer(kind: str, rules: Rules, history: History, reply: tuple[int, ...]) -> Any:
    if kind == "remaining":
        codes = history.codes()
        return [rules.notation(codes[place]) for place in range(len(codes))]
    if kind == "best":
        best = best_guesses(rules, history)
        return best and sorted(rules.notation(guess) for guess in best)
    played = history.copy()
    left = history.codes()
    answer = rules.score(reply, left[0])
    played.push(reply, answer)
    verdict = analyze(played).turns[-1]
    return round(verdict["lost"], 6) if verdict.get("lost_is") == "exact" else None


def _question(kind: str, rules: Rules, history: History, reply: tuple[int, ...]) -> str:
    names = ", ".join(rules.numbers)
    board = f"{rules.cells} pegs and {rules.colors} colors" if len(rules.lines) == 1 else f"the rules {rules}"
    repeats = "colors may repeat" if rules.repeats else "colors do not repeat"
    turns = "; ".join(history.texts)
    position = f"In a game of Mastermind with {board} ({repeats}), these guesses were answered as guess={names}: {turns}. "
    return position + {
        "remaining": "Which codes fit all answers? Give every one.",
        "best": "Which guess needs the fewest guesses on average from here on? Give one.",
        "lost": f"How many guesses does the guess {rules.notation(reply)} lose on average against the best guess, if both continue "
        "with best play?",
    }[kind]


def check(task: dict[str, Any], reply: Any) -> float:
    """Returns a score from 0 to 1.

    ``remaining``: Jaccard index of the lists; ``best``: 1 if the guess is one of the best; ``lost``: 1 if the number is right to
    three digits.
    """
    answer = task["answer"]
    if task["kind"] == "lost":
        try:
            return float(abs(float(reply) - answer) < 0.0005)
        except (TypeError, ValueError):
            return 0.0
    rules = Rules(task["rules"])

    def codes(given: Any) -> set[str]:
        listed = [given] if isinstance(given, str) else list(given)
        read = set()
        for one in listed:
            try:
                read.add(rules.notation(one))
            except PegwiseError:
                read.add(f"no code: {one}")
        return read

    given, right = codes(reply), codes(answer)
    if task["kind"] == "best":
        return float(bool(given) and given <= right)
    return len(given & right) / len(given | right)


def main(arguments: list[str] | None = None) -> int:
    """Writes tasks as JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m pegwise.tasks", description="Positions with exact answers, as JSON lines.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--rules", default="4x6")
    parser.add_argument("--difficulty", choices=DIFFICULTIES, default="easy")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args(arguments)
    try:
        tasks = each(wanted.kind, rules=wanted.rules, difficulty=wanted.difficulty, seed=wanted.seed)
        for _ in range(wanted.count):
            print(json.dumps(next(tasks)))
    except PegwiseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

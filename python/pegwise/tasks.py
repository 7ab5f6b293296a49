"""Positions with exact answers, for evaluating solvers and language models.

>>> from pegwise import tasks
>>> task = tasks.make("remaining", count=1, seed=3)[0]
>>> task["question"][:48]
'In this game of Mastermind, the secret code has '
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
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from ._coach import analyze
from ._describe import describe
from ._native import Codes, History, PegwiseError, Rules, Strategy, best_guesses

__all__ = ["DIFFICULTIES", "KINDS", "check", "each", "make"]

#: Kinds of tasks.
KINDS = ("remaining", "best", "lost")
#: Maximum number of codes of a space that is searched completely; in larger ones only positions with few codes are.
SEARCHED = 4096
#: Maximum share of the consistent codes that are right in ``best``: otherwise any of them would do.
MAX_CHANCE = 0.5
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
    rules = Rules(rules)
    rules.codes()
    if kind != "remaining" and (rules.size or 0) > SEARCHED and (difficulty == "hard" or len(rules.lines) > 1 or rules.lies):
        raise PegwiseError(f"{kind} tasks of {rules} are easy or medium, on a single row without lies: others have no exact answers")
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
    # Share of the consistent codes that are right: the score of a guess at random among them.
    consistent = {rules.notation(code) for code in history.codes()}
    chance_right = len(consistent.intersection(answer)) / len(consistent) if kind == "best" else 0.0
    if chance_right > MAX_CHANCE:
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
    if kind == "best":
        task["chance"] = round(chance_right, 3)
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
        return [rules.notation(code) for code in history.codes()]
    if (rules.size or 0) > SEARCHED:
        return _searched(kind, rules, history.codes(), reply)
    if kind == "best":
        best = best_guesses(rules, history)
        return best and sorted(rules.notation(guess) for guess in best)
    played = history.copy()
    left = history.codes()
    answer = rules.score(reply, left[0])
    played.push(reply, answer)
    verdict = analyze(played).turns[-1]
    return round(verdict["lost"], 6) if verdict.get("lost_is") == "exact" else None


def _searched(kind: str, rules: Rules, left: Codes, reply: tuple[int, ...]) -> Any:
    """Returns the answer by comparing all guesses, for a position with few codes of a large space."""
    search = _Search(rules)
    codes = tuple(rules.rank(code) for code in left)
    if kind == "lost":
        parts = search.parts(codes, Codes(rules, [reply]))[0]
        return round((search.total(parts) - search.least(codes)) / len(codes), 6)
    best, all_codes = search.least(codes), rules.codes()
    found = [row for row, parts in enumerate(search.parts(codes, all_codes)) if search.bound(parts) <= best == search.total(parts)]
    return [rules.notation(all_codes[row]) for row in found]


class _Search:
    """Least totals of guesses over sets of codes, which are given by their indices."""

    def __init__(self, rules: Rules):
        self.rules, self.codes = rules, rules.codes()
        self.won = next(number for number, mark in rules.marks.items() if mark == rules.score(self.codes[0], self.codes[0]))
        self.known: dict[tuple[int, ...], int] = {}

    def parts(self, codes: tuple[int, ...], guesses: Codes) -> list[list[tuple[int, ...]]]:
        """Returns for each guess the parts of the codes; the first one holds the guess itself, or nothing."""
        rows = Codes(self.rules, [self.codes[code] for code in codes]).matrix(guesses)
        known: dict[bytes, list[tuple[int, ...]]] = {}
        for row in rows:
            if row.tobytes() not in known:
                parts: dict[int, list[int]] = {self.won: []}
                for mark, code in zip(row.tolist(), codes):
                    parts.setdefault(mark, []).append(code)
                known[row.tobytes()] = list(map(tuple, parts.values()))
        return [known[row.tobytes()] for row in rows]

    def bound(self, parts: list[tuple[int, ...]]) -> int:
        """Returns a lower bound on the total: every part is split completely by one of its codes."""
        return sum(map(len, parts)) + sum(2 * len(part) - 1 for part in parts[1:])

    def total(self, parts: list[tuple[int, ...]]) -> int:
        """Returns the least total after a guess."""
        return sum(map(len, parts)) + sum(map(self.least, parts[1:]))

    def least(self, codes: tuple[int, ...]) -> int:
        """Returns the least total of a set of codes."""
        if len(codes) < 3:
            return 2 * len(codes) - 1
        if codes not in self.known:
            best = 1 << 30
            own = Codes(self.rules, [self.codes[code] for code in codes])
            # Most sets are split completely by one of their codes, which no other guess can better.
            for guesses in (own, self.codes):
                for parts in sorted({tuple(parts) for parts in self.parts(codes, guesses)}, key=lambda one: self.bound([*one])):
                    if self.bound([*parts]) >= best:
                        break
                    if parts[1:] != (codes,):
                        best = min(best, self.total([*parts]))
                if best == 2 * len(codes) - 1:
                    break
            self.known[codes] = best
        return self.known[codes]


def _question(kind: str, rules: Rules, history: History, reply: tuple[int, ...]) -> str:
    turns = "; ".join(history.texts)
    return f"{describe(rules)} These guesses were answered as guess={', '.join(rules.numbers)}: {turns}. " + {
        "remaining": "Which codes fit all answers? Give every one.",
        "best": "Which guess needs the fewest guesses on average from here on? Give one.",
        "lost": f"How many guesses does the guess {rules.notation(reply)} lose on average against the best guess, if both continue "
        "with best play?",
    }[kind]


def check(task: dict[str, Any], reply: Any) -> float:
    """Returns a score from 0 to 1.

    A reply is a code or a number, a list or an array of them, or a sentence in which they are found. ``remaining``: Jaccard index
    of the lists; ``best``: 1 if the reply is one guess, and one of the best; ``lost``: 1 if the number is right to three digits.

    >>> from pegwise import tasks
    >>> task = {"kind": "best", "rules": "4x6", "answer": ["1216"]}
    >>> tasks.check(task, "The best guess is 1216."), tasks.check(task, (1, 2, 1, 6)), tasks.check(task, ["1216", "1234"])
    (1.0, 1.0, 0.0)
    """
    answer = task["answer"]
    if task["kind"] == "lost":
        numbers = set(re.findall(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", str(reply)))
        return float(len(numbers) == 1 and abs(float(numbers.pop()) - answer) < 0.0005)
    rules = Rules(task["rules"])
    given, right = set(codes_in(rules, reply)), set(answer)
    if task["kind"] == "best":
        return float(len(given) == 1 and given <= right)
    return len(given & right) / len(given | right)


def codes_in(rules: Rules, reply: Any) -> list[str]:
    """Returns the codes in a reply, in notation: a code, a list or an array of them, or a sentence.

    Anything else that was clearly meant as a code is included as it was written, so that it counts as wrong.
    """
    if not isinstance(reply, str):
        if not isinstance(reply, Iterable):
            return [f"no code: {reply}"]
        listed = reply.tolist() if hasattr(reply, "tolist") else list(reply)
        if listed and all(isinstance(one, int) for one in listed):
            return [_notation(rules, listed)]
        return [code for one in listed for code in codes_in(rules, one)]
    whole = _notation(rules, reply.strip())
    if not whole.startswith("no code"):
        return [whole]
    found = []
    # Digits or letters, together or separated as in "1, 2, 1, 6" and "1 2 1 6".
    for run in re.findall(r"(?<![\w.])(?:\d+(?:[ ,-]+\d+)+|\w+)(?![\w])", reply):
        colors = [int(color) for color in re.findall(r"\d+", run)]
        if len(colors) > 1 and len(colors) == rules.cells:
            found.append(_notation(rules, colors))
        else:
            found += [_notation(rules, word) for word in re.findall(r"\w+", run) if _is_like_a_code(rules, word)]
    return found or ["no code"]


def _is_like_a_code(rules: Rules, word: str) -> bool:
    """Returns true for a word that is a code, or digits of about its length."""
    upper = rules.notation(rules.draw(0)).isalpha()
    return len(word) == rules.cells and word.isupper() if upper else word.isdigit() and len(word) >= rules.cells - 1 > 0


def _notation(rules: Rules, code: Any) -> str:
    try:
        return rules.notation(code)
    except PegwiseError:
        return f"no code: {code}"


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

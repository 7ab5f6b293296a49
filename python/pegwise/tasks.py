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
- ``consistent``: is this code consistent with all answers?
- ``mend``: one answer was written down wrongly; which turn may it be? Every turn without which some code is consistent is right.

The difficulty is the number of consistent codes: ``easy`` 2 to 5, ``medium`` 6 to 15, ``hard`` 16 to 40; of ``consistent`` and
``mend`` it is the number of turns: 3, 5 or 7. A code that is not consistent contradicts a single turn.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

from ._coach import analyze
from ._describe import describe
from ._native import Codes, History, PegwiseError, Rules, Strategy, best_guesses
from ._replies import codes_in, example, marked, parse

__all__ = ["DIFFICULTIES", "KINDS", "check", "each", "make"]

#: Kinds of tasks.
KINDS = ("remaining", "best", "lost", "consistent", "mend")
#: Maximum number of codes of a space that is searched completely; in larger ones only positions with few codes are.
SEARCHED = 4096
#: Maximum share of the consistent codes that are right in ``best``: otherwise any of them would do.
MAX_CHANCE = 0.5
#: Range of the number of consistent codes.
DIFFICULTIES = {"easy": (2, 5), "medium": (6, 15), "hard": (16, 40)}
#: Number of turns of tasks about single answers.
TURNS = {"easy": 3, "medium": 5, "hard": 7}


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
    if kind in ("consistent", "mend") and rules.lies:
        raise PegwiseError(f"{kind} tasks need truthful answers; leave out the lies of {rules}")
    if kind in ("best", "lost") and (rules.size or 0) > SEARCHED and (difficulty == "hard" or len(rules.lines) > 1 or rules.lies):
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
    if kind in ("consistent", "mend"):
        made = (_consistent if kind == "consistent" else _mend)(rules, chance, TURNS[difficulty])
        if made is None:
            return None
        played, reply, answer = made
        task = _fields(kind, rules, difficulty, seed, number, played)
        return {**task, "question": _question(kind, rules, played, reply), "answer": answer}
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
    task = _fields(kind, rules, difficulty, seed, number, history)
    if kind == "lost":
        task["reply"] = rules.notation(reply)
    if kind == "best":
        task["chance"] = round(chance_right, 3)
    return {**task, "question": _question(kind, rules, history, reply), "answer": answer}


def _fields(kind: str, rules: Rules, difficulty: str, seed: int, number: int, history: History) -> dict[str, Any]:
    return {
        "id": f"{kind}/{rules}/{difficulty}/{seed}/{number}",
        "kind": kind,
        "rules": str(rules),
        "difficulty": difficulty,
        "turns": history.texts,
        "left": len(history.codes()),
    }


def _random_turns(rules: Rules, chance: random.Random, count: int) -> History | None:
    """Plays random codes other than the secret."""
    secret = rules.draw(chance.getrandbits(63))
    history = History(rules)
    codes = rules.codes()
    for row in chance.sample(range(len(codes)), min(count, len(codes))):
        guess = codes[row]
        history.push(guess, rules.score(guess, secret))
        if history.solved:
            return None
    return history if len(history) == count else None


def _without(history: History, turn: int) -> History:
    """Returns the history without one turn."""
    return History(history.rules, [one for number, one in enumerate(history.turns) if number != turn])


def _consistent(rules: Rules, chance: random.Random, turns: int) -> tuple[History, tuple[int, ...], str] | None:
    history = _random_turns(rules, chance, turns)
    if history is None:
        return None
    if chance.random() < 0.5:
        return history, chance.choice(history.codes()), "yes"
    turn = chance.randrange(turns)
    wrong = [code for code in _without(history, turn).codes() if not history.is_consistent(code)]
    return (history, chance.choice(wrong), "no") if wrong else None


def _mend(rules: Rules, chance: random.Random, turns: int) -> tuple[History, tuple[int, ...], list[int]] | None:
    history = _random_turns(rules, chance, turns)
    if history is None:
        return None
    wrong = chance.randrange(turns)
    played = history.turns
    guess, truth = played[wrong]
    others = sorted({rules.score(guess, code) for code in rules.codes() if code != guess} - {truth})
    played[wrong] = (guess, chance.choice(others))
    history = History(rules, played)
    found = [turn + 1 for turn in range(turns) if len(_without(history, turn).codes())]
    is_hard = not len(history.codes()) and len(found) <= MAX_CHANCE * turns
    return (history, guess, found) if is_hard else None


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
    turns, code = "; ".join(history.texts), rules.notation(reply)
    return f"{describe(rules)} These guesses were answered as guess={', '.join(rules.numbers)}: {turns}. " + {
        "remaining": "Which codes fit all answers? Give every one.",
        "best": "Which guess needs the fewest guesses on average from here on? Give one.",
        "lost": f"How many guesses does the guess {code} lose on average against the best guess, if both continue "
        "with best play?",
        "consistent": f"Is the code {code} consistent with all answers?",
        "mend": "Exactly one of these answers was written down wrongly. Which turn may it be? Give the number of one such turn; the "
        "first is 1.",
    }[kind] + {
        "remaining": f' End with a line such as "Answer: {example(rules)}, {rules.notation(rules.draw(1))}".',
        "best": f' End with a line such as "Guess: {example(rules)}".',
        "lost": ' End with a line such as "Answer: 0.125".',
        "consistent": ' End with "Answer: yes" or "Answer: no".',
        "mend": ' End with a line such as "Answer: 2".',
    }[kind]


def check(task: dict[str, Any], reply: Any) -> float:
    """Returns a score from 0 to 1.

    A reply is a code or a number, a list or an array of them, or a sentence in which they are found. ``remaining``: Jaccard index
    of the lists; ``best``: 1 if the reply is one guess, and one of the best; ``lost``: 1 if the number is right to three digits;
    ``consistent``: yes or no; ``mend``: 1 for the number of a turn that may be wrong.

    >>> from pegwise import tasks
    >>> task = {"kind": "best", "rules": "4x6", "answer": ["1216"]}
    >>> tasks.check(task, "The best guess is 1216."), tasks.check(task, (1, 2, 1, 6)), tasks.check(task, ["1216", "1234"])
    (1.0, 1.0, 0.0)
    """
    answer, rules = task["answer"], Rules(task["rules"])
    if isinstance(reply, str):
        text, is_marked = marked(reply)
        if is_marked and task["kind"] == "best":
            guess = parse(rules, reply).guess
            return float(guess is not None and rules.notation(guess) in answer)
        reply = text
    if task["kind"] == "consistent":
        return float(set(re.findall(r"\b(?:yes|no)\b", str(reply).lower())) == {answer})
    if task["kind"] in ("lost", "mend"):
        numbers = set(map(float, re.findall(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", str(reply))))
        right = [answer] if task["kind"] == "lost" else answer
        return float(len(numbers) == 1 and any(abs(number - one) < 0.0005 for number in numbers for one in right))
    given, right = set(codes_in(rules, reply)), set(answer)
    if task["kind"] == "best":
        return float(len(given) == 1 and given <= right)
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

"""Tasks are reproducible, and their answers exact."""

import json
import math

import pytest

import pegwise
from pegwise import History, tasks


@pytest.mark.parametrize("difficulty", tasks.DIFFICULTIES)
def test_codes_left(difficulty):
    for task in tasks.make("remaining", difficulty=difficulty, count=5, seed=1):
        history = History(task["rules"], task["turns"])
        rules = history.rules
        assert task["answer"] == [rules.notation(code) for code in rules.codes() if history.is_consistent(code)]
        least, most = tasks.DIFFICULTIES[difficulty]
        assert least <= task["left"] == len(task["answer"]) <= most
        assert tasks.check(task, task["answer"]) == 1 and tasks.check(task, task["answer"][:1]) < 1
        assert tasks.check(task, ["nonsense"]) == 0


def cost(rules, codes):
    """Returns the smallest total over some codes by exhaustive search."""
    if len(codes) == 1:
        return 1
    best = None
    for guess in rules.codes():
        parts = {}
        for code in codes:
            parts.setdefault(rules.score(guess, code), []).append(code)
        if len(parts) == 1:
            continue
        total = len(codes) + sum(cost(rules, part) for part in parts.values() if part != [guess])
        best = total if best is None else min(best, total)
    return best


def after(rules, guess, left):
    """Returns the smallest total of a position after a guess by exhaustive search."""
    parts = {}
    for code in left:
        parts.setdefault(rules.score(guess, code), []).append(code)
    if len(parts) == 1 and left != [guess]:
        return math.inf
    return len(left) + sum(cost(rules, part) for part in parts.values() if part != [guess])


def test_best_guesses_are_those_of_an_exhaustive_search():
    for board, count in [("3x4", 8), ("3x5", 4)]:
        rules = pegwise.Rules(board)
        for task in tasks.make("best", rules=rules, count=count, seed=2):
            left = [tuple(code) for code in History(rules, task["turns"]).remaining().tolist()]
            totals = {rules.notation(guess): after(rules, tuple(guess), left) for guess in rules.codes()}
            assert task["answer"] == sorted(code for code, total in totals.items() if total == min(totals.values()))
            assert tasks.check(task, task["answer"][0]) == 1
    # More best replies than a hint lists.
    assert len(tasks.best_guesses("4x6", ["1111=2,0", "2222=0,0"])) == 72


def test_lost_guesses_are_those_of_an_exhaustive_search():
    rules = pegwise.Rules("3x4")
    for task in tasks.make("lost", rules=rules, count=4, seed=2):
        left = [tuple(code) for code in History(rules, task["turns"]).remaining().tolist()]
        guess = rules.code(task["reply"])
        parts = {}
        for code in left:
            parts.setdefault(rules.score(guess, code), []).append(code)
        if len(parts) == 1 and parts != {(3, 0): [guess]}:
            total = len(left) + cost(rules, left)
        else:
            total = len(left) + sum(cost(rules, part) for part in parts.values() if part != [guess])
        assert task["answer"] == pytest.approx((total - cost(rules, left)) / len(left), abs=1e-6)
        assert tasks.check(task, str(task["answer"])) == 1 and tasks.check(task, "many") == 0


def test_lines(capsys):
    assert tasks.main(["lost", "--count", "2", "--seed", "5"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == tasks.make("lost", count=2, seed=5)
    assert tasks.main(["lost", "--rules", "4x"]) == 2
    with pytest.raises(pegwise.PegwiseError, match="not a kind"):
        tasks.make("guess")

"""Tasks are reproducible, and their answers exact."""

import functools
import json

import numpy as np
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


def split(rules, guess, codes):
    """Returns the parts of some codes, without the guess."""
    parts = {}
    for code in codes:
        parts.setdefault(rules.score(guess, code), []).append(code)
    return [tuple(part) for part in parts.values() if part != [guess]]


@functools.cache
def cost(rules, codes):
    """Returns the smallest total over some codes by exhaustive search."""
    if len(codes) == 1:
        return 1
    splits = (split(rules, guess, codes) for guess in rules.codes())
    return min(len(codes) + sum(cost(rules, part) for part in parts) for parts in splits if parts != [codes])


def after(rules, guess, left):
    """Returns the smallest total of a position after a guess by exhaustive search."""
    return len(left) + sum(cost(rules, part) for part in split(rules, guess, left))


def test_best_guesses_are_those_of_an_exhaustive_search():
    for board, count in [("3x4", 8), ("3x5", 4)]:
        rules = pegwise.Rules(board)
        for task in tasks.make("best", rules=rules, count=count, seed=2):
            left = tuple(map(tuple, History(rules, task["turns"]).remaining().tolist()))
            totals = {rules.notation(guess): after(rules, tuple(guess), left) for guess in rules.codes()}
            assert task["answer"] == sorted(code for code, total in totals.items() if total == min(totals.values()))
            assert tasks.check(task, task["answer"][0]) == 1
            # A remaining code at random seldom wins.
            right = sum(rules.notation(code) in task["answer"] for code in left) / len(left)
            assert task["chance"] == round(right, 3) <= tasks.MAX_CHANCE
    # More best replies than a hint lists.
    assert len(tasks.best_guesses("4x6", ["1111=2,0", "2222=0,0"])) == 72


def test_lost_guesses_are_those_of_an_exhaustive_search():
    rules = pegwise.Rules("3x4")
    for task in tasks.make("lost", rules=rules, count=4, seed=2):
        left = tuple(map(tuple, History(rules, task["turns"]).remaining().tolist()))
        total = after(rules, rules.code(task["reply"]), left)
        assert task["answer"] == pytest.approx((total - cost(rules, left)) / len(left), abs=1e-6)
        assert tasks.check(task, str(task["answer"])) == 1 and tasks.check(task, "many") == 0


@pytest.mark.parametrize("rules", ["5x8", "4x9", "5x6"])
@pytest.mark.parametrize("kind", ["best", "lost"])
def test_large_spaces_have_exact_answers(kind, rules):
    """Compared with the guesses among which the best is found, by exhaustive search over the remaining codes."""
    for task in tasks.make(kind, rules=rules, count=1, seed=2):
        history = History(task["rules"], task["turns"])
        left = tuple(map(tuple, history.remaining().tolist()))
        search = tasks._Search(history.rules)
        least = search.least(tuple(history.rules.rank(code) for code in left))
        # The total with guesses among the remaining codes only is never smaller.
        assert least <= cost(Only(history.rules, left), left)
        assert kind == "lost" or task["chance"] <= tasks.MAX_CHANCE
    with pytest.raises(pegwise.PegwiseError, match="are easy or medium"):
        tasks.make(kind, rules=rules, difficulty="hard", count=1)


class Only:
    """Rules with few guesses."""

    def __init__(self, rules, guesses):
        self.score, self.guesses = rules.score, guesses

    def codes(self):
        return self.guesses


def test_replies_in_any_form():
    best = {"kind": "best", "rules": "4x6", "answer": ["1216", "1261"]}
    for reply in ("1216", "The best guess is 1216.", "1, 2, 1, 6", "I play 1 2 1 6!", (1, 2, 1, 6), [1, 2, 1, 6], ["1216"], np.array([1, 2, 1, 6])):
        assert tasks.check(best, reply) == 1, reply
    for reply in ("1216 or 1261", ["1216", "1261"], "1217", "", None, 3, "12166", "one two one six", [(1, 2, 1, 6), (6, 6, 6, 6)], object()):
        assert tasks.check(best, reply) == 0, reply
    left = {"kind": "remaining", "rules": "4x6", "answer": ["1216", "1261"]}
    for reply in ("1216, 1261", "The codes are 1216 and 1261.", np.array([[1, 2, 1, 6], [1, 2, 6, 1]]), [(1, 2, 1, 6), "1261"]):
        assert tasks.check(left, reply) == 1, reply
    assert tasks.check(left, "1216 and 1234") == pytest.approx(1 / 3)
    words = {"kind": "best", "rules": "4x10", "answer": ["AABC"]}
    assert tasks.check(words, "I would play AABC") == 1 and tasks.check(words, "AABD") == 0
    lost = {"kind": "lost", "rules": "4x6", "answer": 0.5}
    assert tasks.check(lost, "It loses 0.5 guesses.") == tasks.check(lost, 0.5) == 1 > tasks.check(lost, "0.5 or 0.6")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("3x4:lies=1", ["1 of the answers may be false"]),
        ("3x4:color-only", ["in any place", "in any order, wins"]),
        ("3x4:black-only", ["one number, black"]),
        ("3x4:no-repeats", ["at most once, in guesses too"]),
        ("grid:2x2x3", ["1 2; 3 4; 1 3; 2 4", "separated by slashes"]),
        ("4x10", ["written A to J"]),
        ("3x4:higher-lower", ["black and higher and lower"]),
    ],
)
def test_questions_state_the_rules(rules, words):
    question = tasks.make("remaining", rules=rules, count=1)[0]["question"]
    assert all(word in question for word in words), question


def test_lines(capsys):
    assert tasks.main(["lost", "--count", "2", "--seed", "5"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == tasks.make("lost", count=2, seed=5)
    assert tasks.main(["lost", "--rules", "4x"]) == 2
    with pytest.raises(pegwise.PegwiseError, match="not a kind"):
        tasks.make("guess")

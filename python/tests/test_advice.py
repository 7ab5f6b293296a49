"""Equivalent positions get the same advice, from every part of the package, and best guesses are those of an exhaustive search."""

import json
import os
import random

import brute_force
import pytest

import pegwise
from pegwise import History, Rules, tasks

BOARDS = ("4x6", "4x7", "4x8", "5x6", "5x8", "6x9", "4x10:no-repeats", "5x8:no-repeats", "4x6:black-only", "4x6:per-cell", "4x5:higher-lower", "grid:2x2x4")
#: Kinds of feedback under which the cells of a row are not interchangeable: they are marked one by one, or from the left.
ORDERED = ("per-cell", "grid")
#: Kinds of feedback that compare the numbers of colors.
NUMBERED = ("higher-lower",)
#: Positions per board.
POSITIONS = int(os.environ.get("PEGWISE_POSITIONS", 1))


def positions(rules, seed):
    """Yields random positions of unfinished games."""
    chance = random.Random(f"{rules} {seed}")
    while True:
        secret = rules.draw(chance.getrandbits(63))
        guesses = [rules.draw(chance.getrandbits(63)) for _ in range(chance.randint(1, 4))]
        if secret not in guesses:
            yield History(rules, [(guess, rules.score(guess, secret)) for guess in guesses]), chance


def image(history, chance):
    """Returns an equivalent position, and the map of codes: colors and cells are permuted, and turns reordered and repeated."""
    rules = history.rules
    cells, colors = list(range(rules.cells)), list(range(1, rules.colors + 1))
    if not any(name in str(rules) for name in ORDERED):
        chance.shuffle(cells)
    if not any(name in str(rules) for name in NUMBERED):
        chance.shuffle(colors)

    def code(given):
        return tuple(colors[given[cell] - 1] for cell in cells)

    turns = [(code(guess), answer) for guess, answer in history.turns]
    turns.append(turns[0])
    chance.shuffle(turns)
    return History(rules, turns), code


@pytest.mark.parametrize("board", BOARDS)
def test_equivalent_positions_get_the_same_advice(board, command):
    rules = Rules(board)
    for _, (history, chance) in zip(range(POSITIONS), positions(rules, 1)):
        other, code = image(history, chance)
        hints = [pegwise.hint(position, seed=seed) for seed, position in enumerate((history, other))]
        one, two = hints
        assert (one.remaining, one.basis, one.why) == (two.remaining, two.basis, two.why), history
        value = ("rank", "score", "expected_remaining", "lost", "consistent")
        for own, others in zip([one.rated, *one.alternatives], [two.rated, *two.alternatives]):
            # A proven tree plays any of the best guesses.
            if one.basis != "proven":
                assert [own.get(name) for name in value] == pytest.approx([others.get(name) for name in value]), history
        assert pegwise.hint(history, alternatives=0).guess == one.guess
        assert list(pegwise.strategy("adaptive", seed=9).next_guess(history)) == one.guess
        printed = json.loads(command("hint", rules, *history.texts, "--json"))
        assert (printed["guess"], printed["alternatives"]) == (one.guess, one.alternatives)
        best = [pegwise.best_guesses(position) for position in (history, other)]
        if best[0] is not None:
            assert sorted(code(guess) for guess in best[0]) == sorted(map(tuple, best[1])), history
            assert one.rated["lost"] != 0 or one.guess in best[0]


@pytest.mark.parametrize("board", ["4x6", "4x7", "5x6"])
def test_hints_for_few_codes_are_optimal(board):
    rules, checked = Rules(board), 0
    for history, _ in positions(rules, 2):
        if len(history.codes()) <= 40:
            best = brute_force.BruteForce(rules.cells, rules.colors, history.turns).best()
            assert rules.notation(pegwise.hint(history).guess) in best
            assert [rules.notation(guess) for guess in pegwise.best_guesses(history)] == sorted(
                best, key=lambda guess: (not history.is_consistent(guess), guess)
            )
            checked += 1
        if checked == POSITIONS:
            break


@pytest.mark.parametrize("rules", ["3x5", "4x6", "4x8"])
@pytest.mark.parametrize("difficulty", tasks.DIFFICULTIES)
def test_every_best_guess_is_accepted(rules, difficulty):
    """``brute_force.py`` checks any number of tasks."""
    assert brute_force.check(rules, difficulty, 3, seed=4) > 0

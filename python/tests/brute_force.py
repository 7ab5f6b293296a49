"""Best guesses of a row with black and white pegs by exhaustive search, written without the package, as a check of its answers.

``python python/tests/brute_force.py 2000`` compares as many ``best`` tasks with it.
"""

import itertools
import sys

import numpy as np


class BruteForce:
    """Least totals of sets of the codes that are left at a position."""

    def __init__(self, cells, colors, turns):
        self.cells, self.colors = cells, colors
        self.guesses = np.array(list(itertools.product(range(1, colors + 1), repeat=cells)), np.int8)
        left = self.guesses
        for guess, (black, white) in turns:
            left = left[self.marks(np.array([guess], np.int8), left)[0] == black * (cells + 1) + white]
        self.left = left
        self.table = self.marks(self.guesses, left)
        self.totals = {}

    def marks(self, guesses, codes):
        """Returns ``black * (cells + 1) + white`` of each guess and code."""
        black = sum((guesses[:, None, cell] == codes[None, :, cell]).astype(np.int16) for cell in range(self.cells))
        both = sum(
            np.minimum((guesses == color).sum(1)[:, None], (codes == color).sum(1)[None, :]) for color in range(1, self.colors + 1)
        )
        return (black * self.cells + both).astype(np.int16)

    def parts(self, guess, codes):
        """Returns the codes by the mark of a guess, without the guess itself."""
        parts = {}
        for code in codes:
            parts.setdefault(int(self.table[guess, code]), []).append(code)
        parts.pop(self.cells * (self.cells + 1), None)
        return [tuple(part) for part in parts.values()]

    def bounds(self, codes):
        """Returns a lower bound of the total after each guess: every part is split completely by one of its codes."""
        marks = np.sort(self.table[:, codes], axis=1)
        wins = (marks == self.cells * (self.cells + 1)).sum(1)
        parts = 1 + (np.diff(marks, axis=1) != 0).sum(1) - wins
        return len(codes) + 2 * (len(codes) - wins) - parts

    def after(self, guess, codes):
        """Returns the least total after a guess; infinite if it is uninformative."""
        parts = self.parts(guess, codes)
        if parts == [codes]:
            return float("inf")
        return len(codes) + sum(map(self.least, parts))

    def least(self, codes):
        """Returns the least total of a set of codes."""
        if len(codes) < 3:
            return 2 * len(codes) - 1
        if codes not in self.totals:
            best, bounds = float("inf"), self.bounds(list(codes))
            for guess in np.argsort(bounds, kind="stable"):
                if bounds[guess] >= best:
                    break
                best = min(best, self.after(guess, codes))
            self.totals[codes] = best
        return self.totals[codes]

    def best(self):
        """Returns every guess of least total."""
        codes = tuple(range(len(self.left)))
        least, known, best = self.least(codes), {}, []
        for guess in np.flatnonzero(self.bounds(list(codes)) <= least):
            parts = frozenset(self.parts(guess, codes))
            if parts not in known:
                known[parts] = self.after(guess, codes)
            if known[parts] == least:
                best.append("".join(map(str, self.guesses[guess])))
        return best


def check(rules, difficulty, count, seed=0):
    """Panics unless the accepted answers of tasks are the best guesses. Returns the number of answers."""
    from pegwise import History, tasks

    cells, colors = map(int, rules.split("x"))
    answers = 0
    for task in tasks.make("best", rules=rules, difficulty=difficulty, count=count, seed=seed):
        best = BruteForce(cells, colors, History(rules, task["turns"]).turns).best()
        assert task["answer"] == best, task["id"]
        answers += len(best)
    return answers


def main(count):
    """Checks ``count`` tasks, evenly from three boards and all difficulties."""
    kinds = list(itertools.product(("3x5", "4x6", "4x8"), ("easy", "medium", "hard")))
    for place, (rules, difficulty) in enumerate(kinds):
        share = count // len(kinds) + (place < count % len(kinds))
        answers = check(rules, difficulty, share)
        print(f"{rules} {difficulty}: {share} tasks, {answers} best guesses, all as found by exhaustive search", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))

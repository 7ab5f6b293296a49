"""Plays, solves and analyzes generalized Mastermind.

>>> import pegwise
>>> rules = pegwise.Rules("4x6")
>>> rules.score("1122", "2123")
(2, 1)
>>> history = pegwise.History(rules, ["1122=1,1", "1344=0,2"])
>>> len(history.remaining())
37
>>> pegwise.hint(history).guess
[5, 1, 1, 3]
>>> pegwise.play("4x6", "knuth", secret="3632").guesses
5

Codes are strings (`'1122'`), colors from 1 (`(1, 1, 2, 2)`), or rows of NumPy arrays. Feedback is a tuple of numbers, `(black,
white)` in the classic game, or one tuple per line on boards of several lines. Rules, strategies and turns are written as on the
command line. Random choices depend only on a seed.

`pegwise.lab` runs experiments, `pegwise.env` has environments for Gymnasium, `pegwise.tasks` generates positions with exact answers,
`pegwise.evals` evaluates language models, and `pegwise.cluster` runs experiments on many machines.
"""

from __future__ import annotations

import os

from . import _draw, _native
from ._native import (
    CodeError,
    Codes,
    ContradictionError,
    FeedbackError,
    History,
    LabError,
    Optimum,
    PegwiseError,
    Rules,
    RulesError,
    Strategy,
    StrategyError,
    Tree,
    TreeError,
    __version__,
    score,
    strategies,
)
from ._coach import Analysis, Contradiction, Game, Hint, analyze, best_guesses, hint, mend, partition, play, remaining

__all__ = [
    "Analysis",
    "CodeError",
    "Codes",
    "Contradiction",
    "ContradictionError",
    "FeedbackError",
    "Game",
    "Hint",
    "History",
    "LabError",
    "Optimum",
    "PegwiseError",
    "Rules",
    "RulesError",
    "Strategy",
    "StrategyError",
    "Tree",
    "TreeError",
    "__version__",
    "analyze",
    "best_guesses",
    "hint",
    "mend",
    "partition",
    "play",
    "remaining",
    "score",
    "strategies",
    "strategy",
]

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.after_fork)

# Display in notebooks.
for _class, _drawn in ((Rules, _draw.board), (History, _draw.history), (Tree, _draw.tree)):
    setattr(_class, "_repr_html_", _drawn)


def strategy(spec: str, *, seed: int = 1) -> Strategy:
    """Returns a strategy of the catalog, with parameters as in ``entropy(bonus=2)``.

    >>> from pegwise import History, strategy
    >>> strategy("entropy(bonus=2)").next_guess(History("4x6"))
    (1, 2, 3, 4)
    """
    return Strategy(spec, seed=seed)


def _strategy_again(spec: str, seed: int) -> Strategy:
    return Strategy(spec, seed=seed)


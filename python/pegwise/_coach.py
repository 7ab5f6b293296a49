"""Hints, analyses and games: the JSON of the command as objects that display themselves in notebooks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _draw, _native
from ._native import Codes, History, Rules, RulesError, Strategy

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Answer(dict[str, Any]):
    """A JSON object of the command, with its fields as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no field '{name}'") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        """Returns the short fields; ``dict(...)`` shows all fields."""

        def is_short(value: Any) -> bool:
            return not isinstance(value, (str, list, dict)) or len(value) <= 12 and len(repr(value)) <= 60

        fields = ", ".join(f"{name}={value!r}" for name, value in self.items() if is_short(value))
        return f"<{type(self).__name__} {fields}>"


class Hint(Answer):
    """The next guess: ``guess``, ``basis``, ``remaining``, ``alternatives``, ``why`` and others."""

    guess: list[int]
    basis: str
    remaining: Any
    alternatives: list[dict[str, Any]]
    rated: dict[str, Any] | None
    why: str

    def _repr_html_(self) -> str:
        return _draw.hint(self)


class Analysis(Answer):
    """Rating of a game: ``turns``, ``lost``, ``skill``, ``luck``, ``others``, ``summary``.

    ``picture`` is an SVG plot of the remaining codes.
    """

    turns: list[dict[str, Any]]
    solved: bool
    lost: float | None
    summary: str
    picture: str

    def _repr_html_(self) -> str:
        return _draw.analysis(self)


class Contradiction(Answer):
    """A contradiction: ``turns`` that cannot all be true, and ``repairs``."""

    turns: list[list[int]]
    repairs: list[dict[str, Any]]


class Game(Answer):
    """A played game: ``secret``, ``solved``, ``guesses`` and ``turns``."""

    secret: list[int]
    solved: bool
    guesses: int
    failure: str | None
    turns: list[dict[str, Any]]

    @property
    def history(self) -> History:
        """The turns."""
        return History(self["rules"], [(turn["guess"], _numbers(turn["feedback"])) for turn in self["turns"]])

    def _repr_html_(self) -> str:
        return _draw.game(self)


def _numbers(feedback: list[dict[str, Any]]) -> Any:
    """Returns the numbers of feedback in JSON."""
    marks = [tuple(mark["cells"]) if "cells" in mark else tuple(mark.values()) for mark in feedback]
    return marks[0] if len(marks) == 1 else marks


def _rules_and_turns(given: History | Rules | str, turns: Any) -> tuple[Rules | str, Any]:
    """Returns the rules and turns of a history, or the given rules and turns."""
    if isinstance(given, History):
        if turns is not None:
            raise TypeError("give a history, or rules and turns")
        return given.rules, given
    return given, [] if turns is None else turns


def hint(
    rules: History | Rules | str = "4x6",
    turns: Iterable[Any] | None = None,
    *,
    strategy: Any = "adaptive",
    seed: int | None = None,
    alternatives: int = 5,
    time_limit: float | None = None,
) -> Hint:
    """Finds the next guess from any position, like ``pegwise hint``.

    Give a history, or rules and turns, with a question mark for anything forgotten, as in ``'11?2=1,?'``. The strategy is one of
    the catalog, by name or as a :class:`Strategy`, or your own (:func:`pegwise.lab.own`). ``seed`` decides random choices; the
    default is that of the strategy, or 1. ``alternatives`` is the number of other guesses to rate, and ``time_limit`` is in seconds.

    >>> import pegwise
    >>> found = pegwise.hint("4x6", ["1122=1,1", "1344=0,2"], strategy="knuth")
    >>> found.guess, found.remaining
    ([3, 5, 1, 1], 37)
    >>> pegwise.hint("4x6", ["1122=0,0", "3344=0,1", "5566=0,0"])
    Traceback (most recent call last):
    ...
    pegwise.ContradictionError: no code fits: turns 1, 2 and 3 cannot all be true
    """
    played, turns = _rules_and_turns(rules, turns)
    seed = _seed(strategy, seed)
    with _named(strategy) as name:
        return Hint(_native.hint(played, turns, name, seed, alternatives, time_limit))


def best_guesses(rules: History | Rules | str = "4x6", turns: Iterable[Any] | None = None) -> list[list[int]] | None:
    """Returns every guess that loses nothing after a history, or after ``rules`` and ``turns``: codes that can be the secret first.
    None if the position cannot be searched completely.

    >>> import pegwise
    >>> len(pegwise.best_guesses("4x6", ["1111=2,0", "2222=0,0"]))
    72
    """
    played, turns = _rules_and_turns(rules, turns)
    return _native.best_guesses(played, turns)


def _seed(strategy: Any, seed: int | None) -> int:
    """Returns the given seed, or that of a strategy, or 1."""
    return seed if seed is not None else strategy.seed if isinstance(strategy, Strategy) else 1


@contextlib.contextmanager
def _named(strategy: Any) -> Iterator[str]:
    """Yields the name of a strategy, which is registered meanwhile."""
    if isinstance(strategy, str):
        yield strategy
    else:
        from .lab import using

        with using([strategy]) as (names, _):
            yield names[0]


def analyze(
    rules: History | Rules | str,
    turns: Iterable[Any] | None = None,
    *,
    secret: Any = None,
    seed: int = 1,
    time_limit: float = 2.0,
) -> Analysis:
    """Rates each guess of a game, like ``pegwise analyze``.

    Give a history, or ``rules`` and ``turns``, which may be guesses alone if the ``secret`` is given. ``seed`` decides which games are
    sampled where exact values take too long, and ``time_limit`` is in seconds.

    >>> import pegwise
    >>> analysis = pegwise.analyze("4x6", ["1122", "1344", "3526", "1462", "3632"], secret="3632")
    >>> analysis.solved, [turn["after"] for turn in analysis.turns]
    (True, [256, 44, 7, 1, 0])
    """
    played, turns = _rules_and_turns(rules, turns)
    fields, picture = _native.analyze(played, turns, secret, seed, time_limit)
    analysis = Analysis(fields)
    object.__setattr__(analysis, "picture", picture)
    return analysis


def mend(
    rules: History | Rules | str, turns: Iterable[Any] | None = None, *, time_limit: float | None = None
) -> Contradiction | None:
    """Explains turns with which no code is consistent; None if some code is.

    Give a history, or ``rules`` and ``turns``; ``time_limit`` is in seconds.

    >>> import pegwise
    >>> pegwise.mend("4x6", ["1122=0,0", "3344=0,1", "5566=0,0"]).turns
    [[1, 2, 3]]
    >>> pegwise.mend("4x6", ["1122=0,0"])
    """
    played, turns = _rules_and_turns(rules, turns)
    found = _native.mend(played, turns, time_limit)
    return None if found is None else Contradiction(found)


def play(
    rules: Rules | str = "4x6",
    strategy: Any = "adaptive",
    *,
    secret: Any = None,
    seed: int = 1,
    time_limit: float | None = None,
) -> Game:
    """Plays a game, like ``pegwise solve``.

    The strategy is one of the catalog, by name or as a :class:`Strategy`, or your own (:func:`pegwise.lab.own`). ``secret`` is the
    code to find; the default depends on ``seed`` and the rules. A :class:`Strategy` plays with its own seed, any other strategy
    with ``seed``. ``time_limit`` is in seconds per guess.

    >>> import pegwise
    >>> game = pegwise.play("4x6", "knuth", secret="3632")
    >>> game.solved, game.guesses, game.history.texts[0]
    (True, 5, '1122=1,0')
    """
    with _named(strategy) as name:
        own_seed = strategy.seed if isinstance(strategy, Strategy) else None
        return Game(_native.play(rules, name, secret, seed, own_seed, time_limit))


def remaining(rules: History | Rules | str, turns: Iterable[Any] | None = None) -> npt.NDArray[np.uint8]:
    """Returns the codes left after a history, or after ``rules`` and ``turns``, in order, one row each: those that are consistent, and
    none once the code is found.

    >>> import pegwise
    >>> pegwise.remaining("4x6", ["1122=1,1", "1344=0,2"]).shape
    (37, 4)
    """
    played, turns = _rules_and_turns(rules, turns)
    if isinstance(turns, History):
        if turns.rules != Rules(played):
            raise RulesError(f"this history is for {turns.rules}, not for {played}")
        return turns.remaining()
    return History(played, turns).remaining()


def partition(guess: Any, codes: Codes | History) -> dict[tuple[Any, ...], npt.NDArray[np.uint32]]:
    """Partitions codes by a guess: the rows of the codes for each feedback.

    >>> import pegwise
    >>> parts = pegwise.partition("1122", pegwise.Codes("4x6"))
    >>> len(parts), max(map(len, parts.values()))
    (13, 256)
    """
    return (codes.codes() if isinstance(codes, History) else codes).partition(guess)

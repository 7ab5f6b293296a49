"""Reproducible experiments, with data frames, plots and your own strategies.

>>> import os, tempfile
>>> from pegwise import lab
>>> folder = tempfile.TemporaryDirectory()
>>> store = os.path.join(folder.name, "duel.db")
>>> run = lab.run(lab.Experiment(strategies=["knuth", "entropy"], games=50, seed=7), store)
>>> run.games
100
>>> [(row["strategy"], row["guesses"]["mean"]) for row in lab.report(store).rows]
[('entropy', 4.54), ('knuth', 4.38)]
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import json
import os
import random
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import _identity, _native
from ._coach import Answer
from ._native import LabError, Rules, Strategy

__all__ = ["Experiment", "Own", "Report", "Run", "command", "export", "games", "merge", "own", "report", "run"]

#: Default time limit per guess of a Python strategy, in seconds.
PATIENCE = 30.0


@dataclass(frozen=True)
class Experiment:
    """Rules, strategies and secrets.

    ``games`` is a number of random secrets, or ``"all"`` for every code; ``secrets`` is a list of codes instead. ``seconds``,
    ``examined`` and ``nodes`` limit each guess. ``file`` is a TOML file with everything. A strategy is a string such as
    ``"entropy(bonus=[0|2])"``, a function from a history to a guess, a class with ``next_guess``, or :func:`command`.
    """

    rules: Any = "4x6"
    strategies: Any = ()
    games: int | str | None = None
    secrets: Iterable[Any] | None = None
    repeats: int = 1
    seed: int = 1
    seconds: float | None = None
    examined: int | None = None
    nodes: int | None = None
    file: str | os.PathLike[str] | None = None
    patience: float = field(default=PATIENCE, compare=False)

    def __post_init__(self) -> None:
        for name in ("rules", "strategies", "secrets"):
            # A generator can be read only once.
            if isinstance(getattr(self, name), Iterator):
                object.__setattr__(self, name, list(getattr(self, name)))

    def described(self) -> str:
        """Returns the experiment as JSON, after registering its strategies."""
        with self.ready() as (described, _):
            return described

    @contextlib.contextmanager
    def ready(self) -> Iterator[tuple[str, list[Own]]]:
        """Registers the strategies of the experiment, and yields it as JSON with its Python strategies."""
        if self.file is not None:
            yield json.dumps({"file": os.fspath(self.file)}), []
        else:
            with using(_several(self.strategies), self.patience) as (names, players):
                yield self._json(names), players

    def _json(self, strategies: list[str]) -> str:
        if self.games is None and self.secrets is None:
            raise LabError("give games, a number or 'all'; or give secrets")
        rules = [str(one) for one in _several(self.rules)]
        drawn = None if self.games in (None, "all") else self.games
        if drawn is not None and (not isinstance(drawn, int) or drawn < 1):
            raise LabError(f"{drawn!r} games cannot be played: give a number from 1 on, or 'all'")
        if not isinstance(self.repeats, int) or self.repeats < 1:
            raise LabError(f"repeats are 1 or more, not {self.repeats!r}")
        if not isinstance(self.seed, int) or not 0 <= self.seed < 1 << 64:
            raise LabError(f"a seed is a whole number from 0 to {(1 << 64) - 1}, not {self.seed!r}")
        secrets = self.secrets
        if secrets is not None:
            notation = Rules(rules[0]).notation
            secrets = [code if isinstance(code, str) else notation(code) for code in secrets]
        same = {name: getattr(self, name) for name in ("repeats", "seed", "seconds", "examined", "nodes")}
        try:
            return json.dumps({"rules": rules, "strategies": strategies, "games": drawn, "secrets": secrets, **same})
        except TypeError as error:
            raise LabError(f"not an experiment: {error}") from None

    def cells(self) -> list[dict[str, Any]]:
        """Returns every pair of rules and strategy with its number of games."""
        with self.ready() as (described, _):
            return _native.lab_plan(described)

    def with_strategies(self, *more: Any) -> Experiment:
        """Returns the experiment with more strategies."""
        return replace(self, strategies=[*_several(self.strategies), *more])


def _several(given: Any) -> list[Any]:
    if isinstance(given, (str, Rules, Own, Strategy, _Command)) or callable(given):
        return [given]
    return list(given)


class Own:
    """A registered Python strategy. A store identifies it by its name and a hash of its code and attributes."""

    def __init__(
        self,
        player: Any,
        name: str | None = None,
        timeout: float = PATIENCE,
        fingerprint: int | None = None,
        version: str | None = None,
    ):
        self.player, self.timeout = player, timeout
        label = name or getattr(player, "__name__", None)
        if label is None:
            inner = getattr(player, "func", None)
            label = getattr(inner, "__name__", None) or type(player).__name__
        self.label: str = label
        if fingerprint is None:
            fingerprint = _identity.fingerprint(player if version is None else (label, version))
        self.fingerprint = fingerprint
        #: Traceback of the first exception with each message.
        self.tracebacks: dict[str, str] = {}
        self.name = self.register()

    def register(self) -> str:
        """Registers the strategy in this process and returns its name."""
        about = (inspect.getdoc(self.player) or "a strategy in Python").splitlines()[0]
        plain = _native.label(self.label) or "strategy"
        maker = _Maker(self.player, self.timeout, self.tracebacks)
        return _native.admit(f"python-{plain}", about, self.fingerprint, maker)

    def __repr__(self) -> str:
        return f"<{self.name}, identity {self.fingerprint:016x}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # On another machine its globals may be missing or different.
        return Own, (self.player, self.label, self.timeout, self.fingerprint)


class _Command:
    def __init__(self, text: str, timeout: float):
        self.name = _native.admit_command(text, timeout)

    def __repr__(self) -> str:
        return f"<{self.name}>"


def own(player: Any, name: str | None = None, *, timeout: float = PATIENCE, version: str | None = None) -> Own:
    """Registers a strategy: a function, or a class with ``next_guess``.

    A function takes a :class:`pegwise.History` and returns a guess; a second parameter is a ``random.Random``, seeded for each game.
    A class is constructed with the rules once per thread; ``new_game`` is called with a seed before each game if it exists.

    ``name`` replaces the name of the function or class; two different strategies in an experiment need different names.
    ``version`` replaces the hash of the code and attributes, by which a store recognizes a strategy that has changed; a strategy
    with a lock, file or connection needs one, or a store refuses it in the next process. An exception, an invalid code, or more than ``timeout`` seconds per guess loses the game and is reported.

    >>> from pegwise import lab, play
    >>> def lowest(history):
    ...     return history.remaining()[0]
    >>> play("4x6", lowest, secret="1122").guesses
    2
    """
    return player if isinstance(player, Own) else Own(player, name, timeout, version=version)


def command(text: str, *, timeout: float = PATIENCE) -> _Command:
    """Registers a program that speaks the engine protocol (``docs/engine-protocol.md``)."""
    return _Command(text, timeout)


def _ready(strategy: Any, timeout: float) -> str | Own:
    """Returns the name of a strategy, or a registered Python strategy."""
    if isinstance(strategy, str):
        return strategy
    if isinstance(strategy, Strategy):
        return strategy.spec
    if isinstance(strategy, _Command):
        return strategy.name
    if isinstance(strategy, Own) or callable(strategy) or hasattr(strategy, "next_guess"):
        return own(strategy, timeout=timeout)
    raise LabError(f"{strategy!r} is not a strategy: give a string, a function, or a class with next_guess")


#: Fingerprints and numbers of users of the Python strategies that play now, by name.
_used: dict[str, list[int]] = {}
_used_lock = threading.Lock()


@contextlib.contextmanager
def using(strategies: Iterable[Any], timeout: float = PATIENCE) -> Iterator[tuple[list[str], list[Own]]]:
    """Registers strategies while they play; yields their names, and the Python strategies among them.

    Two different Python strategies with one name are refused.
    """
    ready = [_ready(one, timeout) for one in strategies]
    players = [one for one in ready if isinstance(one, Own)]
    begun: list[str] = []
    try:
        with _used_lock:
            for one in players:
                entry = _used.setdefault(one.name, [one.fingerprint, 0])
                if entry[0] != one.fingerprint:
                    raise LabError(
                        f"two different strategies are named {one.name}; rename one, as in lab.own(strategy, name='other')"
                    )
                entry[1] += 1
                begun.append(one.name)
                one.register()
        yield [one if isinstance(one, str) else one.name for one in ready], players
    finally:
        with _used_lock:
            for name in begun:
                _used[name][1] -= 1
                if not _used[name][1]:
                    del _used[name]


class _Maker:
    """Constructs a player for rules: a function of the history, and of a seed in the first turn."""

    def __init__(self, player: Any, timeout: float, tracebacks: dict[str, str]):
        self.player, self.timeout, self.tracebacks = player, timeout, tracebacks

    def __call__(self, rules: Rules) -> Callable[[Any, int | None], Any]:
        player = self.player
        if inspect.isclass(player):
            make: Callable[..., Any] = player
            player = make(rules) if _parameters(make) else make()
        if hasattr(player, "next_guess"):
            begin = getattr(player, "new_game", None)

            def ask(history: Any, seed: int | None) -> Any:
                if seed is not None and begin is not None:
                    begin(seed)
                return player.next_guess(history)

        elif _parameters(player) >= 2:
            chance = random.Random()

            def ask(history: Any, seed: int | None) -> Any:
                if seed is not None:
                    chance.seed(seed)
                return player(history, chance)

        else:

            def ask(history: Any, seed: int | None) -> Any:
                return player(history)

        return _Watched(ask, self.timeout, self.tracebacks)


def _parameters(callable_: Any) -> int:
    """Returns the number of positional parameters."""
    try:
        parameters = inspect.signature(callable_).parameters.values()
    except (TypeError, ValueError):
        return 1
    return sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL) for one in parameters)


class TooSlow(Exception):
    """A guess took too long."""


class _Watched:
    """A player with a time limit per guess."""

    def __init__(self, ask: Callable[[Any, int | None], Any], timeout: float, tracebacks: dict[str, str]):
        self.ask, self.timeout, self.tracebacks = ask, timeout, tracebacks

    def __call__(self, history: Any, seed: int | None) -> Any:
        try:
            with _timeouts.limit(self.timeout):
                return self.ask(history, seed)
        except TooSlow:
            raise TooSlow(f"gave no answer in {self.timeout} s") from None
        except Exception as error:
            self.tracebacks.setdefault(f"{type(error).__name__}: {error}", traceback.format_exc())
            raise


class _Timeouts:
    """A thread that raises :class:`TooSlow` in players that exceed their limit."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.until: dict[int, float] = {}
        self.thread: threading.Thread | None = None

    def limit(self, timeout: float) -> _Limit:
        return _Limit(self, timeout)

    def end_all(self) -> None:
        """Ends all guesses that are being made."""
        with self.lock:
            self.until = dict.fromkeys(self.until, 0.0)

    def watch(self) -> None:
        while True:
            time.sleep(0.02)
            now = time.monotonic()
            with self.lock:
                for ident in [ident for ident, until in self.until.items() if now > until]:
                    del self.until[ident]
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(TooSlow))


class _Limit:
    __slots__ = ("ident", "outer", "timeout", "timeouts")

    def __init__(self, timeouts: _Timeouts, timeout: float):
        self.timeouts, self.timeout, self.ident = timeouts, timeout, threading.get_ident()

    def __enter__(self) -> None:
        timeouts = self.timeouts
        if timeouts.thread is None or not timeouts.thread.is_alive():
            with timeouts.lock:
                timeouts.thread = threading.Thread(target=timeouts.watch, name="pegwise-timeouts", daemon=True)
                timeouts.thread.start()
        # A strategy may play games with other strategies that have limits.
        with timeouts.lock:
            self.outer = timeouts.until.get(self.ident)
            until = time.monotonic() + self.timeout
            timeouts.until[self.ident] = until if self.outer is None else min(until, self.outer)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        with self.timeouts.lock:
            late = self.timeouts.until.pop(self.ident, None) is None
            if self.outer is not None:
                self.timeouts.until[self.ident] = self.outer
            if late:
                # A pending exception must not be raised in the next guess.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.ident), None)
        if late and (kind is None or issubclass(kind, Exception)):
            raise TooSlow


_timeouts = _Timeouts()


def _end_guesses() -> None:
    """Ends the guesses of all Python strategies, because of an interrupt."""
    _timeouts.end_all()


def _after_fork() -> None:
    """Replaces the locks, which another thread of the parent may have held."""
    global _timeouts, _used_lock
    _timeouts, _used_lock = _Timeouts(), threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Run(Answer):
    """Result of a run: its ``games`` in the store, ``played`` by this run, ``mean`` guesses, ``failures``, ``seconds``."""


def run(
    experiment: Experiment,
    store: str | os.PathLike[str],
    *,
    threads: int | None = None,
    shard: str = "1/1",
    allow_mixed: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Plays the games of an experiment that are missing in the store, like ``pegwise lab run``.

    Other rules or strategies, more games or more repeats extend the store.

    ``progress`` is called with the number of games done and of all games. An interrupted run resumes when it is run again.
    """
    with experiment.ready() as (described, players):
        run = Run(_native.lab_run(described, os.fspath(store), threads, shard, allow_mixed, progress))
    tracebacks = {player.name: player.tracebacks for player in players}
    for failure in run.failures:
        found = tracebacks.get(failure["strategy"], {}).get(failure["reason"])
        if found is not None:
            failure["traceback"] = found
    return run


def merge(store: str | os.PathLike[str], parts: Iterable[str | os.PathLike[str]], *, allow_mixed: bool = False) -> int:
    """Merges stores with the same seed, limits and secrets, and returns the number of games."""
    return _native.lab_merge(os.fspath(store), [os.fspath(part) for part in parts], allow_mixed)


class Plot:
    """A plot that displays itself in a notebook."""

    def __init__(self, figure: dict[str, Any]):
        self.name, self.title, self.kind = figure["name"], figure["title"], figure["kind"]
        self.rules: list[str] | str | None = figure["rules"]
        self.svg: str = figure["svg"]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot {self.name}: {self.title}>"


class Report(Answer):
    """Report of a store: ``rows``, ``boards``, ``conclusions``, ``unfinished``, ``failures``, and ``plots``."""

    @property
    def plots(self) -> dict[str, Plot]:
        """Plots by name."""
        return {figure["name"]: Plot(figure) for figure in self["figures"]}

    def frame(self, library: str = "pandas") -> Any:
        """Returns one row per strategy and rules, as a data frame of pandas or polars."""
        rows = []
        for row in self["rows"]:
            flat = {name: value for name, value in row.items() if not isinstance(value, dict)}
            for measure in ("guesses", "examined", "seconds"):
                for statistic, value in (row[measure] or {}).items():
                    if isinstance(value, list) and len(value) == 2:
                        flat[f"{measure}_{statistic}_low"], flat[f"{measure}_{statistic}_high"] = value
                    else:
                        flat[f"{measure}_{statistic}"] = value
            rows.append(flat)
        return _frame(rows, library)

    def _repr_html_(self) -> str:
        import base64

        page = base64.b64encode(self["html"].encode()).decode()
        return f'<iframe src="data:text/html;base64,{page}" width="100%" height="600" style="border:0"></iframe>'


def report(store: str | os.PathLike[str]) -> Report:
    """Summarizes a store, like ``pegwise lab report``."""
    return Report(_native.lab_report(os.fspath(store)))


def games(store: str | os.PathLike[str], library: str | None = "pandas") -> Any:
    """Returns every game of a store, as a data frame of pandas or polars, or with None as a dict of columns."""
    columns = _native.lab_games(os.fspath(store))
    return columns if library is None else _frame(columns, library)


def export(store: str | os.PathLike[str], to: str = "csv", *, times: bool = True) -> str:
    """Returns every game of a store as csv, pandas or jsonl, like ``pegwise lab export``."""
    return _native.lab_export(os.fspath(store), to, times)


def _frame(data: Any, library: str) -> Any:
    if library not in ("pandas", "polars"):
        raise LabError(f"'{library}' is not supported; use pandas or polars")
    try:
        module = __import__(library)
    except ImportError:
        raise LabError(f"{library} is not installed: pip install {library}") from None
    return module.DataFrame(data)

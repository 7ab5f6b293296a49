"""Gymnasium environments.

>>> import gymnasium, pegwise.env
>>> env = gymnasium.make("pegwise/Mastermind-v0", rules="4x6", max_guesses=10)
>>> seen, info = env.reset(seed=7)
>>> info["left"]
1296
>>> seen, reward, terminated, truncated, info = env.step([0, 0, 1, 1])
>>> seen["guesses"][0].tolist(), seen["feedback"][0].tolist(), info["left"]
([1, 1, 2, 2], [[0, 0]], 256)
>>> reward, round(info["bits"], 3)
(-1.0, 2.34)

An action is a color from 0 per cell, or with ``discrete=True`` the index of a code. An observation has the guesses with colors from 1
(0 is not played yet), the numbers of each mark, and the number of turns. The reward is -1 per guess. A game that is solved or out of
guesses is ``terminated``: both ends are part of the game, and the turn is observed. ``truncated`` is left to wrappers.

``info`` has ``left``, the number of codes left (none once the code is found), and ``bits``, the information gained, if there are at
most a million codes; with ``discrete=True`` also ``action_mask``, which is 1 for each consistent code; with ``lost=True`` also
``lost``, the guesses lost against the best action, and ``lost_is``; after the last guess, ``solved`` and ``secret``.

Under rules without repeats, a guess with a repeated color costs a turn and has no feedback.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _draw, _native
from ._coach import analyze
from ._native import History, Optimum, PegwiseError, Rules

__all__ = ["MastermindEnv", "MastermindVectorEnv"]

#: Maximum number of codes whose consistent ones are counted, and of actions with ``discrete=True``.
MAX_COUNTED, MAX_ACTIONS = 1 << 20, 1 << 16

Observation = dict[str, Any]
Action = Any


def _rules(given: Rules | str, max_guesses: int | None) -> tuple[Rules, int]:
    """Returns the rules, and the number of guesses of a game: as given, as in the rules, or 10."""
    rules = Rules(given)
    if rules.lies:
        raise PegwiseError("environments do not support lies")
    most = max_guesses if max_guesses is not None else rules.max_guesses or 10
    if not isinstance(most, int) or not 1 <= most <= 255:
        raise PegwiseError(f"a game has 1 to 255 guesses, not {most}")
    return rules, most


def _spaces(rules: Rules, most: int, discrete: bool) -> tuple[spaces.Dict, spaces.Space[Any]]:
    lines, width, highest = _marks(rules)
    seen = spaces.Dict(
        {
            "guesses": spaces.Box(0, rules.colors, (most, rules.cells), np.uint8 if rules.colors < 256 else np.uint16),
            "feedback": spaces.Box(0, highest, (most, lines, width), np.uint16),
            "turn": spaces.Discrete(most + 1),
        }
    )
    if not discrete:
        return seen, spaces.MultiDiscrete([rules.colors] * rules.cells)
    if rules.size is None or rules.size > MAX_ACTIONS:
        raise PegwiseError(f"discrete actions need at most {MAX_ACTIONS} codes; {rules} has more")
    return seen, spaces.Discrete(rules.size)


def _marks(rules: Rules) -> tuple[int, int, int]:
    """Returns the number of lines, the length of the longest mark, and its highest number."""
    first = rules.draw(0)
    answer = rules.score(first, first)
    marks = answer if answer and isinstance(answer[0], tuple) else (answer,)
    longest = max(map(len, rules.lines))
    far = longest * (rules.colors - 1) ** 2 if "distance" in rules.feedback or "city" in rules.feedback else 2 * longest
    return len(marks), max(map(len, marks)), min(max(far, 2), 65535)


def _integers(actions: Any, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Returns actions as an array of integers of this shape."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu" or given.shape != shape:
        raise PegwiseError(f"an action is an array of integers of shape {shape}, not {given.dtype} of shape {given.shape}")
    return np.ascontiguousarray(given, dtype=np.int64)


class MastermindEnv(gymnasium.Env[Observation, Action]):
    """One game at a time, with a random secret.

    ``max_guesses`` defaults to that of the rules, or 10. ``lost=True`` rates every guess, ``discrete=True`` numbers the actions.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        rules: Rules | str = "4x6",
        max_guesses: int | None = None,
        *,
        lost: bool = False,
        discrete: bool = False,
        render_mode: str | None = None,
    ):
        self.rules, self.max_guesses = _rules(rules, max_guesses)
        self.lost, self.discrete, self.render_mode = lost, discrete, render_mode
        self.observation_space, self.action_space = _spaces(self.rules, self.max_guesses, discrete)
        size = self.rules.size
        self.size = size if size is not None and size <= MAX_COUNTED else None
        try:
            self._optimum = Optimum(self.rules) if lost else None
        except PegwiseError:
            self._optimum = None
        self.history = History(self.rules)
        self.secret: tuple[int, ...] = ()
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Starts a game. ``options={"secret": code}`` sets the secret."""
        super().reset(seed=seed)
        secret = (options or {}).get("secret")
        drawn = self.rules.draw(int(self.np_random.integers(1 << 63)))
        self.secret = drawn if secret is None else self.rules.code(secret)
        self.history = History(self.rules)
        seen = self.observation_space
        assert isinstance(seen, spaces.Dict)
        self._guesses: npt.NDArray[Any] = np.zeros(seen["guesses"].shape or (), seen["guesses"].dtype)
        self._feedback = np.zeros(seen["feedback"].shape or (), np.uint16)
        self._turn, self._left, self._over = 0, self.size, False
        return self._seen(), self._info(0.0)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a guess."""
        if self._over:
            raise PegwiseError("no game is in progress: call reset() first")
        if self.discrete:
            number = int(_integers(action, ()).item())
            if not 0 <= number < (self.size or 0):
                raise PegwiseError(f"{number} is not an action; the actions are 0 to {(self.size or 0) - 1}")
            guess = self.rules.unrank(number)
        else:
            guess = tuple(int(color) + 1 for color in _integers(action, (self.rules.cells,)))
            if not all(1 <= color <= self.rules.colors for color in guess):
                raise PegwiseError(f"in actions the colors are 0 to {self.rules.colors - 1}; this one is {action}")
        place, before = self._turn, self._left
        self._turn += 1
        self._guesses[place] = guess
        info: dict[str, Any] = {}
        try:
            code = self.rules.code(guess)
        except PegwiseError as error:
            info["wrong"] = str(error)
        else:
            self._play(place, code, info)
        self._over = self.history.solved or self._turn >= self.max_guesses
        info.update(self._info(math.log2(before / max(self._left or 0, 1)) if before else 0.0))
        if self._over:
            info["secret"], info["solved"] = self.secret, self.history.solved
        return self._seen(), -1.0, self._over, False, info

    def _play(self, place: int, code: tuple[int, ...], info: dict[str, Any]) -> None:
        answer = self.rules.score(code, self.secret)
        marks = answer if answer and isinstance(answer[0], tuple) else (answer,)
        for line, mark in enumerate(marks):
            self._feedback[place, line, : len(mark)] = np.minimum(mark, 65535)
        self.history.push(code, answer)
        if self.size is not None:
            self._left = 0 if self.history.solved else len(self.history.codes())
        if self._optimum is not None:
            info["lost"], info["lost_is"] = self._optimum.grade(self.history)[-1]["lost"], "exact"
        elif self.lost:
            verdict = analyze(self.history).turns[-1]
            info["lost"], info["lost_is"] = verdict.get("lost"), verdict.get("lost_is")

    def _info(self, bits: float) -> dict[str, Any]:
        info: dict[str, Any] = {} if self.size is None else {"left": self._left, "bits": bits}
        if self.discrete:
            mask = np.zeros(self.size or 0, np.int8)
            mask[[self.rules.rank(code) for code in self.history.codes()] if len(self.history) else slice(None)] = 1
            info["action_mask"] = mask
        return info

    def _seen(self) -> Observation:
        return {"guesses": self._guesses.copy(), "feedback": self._feedback.copy(), "turn": np.int64(self._turn)}

    def render(self) -> Any:
        """Returns the turns as text or as SVG."""
        if self.render_mode == "ansi":
            return "\n".join(self.history.texts)
        if self.render_mode == "svg":
            return _draw.turns([(guess, str(answer), "") for guess, answer in self.history.turns])
        return None


class MastermindVectorEnv(VectorEnv[Observation, Action, npt.NDArray[Any]]):
    """Many games at once, each step on all cores. A finished game restarts with the next step.

    Each game draws its secrets from its own seed; ``seed`` starts them before the first ``reset``.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "4x6",
        max_guesses: int | None = None,
        *,
        discrete: bool = False,
        seed: int | None = None,
    ):
        self.rules, self.max_guesses = _rules(rules, max_guesses)
        # Checks the numbers before anything of their size is allocated.
        self._arena = _native.Arena(self.rules, num_envs, self.max_guesses)
        self.num_envs, self.discrete, self.render_mode = num_envs, discrete, None
        self.single_observation_space, self.single_action_space = _spaces(self.rules, self.max_guesses, discrete)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._codes = self.rules.codes().array().astype(np.int64) - 1 if discrete else None
        size = self.rules.size
        self._size = size if size is not None and size <= MAX_COUNTED else None
        self._begun = False
        self._first_seed = seed

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Restarts the games.

        Game ``i`` gets the seed ``seed + i``, or the one in a list of seeds. ``options={"secret": codes}`` sets the secrets: a code,
        or one per game; ``{"reset_mask": array}`` restarts only the games in which it is true.
        """
        if seed is None and not self._begun:
            seed = self._first_seed
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,) or not (self._begun or chosen.all()):
            raise PegwiseError(f"reset_mask is an array of {self.num_envs} booleans, all of them true in the first reset")
        if seed is None:
            seeds = None if self._begun else [int(one) for one in self.np_random.integers(1 << 62, size=self.num_envs)]
        elif isinstance(seed, int):
            seeds = [(seed + number) % (1 << 64) for number in range(self.num_envs)]
        else:
            seeds = [int(self.np_random.integers(1 << 62)) if one is None else one for one in seed]
        secret = (options or {}).get("secret")
        try:
            one = None if secret is None else self.rules.code(secret)
        except PegwiseError:
            one = None
        secrets = None if secret is None else [one] * self.num_envs if one is not None else list(secret)
        self._arena.begin(seeds, secrets, chosen.tolist())
        self._begun = True
        left = np.full(self.num_envs, self._size if self._size is not None else -1, np.int64)
        return self._arena.seen(), self._info(left, np.zeros(self.num_envs))

    def step(
        self, actions: Action
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Plays a guess in every game. Nothing is played if one of the actions is not in the action space."""
        if not self._begun:
            raise PegwiseError("no games are in progress: call reset() first")
        if self._codes is None:
            given = _integers(actions, (self.num_envs, self.rules.cells))
        else:
            numbers = _integers(actions, (self.num_envs,))
            if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(self._codes):
                raise PegwiseError(f"the actions are 0 to {len(self._codes) - 1}")
            given = np.ascontiguousarray(self._codes[numbers])
        played, won, over, left, bits = self._arena.step(given.tobytes())
        over = over.view(np.bool_)
        info = self._info(left, bits)
        if over.any():
            info |= {"secret": self._arena.secrets(), "_secret": over, "solved": won.view(np.bool_), "_solved": over}
        return self._arena.seen(), -played, over, np.zeros_like(over), info

    def _info(self, left: npt.NDArray[Any], bits: npt.NDArray[Any]) -> dict[str, Any]:
        info: dict[str, Any] = {} if self._size is None else {"left": left, "bits": bits}
        if self.discrete:
            info["action_mask"] = self._arena.masks().view(np.int8)
        return info

    def secrets(self) -> npt.NDArray[np.uint8]:
        """Returns the secrets, one row per game."""
        return self._arena.secrets()

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name != "_arena"}
        return {**state, "games": self._arena.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        games = state.pop("games")
        self.__dict__.update(state)
        self._arena = _native.Arena(self.rules, self.num_envs, self.max_guesses)
        if self._begun:
            self._arena.restore(games)


if "pegwise/Mastermind-v0" not in gymnasium.registry:
    gymnasium.register(
        "pegwise/Mastermind-v0",
        entry_point="pegwise.env:MastermindEnv",
        vector_entry_point="pegwise.env:MastermindVectorEnv",
    )

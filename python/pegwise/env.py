"""Gymnasium environments.

>>> import gymnasium, pegwise.env
>>> env = gymnasium.make("pegwise/Mastermind-v0", rules="4x6", max_guesses=10)
>>> seen, info = env.reset(seed=7)
>>> info["left"]
1296
>>> seen, reward, won, out, info = env.step([0, 0, 1, 1])
>>> seen["guesses"][0].tolist(), seen["feedback"][0].tolist(), info["left"]
([1, 1, 2, 2], [[0, 0]], 256)
>>> reward, round(info["bits"], 3)
(-1.0, 2.34)

An action is a color from 0 per cell. An observation has the guesses with colors from 1 (0 is not played yet), the numbers of each
mark, and the number of turns. The reward is -1 per guess. ``info`` has ``left``, the number of consistent codes; ``bits``, the
information gained; and with ``lost=True`` also ``lost``, the guesses lost against the best action, and ``lost_is``.

Under rules without repeats, a guess with a repeated color costs a turn and has no feedback.
"""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _draw, _native
from ._coach import analyze
from ._native import History, PegwiseError, Rules

__all__ = ["MastermindEnv", "MastermindVectorEnv"]


def _spaces(rules: Rules, most: int) -> tuple[spaces.Dict, spaces.MultiDiscrete]:
    lines, width, highest = _marks(rules)
    seen = spaces.Dict(
        {
            "guesses": spaces.Box(0, rules.colors, (most, rules.cells), np.uint8 if rules.colors < 256 else np.uint16),
            "feedback": spaces.Box(0, highest, (most, lines, width), np.uint16),
            "turn": spaces.Discrete(most + 1),
        }
    )
    return seen, spaces.MultiDiscrete([rules.colors] * rules.cells)


def _marks(rules: Rules) -> tuple[int, int, int]:
    """Returns the number of lines, the length of the longest mark, and its highest number."""
    first = rules.draw(0)
    answer = rules.score(first, first)
    marks = answer if answer and isinstance(answer[0], tuple) else (answer,)
    longest = max(map(len, rules.lines))
    far = longest * (rules.colors - 1) ** 2 if "distance" in rules.feedback or "city" in rules.feedback else 2 * longest
    return len(marks), max(map(len, marks)), min(max(far, 2), 65535)


class MastermindEnv(gymnasium.Env):
    """One game at a time, with a random secret."""

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        rules: Rules | str = "4x6",
        max_guesses: int = 10,
        *,
        lost: bool = False,
        render_mode: str | None = None,
    ):
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        if not 1 <= max_guesses <= 255:
            raise PegwiseError(f"a game has 1 to 255 guesses, not {max_guesses}")
        if self.rules.lies:
            raise PegwiseError("environments do not support lies")
        self.max_guesses, self.lost, self.render_mode = max_guesses, lost, render_mode
        self.observation_space, self.action_space = _spaces(self.rules, max_guesses)
        try:
            self.size: int | None = len(self.rules.codes())
        except PegwiseError:
            self.size = None
        self.history = History(self.rules)
        self.secret: tuple[int, ...] = ()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Starts a game. ``options={"secret": code}`` sets the secret."""
        super().reset(seed=seed)
        secret = (options or {}).get("secret")
        drawn = self.rules.draw(int(self.np_random.integers(1 << 63)))
        self.secret = drawn if secret is None else self.rules.code(secret)
        self.history = History(self.rules)
        shape = self.observation_space
        self._guesses = np.zeros(shape["guesses"].shape, shape["guesses"].dtype)
        self._feedback = np.zeros(shape["feedback"].shape, np.uint16)
        self._turn = 0
        self._left = self.size
        return self._seen(), {"left": self._left}

    def step(self, action: Any):
        """Plays a guess."""
        guess = tuple(int(color) + 1 for color in np.asarray(action).ravel())
        place = self._turn
        self._turn += 1
        info: dict[str, Any] = {"left": self._left, "bits": 0.0}
        self._guesses[place] = guess
        won = False
        try:
            code = self.rules.code(guess)
        except PegwiseError as error:
            info["wrong"] = str(error)
        else:
            won = self._play(place, code, info)
        out = not won and self._turn >= self.max_guesses
        if won or out:
            info["secret"] = self.secret
        return self._seen(), -1.0, won, out, info

    def _play(self, place: int, code: tuple[int, ...], info: dict[str, Any]) -> bool:
        answer = self.rules.score(code, self.secret)
        marks = answer if answer and isinstance(answer[0], tuple) else (answer,)
        for line, mark in enumerate(marks):
            self._feedback[place, line, : len(mark)] = np.minimum(mark, 65535)
        self.history.push(code, answer)
        if self.size is not None:
            before, self._left = self._left, len(self.history.codes())
            info["left"], info["bits"] = self._left, math.log2(before / self._left)
        if self.lost:
            verdict = analyze(self.history).turns[-1]
            info["lost"], info["lost_is"] = verdict.get("lost"), verdict.get("lost_is")
        return self.history.solved

    def _seen(self) -> dict[str, Any]:
        return {"guesses": self._guesses.copy(), "feedback": self._feedback.copy(), "turn": np.int64(self._turn)}

    def render(self) -> str | None:
        """Returns the turns as text or as SVG."""
        if self.render_mode == "ansi":
            return "\n".join(self.history.texts)
        if self.render_mode == "svg":
            return _draw.turns([(guess, str(answer), "") for guess, answer in self.history.turns])
        return None


class MastermindVectorEnv(VectorEnv):
    """Many games at once, each step on all cores. A finished game restarts with the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(self, num_envs: int = 1, rules: Rules | str = "4x6", max_guesses: int = 10, *, seed: int = 0):
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self.num_envs, self.max_guesses, self.render_mode = num_envs, max_guesses, None
        self.single_observation_space, self.single_action_space = _spaces(self.rules, max_guesses)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._arena = _native.Arena(self.rules, num_envs, max_guesses, seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Restarts all games."""
        super().reset(seed=seed)
        self._arena.begin(int(self.np_random.integers(1 << 63)))
        return self._arena.seen(), {}

    def step(self, actions: Any):
        """Plays a guess in every game. ``info`` has ``left`` and ``bits``, which are -1 and 0 if codes are not counted."""
        given = np.ascontiguousarray(actions, dtype=np.int64)
        reward, won, out, left, bits = self._arena.step(given.tobytes())
        return self._arena.seen(), reward, won.view(bool), out.view(bool), {"left": left, "bits": bits}

    def secrets(self) -> np.ndarray:
        """Returns the secrets, one row per game."""
        return self._arena.secrets()


if "pegwise/Mastermind-v0" not in gymnasium.registry:
    gymnasium.register(
        "pegwise/Mastermind-v0",
        entry_point="pegwise.env:MastermindEnv",
        vector_entry_point="pegwise.env:MastermindVectorEnv",
    )

"""An environment for TextArena: ``textarena.make("pegwise/Mastermind-v0", rules="4x6")`` after importing this module.

Needs ``pip install 'pegwise[textarena]'``.
"""

from __future__ import annotations

from typing import Any

import textarena as ta

from .._native import Rules
from ._episode import Episode
from ._sets import numbers


class MastermindEnv(ta.Env):
    """One player looks for a code; the reward is -1 for every guess lost against optimal play.

    ``game_info[0]["scores"]`` has the scores at the end. An invalid guess costs a turn, as in :class:`pegwise.evals.Episode`.
    """

    def __init__(
        self,
        rules: Rules | str = "4x6",
        *,
        secret: Any = None,
        wording: str = "plain",
        max_guesses: int | None = None,
    ):
        super().__init__()
        self.options: dict[str, Any] = {"rules": rules, "secret": secret, "wording": wording, "max_guesses": max_guesses}

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Starts a game; without a seed, always the same."""
        self.episode = Episode(**self.options, seed=1 if seed is None else seed)
        self.state = ta.SinglePlayerState(num_players=num_players, seed=seed, max_turns=self.episode.max_guesses)
        self.state.reset(game_state={}, player_prompt_function=lambda **_: self.episode.prompt)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Plays the guess in a reply."""
        self.state.add_observation(from_id=0, message=action, observation_type=ta.ObservationType.PLAYER_ACTION)
        message = self.episode.reply(action)
        self.state.add_observation(message=message, observation_type=ta.ObservationType.GAME_MESSAGE)
        last = self.episode.turns[-1]
        self.state.step_info = {"lost": last.lost, "problem": last.problem}
        if self.episode.over:
            scores = self.episode.result()
            self.state.set_outcome(reward=-numbers(scores)["lost"], reason=message)
            self.state.game_info[0]["scores"] = scores
        ended: tuple[bool, dict[str, Any]] = self.state.step()
        return ended


if "pegwise/Mastermind-v0" not in ta.envs.registration.ENV_REGISTRY:
    ta.register("pegwise/Mastermind-v0", MastermindEnv)

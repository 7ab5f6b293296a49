"""A taskset and an environment for verifiers (0.4 or later).

An environment of verifiers is a module, such as ``mastermind.py`` with ``from pegwise.evals.verifiers import *`` and
``from pegwise.evals.verifiers import __all__``; then ``vf-eval mastermind``. Needs ``pip install 'pegwise[verifiers]'``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from ._sets import chosen, episode, numbers, question, score

__all__ = ["PegwiseEnv", "PegwiseTaskset"]


class PegwiseData(vf.TaskData):
    """A task of a set."""

    task: dict[str, Any]


class PegwiseConfig(vf.TasksetConfig):
    """The set, and which of its tasks are given."""

    tasks: str = "pegwise-1"
    kind: str = "game"
    difficulty: str | None = None


class PegwiseTask(vf.Task[PegwiseData, vf.State, vf.TaskConfig]):
    """A game or a position."""


class PegwiseTaskset(vf.Taskset[PegwiseTask, PegwiseConfig]):
    """Tasks of one kind in a set."""

    def load(self) -> Iterator[PegwiseTask]:
        """Yields the tasks."""
        for task in chosen(self.config.kind, self.config.tasks, self.config.difficulty):
            yield PegwiseTask(PegwiseData(id=task["id"], name=task["id"], prompt=question(task), task=task), self.config.task)


class PegwiseEnvConfig(vf.EnvConfig):
    """The player."""

    player: vf.AgentConfig = vf.AgentConfig()


class PegwiseEnv(vf.Env[PegwiseEnvConfig]):
    """Plays a game, or asks for the reply to a position.

    The reward of a game is minus the guesses lost against optimal play, that of a position its score. ``info["pegwise"]`` has the
    scores of all turns, and ``info["turn_rewards"]`` the reward of each.
    """

    async def run(self, task: Any, agents: Any) -> None:
        """Plays one task."""
        given = task.data.task
        game = episode(given) if given["kind"] == "game" else None
        replies: list[str] = []
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                replies.append(segment.last_reply)
                if game is None:
                    break
                message = game.reply(replies[-1])
                if game.over:
                    break
                segment = await interaction.turn(message)
        trace = interaction.trace
        scores = score(given, replies)
        values = numbers(scores)
        rewards = [-turn["lost"] for turn in scores["turns"]] if game is not None else [values["score"]]
        name, reward = ("guesses_lost", -values["lost"]) if game is not None else ("score", values["score"])
        trace.record_reward(name, reward)
        trace.record_metrics(values)
        trace.info["pegwise"], trace.info["turn_rewards"] = scores, rewards

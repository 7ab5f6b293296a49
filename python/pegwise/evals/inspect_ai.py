"""Tasks for Inspect: ``inspect eval pegwise/games --model ...``, or ``inspect_ai.eval(games(), model=...)`` in Python.

Needs ``pip install 'pegwise[inspect]'``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import inspect_ai
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver

from ._sets import Task, chosen, episode, numbers, question, score


@solver
def play() -> Any:
    """Plays a game, or asks for the reply to a position."""

    async def solve(state: Any, generate: Any) -> Any:
        replies: list[str] = []
        state.store.set("replies", replies)
        game = episode(state.metadata) if state.metadata["kind"] == "game" else None
        while True:
            state = await generate(state)
            replies.append(state.output.completion)
            state.store.set("replies", replies)
            if game is None:
                return state
            message = game.reply(replies[-1])
            if game.over or state.completed:
                return state
            state.messages.append(ChatMessageUser(content=message))

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def rate() -> Any:
    """Scores the replies; the metadata has the scores of every turn."""

    async def score_replies(state: Any, target: Any) -> Any:
        replies = state.store.get("replies", [])
        scores = score(state.metadata, replies)
        return Score(value=numbers(scores), answer=replies[-1] if replies else None, metadata=scores)

    return score_replies


def _task(tasks: Sequence[Task]) -> Any:
    samples = [Sample(input=question(task), target="", id=task["id"], metadata=task) for task in tasks]
    return inspect_ai.Task(dataset=MemoryDataset(samples), solver=play(), scorer=rate())


@inspect_ai.task
def games(name: str = "pegwise-1", difficulty: str | None = None, tasks: Sequence[Task] | None = None) -> Any:
    """Whole games of a set, or the given ones."""
    return _task(chosen("game", name, difficulty, tasks))


@inspect_ai.task
def positions(
    kind: str = "best", name: str = "pegwise-1", difficulty: str | None = None, tasks: Sequence[Task] | None = None
) -> Any:
    """Positions of one kind in a set, or the given ones."""
    return _task(chosen(kind, name, difficulty, tasks))

"""Positions as a procedural dataset with the interface of reasoning-gym; it does not need the library.

>>> from pegwise.evals.reasoning_gym import PegwiseDataset
>>> data = PegwiseDataset("best", seed=3, size=2)
>>> [data.score_answer(f"Guess: {entry['answer']}", entry) for entry in data]
[1.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import tasks
from .._native import PegwiseError, Rules
from ._sets import Task


class PegwiseDataset:
    """Tasks of a kind of :mod:`pegwise.tasks`; an item is the same for the same arguments, whatever ``size`` is."""

    def __init__(
        self, kind: str = "best", *, rules: Rules | str = "4x6", difficulty: str = "easy", seed: int = 0, size: int = 500
    ):
        if size < 1:
            raise PegwiseError(f"a dataset has 1 or more entries, not {size}")
        self.kind, self.seed, self.size = kind, seed, size
        self.category = "games"
        self._tasks = tasks.each(kind, rules=rules, difficulty=difficulty, seed=seed)
        self._made: list[Task] = []

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < self.size:
            raise IndexError(index)
        while len(self._made) <= index:
            self._made.append(next(self._tasks))
        task = self._made[index]
        answer = task["answer"]
        if isinstance(answer, list):
            answer = ", ".join(answer) if self.kind == "remaining" else answer[0]
        metadata = {"source_dataset": f"pegwise_{self.kind}", "source_index": index, "difficulty": task["difficulty"], "task": task}
        return {"question": task["question"], "answer": str(answer), "metadata": metadata}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(self.size))

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Returns the score of a reply from 0 to 1; every optimal reply is right."""
        return tasks.check(entry["metadata"]["task"], answer or "")

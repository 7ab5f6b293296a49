"""Models: strategies that answer by text, as baselines, and chat models behind an HTTP API."""

from __future__ import annotations

import json
import random
import re
import urllib.error
import urllib.request
from typing import Any

from .._native import History, PegwiseError, Rules, Strategy, Tree
from ._episode import Message
from ._sets import Task

#: Strategies that play as baselines. ``random`` guesses any code, ``consistent`` a random consistent one.
BASELINES = ("random", "consistent", "knuth", "entropy", "optimal")


class Baseline:
    """A strategy that reads the messages of a game and answers by text; :func:`evaluate` calls ``begin`` before each task.

    Tasks about codes that can be listed are answered exactly by all but ``random``.

    >>> from pegwise import evals
    >>> baseline = evals.Baseline("knuth")
    >>> [record["scores"]["guesses"] for record in evals.evaluate(baseline, [evals.game("4x6", "3632")], "knuth")]
    [5]
    """

    def __init__(self, name: str, seed: int = 1):
        if name not in BASELINES:
            raise PegwiseError(f"'{name}' is not a baseline; the baselines are {', '.join(BASELINES)}")
        self.name, self.seed = name, seed
        self._trees: dict[str, Tree] = {}

    def begin(self, task: Task) -> None:
        """Begins a task. The secret of a game is not used."""
        self.task, self.rules = task, Rules(task["rules"])
        self.chance = random.Random(f"{self.name} {self.seed} {task['id']}")
        self.history = History(self.rules, task.get("turns") if task["kind"] in ("game", "best") else None)
        if self.name not in ("random", "optimal"):
            spec = "random-consistent" if self.name == "consistent" else self.name
            self.strategy = Strategy(spec, seed=self.chance.getrandbits(63))

    def __call__(self, messages: list[Message]) -> str:
        """Returns the reply to the messages of a chat."""
        if self.task["kind"] in ("game", "best"):
            answered = re.match(r"The answer to (\S+) is (\S+) ", messages[-1]["content"])
            if answered:
                self.history.push(answered[1], answered[2])
            return f"Guess: {self.rules.notation(self._guess())}"
        if self.name != "random":
            answer = self.task["answer"]
            return f"Answer: {answer if isinstance(answer, str) else str(answer[0]) if self.task['kind'] == 'mend' else ', '.join(answer)}"
        return {
            "remaining": lambda: f"Answer: {self.rules.notation(self._any())}",
            "consistent": lambda: f"Answer: {self.chance.choice(['yes', 'no'])}",
            "mend": lambda: f"Answer: {self.chance.randint(1, len(self.task['turns']))}",
        }[self.task["kind"]]()

    def _any(self) -> tuple[int, ...]:
        return self.rules.draw(self.chance.getrandbits(63))

    def _guess(self) -> tuple[int, ...]:
        if self.name == "random":
            return self._any()
        if self.name != "optimal":
            return self.strategy.next_guess(self.history)
        if self.task["kind"] == "best":
            return self.rules.code(self.task["answer"][0])
        rules = str(self.rules)
        if rules not in self._trees:
            self._trees[rules] = Tree.shipped(rules) or Tree.optimal(rules)
        return self._trees[rules].next_guess(self.history)


class ChatModel:
    """A model behind the chat completions API of OpenAI, which many servers offer.

    ``url`` ends before ``/chat/completions``; ``key`` is sent as a bearer token; other options, such as ``temperature``, are sent
    as they are.
    """

    def __init__(self, model: str, url: str, key: str | None = None, timeout: float = 600.0, **options: Any):
        self.model, self.url, self.key, self.timeout, self.options = model, url.rstrip("/"), key, timeout, options

    def __call__(self, messages: list[Message]) -> str:
        """Returns the reply to the messages of a chat."""
        body = json.dumps({"model": self.model, "messages": messages, **self.options}).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        request = urllib.request.Request(f"{self.url}/chat/completions", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return str(json.load(answer)["choices"][0]["message"]["content"] or "")
        except urllib.error.HTTPError as error:
            raise PegwiseError(f"{self.url} answered {error.code}: {error.read(500).decode(errors='replace')}") from None
        except (OSError, LookupError, TypeError, ValueError) as error:
            raise PegwiseError(f"{self.url} gave no reply: {error!r}; check the address and the model") from None

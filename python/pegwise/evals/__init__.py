"""Evaluations of language models and agents, scored in guesses lost against optimal play.

>>> from pegwise import evals
>>> episode = evals.Episode("4x6", seed=7)
>>> while not episode.over:
...     message = episode.reply("Guess: 1122")  # Your model replies to episode.prompt, then to each message.
>>> result = episode.result()
>>> result["solved"], result["guesses"], round(result["lost"], 3)
(False, 10, 9.059)

An :class:`Episode` is a game by text; :func:`load` returns a frozen set of games and positions; :func:`evaluate` runs a model, a
function from the messages of a chat to its reply; :func:`leaderboard` compares result files. Adapters for other frameworks are
``pegwise.evals.inspect_ai``, ``.verifiers``, ``.lm_eval``, ``.textarena`` and ``.reasoning_gym``; each needs its framework.

``python -m pegwise.evals run --baseline knuth -o knuth.jsonl`` does the same on the command line.
"""

from __future__ import annotations

from .._replies import Parsed, parse
from ..tasks import DIFFICULTIES
from ._board import Comparison, Leaderboard, Mean, leaderboard, read
from ._episode import WORDINGS, Episode, Message, Model, Score, Turn, grade, prompt
from ._models import BASELINES, Baseline, ChatModel
from ._sets import SETS, Task, episode, evaluate, game, load, make, question, score

__all__ = [
    "BASELINES",
    "DIFFICULTIES",
    "SETS",
    "WORDINGS",
    "Baseline",
    "ChatModel",
    "Comparison",
    "Episode",
    "Leaderboard",
    "Mean",
    "Message",
    "Model",
    "Parsed",
    "Score",
    "Task",
    "Turn",
    "episode",
    "evaluate",
    "game",
    "grade",
    "leaderboard",
    "load",
    "make",
    "parse",
    "prompt",
    "question",
    "read",
    "score",
]

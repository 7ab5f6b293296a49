"""Tasks of evaluations: positions with exact answers and whole games, and the frozen sets of them."""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from .. import tasks
from .._native import History, Optimum, PegwiseError, Rules
from .._replies import parse
from ._episode import MAX_GUESSES, WORDINGS, Episode, Message, Model, grade

#: A task: its ``id``, ``kind`` ("game" or a kind of :mod:`pegwise.tasks`), ``rules``, ``difficulty``, and the fields of its kind.
Task = dict[str, Any]

#: Rules of the games by difficulty: that of optimal play is the mean number of guesses.
GAMES = {"easy": "3x4", "medium": "4x5", "hard": "4x6"}
#: Kinds of tasks in frozen sets, and their rules.
KINDS, RULES = ("remaining", "best", "consistent", "mend"), "4x6"
#: Version of the tasks in the default set.
SET_VERSION = 1
#: Frozen sets with the SHA-256 of their files.
SETS = {"pegwise-1": "fa94ec2d5209d1e9ed7419b936adf6aa6ab829f485ac1a47906b3220a2269d6a"}


def game(rules: Rules | str, secret: str | Iterable[int], *, wording: str = "plain", max_guesses: int | None = None) -> Task:
    """Returns the task to find a code.

    >>> from pegwise import evals
    >>> evals.game("4x6", "3632")["id"]
    'game/4x6/3632/plain/10'
    """
    rules = Rules(rules)
    most, code = max_guesses or rules.max_guesses or MAX_GUESSES, rules.notation(secret)
    return {
        "id": f"game/{rules}/{code}/{wording}/{most}",
        "kind": "game",
        "rules": str(rules),
        "secret": code,
        "wording": wording,
        "max_guesses": most,
    }


def question(task: Task) -> str:
    """Returns the first message of a task."""
    return episode(task).prompt if task["kind"] == "game" else str(task["question"])


def episode(task: Task) -> Episode:
    """Returns a new game for a task."""
    return Episode(task["rules"], task["secret"], wording=task["wording"], max_guesses=task["max_guesses"])


def score(task: Task, replies: list[str]) -> dict[str, Any]:
    """Returns the scores of the replies to a task: those of the game, or ``score`` from 0 to 1.

    For ``best`` also the guesses ``lost`` by the reply; an illegal one loses 1.

    >>> from pegwise import evals
    >>> evals.score({"kind": "best", "rules": "4x6", "turns": ["1122=1,1"], "answer": ["1344"]}, ["Guess: 1134"])
    {'score': 0.0, 'lost': 0.03365384615384615, 'lost_is': 'exact', 'illegal': 0}
    """
    if task["kind"] == "game":
        played = episode(task)
        for reply in replies:
            played.reply(reply)
        return played.result()
    if len(replies) != 1:
        raise PegwiseError(f"a task has one reply, not {len(replies)}")
    scores: dict[str, Any] = {"score": tasks.check(task, replies[0])}
    if task["kind"] == "best":
        history = History(task["rules"], task["turns"])
        guess = parse(history.rules, replies[0]).guess
        if guess is None:
            return {**scores, "lost": 1.0, "lost_is": "exact", "illegal": 1}
        # The loss does not depend on the answer to the guess.
        history.push(guess, history.rules.score(guess, history.codes()[0]))
        last = grade(history)[-1]
        scores |= {"lost": last["lost"], "lost_is": last["lost_is"], "illegal": 0}
    return scores


def evaluate(model: Model, given: Iterable[Task], name: str) -> Iterator[dict[str, Any]]:
    """Yields a record per task: the ``model`` by its name, the ``task``, the ``replies`` of the model, and their ``scores``.

    >>> from pegwise import evals
    >>> record = next(evals.evaluate(lambda messages: "Guess: 1122", [evals.game("4x6", "1122")], "lucky"))
    >>> record["scores"]["solved"], record["scores"]["guesses"]
    (True, 1)
    """
    begin: Callable[[Task], None] | None = getattr(model, "begin", None)
    for task in given:
        if begin is not None:
            begin(task)
        if task["kind"] == "game":
            played = episode(task)
            scores = played.play(model)
            replies = [reply for reply, _ in played.replies]
        else:
            messages: list[Message] = [{"role": "user", "content": question(task)}]
            replies = [model(messages)]
            scores = score(task, replies)
        yield {"model": name, "task": task, "replies": replies, "scores": scores}


def make(seed: int, count: int) -> list[Task]:
    """Returns a set: ``count`` tasks per kind and difficulty, and twice as many games; the same arguments give the same tasks."""
    made: list[Task] = []
    for kind in KINDS:
        for difficulty in tasks.DIFFICULTIES:
            made += tasks.make(kind, rules=RULES, difficulty=difficulty, count=count, seed=seed)
    for difficulty, rules in GAMES.items():
        mean, codes = Optimum(rules).mean, Rules(rules).codes()
        rows = random.Random(f"games {rules} {seed}").sample(range(len(codes)), min(2 * count, len(codes)))
        for number, row in enumerate(rows):
            task = game(rules, codes[row], wording=WORDINGS[number % len(WORDINGS)])
            made.append({**task, "difficulty": difficulty, "optimal": mean})
    return made


def lines(made: list[Task]) -> str:
    """Returns tasks as JSON lines."""
    return "".join(json.dumps(task) + "\n" for task in made)


def card(name: str, seed: int, count: int, made: list[Task]) -> str:
    """Returns the data card of a set as Markdown."""
    text = lines(made)
    rows = []
    for kind in (*KINDS, "game"):
        for difficulty in tasks.DIFFICULTIES:
            chosen = [task for task in made if (task["kind"], task["difficulty"]) == (kind, difficulty)]
            if kind == "game":
                measure = f"{chosen[0]['rules']}: {chosen[0]['optimal']:.4f} guesses with optimal play"
            elif kind in ("remaining", "best"):
                left = sorted(task["left"] for task in chosen)
                measure = f"{left[0]} to {left[-1]} consistent codes"
            else:
                measure = f"{tasks.TURNS[difficulty]} turns"
            chance = {"game": None, "remaining": None, "consistent": 0.5}.get(kind, 0.0)
            if kind == "best":
                chance = sum(task["chance"] for task in chosen) / len(chosen)
            elif kind == "mend":
                chance = sum(len(task["answer"]) / len(task["turns"]) for task in chosen) / len(chosen)
            rows.append(f"| {kind} | {difficulty} | {len(chosen)} | {measure} | {'' if chance is None else f'{chance:.2f}'} |")
    return "\n".join(
        [
            f"# {name}\n",
            f"{len(made)} tasks with exact answers for evaluations of language models and agents at Mastermind.\n",
            f"- **Made by** `python -m pegwise.evals make --seed {seed} --count {count} FOLDER`.",
            f"- **SHA-256** of the JSON lines: `{hashlib.sha256(text.encode()).hexdigest()}`.",
            f"- **Rules** {RULES} for positions; games at {', '.join(GAMES.values())}, in the wordings {', '.join(WORDINGS)} in turn.",
            "- **Answers** are computed by exhaustive search; every optimal reply is accepted. Positions come from random play, not from people.",
            "- **Chance** is the score of a random reply: a random consistent code for `best`, a random turn for `mend`.",
            "- **Not measured**: speed, cost, and play on boards that cannot be searched. A model may have seen optimal first guesses.",
            "- **License** MIT or Apache-2.0. A changed task needs a new name.\n",
            "| kind | difficulty | tasks | measure | chance |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def load(name: str = "pegwise-1") -> list[Task]:
    """Returns the tasks of a frozen set.

    >>> from pegwise import evals
    >>> len(evals.load("pegwise-1"))
    360
    """
    if name not in SETS:
        raise PegwiseError(f"'{name}' is not a set of tasks; the sets are {', '.join(SETS)}")
    data = resources.files(__package__).joinpath(f"sets/{name}.jsonl").read_bytes()
    if hashlib.sha256(data).hexdigest() != SETS[name]:
        raise PegwiseError(f"the file of {name} has changed: install pegwise again")
    return [json.loads(line) for line in data.splitlines()]


def chosen(kind: str, name: str, difficulty: str | None = None, given: Sequence[Task] | None = None) -> list[Task]:
    """Returns the given tasks, or those of a set, of one kind and difficulty."""
    found = [task for task in (load(name) if given is None else given) if task["kind"] == kind]
    found = [task for task in found if difficulty is None or task.get("difficulty") == difficulty]
    if not found:
        raise PegwiseError(f"there are no tasks of the kind '{kind}'{f' and the difficulty {difficulty!r}' if difficulty else ''}")
    return found


def numbers(scores: dict[str, Any]) -> dict[str, float]:
    """Returns the scores that are numbers, for frameworks that average them; an unknown one is not a number."""
    kept = {name: value for name, value in scores.items() if name in _NUMBERS}
    return {name: math.nan if value is None else float(value) for name, value in kept.items()}


#: Scores of games and positions that are numbers.
_NUMBERS = ("solved", "guesses", "lost", "bits", "illegal", "inconsistent", "score")


def write(name: str, seed: int, count: int, folder: Path) -> None:
    """Writes a set and its data card to a folder."""
    made = make(seed, count)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_text(lines(made), encoding="utf-8", newline="\n")
    (folder / f"{name}.md").write_text(card(name, seed, count, made), encoding="utf-8", newline="\n")

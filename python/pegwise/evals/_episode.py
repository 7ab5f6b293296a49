"""Games that a model plays by text, and the scores of their turns."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from .._coach import analyze
from .._describe import describe
from .._native import History, Optimum, PegwiseError, Rules
from .._replies import example, parse

#: Formulations of the prompt: with and without the name of the game, with an example of an answer, with replies in JSON.
WORDINGS = ("plain", "abstract", "example", "json")
#: Default maximum number of guesses, as in the environments.
MAX_GUESSES = 10

#: A message of a chat: ``role`` is "user" or "assistant", ``content`` the text.
Message = dict[str, str]
#: A model: a function from the messages of a chat to the text of its reply.
Model = Callable[[list[Message]], str]


class Score(TypedDict):
    """Value of a turn; unknown numbers are None."""

    #: Guesses lost against optimal play, and whether that is exact or an estimate.
    lost: float | None
    lost_is: str | None
    #: Information gained.
    bits: float | None
    #: True if the guess was consistent with all answers before it.
    consistent: bool
    #: Numbers of consistent codes.
    before: int | None
    after: int | None


_optima: dict[str, Optimum | None] = {}
_optima_lock = threading.Lock()


def optimum(rules: Rules) -> Optimum | None:
    """Returns the table of optimal play; None for rules without one."""
    with _optima_lock:
        if str(rules) not in _optima:
            try:
                _optima[str(rules)] = Optimum(rules)
            except PegwiseError:
                _optima[str(rules)] = None
        return _optima[str(rules)]


def grade(history: History) -> list[Score]:
    """Scores the turns of a game.

    From a table of optimal play for rules with at most 1,296 codes; otherwise by :func:`pegwise.analyze`, whose estimates are marked.

    >>> from pegwise import History, evals
    >>> [round(score["lost"], 3) for score in evals.grade(History("4x6", ["1123=0,1", "1123=0,1"]))]
    [0.0, 1.0]
    """
    table = optimum(history.rules)
    if table is not None:
        return [cast(Score, {name: turn.get(name, "exact") for name in Score.__annotations__}) for turn in table.grade(history)]
    scores: list[Score] = []
    played = History(history.rules)
    before = _size(played)
    for (guess, feedback), turn in zip(history.turns, analyze(history).turns):
        consistent = played.is_consistent(guess)
        played.push(guess, feedback)
        after = _size(played)
        # The answer that finds the code leaves none.
        bits = math.log2(before / max(after, 1)) if before and after is not None else None
        lost, kind = turn.get("lost"), turn.get("lost_is")
        scores.append({"lost": lost, "lost_is": kind, "bits": bits, "consistent": consistent, "before": before, "after": after})
        before = after
    return scores


def _size(history: History) -> int | None:
    count = history.count()
    return count["remaining"] if count["remaining_is"] == "exact" else None


def prompt(rules: Rules | str, wording: str = "plain", *, max_guesses: int | None = None) -> str:
    """Returns the first message of a game: the rules in words, the aim, and the form of a reply.

    >>> from pegwise import evals
    >>> print(evals.prompt("2x3:black-only", "abstract", max_guesses=4))
    The secret code has 2 items, each in one of 3 symbols. The symbols are written 1 to 3; a symbol may occur several times. The answer \
to a guess is one number, black: how many items have the right symbol in the right place. You have 4 guesses. Find the code with as \
few guesses as possible on average; every valid code may be guessed. A reply without a valid guess costs a guess. End each reply \
with a line such as "Guess: 23".
    """
    rules = Rules(rules)
    if wording not in WORDINGS:
        raise PegwiseError(f"'{wording}' is not a wording; the wordings are {', '.join(WORDINGS)}")
    text = describe(rules, max_guesses=max_guesses, abstract=wording == "abstract")
    if wording == "example":
        secret, guess = rules.draw(1), rules.draw(2)
        answer = History(rules, [(guess, rules.score(guess, secret))]).texts[0].partition("=")[2]
        text += f" For example, if the code is {rules.notation(secret)}, the answer to {rules.notation(guess)} is {answer}."
    text += " Find the code with as few guesses as possible on average; every valid code may be guessed."
    text += " A reply without a valid guess costs a guess."
    if wording == "json":
        return f"{text} Reply with a JSON object only, such as {json.dumps({'guess': example(rules)})}."
    return f'{text} End each reply with a line such as "Guess: {example(rules)}".'


@dataclass(frozen=True)
class Turn:
    """A reply, the guess in it and its feedback, or the problem; and its score."""

    reply: str
    guess: str | None
    feedback: str | None
    problem: str | None
    lost: float | None
    lost_is: str | None
    bits: float | None
    consistent: bool | None
    before: int | None
    after: int | None


class Episode:
    """A game that a model plays by text.

    Send ``prompt`` to the model, then each reply to :meth:`reply`, whose result is the next message, until ``over``. A reply
    without a valid guess costs a guess: it loses exactly 1. ``secret`` defaults to a code drawn with ``seed``; ``max_guesses`` to
    that of the rules, or 10.

    >>> from pegwise import evals
    >>> episode = evals.Episode("4x6", "3632")
    >>> episode.reply("I start with\\nGuess: 1122")
    'The answer to 1122 is 1,0 (black, white). 9 guesses are left.'
    >>> episode.reply("Guess: 1777")
    "This costs a guess: '1777' is not a valid code for these rules: '7' is not a color; the colors are 1 to 6, or A to F. 8 guesses are left."
    >>> [(turn.guess, round(turn.lost, 3)) for turn in episode.turns]
    [('1122', 0.059), (None, 1.0)]
    """

    def __init__(
        self,
        rules: Rules | str = "4x6",
        secret: str | Iterable[int] | None = None,
        *,
        seed: int = 1,
        wording: str = "plain",
        max_guesses: int | None = None,
    ):
        self.rules = Rules(rules)
        if self.rules.lies:
            raise PegwiseError(f"episodes have truthful answers; leave out the lies of {self.rules}")
        self.secret = self.rules.draw(seed) if secret is None else self.rules.code(secret)
        self.max_guesses = max_guesses or self.rules.max_guesses or MAX_GUESSES
        self.wording, self.prompt = wording, prompt(self.rules, wording, max_guesses=self.max_guesses)
        self.history = History(self.rules)
        #: Replies, each with the problem if it had no valid guess.
        self.replies: list[tuple[str, str | None]] = []

    @property
    def solved(self) -> bool:
        """True if the code was found."""
        return self.history.solved

    @property
    def over(self) -> bool:
        """True if the code was found, or no guesses are left."""
        return self.solved or len(self.replies) >= self.max_guesses

    def reply(self, text: str | None) -> str:
        """Plays the guess in a reply, and returns the next message for the model."""
        if self.over:
            raise PegwiseError("this game is over: begin another episode")
        parsed = parse(self.rules, text)
        self.replies.append((text or "", parsed.problem))
        if parsed.guess is None:
            message = f"This costs a guess: {parsed.problem}."
        else:
            self.history.push(parsed.guess, self.rules.score(parsed.guess, self.secret))
            guess, _, answer = self.history.texts[-1].partition("=")
            message = f"The answer to {guess} is {answer} ({', '.join(self.rules.numbers)})."
        left = self.max_guesses - len(self.replies)
        if self.solved:
            return f"{message} You found the code."
        if not left:
            return f"{message} No guesses are left. The code was {self.rules.notation(self.secret)}."
        return f"{message} {left} guesses are left." if left > 1 else f"{message} One guess is left."

    @property
    def turns(self) -> list[Turn]:
        """The turns with their scores."""
        played = zip(self.history.texts, grade(self.history))
        turns = []
        left: int | None = self.rules.size
        for reply, problem in self.replies:
            if problem is None:
                text, score = next(played)
                guess, _, answer = text.partition("=")
                turns.append(Turn(reply, guess, answer, None, **score))
                left = score["after"]
            else:
                turns.append(Turn(reply, None, None, problem, 1.0, "exact", 0.0, None, left, left))
        return turns

    def result(self) -> dict[str, Any]:
        """Returns the scores of the game, as in a result file.

        ``lost`` is the sum over the turns, None if one is unknown; ``optimal`` the mean number of guesses of optimal play. On
        average over secrets, optimal plus lost is the number of guesses that games take.
        """
        turns = self.turns
        return {
            "rules": str(self.rules),
            "secret": self.rules.notation(self.secret),
            "wording": self.wording,
            "max_guesses": self.max_guesses,
            "solved": self.solved,
            "guesses": len(turns),
            "lost": total([turn.lost for turn in turns]),
            "lost_is": "exact" if all(turn.lost_is == "exact" for turn in turns) else "estimate",
            "bits": total([turn.bits for turn in turns]),
            "illegal": sum(turn.guess is None for turn in turns),
            "inconsistent": sum(turn.consistent is False for turn in turns),
            "turns": [{name: value for name, value in vars(turn).items() if name != "reply"} for turn in turns],
        }

    def play(self, model: Model) -> dict[str, Any]:
        """Plays the game to its end with a model, and returns its scores."""
        messages: list[Message] = [{"role": "user", "content": self.prompt}]
        while not self.over:
            reply = model(messages)
            messages += [{"role": "assistant", "content": reply or ""}, {"role": "user", "content": self.reply(reply)}]
        return self.result()


def total(values: Sequence[float | None]) -> float | None:
    """Returns the sum, or None if a value is unknown."""
    known = [value for value in values if value is not None]
    return math.fsum(known) if len(known) == len(values) else None

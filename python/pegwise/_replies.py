"""Guesses and codes in the replies of people and language models."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ._native import PegwiseError, Rules


@dataclass(frozen=True)
class Parsed:
    """A reply: its guess, or the problem with it."""

    guess: tuple[int, ...] | None
    problem: str | None = None


#: Ways to mark an answer; the last mark in a reply counts.
_MARKS = re.compile(
    r"""["'](?:guess|answer)["']\s*:\s*(?P<json>\[[^\]]*\]|"[^"]*"|[^\s}]+)"""
    r"""|<(?P<tag>guess|answer)>(?P<tagged>.*?)</(?P=tag)>"""
    r"""|\\boxed\{(?:\\text\{)?(?P<boxed>[^{}]*)\}"""
    # Ahead, because the line may have another mark.
    r"""|\b(?:guess|answer)[\s*_`#\d]*[:=](?=(?P<line>[^\n]*))""",
    re.IGNORECASE | re.DOTALL,
)
_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)


def marked(reply: str | None) -> tuple[str, bool]:
    """Returns the text after the last mark of an answer, such as ``Guess:``, or all text; and whether there was a mark.

    Reasoning in tags such as ``<think>`` is left out.
    """
    text = _REASONING.sub(" ", reply or "")
    marks = [*_MARKS.finditer(text)]
    if not marks:
        return text, False
    return next(marks[-1][name] for name in ("json", "tagged", "boxed", "line") if marks[-1][name] is not None), True


def parse(rules: Rules | str, reply: str | None) -> Parsed:
    """Reads the guess in a reply, or the problem with it.

    The last of the marks ``Guess: 1122``, ``{"guess": "1122"}``, ``<guess>1122</guess>`` and ``\\boxed{1122}`` counts; without a
    mark, the only code in the text. Colors may be separated, and letters lower-case.

    >>> from pegwise import evals
    >>> evals.parse("4x6", "1122 scored badly, so **Guess: 1 3 4 4**").guess
    (1, 3, 4, 4)
    >>> evals.parse("4x6", "1122 or 1344").problem
    'the reply has 2 codes; mark the guess, as in "Guess: 4324"'
    """
    rules = Rules(rules)
    text, is_marked = marked(reply)
    text = re.sub(r"[*_`\"'$\[\](){}]", " ", text).strip(" \t\r\n.,;:!")
    mark = f'mark the guess, as in "Guess: {example(rules)}"'
    if is_marked and text:
        # The guess comes first; an explanation may follow.
        words = re.findall(r"\w+", text)[: rules.cells]
        separator = "," if rules.colors > 26 else ""
        for one in (text, text.split()[0].rstrip(".,;:!"), separator.join(words)):
            try:
                return Parsed(rules.code(one.upper()))
            except PegwiseError:
                pass
    codes = dict.fromkeys(codes_in(rules, text))
    if len(codes) > 1:
        return Parsed(None, f"the reply has {len(codes)} codes; {mark}")
    code = next(iter(codes)).removeprefix("no code").removeprefix(": ")
    try:
        return Parsed(rules.code(code))
    except PegwiseError as error:
        return Parsed(None, str(error) if code else f"the reply has no guess; {mark}")


def example(rules: Rules) -> str:
    """Returns a code for an example."""
    return rules.notation(rules.draw(0))


def codes_in(rules: Rules, reply: Any) -> list[str]:
    """Returns the codes in a reply, in notation: a code, a list or an array of them, or a sentence.

    Anything else that was clearly meant as a code is included as it was written, so that it counts as wrong.
    """
    if not isinstance(reply, str):
        if not isinstance(reply, Iterable):
            return [f"no code: {reply}"]
        listed = reply.tolist() if hasattr(reply, "tolist") else list(reply)
        if listed and all(isinstance(one, int) for one in listed):
            return [_notation(rules, listed)]
        return [code for one in listed for code in codes_in(rules, one)]
    whole = _notation(rules, reply.strip())
    if not whole.startswith("no code"):
        return [whole]
    found = []
    # Digits or letters, together or separated as in "1, 2, 1, 6" and "1 2 1 6".
    for run in re.findall(r"(?<![\w.])(?:\d+(?:[ ,-]+\d+)+|\w+)(?![\w])", reply):
        colors = [int(color) for color in re.findall(r"\d+", run)]
        if len(colors) > 1 and len(colors) == rules.cells and max(colors) <= max(rules.colors, 9):
            found.append(_notation(rules, colors))
        else:
            found += [_notation(rules, word) for word in re.findall(r"\w+", run) if _is_like_a_code(rules, word)]
    return found or ["no code"]


def _is_like_a_code(rules: Rules, word: str) -> bool:
    """Returns true for a word that is a code, or digits of about its length."""
    upper = rules.notation(rules.draw(0)).isalpha()
    return len(word) == rules.cells and word.isupper() if upper else word.isdigit() and len(word) >= rules.cells - 1 > 0


def _notation(rules: Rules, code: Any) -> str:
    try:
        return rules.notation(code)
    except PegwiseError:
        return f"no code: {code}"

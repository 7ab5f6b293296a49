"""Rules in plain English, for people and language models."""

from __future__ import annotations

import re

from ._native import Rules

#: Words that do not remind of the board game.
ABSTRACT = {"In this game of Mastermind, the": "The", "peg": "item", "color": "symbol"}
#: Meaning of the answer to a guess, for one line, by the kind of feedback.
_ANSWERS = {
    "black-white": "two numbers, {names}: how many pegs have the right color in the right place, and how many further pegs have a "
    "color that the code has in another place; each peg of the guess and of the code counts at most once",
    "black-only": "one number, {names}: how many pegs have the right color in the right place",
    "color-only": "one number, {names}: how many pegs have a color that the code has in any place; each peg of the guess and of the "
    "code counts at most once. A guess with exactly the colors of the code, in any order, wins",
    "per-cell": "a letter for each peg: b if it has the right color in the right place, w if the code has its color in another "
    "place, - otherwise; each peg of the code counts at most once, and of repeated colors the leftmost pegs get the w",
    "higher-lower": "three numbers, {names}: at how many places the guess is equal to the code, at how many the color of the code "
    "has a higher number, and at how many a lower one",
    "distance": "one number, {names}: the sum of the squared differences of the color numbers, place by place",
    "city-block": "one number, {names}: the sum of the absolute differences of the color numbers, place by place",
}


def describe(rules: Rules | str, *, max_guesses: int | None = None, abstract: bool = False) -> str:
    """Returns the rules in plain English: the codes, their notation, the answers, lies and the number of guesses.

    ``max_guesses`` replaces that of the rules; ``abstract`` text does not name the game.

    >>> from pegwise._describe import describe
    >>> describe("4x6:black-only")[:80]
    'In this game of Mastermind, the secret code has 4 pegs, each in one of 6 colors.'
    """
    rules = Rules(rules)
    first, last = (rules.notation([color] * rules.cells) if rules.repeats else "" for color in (1, rules.colors))
    if rules.colors > 26:
        written = f"are the numbers 1 to {rules.colors}, separated by commas"
    elif rules.repeats:
        written = f"are written {first[0]} to {last[0]}"
    else:
        written = "are written " + " ".join(sorted({sign for seed in range(200) for sign in rules.notation(rules.draw(seed))}))
    repeats = "a color may occur several times" if rules.repeats else "every color occurs at most once, in guesses too"
    text = f"In this game of Mastermind, the secret code has {rules.cells} pegs, each in one of {rules.colors} colors. The colors {written}; {repeats}."
    answer = _ANSWERS[rules.feedback].format(names=" and ".join(rules.numbers))
    if len(rules.lines) == 1:
        text += f" The answer to a guess is {answer}."
    else:
        lines = "; ".join(" ".join(str(cell + 1) for cell in line) for line in rules.lines)
        text += f" The places 1 to {rules.cells} form these lines: {lines}. Each line has its own answer, in this order, separated by "
        text += f"slashes: {answer}."
    if rules.lies:
        text += f" Up to {rules.lies} of the answers may be false, but whether a guess is the code is always answered truthfully."
    if max_guesses or rules.max_guesses:
        text += f" You have {max_guesses or rules.max_guesses} guesses."
    if abstract:
        text = re.sub("|".join(rf"\b{word}" for word in ABSTRACT), lambda word: ABSTRACT[word[0]], text)
    return text

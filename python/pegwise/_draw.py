"""Boards, games and analyses as SVG and HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any

# Distinguishable with the most common color blindness.
PALETTE = ["#d73027", "#4575b4", "#fee090", "#1a9850", "#762a83", "#f46d43", "#74add1", "#a6761d", "#e7298a", "#666666"]
PEG = 26


def peg(x: float, y: float, color: int) -> str:
    """Draws a peg with the number of its color."""
    fill = PALETTE[(color - 1) % len(PALETTE)]
    ink = "#000000" if fill in ("#fee090", "#74add1", "#f46d43") else "#ffffff"
    text = f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="11" fill="{ink}">{color}</text>'
    return f'<circle cx="{x}" cy="{y}" r="{PEG * 0.42:.1f}" fill="{fill}" stroke="#555"/>{text}'


def svg(width: float, height: float, body: str, title: str) -> str:
    """Returns an SVG document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif"><title>{escape(title)}</title>{body}</svg>'
    )


def code(colors: Any) -> str:
    """Draws a code as a row of pegs."""
    colors = list(colors)
    pegs = "".join(peg(PEG * (place + 0.5), PEG / 2, color) for place, color in enumerate(colors))
    return svg(PEG * len(colors), PEG, pegs, " ".join(map(str, colors)))


def turns(rows: list[tuple[Any, str, str]]) -> str:
    """Returns turns as a table: guess, feedback and note."""
    lines = "".join(
        f'<tr><td>{number}</td><td>{code(guess)}</td><td style="text-align:left">{escape(feedback)}</td>'
        f'<td style="text-align:left">{escape(note)}</td></tr>'
        for number, (guess, feedback, note) in enumerate(rows, 1)
    )
    return f"<table>{lines}</table>"


def marks(feedback: list[dict[str, Any]]) -> str:
    """Describes feedback."""
    return " / ".join(", ".join(f"{number} {name}" for name, number in mark.items()) for mark in feedback)


def game(played: dict[str, Any]) -> str:
    """Displays a game."""
    end = f"found in {played['guesses']}" if played["solved"] else played["failure"] or "not found"
    heading = f"<p><b>{escape(played['rules'])}</b> · {escape(played['strategy'])} · {escape(end)}</p>"
    left = [f"{turn['remaining']} left" if turn["remaining"] is not None else "" for turn in played["turns"]]
    rows = [(turn["guess"], marks(turn["feedback"]), note) for turn, note in zip(played["turns"], left)]
    return heading + turns(rows)


def hint(found: dict[str, Any]) -> str:
    """Displays a hint with its alternatives."""
    rows = [(rated["guess"], "", f"lost {rated['lost']}" if rated.get("lost") is not None else "") for rated in found["alternatives"]]
    others = f"<details><summary>alternatives</summary>{turns(rows)}</details>" if rows else ""
    return f"<p>{code(found['guess'])}</p><p>{escape(found['why'])}</p>{others}"


def analysis(rated: Any) -> str:
    """Displays an analysis: the guesses lost per turn, and the plot."""
    rows = []
    for turn in rated["turns"]:
        note = turn["note"] if "note" in turn else turn
        guess = [color if color is not None else 0 for color in note["guess"]]
        lost = turn.get("lost")
        said = f"lost {lost:.3f}. " if isinstance(lost, (int, float)) else ""
        rows.append((guess, marks(note["feedback"]), said + turn.get("advice", "")))
    return f"<p>{escape(rated['summary'])}</p>{turns(rows)}{rated.picture}"


def parts(split: dict[tuple[Any, ...], Any], title: str = "How a guess splits the codes") -> str:
    """Draws a partition as bars, the largest part first."""
    sizes = sorted(((len(rows), feedback) for feedback, rows in split.items()), reverse=True)
    largest = max(1, sizes[0][0] if sizes else 1)
    bars = "".join(
        f'<text x="58" y="{22 * place + 16}" text-anchor="end" font-size="12">{escape(str(feedback))}</text>'
        f'<rect x="64" y="{22 * place + 4}" width="{360 * size / largest:.1f}" height="16" fill="#4575b4"/>'
        f'<text x="{70 + 360 * size / largest:.1f}" y="{22 * place + 16}" font-size="12">{size}</text>'
        for place, (size, feedback) in enumerate(sizes)
    )
    return svg(480, 22 * len(sizes) + 8, bars, title)


def board(rules: Any) -> str:
    """Draws the cells of rules, at most twenty per line."""
    wide = min(rules.cells, 20)
    cells = "".join(
        f'<rect x="{PEG * (cell % wide) + 2}" y="{PEG * (cell // wide) + 2}" width="{PEG - 4}" height="{PEG - 4}" rx="5" '
        f'fill="none" stroke="#888"/>'
        for cell in range(min(rules.cells, 400))
    )
    high = -(-min(rules.cells, 400) // wide)
    return f"<p><b>{escape(str(rules))}</b></p>{svg(PEG * wide, PEG * high, cells, str(rules))}"


def history(played: Any) -> str:
    """Displays a history."""
    return turns([(guess, str(answer), "") for guess, answer in played.turns]) if len(played) else board(played.rules)


def tree(whole: Any) -> str:
    """Displays a tree: its first guess and the parts after it."""
    shown = whole.show()
    rows = [(row["guess"], marks(row["feedback"]), f"{row['codes']} codes, {row['mean']:.3f} guesses on average") for row in shown["rows"]]
    return f"<p>{escape(repr(whole))}</p><p>{code(shown['guess'])}</p>{turns(rows)}"

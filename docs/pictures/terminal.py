"""Converts the output of `tmux capture-pane -ep` to SVG.

usage: terminal.py COLUMNS < screen > picture.svg
"""

import html
import re
import sys

CELL, LINE, FONT, EDGE = 8.4, 19, 14, 14
INK, PAPER = "#d8dee9", "#1f2430"
BASIC = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"]
BRIGHT = ["#5c6370", "#ff7b86", "#b5e890", "#ffd787", "#7cc4ff", "#e599f7", "#7fdbe6", "#ffffff"]


def indexed(number: int) -> str:
    """Returns a color of the 256-color palette."""
    if number < 16:
        return (BASIC + BRIGHT)[number]
    if number < 232:
        number -= 16
        levels = (0, 95, 135, 175, 215, 255)
        return "#%02x%02x%02x" % (levels[number // 36], levels[number // 6 % 6], levels[number % 6])
    return "#" + "%02x" % (8 + 10 * (number - 232)) * 3


class Style:
    """Current text attributes."""

    def __init__(self) -> None:
        self.ink, self.paper, self.bold, self.faint, self.turned = INK, None, False, False, False

    def change(self, codes: list[int]) -> None:
        codes = codes or [0]
        while codes:
            code = codes.pop(0)
            if code in (38, 48):
                if codes.pop(0) == 2:
                    color = "#%02x%02x%02x" % tuple(codes[:3])
                    del codes[:3]
                else:
                    color = indexed(codes.pop(0))
                if code == 38:
                    self.ink = color
                else:
                    self.paper = color
            elif code == 0:
                self.__init__()
            elif code == 1:
                self.bold = True
            elif code == 2:
                self.faint = True
            elif code == 7:
                self.turned = True
            elif code == 22:
                self.bold = self.faint = False
            elif code == 27:
                self.turned = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.ink = indexed(code - 30 if code < 40 else code - 82)
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.paper = indexed(code - 40 if code < 50 else code - 92)
            elif code == 39:
                self.ink = INK
            elif code == 49:
                self.paper = None

    def colors(self) -> tuple[str, str | None]:
        return (self.paper or PAPER, self.ink) if self.turned else (self.ink, self.paper)


def main() -> None:
    columns = int(sys.argv[1])
    lines = sys.stdin.read().rstrip("\n").split("\n")
    width, height = columns * CELL + 2 * EDGE, len(lines) * LINE + 2 * EDGE
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" '
        f'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="{FONT}">'
    )
    print(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>')
    style = Style()
    for row, line in enumerate(lines):
        column = 0
        for text, codes in re.findall(r"([^\x1b]+)|\x1b\[([0-9;:]*)m", line):
            if not text:
                style.change([int(code or 0) for code in re.split("[;:]", codes)] if codes else [])
                continue
            ink, paper = style.colors()
            x, y, wide = EDGE + column * CELL, EDGE + row * LINE, len(text) * CELL
            if paper:
                print(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{LINE}" fill="{paper}"/>')
            if text.strip():
                look = (' font-weight="bold"' if style.bold else "") + (' opacity="0.6"' if style.faint else "")
                print(
                    f'<text x="{x:.1f}" y="{y + 14}" textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs" '
                    f'fill="{ink}"{look} xml:space="preserve">{html.escape(text)}</text>'
                )
            column += len(text)
    print("</svg>")


if __name__ == "__main__":
    main()

"""Scatter plots as SVG."""

import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 56, 150, 16, 48


def scatter(points, x_title, y_title, title):
    """Points are (x, y, name); the x axis is logarithmic."""
    low, high = (round_log(pick(x for x, _, _ in points), way) for pick, way in [(min, math.floor), (max, math.ceil)])
    bottom, top = math.floor(min(y for _, y, _ in points) * 10) / 10, math.ceil(max(y for _, y, _ in points) * 10) / 10
    at_x = lambda x: LEFT + (math.log10(x) - low) / max(1, high - low) * (WIDTH - LEFT - RIGHT)
    at_y = lambda y: HEIGHT - BOTTOM - (y - bottom) / max(0.1, top - bottom) * (HEIGHT - TOP - BOTTOM)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        "<style>text{fill:#333}line{stroke:#bbb}circle{fill:#3266cc}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}line{stroke:#555}circle{fill:#8ab4f8}}</style>",
    ]
    for power in range(low, high + 1):
        x = at_x(10.0**power)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{power_text(power)}</text>')
    step = nice((top - bottom) / 6)
    tick = math.ceil(bottom / step) * step
    while tick <= top + 1e-9:
        y = at_y(tick)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:.4g}</text>')
        tick += step
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_title)}</text>')
    parts.append(f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{escape(y_title)}</text>')
    taken = []
    for x, y, name in sorted(points, key=lambda point: point[1]):
        left, height = at_x(x), at_y(y)
        parts.append(f'<circle cx="{left:.1f}" cy="{height:.1f}" r="3.5"><title>{escape(name)}: {y:g}</title></circle>')
        box = (left + 6, height - 6, left + 6 + 6.4 * len(name), height + 7)
        # Overlapping labels are omitted; the tooltip has the name.
        if not any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken):
            taken.append(box)
            parts.append(f'<text x="{box[0]:.1f}" y="{height + 4:.1f}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def round_log(value, way):
    return way(math.log10(value))


def power_text(power):
    unit, least = next((pair for pair in [("s", 0), ("ms", -3), ("µs", -6)] if power >= pair[1]), ("ns", -9))
    return f"{10 ** (power - least)} {unit}"


def nice(step):
    size = 10 ** math.floor(math.log10(step))
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= step)

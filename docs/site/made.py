"""Pages and tables generated from files of the repository."""

import json
import re
import subprocess
import tomllib
from collections import Counter, defaultdict

from chart import scatter

PAPERS = {
    "gur-2025": "Gür 2025",
    "merelo-2010": "Merelo et al. 2010",
    "singley-2005": "Singley 2005",
    "temporel-2003": "Temporel and Kovacs 2003",
    "van-oijen-2018": "van Oijen 2018",
    "xu": "Xu",
}
BOARDS = ["4x6", "5x8", "4x10:no-repeats", "8x12", "grid:3x3x4"]
# Strategies with more guesses than this multiple of the best are omitted from plots.
PLOT_RANGE = 1.3
VERDICTS = ["reproduced", "compatible", "refuted", "reversed", "undecided", "paper wrong", "not comparable"]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def command_line(root, _source):
    """Help of every command, from the snapshot of the tests."""
    text = next((root / "tests/program/snapshots").glob("*__the_command_line_reference.snap")).read_text()
    text = text.split("---\n", 2)[2]
    parts = re.split(r"^# (pegwise.*)$", text, flags=re.M)[1:]
    pairs = zip(parts[::2], parts[1::2])
    return "# Command line\n\n" + "".join(f"## {name}\n\n```text\n{body.strip()}\n```\n\n" for name, body in pairs)


def http_api(root, _source):
    """Paths and schemas of the OpenAPI document."""
    command = ["cargo", "run", "--quiet", "-p", "pegwise-web", "--example", "openapi"]
    document = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout)
    lines = ["## Endpoints\n"]
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            lines.append(f"\n### {method.upper()} {path}\n\n{about['summary']}\n")
            parameters = [*methods.get("parameters", []), *about.get("parameters", [])] if method != "parameters" else []
            rows = [[f"`{p['name']}`", p["in"], p.get("description", "")] for p in parameters if "name" in p]
            if rows:
                lines.append("\n" + table(["parameter", "in", "description"], rows))
            bodies = [("Request", about.get("requestBody")), *[(f"Response {c}", a) for c, a in about["responses"].items()]]
            for title, holder in bodies:
                for kind, content in (holder or {}).get("content", {}).items():
                    lines.append(f"\n{title}, `{kind}`:\n\n```json\n{shape(content['schema'])}\n```\n")
    lines.append("\n## Schemas\n")
    for name, schema in document["components"]["schemas"].items():
        lines.append(f"\n### {name}\n\n{schema.get('description', '')}\n\n```json\n{shape(schema)}\n```\n")
    return "".join(lines)


def shape(schema):
    text = json.dumps({key: value for key, value in schema.items() if key != "description"}, indent=1)
    return re.sub(r'\{\s*"\$ref": "#/components/schemas/(\w+)"\s*\}', r"\1", text)


def judged(root):
    """Yields the name, title and judged lines of every recorded table; a claim is one line without its comparisons."""
    folder = root / "crates/lab/results/full"
    for file in sorted(folder.rglob("*.txt")):
        lines = file.read_text().splitlines()
        fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
        yield file.relative_to(folder).with_suffix("").as_posix(), lines[0].split(": ", 1)[1], [one for one in fields if one[1] != "difference"]


def recorded(root):
    """Yields the name, title and counts of verdicts of every recorded table."""
    for name, title, lines in judged(root):
        yield name, title, Counter(line[-1] for line in lines)


def covers(cause, row, measure):
    """Returns true if a cause of a file is that of a refuted number."""
    quantity = measure.split(" ")[0]
    return any(of in (row, measure, quantity, f"{row}: {measure}", f"{row}: {quantity}") for of in cause["of"])


def wrong(root, _source):
    """Errors of the papers, with the argument."""
    rows = []
    for name, _, lines in judged(root):
        table_of = tomllib.loads((root / f"crates/lab/papers/{name}.toml").read_text())
        for row, measure, printed, ours, *_, verdict in lines:
            if verdict == "paper wrong":
                quantity, _, statistic = measure.partition(" ")
                entry = next((one for one in table_of.get("row", []) if one["label"] == row), {})
                declared = entry.get(quantity, {}).get("wrong", {}).get(statistic or "mean")
                formulas = {one["label"]: f"= {one['is']}" for one in table_of.get("number", [])}
                why = declared or formulas.get(row) or "whole numbers of guesses with the printed mean cannot have it"
                rows.append([f"{row}, {measure}", printed, ours, why, f"`pegwise lab reproduce {name}`"])
    return table(["number", "printed", "ours", "why it is wrong", "command"], rows)


def refuted(root, _source):
    """Reversed claims and refuted numbers, one line per row of a table, with their causes."""
    rows = []
    for name, _, lines in judged(root):
        paper = tomllib.loads((root / f"crates/lab/papers/{name.split('/')[0]}/paper.toml").read_text())
        causes = tomllib.loads((root / f"crates/lab/papers/{name}.toml").read_text()).get("cause", [])
        found = defaultdict(list)
        for row, measure, printed, ours, low, high, *_, verdict in lines:
            if verdict in ("refuted", "reversed"):
                cause = next((one for one in causes if covers(one, row, measure)), None)
                why = paper.get("causes", {}).get(cause["why"], cause["why"]) if cause else ""
                met = f"; met by {cause['met-by']}" if cause and "met-by" in cause else ""
                interval = f" ({low} to {high})" if low else ""
                text = f"{measure} {printed}, ours {ours}{interval}" if printed else f"{measure}: {verdict}"
                found[row, why + met].append(text)
        rows += [[row, "; ".join(texts), why, f"`pegwise lab reproduce {name}`"] for (row, why), texts in found.items()]
    return table(["row or claim", "printed and ours", "cause", "command"], rows)


def papers(root, _source):
    """Verdicts per paper."""
    tables, verdicts = Counter(), defaultdict(Counter)
    for name, _, counts in recorded(root):
        paper = PAPERS[name.split("/")[0]]
        for key in (paper, "all"):
            tables[key] += 1
            verdicts[key] += counts
    rows = [[paper, tables[paper], *[verdicts[paper][verdict] for verdict in VERDICTS]] for paper in [*PAPERS.values(), "all"]]
    return table(["paper", "tables and figures", *VERDICTS], rows)


def results(root, _source):
    """Verdicts per table."""
    rows = [[f"`{name}`", title, *[counts[verdict] or "" for verdict in VERDICTS]] for name, title, counts in recorded(root)]
    return table(["table", "title", *VERDICTS], rows)


def measured(root):
    """Returns the measurements of the strategies page and their rows per board, best first."""
    data, boards = json.loads((root / "crates/web/page/results.json").read_text()), defaultdict(list)
    for row in sorted(data["rows"], key=lambda row: row["mean"]):
        boards[row["rules"]].append(row)
    return data, {rules: boards[rules] for rules in sorted(boards, key=BOARDS.index)}


def strategies(root, _source):
    """The best five strategies per board."""
    _, boards = measured(root)
    rows = [[f"`{rules}`", ", ".join(f"`{row['strategy']}` {row['mean']:.3f}" for row in rows[:5])] for rules, rows in boards.items()]
    return table(["board", "mean guesses"], rows)


def survey(root, source):
    """Guesses and time of every strategy per board."""
    data, boards = measured(root)
    parts = [f"{data['games']} secrets per board, drawn with seed {data['seed']}.\n\n"]
    for rules, rows in boards.items():
        picture = f"survey-{rules.replace(':', '-')}.svg"
        limit = rows[0]["mean"] * PLOT_RANGE
        points = [(row["seconds"], row["mean"], row["strategy"]) for row in rows if row["mean"] <= limit]
        (source / picture).write_text(scatter(points, "time per game", "guesses per game", f"Strategies at {rules}"))
        omitted = len(rows) - len(points)
        note = f"\n\nNot plotted: {omitted} strategies that need more than {limit:.1f} guesses." if omitted else ""
        cells = [[f"`{row['strategy']}`", mean(row), row["worst"], seconds(row["seconds"]), f"{row['solved']} of {row['games']}"] for row in rows]
        head = ["strategy", "guesses, ± 95 %", "max", "time per game", "won"]
        parts.append(f"### {rules}\n\n![guesses against time at {rules}]({picture}){note}\n\n{table(head, cells)}\n")
    return "".join(parts)


def mean(row):
    return f"{row['mean']:.3f} ± {row['margin']:.3f}" if row["margin"] is not None else f"{row['mean']:.3f}"


def seconds(value):
    for unit, size in [("s", 1), ("ms", 1e-3), ("µs", 1e-6)]:
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def fields(path):
    """Yields the fields of the lines of a list of records."""
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            yield [field.strip() for field in line.split("|")]


def records(root, _source):
    """The best trees."""
    rows = [
        [f"`{rules}`", f"{int(total):,}", most, proven, f"`{file}`"]
        for file, rules, total, most, proven, _ in fields(root / "crates/solve/records/records.txt")
    ]
    return table(["rules", "guesses over all codes", "max", "", "file"], rows)


def atlas(root, _source):
    """The best known total of every small board."""
    rows = []
    for rules, codes, total, most, bound, *_ in fields(root / "crates/solve/records/atlas.txt"):
        codes, total, bound = int(codes), int(total), int(bound)
        known = "proven" if bound == total else f"lower bound {bound:,} (gap {100 * (total / bound - 1):.2f} %)"
        rows.append([f"`{rules}`", f"{codes:,}", f"{total:,}", f"{total / codes:.4f}", most, known])
    return table(["rules", "codes", "guesses over all codes", "mean", "max", ""], rows)


def exhibits(folder):
    """Makes the table of the exhibits of one paper, with their verdicts."""

    def make(root, _source):
        rows = []
        for name, title, counts in recorded(root):
            if name.split("/")[0] == folder:
                verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
                rows.append([f"`{name}`", title, verdicts or "played without printed numbers"])
        return table(["exhibit", "content", "verdicts"], rows)

    return make


MAKERS = {
    **{f"exhibits-{folder}": exhibits(folder) for folder in PAPERS},
    "command-line": command_line,
    "http-api": http_api,
    "wrong": wrong,
    "refuted": refuted,
    "papers": papers,
    "results": results,
    "strategies": strategies,
    "survey": survey,
    "records": records,
    "atlas": atlas,
}

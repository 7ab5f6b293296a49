"""Pages and tables that are made from files which the project keeps anyway."""

import json
import re
import subprocess
from collections import Counter

from chart import scatter

PAPERS = {
    "merelo-2010": "Merelo et al.",
    "singley-2005": "Singley",
    "temporel-2003": "Temporel & Kovacs",
    "van-oijen-2018": "van Oijen",
    "xu": "Xu",
}
# Those that need more than so many times the guesses of the best would leave no room for the others in a picture.
NEAR_THE_BEST = 1.3
VERDICTS = ["supported", "refuted", "undecided", "not judged"]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def command_line(root, _source):
    """The help of every command, as the tests hold it."""
    text = (root / "tests/program/snapshots/program__help__the_command_line_reference.snap").read_text()
    text = text.split("---\n", 2)[2]
    parts = re.split(r"^# (pegwise.*)$", text, flags=re.M)[1:]
    pairs = zip(parts[::2], parts[1::2])
    return "# The command line\n\n" + "".join(f"## {name}\n\n```text\n{body.strip()}\n```\n\n" for name, body in pairs)


def http_api(root, _source):
    """The routes and shapes of the OpenAPI document."""
    command = ["cargo", "run", "--quiet", "-p", "pegwise-web", "--example", "openapi"]
    document = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout)
    lines = [f"# The HTTP API\n\n{document['info']['description']}\n\n`GET /api/v1/openapi.json` is this page for programs.\n"]
    for path, methods in document["paths"].items():
        for method, about in methods.items():
            lines.append(f"\n## {method.upper()} {path}\n\n{about['summary']}\n")
            parameters = [*methods.get("parameters", []), *about.get("parameters", [])] if method != "parameters" else []
            rows = [[f"`{p['name']}`", p["in"], p.get("description", "")] for p in parameters if "name" in p]
            if rows:
                lines.append("\n" + table(["parameter", "in", "what it is"], rows))
            for what, holder in [("Request", about.get("requestBody")), *[(f"Answer {c}", a) for c, a in about["responses"].items()]]:
                for kind, content in (holder or {}).get("content", {}).items():
                    lines.append(f"\n{what}, `{kind}`:\n\n```json\n{shape(content['schema'])}\n```\n")
    lines.append("\n## Shapes\n")
    for name, schema in document["components"]["schemas"].items():
        lines.append(f"\n### {name}\n\n{schema.get('description', '')}\n\n```json\n{shape(schema)}\n```\n")
    return "".join(lines)


def shape(schema):
    text = json.dumps({key: value for key, value in schema.items() if key != "description"}, indent=1)
    return re.sub(r'\{\s*"\$ref": "#/components/schemas/(\w+)"\s*\}', r"\1", text)


def results(root, _source):
    """Every exhibit with the verdicts of its full run."""
    rows, totals = [], Counter()
    folder = root / "crates/lab/results/full"
    for file in sorted(folder.rglob("*.txt")):
        lines = file.read_text().splitlines()
        counts = Counter(line.split("\t")[-1] for line in lines if line and not line.startswith("#"))
        totals += counts
        title = lines[0].split(": ", 1)[1]
        name = file.relative_to(folder).with_suffix("")
        rows.append([f"`{name}`", title, *[counts[v] or "" for v in VERDICTS]])
    rows.append(["**all**", "", *[f"**{totals[verdict]}**" for verdict in VERDICTS]])
    return table(["exhibit", "what it shows", *VERDICTS], rows)


def measured(root):
    return json.loads((root / "crates/web/page/results.json").read_text())


def survey(root, source):
    """Who needs how many guesses on which board, at what cost."""
    data, parts = measured(root), []
    for rules in sorted({row["rules"] for row in data["rows"]}, key=["4x6", "5x8", "4x10:no-repeats", "8x12", "grid:3x3x4"].index):
        rows = sorted((row for row in data["rows"] if row["rules"] == rules), key=lambda row: row["mean"])
        picture = f"survey-{rules.replace(':', '-')}.svg"
        most = rows[0]["mean"] * NEAR_THE_BEST
        points = [(row["seconds"], row["mean"], row["strategy"]) for row in rows if row["mean"] <= most]
        (source / picture).write_text(scatter(points, "time a game", "guesses a game", f"Strategies at {rules}"))
        left_out = len(rows) - len(points)
        note = f"\n\n{left_out} that need more than {most:.1f} guesses are in the table alone." if left_out else ""
        cells = [[f"`{row['strategy']}`", mean(row), row["worst"], seconds(row["seconds"]), f"{row['solved']} of {row['games']}"] for row in rows]
        head = ["strategy", "guesses, ± 95 %", "most", "time a game", "won"]
        parts.append(f"### {rules}\n\n![guesses against time at {rules}]({picture}){note}\n\n{table(head, cells)}\n")
    return f"{data['games']} secrets a board, drawn by seed {data['seed']}, the same for all.\n\n" + "".join(parts)


def mean(row):
    return f"{row['mean']:.3f} ± {row['margin']:.3f}" if row["margin"] is not None else f"{row['mean']:.3f}"


def seconds(value):
    for unit, size in [("s", 1), ("ms", 1e-3), ("µs", 1e-6)]:
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def records(root, _source):
    """The best trees, by the list that a test holds to the files."""
    rows = []
    for line in (root / "crates/solve/records/records.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        file, rules, total, most, proven, command = [field.strip() for field in line.split("|")]
        rows.append([f"`{rules}`", f"{int(total):,}", most, proven, f"`{file}`", f"`{command}`"])
    return table(["rules", "guesses over all codes", "most", "", "file", "made by"], rows)


def atlas(root, _source):
    """The best known of every small board, by the list that `scripts/atlas` makes."""
    rows = []
    for line in (root / "crates/solve/records/atlas.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        rules, codes, total, most, bound, _seconds, _by = [field.strip() for field in line.split("|")]
        codes, total, bound = int(codes), int(total), int(bound)
        known = "proven" if bound == total else f"not below {bound:,} ({100 * (total / bound - 1):.2f} %)"
        rows.append([f"`{rules}`", f"{codes:,}", f"{total:,}", f"{total / codes:.4f}", most, known])
    return table(["rules", "codes", "guesses over all codes", "mean", "most", ""], rows)


def papers(root, _source):
    """How much of each paper is played again."""
    rows = []
    for folder in sorted((root / "crates/lab/papers").iterdir()):
        if folder.is_dir() and folder.name in PAPERS:
            rows.append([PAPERS[folder.name], len(list(folder.glob("*.toml"))), f"`pegwise lab reproduce {folder.name}/…`"])
    return table(["paper", "tables and figures", "played again by"], rows)


MAKERS = {
    "command-line": command_line,
    "http-api": http_api,
    "results": results,
    "survey": survey,
    "records": records,
    "atlas": atlas,
    "papers": papers,
}

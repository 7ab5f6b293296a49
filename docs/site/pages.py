"""The pages of the site: copied, or made from what the project keeps."""

import re
import shutil
from pathlib import Path

from made import MAKERS

# Tabs of the site, each with its pages: a title, and a document of the repository. Names with a star are made.
TABS = {
    "Start": {"Pegwise": "docs/index.md", "Your first game": "docs/first-game.md", "Changes": "CHANGELOG.md"},
    "Players": {
        "In the terminal": "docs/play.md",
        "In a browser": "docs/web.md",
        "Skill and luck": "docs/skill-and-luck.md",
        "Every variant": "docs/variants.md",
        "The command line": "*command-line.md",
    },
    "Researchers": {
        "The laboratory": "docs/laboratory.md",
        "Methods": "docs/methods.md",
        "Published numbers, answered": "docs/results.md",
        "How a table is written down": "docs/papers-format.md",
    },
    "Engineers": {
        "Architecture": "ARCHITECTURE.md",
        "Contributing": "CONTRIBUTING.md",
        "The engine protocol": "docs/engine-protocol.md",
        "The HTTP API": "*http-api.md",
        "Tree files": "docs/tree-format.md",
        "Hosting": "docs/hosting.md",
    },
    "The field": {
        "Strategies, a survey": "docs/survey.md",
        "Boards of any size": "docs/any-size.md",
        "Records and proofs": "docs/records.md",
    },
}
# What is named here is only shown where it is there.
OPTIONAL = {"Engineers": {"Python": "docs/python.md", "Python reference": "docs/python-reference.md", "A cluster": "docs/cluster.md"}}


def write(root, source, rust):
    """Writes all pages, and gives the navigation."""
    source.mkdir(parents=True)
    nav = []
    shown = {tab: dict(entries) for tab, entries in TABS.items()}
    for tab, entries in OPTIONAL.items():
        shown[tab] |= {title: name for title, name in entries.items() if (root / name).exists()}
    decisions = sorted((root / "docs/decisions").glob("*.md"))
    shown["Decisions"] = {heading(file): f"docs/decisions/{file.name}" for file in decisions}
    names = {file: page(file) for entries in shown.values() for file in entries.values()}
    for tab, entries in shown.items():
        nav.append(f"  - {tab}:\n")
        for title, file in entries.items():
            nav.append(f"    - {title!r}: {names[file]}\n")
            made = file.startswith("*")
            text = MAKERS[file[1:-3]](root, source) if made else (root / file).read_text()
            text = re.sub(r"<!-- made: (\S+) -->", lambda found: MAKERS[found[1]](root, source), text)
            (source / names[file]).parent.mkdir(exist_ok=True)
            (source / names[file]).write_text(text if made else relink(root, file, text, names))
    for picture in [*(root / "docs").glob("*.svg"), *(root / "docs").glob("*.png"), root / "docs/engine_client.py"]:
        shutil.copy(picture, source)
    if rust.is_dir():
        shutil.copytree(rust, source / "rust")
        nav.append("  - Rust reference: rust/pegwise_solve/index.html\n")
    return "".join(nav)


def page(file):
    return "index.md" if file == "docs/index.md" else file.removeprefix("*").removeprefix("docs/").lower()


def heading(file):
    return file.read_text().splitlines()[0].removeprefix("# ")


def relink(root, file, text, names):
    """Links between documents lead to their pages; files that are no pages are named, and not linked."""

    def link(found):
        words, target, anchor = found[1], found[2], found[3] or ""
        path = (root / file).parent.joinpath(target).resolve()
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else target
        up = "../" * (names[file].count("/"))
        if name in names:
            return f"[{words}]({up}{names[name]}{anchor})"
        if Path(name).parent == Path("docs") and path.is_file():
            return f"[{words}]({up}{path.name})"
        return f"{words} (`{name}`)" if path.exists() else found[0]

    return re.sub(r"(?<!`)\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)", link, text)

"""Pages of the site: documents of the repository, and generated ones."""

import re
import shutil
from pathlib import Path

from made import MAKERS

# Tabs of the site with the title and the file of each page. Names with a star are generated.
TABS = {
    "Start": {"Pegwise": "README.md", "Changes": "CHANGELOG.md"},
    "Tutorials": {"Your first games": "docs/tutorial.md", "Your first experiment": "docs/laboratory.md"},
    "How-to": {
        "Play": "docs/play.md",
        "Host the page": "docs/hosting.md",
        "Trees": "docs/trees.md",
        "Use it from ...": "docs/use-from.md",
        "Python": "docs/python.md",
        "Evaluations": "docs/evaluations.md",
        "Clusters": "docs/cluster.md",
        "Contribute": "CONTRIBUTING.md",
    },
    "Reference": {
        "Command line": "*command-line.md",
        "Notation": "docs/notation.md",
        "HTTP API": "docs/http-api.md",
        "Engine protocol": "docs/engine-protocol.md",
        "Tree files": "docs/tree-format.md",
        "Certificates": "docs/certificate-format.md",
        "Files of published tables": "docs/papers-format.md",
        "Glossary": "docs/glossary.md",
    },
    "Explanation": {
        "Architecture": "ARCHITECTURE.md",
        "Adaptive": "docs/adaptive.md",
        "Skill and luck": "docs/analysis.md",
        "Methods": "docs/methods.md",
        "Optima as theorems": "docs/theorem.md",
        "Decisions": "docs/decisions.md",
    },
    "Results": {
        "Results": "docs/results.md",
        "Records": "docs/records.md",
        "Gür 2025": "docs/papers/gur-2025.md",
        "Merelo et al. 2010": "docs/papers/merelo-2010.md",
        "Singley 2005": "docs/papers/singley-2005.md",
        "Temporel and Kovacs 2003": "docs/papers/temporel-2003.md",
        "van Oijen 2018": "docs/papers/van-oijen-2018.md",
        "Xu": "docs/papers/xu.md",
    },
}


def write(root, source, rust, python_reference):
    """Writes all pages into `source` and returns the navigation."""
    source.mkdir(parents=True)
    shown = {tab: dict(entries) for tab, entries in TABS.items()}
    if python_reference:
        shown["Reference"]["Python"] = "*python-reference.md"
    names = {file: page(file) for entries in shown.values() for file in entries.values()}
    makers = MAKERS | {"python-reference": lambda *_: python_reference}
    nav = []
    for tab, entries in shown.items():
        nav.append(f"  - {tab}:\n")
        for title, file in entries.items():
            nav.append(f"    - {title!r}: {names[file]}\n")
            generated = file.startswith("*")
            text = makers[file[1:-3]](root, source) if generated else (root / file).read_text()
            text = re.sub(r"<!-- made: (\S+) -->", lambda found: MAKERS[found[1]](root, source), text)
            (source / names[file]).write_text(text if generated else relink(root, file, text, names))
    for file in [*(root / "docs").glob("*.svg"), *(root / "docs/pictures").glob("*.svg"), root / "docs/engine_client.py"]:
        shutil.copy(file, source)
    if rust.is_dir():
        shutil.copytree(rust, source / "rust")
        nav.append("  - Rust reference: rust/pegwise_solve/index.html\n")
    return "".join(nav)


def page(file):
    return "index.md" if file == "README.md" else file.removeprefix("*").removeprefix("docs/").replace("/", "-").lower()


def relink(root, file, text, names):
    """Points links between documents to their pages; a file that is not a page is named without a link."""

    def link(found):
        words, target, anchor = found[1], found[2], found[3] or ""
        path = (root / file).parent.joinpath(target).resolve()
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else target
        if name in names:
            return f"[{words}]({names[name]}{anchor})"
        if name.startswith("docs/") and path.is_file() and Path(name).suffix in (".svg", ".py"):
            return f"[{words}]({path.name})"
        return f"{words} (`{name}`)" if path.exists() else found[0]

    return re.sub(r"(?<!`)\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)", link, text)

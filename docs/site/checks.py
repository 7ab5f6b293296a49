"""Checks of the documents: tables in place, paths and links."""

import glob
import re
import subprocess

from made import MAKERS

TABLE = re.compile(r"(<!-- table: (\S+) -->\n\n)((?:\|.*\n)*)")
LINK = re.compile(r"\[[^\]]*\]\(([^)#:\s]*)(#[^)\s]+)?\)")


def documents(root):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    return sorted(file for file in listed.stdout.splitlines() if (root / file).is_file())


def update_tables(root):
    """Rewrites the generated tables of all documents, and returns the files that changed."""
    changed = []
    for file in sorted((root / "docs").rglob("*.md")):
        text = file.read_text()
        new = TABLE.sub(lambda found: found[1] + MAKERS[found[2]](root, None), text)
        if new != text:
            file.write_text(new)
            changed.append(file.relative_to(root).as_posix())
    return changed


def problems(root):
    """Returns a message for each stale table, missing path and broken link."""
    files = documents(root)
    folders = {file.split("/")[0] for file in files if "/" in file}
    texts = {file: (root / file).read_text() for file in files if file.endswith(".md")}
    anchors = {file: {slug(heading) for heading in headings(text)} for file, text in texts.items()}
    found = []
    for file, text in texts.items():
        for _, name, table in TABLE.findall(text):
            if table != MAKERS[name](root, None):
                found.append(f"{file}: table {name} is out of date: run docs/site/build --tables")
        for path in re.findall(r"[\w./*{},-]+/[\w./*{},-]*\w", prose(text)):
            name = path.removeprefix("./")
            if name.split("/")[0] in folders and not all(exists(root, one) for one in alternatives(name)):
                found.append(f"{file}: {path} does not exist")
        for target, anchor in LINK.findall(prose(text)):
            path = (root / file).parent.joinpath(target).resolve() if target else root / file
            name = path.relative_to(root).as_posix() if path.is_relative_to(root) else target
            if not path.exists():
                found.append(f"{file}: link to {target}, which does not exist")
            elif anchor and anchor[1:] not in anchors.get(name, set()):
                found.append(f"{file}: {target}{anchor} does not exist")
    for file in files:
        if file.endswith((".rs", ".py", ".toml", ".js")):
            for name in re.findall(r"docs/[\w/-]+\.md", (root / file).read_text(errors="replace")):
                if not (root / name).exists():
                    found.append(f"{file}: {name} does not exist")
    return found


def prose(text):
    """Removes everything that names no file of the repository: variables and URLs."""
    return re.sub(r"https?://\S+|\S*\$\S*|\S*[A-Z]{4,}\S*", "", text)


def exists(root, name):
    """Returns true for files, folders and patterns that match one, and for paths that git ignores."""
    if glob.glob(str(root / name.rstrip("."))):
        return True
    return subprocess.run(["git", "check-ignore", "-q", name], cwd=root).returncode == 0


def alternatives(name):
    """Expands one pair of braces."""
    found = re.search(r"\{([^}]*)\}", name)
    return [name.replace(found[0], one) for one in found[1].split(",")] if found else [name.rstrip(",")]


def headings(text):
    return re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)


def slug(heading):
    """Returns the anchor that forges and MkDocs give a heading."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())

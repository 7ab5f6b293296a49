"""Writes docs/python-reference.md: what the stubs declare, with the words of the docstrings.

python3 python/reference.py, with the package installed; --check tells whether the page is the one that there is.
"""

import ast
import importlib
import inspect
import pathlib
import sys

import pegwise

PAGE = pathlib.Path(__file__).parent.parent / "docs" / "python-reference.md"
#: What is told, and where it is declared.
PARTS = {
    "pegwise": ("_native.pyi", ["Rules", "Codes", "History", "Strategy", "Tree"]),
    "pegwise._coach": ("_coach.py", ["hint", "analyze", "mend", "play", "remaining", "partition"]),
    "pegwise.lab": ("lab.py", ["Experiment", "run", "merge", "report", "Report", "Plot", "games", "export", "own", "command"]),
    "pegwise.env": ("env.py", ["MastermindEnv", "MastermindVectorEnv"]),
    "pegwise.tasks": ("tasks.py", ["make", "each", "check"]),
    "pegwise.cluster": ("cluster.py", ["run", "build_tree", "improve_tree"]),
}
ERRORS = [name for name in pegwise.__all__ if name.endswith("Error")]


def declared(file):
    """What a file declares, by name."""
    path = pathlib.Path(pegwise.__file__).with_name(file)
    kinds = (ast.ClassDef, ast.FunctionDef)
    return {node.name: node for node in ast.parse(path.read_text()).body if isinstance(node, kinds)}


def signature(node, name=None):
    """A function as it is declared."""
    arguments = ast.unparse(node.args)
    for first in ("self, ", "cls, ", "self", "cls"):
        if arguments.startswith(first):
            arguments = arguments[len(first) :]
            break
    given = f" -> {ast.unparse(node.returns)}" if node.returns and name is None else ""
    return f"{name or node.name}({arguments}){given}".replace("npt.", "").replace("typing.", "")


def words(thing):
    """A docstring as Markdown: examples become code."""
    lines, code = [], False
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line.startswith(">>>") and not code:
            lines.append("```pycon")
            code = True
        elif code and not line.strip():
            lines.append("```")
            code = False
        lines.append(line.replace(":class:", "").replace(":func:", "").replace("``", "`") if not code else line)
    return "\n".join([*lines, "```"] if code else lines)


def entry(name, node, thing):
    """A class or a function, with what belongs to it."""
    if isinstance(node, ast.FunctionDef):
        return [f"### `{name}`\n", f"```python\n{signature(node)}\n```\n", words(thing) + "\n"]
    members = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    made = next((one for one in members if one.name in ("__new__", "__init__")), None)
    heading = signature(made, name) if made else name
    lines = [f"### `{name}`\n", f"```python\n{heading}\n```\n", words(thing) + "\n"]
    for one in members:
        if one.name.startswith("_"):
            continue
        kinds = {ast.unparse(decorator) for decorator in one.decorator_list}
        text = f"{one.name}: {ast.unparse(one.returns)}" if "property" in kinds and one.returns else signature(one)
        lines += [f"#### `{name}.{one.name}`\n", f"```python\n{text}\n```\n", words(getattr(thing, one.name)) + "\n"]
    return lines


def page():
    """The whole page."""
    lines = ["# Reference of the package for Python\n", "Made by `python3 python/reference.py` from the stubs and docstrings.\n"]
    for module, (file, names) in PARTS.items():
        nodes, loaded = declared(file), importlib.import_module(module)
        if module != "pegwise._coach":
            lines += [f"## `{module}`\n", words(loaded) + "\n"]
        for name in names:
            lines += entry(name, nodes[name], getattr(loaded, name))
        if module == "pegwise._coach":
            lines.append("### Exceptions\n")
            lines += [f"- `{name}`: {inspect.getdoc(getattr(pegwise, name))}" for name in ERRORS]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    text = page()
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE} is not what the package says: run {sys.argv[0]}")
    PAGE.write_text(text)

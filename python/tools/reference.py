"""Prints a reference of the package as Markdown, from the stubs and docstrings: python3 python/tools/reference.py

The package must be installed. docs/site/build adds the page to the site.
"""

import ast
import importlib
import inspect
import pathlib

import pegwise

#: Documented names per module, and the file that declares them.
PARTS = {
    "pegwise": ("_native.pyi", ["Rules", "Codes", "History", "Strategy", "Tree"]),
    "pegwise._coach": ("_coach.py", ["hint", "analyze", "mend", "play", "remaining", "partition"]),
    "pegwise.lab": ("lab.py", ["Experiment", "run", "merge", "report", "Report", "Plot", "games", "export", "own", "command"]),
    "pegwise.env": ("env.py", ["MastermindEnv", "MastermindVectorEnv"]),
    "pegwise.tasks": ("tasks.py", ["make", "each", "check"]),
    "pegwise.evals": ("evals/_episode.py", ["Episode", "grade", "prompt"]),
    "pegwise.evals._sets": ("evals/_sets.py", ["load", "evaluate", "score", "game"]),
    "pegwise.evals._board": ("evals/_board.py", ["leaderboard", "Leaderboard"]),
    "pegwise.evals._models": ("evals/_models.py", ["Baseline", "ChatModel"]),
    "pegwise.cluster": ("cluster.py", ["run", "build_tree", "improve_tree"]),
}
ERRORS = [name for name in pegwise.__all__ if name.endswith("Error")]


def declared(file):
    """Returns the classes and functions of a file by name."""
    path = pathlib.Path(pegwise.__file__).parent / file
    kinds = (ast.ClassDef, ast.FunctionDef)
    return {node.name: node for node in ast.parse(path.read_text()).body if isinstance(node, kinds)}


def signature(node, name=None):
    """Returns the signature of a function without ``self``."""
    arguments = ast.unparse(node.args)
    for first in ("self, ", "cls, ", "self", "cls"):
        if arguments.startswith(first):
            arguments = arguments[len(first) :]
            break
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and name is None else ""
    return f"{name or node.name}({arguments}){returns}".replace("npt.", "").replace("typing.", "")


def docstring(thing):
    """Returns a docstring as Markdown: examples become code blocks."""
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
    """Returns the section of a class or a function."""
    if isinstance(node, ast.FunctionDef):
        return [f"### `{name}`\n", f"```python\n{signature(node)}\n```\n", docstring(thing) + "\n"]
    members = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    constructor = next((one for one in members if one.name in ("__new__", "__init__")), None)
    heading = signature(constructor, name) if constructor else name
    lines = [f"### `{name}`\n", f"```python\n{heading}\n```\n", docstring(thing) + "\n"]
    for one in members:
        if one.name.startswith("_"):
            continue
        kinds = {ast.unparse(decorator) for decorator in one.decorator_list}
        text = f"{one.name}: {ast.unparse(one.returns)}" if "property" in kinds and one.returns else signature(one)
        lines += [f"#### `{name}.{one.name}`\n", f"```python\n{text}\n```\n", docstring(getattr(thing, one.name)) + "\n"]
    return lines


def page():
    """Returns the page."""
    lines = ["# Python reference\n"]
    for module, (file, names) in PARTS.items():
        nodes, loaded = declared(file), importlib.import_module(module)
        if not module.rpartition(".")[2].startswith("_"):
            lines += [f"## `{module}`\n", docstring(loaded) + "\n"]
        for name in names:
            lines += entry(name, nodes[name], getattr(loaded, name))
        if module == "pegwise._coach":
            lines.append("### Exceptions\n")
            lines += [f"- `{name}`: {inspect.getdoc(getattr(pegwise, name))}" for name in ERRORS]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())

"""Docstring examples are right, and the stubs match the extension."""

import ast
import doctest
import importlib
import inspect
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import pegwise
from pegwise import _native

MODULES = ["pegwise", "pegwise._coach", "pegwise.lab", "pegwise.tasks", "pegwise.env", "pegwise.cluster"]
MODULES += [f"pegwise.{name}" for name in ("_describe", "_replies", "evals", "evals._episode", "evals._models", "evals._sets", "evals.reasoning_gym")]


def documented():
    """Every docstring with examples, by its name."""
    for name in MODULES:
        module = importlib.import_module(name)
        for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
            if test.examples:
                yield test
    parser = doctest.DocTestParser()
    for name, thing in vars(_native).items():
        members = [(name, thing)]
        if inspect.isclass(thing):
            members += [(f"{name}.{member}", value) for member, value in vars(thing).items()]
        for full, member in members:
            text = inspect.getdoc(member) if not isinstance(member, str) else None
            if text and ">>>" in text:
                yield parser.get_doctest(text, {}, full, None, 0)


@pytest.mark.parametrize("test", list(documented()), ids=lambda test: test.name)
def test_examples(test):
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.failures == 0


def stub():
    path = pathlib.Path(pegwise.__file__).with_name("_native.pyi")
    return ast.parse(path.read_text())


def test_stubs_have_all_names():
    declared = {node.name: node for node in stub().body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    constants = {node.target.id for node in stub().body if isinstance(node, ast.AnnAssign)}
    assert set(declared) | constants == {name for name in vars(_native) if not name.startswith("__")} | {"__version__"}
    for name, node in declared.items():
        if isinstance(node, ast.ClassDef):
            members = {one.name for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("__")}
            public = {one for one in vars(getattr(_native, name)) if not one.startswith("_")}
            assert members == public - {"turns"} if name == "ContradictionError" else members == public, name


def test_stubs_have_all_parameters():
    for node in stub().body:
        functions = [(node.name, node, getattr(_native, node.name))] if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and not one.name.startswith("__") and not one.decorator_list:
                    functions.append((f"{node.name}.{one.name}", one, getattr(getattr(_native, node.name), one.name)))
        for name, declared, there in functions:
            arguments = declared.args
            names = [one.arg for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
            assert names == list(inspect.signature(there).parameters), name


#: The frameworks of adapters are not installed, or have no types.
SETTINGS = """
[mypy]
[mypy-dask_jobqueue.*,dask_kubernetes.*,inspect_ai.*,lm_eval.*,datasets.*,textarena.*,verifiers.*]
ignore_missing_imports = True
follow_imports = skip
[mypy-pegwise.evals.*]
disallow_subclassing_any = False
disallow_untyped_decorators = False
"""


def test_types_are_strict(tmp_path):
    """The package, and the examples of the documents in one program per document."""
    programs = []
    for name in ("python", "cluster", "evaluations", "use-from"):
        text = (pathlib.Path(__file__).parents[2] / "docs" / f"{name}.md").read_text()
        programs.append(tmp_path / f"{name}_examples.py")
        programs[-1].write_text("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)))
    # Dask has no types.
    options = ["--strict", "--allow-untyped-calls", "--cache-dir", str(tmp_path / "cache")]
    settings = tmp_path / "mypy.ini"
    settings.write_text(SETTINGS)
    # A copy, because mypy would check the packages that are installed beside it as programs of the user.
    folder = tmp_path / "pegwise"
    shutil.copytree(pathlib.Path(pegwise.__file__).parent, folder)
    command = [sys.executable, "-m", "mypy", *options, "--config-file", str(settings), str(folder), *map(str, programs)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_public_things_are_documented():
    for name in pegwise.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(pegwise, name)), name
    for name in ("hint", "analyze", "mend", "play", "remaining", "partition"):
        function = getattr(pegwise, name)
        assert all(parameter in inspect.getdoc(function) for parameter in inspect.signature(function).parameters), name
    for thing in (pegwise.Rules, pegwise.Codes, pegwise.History, pegwise.Strategy, pegwise.Tree):
        for name, member in vars(thing).items():
            assert name.startswith("_") or inspect.getdoc(member), f"{thing.__name__}.{name}"


def test_importing_the_package_loads_nothing_heavy():
    program = "import sys, pegwise; print([name for name in ('pandas', 'polars', 'gymnasium', 'dask') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "[]"


def test_the_reference_covers_the_package():
    script = pathlib.Path(__file__).parent.parent / "tools" / "reference.py"
    page = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    for name in ("Rules.score", "Codes.matrix", "analyze", "MastermindVectorEnv", "improve_tree", "ContradictionError"):
        assert f"`{name}`" in page, name
    assert page.count("```") % 2 == 0

"""Every notebook runs from its first cell to its last, and its stored outputs are right."""

import pathlib
import runpy

import pytest
from conftest import TIMEOUT

pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

TOOL = runpy.run_path(str(pathlib.Path(__file__).parents[1] / "tools" / "notebooks.py"))
NOTEBOOKS = TOOL["NOTEBOOKS"]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path):
    stored = nbformat.read(path, as_version=4)
    assert any(cell.get("outputs") for cell in stored.cells)
    ran = TOOL["executed"](path, tmp_path, TIMEOUT)
    assert TOOL["texts"](ran) == TOOL["texts"](stored), "run python3 python/tools/notebooks.py, and review the difference"

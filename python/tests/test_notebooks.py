"""Every notebook runs from its first cell to its last."""

import pathlib

import pytest
from conftest import TIMEOUT

nbclient = pytest.importorskip("nbclient")
import nbformat  # noqa: E402

NOTEBOOKS = sorted((pathlib.Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept: they are made by running it"
    times = {"timeout": TIMEOUT, "startup_timeout": TIMEOUT}
    nbclient.NotebookClient(notebook, **times, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()

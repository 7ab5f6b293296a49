"""Runs all notebooks and stores their outputs: python3 python/tools/notebooks.py

Needs nbclient and ipykernel. Cells with the tag "varies" have outputs with times, or that depend on the machine.
"""

import pathlib
import tempfile

import nbclient
import nbformat

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def executed(path, folder, timeout=None):
    """Returns a notebook with the outputs of running it in a folder."""
    notebook = nbformat.read(path, as_version=4)
    metadata = notebook.metadata.copy()
    options = {"timeout": timeout, "startup_timeout": timeout or 60, "kernel_name": "python3", "record_timing": False}
    nbclient.NotebookClient(notebook, **options, resources={"metadata": {"path": str(folder)}}).execute()
    # The kernel adds its version.
    notebook.metadata = metadata
    return notebook


def texts(notebook):
    """Returns the text outputs of each cell that does not vary."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and "varies" not in cell.metadata.get("tags", ())]
    return [[output.get("text") or output.get("data", {}).get("text/plain") for output in cell.outputs] for cell in cells]


if __name__ == "__main__":
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(path, folder), path)

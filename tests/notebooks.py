"""Runs the notebooks of the docs: ``python -m tests.notebooks`` writes their outputs, for `make notebooks`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
VARIES = "varies"  # the tag of cells whose output depends on time, on the engine's network or on the ladder
_SECONDS = re.compile(r"[\d.,]+ s\b")
_ADDRESS = re.compile(r"0x[0-9a-f]+")


def execute(path: Path) -> Any:
    """The notebook with the outputs of this run; an error in a cell raises."""
    notebook = read(path)
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    ).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times of the run
    return notebook


def read(path: Path) -> Any:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]


def outputs(notebook: Any) -> list[str]:
    """What the cells with code print and show, without times; "" for cells whose output varies."""
    return ["" if VARIES in cell.metadata.get("tags", ()) else _text(cell) for cell in notebook.cells if _is_code(cell)]


def _is_code(cell: Any) -> bool:
    return bool(cell.cell_type == "code")


def _text(cell: Any) -> str:
    shown = []
    for output in cell.outputs:
        data = output.get("data", {})
        shown.append(output.get("text", "") or data.get("text/html", "") or data.get("text/plain", ""))
    return _ADDRESS.sub("0x", _SECONDS.sub("_ s", "\n".join(shown)))


def main() -> None:
    for path in NOTEBOOKS:
        path.write_text(nbformat.writes(execute(path)) + "\n", encoding="utf-8")  # type: ignore[no-untyped-call]
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()

"""The notebooks of the docs run, and show what their files say that they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.notebooks import NOTEBOOKS, execute, outputs, read

if TYPE_CHECKING:
    from pathlib import Path


def test_there_are_four() -> None:
    assert len(NOTEBOOKS) == 4


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    assert outputs(execute(path)) == outputs(read(path)), "`make notebooks` writes the new outputs"

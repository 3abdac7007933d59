"""Plots of sweeps."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from flipdrop.errors import ArenaError
from flipdrop.reporting.figures import check_plot_file
from flipdrop.reporting.sweep_plots import sweep_plot
from tests.arena.events import play
from tests.arena.test_parameter_sweep import sweep

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "fine", "labels"),
    [
        (("c=0.5:2:0.5",), {"c": Decimal("0.25")}, 2),
        (("playout=end|depth",), {}, 2),
        (("c=0.5:2:0.5", "playout=end|depth"), {}, 4),
        (("c=1:2:1", "draw=0:1:1"), {"c": Decimal("0.5"), "draw": Decimal("0.5")}, 8),
    ],
)
def test_sweep_plot(options: tuple[str, ...], fine: Any, labels: int) -> None:
    result = play(sweep(*options, refine=fine, games=6, repeats=2))
    drawn = sweep_plot(result, ".svg")
    assert drawn == sweep_plot(result, ".svg")
    ElementTree.fromstring(drawn)
    text = drawn.decode()
    assert all(text.count(f"<!-- {option.partition('=')[0]} -->") == labels // 2 for option in options[:1])
    dots = sweep_plot(result, ".PNG")
    assert dots.startswith(b"\x89PNG")
    assert len(dots) > 10_000


@pytest.mark.parametrize(
    ("name", "expected_error"),
    [("a.jpg", "named .png or .svg"), ("no/a.png", "no folder"), ("folder.svg", "is a folder")],
)
def test_invalid_plot_file(name: str, expected_error: str, tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(ArenaError, match=expected_error):
        check_plot_file(tmp_path / name)

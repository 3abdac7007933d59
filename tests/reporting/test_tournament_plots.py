"""Plots of tournaments."""

from __future__ import annotations

import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from flipdrop.reporting.tournament_plots import PLOTS
from flipdrop.reporting.tournament_report import write_report
from tests.reporting.test_tournament_report import LONG, PLAYERS, table

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize(
    "players", [PLAYERS[:2], PLAYERS[:3], (*PLAYERS, *(f"mcts:iterations={i}" for i in range(4, 24)))]
)
def test_number_of_players(players: tuple[str, ...], tmp_path: Path) -> None:
    write_report(table(players), tmp_path)
    for name in PLOTS:
        root = ET.parse(tmp_path / f"{name}.svg").getroot()
        assert root.tag.endswith("svg")
        data = (tmp_path / f"{name}.png").read_bytes()
        assert data.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", data[16:24])
        assert 500 < width < 5000
        assert 200 < height < 5000


@pytest.mark.slow
def test_labels_inside_the_figure(tmp_path: Path) -> None:
    """Every text stands inside the picture, and names do not overlap each other."""
    from matplotlib.text import Text

    players = (LONG, LONG + ",seed=2", *(f"mcts:iterations={i}" for i in range(1, 19)))
    of = table(players)
    for name, (_, draw) in PLOTS.items():
        figure = draw(of)
        figure.canvas.draw()
        whole = figure.get_tightbbox()
        boxes = [
            text.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
            for text in figure.findobj(Text)
            if isinstance(text, Text) and text.get_visible() and len(text.get_text()) > 6
        ]
        assert len(boxes) > 20, name
        for box in boxes:
            assert box.x0 >= whole.x0 - 0.01, name
            assert box.x1 <= whole.x1 + 0.01, name
        overlapping = [
            (one, two) for i, one in enumerate(boxes) for two in boxes[i + 1 :] if one.shrunk(0.95, 0.8).overlaps(two)
        ]
        assert not overlapping, name


@pytest.mark.slow
def test_no_games(tmp_path: Path) -> None:
    write_report(table(missing=36), tmp_path)
    assert (tmp_path / "score.png").stat().st_size > 0


def test_lazy_import() -> None:
    modules = "flipdrop.interface.cli, flipdrop.reporting.tournament_report"
    code = f"import sys, {modules}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

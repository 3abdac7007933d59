"""The folder of a report: every file is there, stands on its own, and is the same if it is written again."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import ArenaError
from flipdrop.reporting.tournament import FILES, check_folder, write_report
from flipdrop.reporting.tournament_plots import PLOTS
from tests.reporting.test_tournament import LONG, PLAYERS, table

if TYPE_CHECKING:
    from pathlib import Path

VOID = {"meta", "br", "img", "link"}


class Page(HTMLParser):
    """Checks that tags are closed in order; collects names and addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._attributes(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._attributes(attrs)

    def _attributes(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "xlink:href"):
                self.addresses.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


@pytest.mark.slow
def test_every_file_is_written_and_the_same_the_next_time(tmp_path: Path) -> None:
    of = table(forfeits=2)
    for name in ("one", "two"):
        write_report(of, tmp_path / name)
        assert {path.name for path in (tmp_path / name).iterdir()} == set(FILES)
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


@pytest.mark.slow
def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    write_report(table(forfeits=1), tmp_path)
    text = (tmp_path / "report.html").read_text()
    page = Page()
    page.feed(text)
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert page.addresses
    for address in page.addresses:
        assert address.startswith("data:image/png;base64,") or (address[0] == "#" and address[1:] in page.ids)
    assert all(address in page.ids for address in re.findall(r"url\(#([^)]+)\)", text))
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"|<!--.*?-->|<metadata>.*?</metadata>', "", text, flags=re.S)
    for player in PLAYERS:
        assert player in page.text
    assert "<b>" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "players", [PLAYERS[:2], PLAYERS[:3], (*PLAYERS, *(f"mcts:iterations={i}" for i in range(4, 24)))]
)
def test_pictures_hold_together_with_any_number_of_players(players: tuple[str, ...], tmp_path: Path) -> None:
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
def test_nothing_that_is_written_leaves_the_picture(tmp_path: Path) -> None:
    """Every text stands inside the picture, and names do not overlap each other."""
    from matplotlib.text import Text

    players = (LONG, LONG + ",seed=2", *(f"mcts:iterations={i}" for i in range(1, 19)))
    of = table(players)
    for name, draw in PLOTS.items():
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
def test_a_tournament_of_which_nothing_was_played_can_be_drawn(tmp_path: Path) -> None:
    write_report(table(missing=36), tmp_path)
    assert (tmp_path / "score.png").stat().st_size > 0


def test_a_folder_that_cannot_be_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ArenaError, match="name a folder that can be written to"):
            check_folder(path)
    assert (tmp_path / "file").read_text() == "mine"
    check_folder(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []


def test_plots_are_imported_on_use_only() -> None:
    code = "import sys, flipdrop.interface.cli, flipdrop.reporting.tournament; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_markdown_tables_have_as_many_cells_in_every_row(tmp_path: Path) -> None:
    write_report(table(forfeits=1), tmp_path)
    text = (tmp_path / "report.md").read_text()
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) == 2
    for lines in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
        assert len(lines) == 2 + len(PLAYERS)
    assert "![Ratings](ratings.svg)" in text

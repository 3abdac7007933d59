"""The report of a tournament: text, CSV, Markdown and HTML."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.store import GameResult
from flipdrop.arena.tournament import Tournament, TournamentResult, tournament_result
from flipdrop.errors import ArenaError
from flipdrop.reporting.formatting import shortened
from flipdrop.reporting.tournament_report import (
    FILES,
    check_folder,
    cross_csv,
    standings_csv,
    text_report,
    write_report,
)

if TYPE_CHECKING:
    from pathlib import Path

LONG = "mcts:iterations=30,playout=depth,depth=15,evaluation=D(15/6/-10/-4/8/8),scale=250,bias=0.5,final=visits"
PLAYERS = ("random", LONG, 'agents/odd|name,"quoted" & <b>.py:Agent', "greedy")


def table(
    players: tuple[str, ...] = PLAYERS, *, games: int = 6, missing: int = 0, forfeits: int = 0
) -> TournamentResult:
    """A table of results that follow a pattern; the first few games forfeited, the last few not played."""
    of = Tournament(players=players, game="othello4", games=games, openings="random:2", seed=1).first_event
    results = {
        i: GameResult(i, (1, -1, -1, 0, 1)[i * i % 5], 3, "time: it took 3 s of 2" if i < forfeits else "")
        for i in range(of.games - missing)
    }
    return tournament_result(EventProgress(of, results))


def test_standings_csv() -> None:
    of = table(forfeits=2)
    rows = list(csv.DictReader(io.StringIO(standings_csv(of))))
    assert [row["player"] for row in rows] == [entry.player for entry in of.entries]
    for row, entry in zip(rows, of.entries, strict=True):
        assert float(row["elo"]) == pytest.approx(entry.rating, abs=0.006)
        assert (int(row["won"]), int(row["drawn"]), int(row["lost"])) == entry.games.counts[::-1]
    assert sum(int(row["forfeits"]) for row in rows) == 2


def test_cross_csv() -> None:
    of = table()
    places = {entry.player: place for place, entry in enumerate(of.entries)}
    rows = list(csv.DictReader(io.StringIO(cross_csv(of))))
    assert len(rows) == 12
    for row in rows:
        games = of.cross(places[row["player"]], places[row["opponent"]])
        assert (int(row["games"]), int(row["won"])) == (games.total, games.wins)


def test_text_report() -> None:
    text = text_report(table(missing=3, forfeits=1))
    standings, cross, rest = text.split("\n\n")
    assert LONG in standings
    assert LONG not in cross
    assert shortened(LONG, 40) in cross
    assert "3 of 36 games are missing" in rest
    assert "forfeited 1 game:\n  time: it took 3 s of 2" in rest
    assert max(map(len, cross.splitlines())) <= 80


def test_repeated_openings() -> None:
    assert "different openings" not in text_report(table())
    of = Tournament(players=PLAYERS[:2], game="othello4", games=6, openings="start", seed=1).first_event

    def report(*played: int) -> str:
        return text_report(tournament_result(EventProgress(of, {i: GameResult(i, 1, 1, "") for i in played})))

    assert "only 1 different openings for 3 pairs" in report(*range(6))
    assert "only 1 different openings for 2 pairs" in report(0, 1, 2)  # the third is only planned
    assert "different openings" not in report(0, 1)
    assert "different openings" not in report()


def test_text_without_games() -> None:
    of = table(missing=36)
    assert of.games == 0
    assert "no game has ended yet" in text_report(of)
    assert "· " in text_report(of)
    assert standings_csv(of).count("\n") == 5


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
def test_files(tmp_path: Path) -> None:
    of = table(forfeits=2)
    for name in ("one", "two"):
        write_report(of, tmp_path / name)
        assert {path.name for path in (tmp_path / name).iterdir()} == set(FILES)
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


@pytest.mark.slow
def test_self_contained_page(tmp_path: Path) -> None:
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


def test_invalid_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ArenaError, match="name a folder that can be written to"):
            check_folder(path)
    assert (tmp_path / "file").read_text() == "mine"
    check_folder(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []


@pytest.mark.slow
def test_markdown_tables(tmp_path: Path) -> None:
    write_report(table(forfeits=1), tmp_path)
    text = (tmp_path / "report.md").read_text()
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) == 2
    for lines in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
        assert len(lines) == 2 + len(PLAYERS)
    assert "![Ratings](ratings.svg)" in text

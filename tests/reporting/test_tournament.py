"""Tables as text, Markdown and CSV: they say what the tournament's table says."""

from __future__ import annotations

import csv
import io

import pytest

from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.store import GameResult
from flipdrop.arena.tournament import Tournament, TournamentResult, tournament_result
from flipdrop.reporting.formatting import shortened
from flipdrop.reporting.tournament import cross_csv, standings_csv, text_report

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


def test_the_standings_as_csv() -> None:
    of = table(forfeits=2)
    rows = list(csv.DictReader(io.StringIO(standings_csv(of))))
    assert [row["player"] for row in rows] == [entry.player for entry in of.entries]
    for row, entry in zip(rows, of.entries, strict=True):
        assert float(row["elo"]) == pytest.approx(entry.rating, abs=0.006)
        assert (int(row["won"]), int(row["drawn"]), int(row["lost"])) == entry.games.counts[::-1]
    assert sum(int(row["forfeits"]) for row in rows) == 2


def test_the_cross_table_as_csv() -> None:
    of = table()
    places = {entry.player: place for place, entry in enumerate(of.entries)}
    rows = list(csv.DictReader(io.StringIO(cross_csv(of))))
    assert len(rows) == 12
    for row in rows:
        games = of.cross(places[row["player"]], places[row["opponent"]])
        assert (int(row["games"]), int(row["won"])) == (games.total, games.wins)


def test_text_has_everybody_in_full_and_short_names_in_the_cross_table() -> None:
    text = text_report(table(missing=3, forfeits=1))
    standings, cross, rest = text.split("\n\n")
    assert LONG in standings
    assert LONG not in cross
    assert shortened(LONG, 40) in cross
    assert "3 of 36 games are missing" in rest
    assert "forfeited 1 game:\n  time: it took 3 s of 2" in rest
    assert max(map(len, cross.splitlines())) <= 80


def test_too_few_openings_are_mentioned() -> None:
    assert "different openings" not in text_report(table())
    of = Tournament(players=PLAYERS[:2], game="othello4", games=6, openings="start", seed=1).first_event

    def report(*played: int) -> str:
        return text_report(tournament_result(EventProgress(of, {i: GameResult(i, 1, 1, "") for i in played})))

    assert "only 1 different openings for 3 pairs" in report(*range(6))
    assert "only 1 different openings for 2 pairs" in report(0, 1, 2)  # the third is only planned
    assert "different openings" not in report(0, 1)
    assert "different openings" not in report()


def test_no_game_has_ended_yet() -> None:
    of = table(missing=36)
    assert of.games == 0
    assert "no game has ended yet" in text_report(of)
    assert "· " in text_report(of)
    assert standings_csv(of).count("\n") == 5

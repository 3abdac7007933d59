"""Leagues: a fair order of games, players that come and go, standings from the games of all pairings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.league import League
from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store
from flipdrop.arena.tournament import Tournament, tournament_result
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.model import FinishedGame, GameTask

PLAYERS = ("random", "greedy", "mcts:iterations=8", "greedy:seed=3,epsilon=0.5")
LEAGUE = League(game="othello4", games=6, seed=5)


class Recorder:
    """A runner that plays nothing."""

    def __init__(self) -> None:
        self.tasks: list[GameTask] = []

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        self.tasks += tasks
        yield from ()


def play(store: Store, players: tuple[str, ...], league: League = LEAGUE) -> int:
    return league.play(store, runner_for(players, threads=2), players)


def test_order_is_fair() -> None:
    recorder = Recorder()
    with Store(None) as store:
        LEAGUE.play(store, recorder, PLAYERS)
    pairs = [frozenset((task.first, task.second)) for task in recorder.tasks]
    assert len(pairs) == 6 * 6
    for end in range(0, len(pairs) + 1, 2):
        games = Counter({frozenset((a, b)): 0 for a in PLAYERS for b in PLAYERS if a != b}) + Counter(pairs[:end])
        counts = [games[pair] for pair in {*pairs}]
        assert max(counts) - min(counts) <= 2
        players = Counter(name for pair in pairs[:end] for name in pair)
        assert max(players[name] for name in PLAYERS) - min(players[name] for name in PLAYERS) <= 4
    sides = Counter((task.first, task.second) for task in recorder.tasks)
    assert set(sides.values()) == {3}  # each colour equally often


def test_a_new_player_catches_up() -> None:
    with Store(None) as store:
        assert play(store, PLAYERS[:3]) == 18
        before = {(one.event.players, n): r for one in store.events() for n, r in store.results(one.id).items()}
        recorder = Recorder()
        LEAGUE.play(store, recorder, PLAYERS)
        assert all(PLAYERS[3] in (task.first, task.second) for task in recorder.tasks)
        assert play(store, PLAYERS) == 18
        assert play(store, PLAYERS) == 0
        after = {(one.event.players, n): r for one in store.events() for n, r in store.results(one.id).items()}
        assert before.items() <= after.items()
        assert len(after) == 36


def test_standings_count_every_game() -> None:
    with Store(None) as store:
        play(store, PLAYERS)
        points: Counter[str] = Counter()
        for stored in store.events():
            for game in store.games(stored.id):
                points[game.task.first] += game.result + 1
                points[game.task.second] += 1 - game.result
        for players in (PLAYERS, PLAYERS[::-1]):
            standings = LEAGUE.standings(store, players)
            assert standings is not None
            halves = {one.player: 2 * one.games.wins + one.games.draws for one in standings.entries}
            assert halves == points
            assert [entry.rating for entry in standings.entries] == sorted(
                (entry.rating for entry in standings.entries), reverse=True
            )


def test_standings_are_those_of_a_tournament() -> None:
    """The same results, given as one event, have the same ratings."""
    with Store(None) as store:
        play(store, PLAYERS)
        state = LEAGUE.state(store, PLAYERS)
        league = LEAGUE.standings(store, PLAYERS)
        event = Tournament(players=PLAYERS, game="othello4", games=6, seed=5).first_event
        expected = tournament_result(EventProgress(event, dict(state.results)))
        assert league is not None
        assert [(one.player, one.rating, one.interval) for one in league.entries] == [
            (one.player, one.rating, one.interval) for one in expected.entries
        ]


def test_unconnected_players_have_no_rating() -> None:
    with Store(None) as store:
        assert LEAGUE.standings(store, PLAYERS) is None
        assert LEAGUE.standings(store, PLAYERS[:1]) is None
        play(store, PLAYERS[:2])
        standings = LEAGUE.standings(store, PLAYERS)
        assert standings is not None
        assert {entry.player for entry in standings.entries} == set(PLAYERS[:2])


def test_stop_and_go_on() -> None:
    with Store(None) as store, Store(None) as whole:
        runner = runner_for(PLAYERS, threads=1)
        played = LEAGUE.play(store, runner, PLAYERS, proceed=lambda begun: begun < 8)
        assert played == 8
        assert played + play(store, PLAYERS) == play(whole, PLAYERS)
        assert LEAGUE.state(store, PLAYERS).results == LEAGUE.state(whole, PLAYERS).results


def test_fewer_games_than_before() -> None:
    with Store(None) as store:
        play(store, PLAYERS[:2])
        short = League(game="othello4", games=2, seed=5)
        assert play(store, PLAYERS[:2], short) == 0
        assert len(short.state(store, PLAYERS[:2]).results) == 2


@pytest.mark.parametrize("games", [0, 3, 1_000_000])
def test_bad_numbers(games: int) -> None:
    with pytest.raises(ArenaError, match="games"):
        League(game="othello4", games=games, seed=1)

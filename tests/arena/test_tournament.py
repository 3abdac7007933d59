"""Tournaments: tables equal a plain count of the games in any order."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.competition import from_json
from flipdrop.arena.model import Event, gauntlet
from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics import Games
from flipdrop.arena.store import GameResult, Store
from flipdrop.arena.tournament import Tournament, TournamentResult, leader, tournament_result
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

NAMES = ("random", "greedy", "mcts:iterations=5", "level:2")


def progress_of(of: Event, results: Sequence[int | None], terminations: dict[int, str] | None = None) -> EventProgress:
    """A state in which games had these results; None for games that have not ended."""
    terminations = terminations or {}
    return EventProgress(
        of,
        {
            i: GameResult(i, result, result, terminations.get(i, ""))
            for i, result in enumerate(results)
            if result is not None
        },
    )


def scores_by_hand(state: EventProgress) -> dict[tuple[str, str], list[float]]:
    """What each player got out of each game against each other, by asking every task who played it."""
    scores = defaultdict(list)
    for number, result in state.results.items():
        task = state.event.task(number)
        scores[task.first, task.second].append((1 + result.result) / 2)
        scores[task.second, task.first].append((1 - result.result) / 2)
    return scores


def counts(scores: Sequence[float]) -> Games:
    return Games(losses=scores.count(0), draws=scores.count(0.5), wins=scores.count(1))


@st.composite
def courses(draw: st.DrawFn) -> EventProgress:
    players = draw(st.integers(2, 4))
    challengers = draw(st.none() | st.integers(1, players - 1))
    of = Tournament(
        players=NAMES[:players],
        game="othello4",
        games=2 * draw(st.integers(1, 4)),
        openings="random:2",
        seed=1,
        gauntlet=challengers,
    ).first_event
    results = draw(st.lists(st.sampled_from([1, 0, -1, None]), min_size=of.games, max_size=of.games))
    return progress_of(of, results)


@pytest.mark.slow
@given(courses())
def test_counts(state: EventProgress) -> None:
    table = tournament_result(state)
    by_hand = scores_by_hand(state)
    assert [entry.rank for entry in table.entries] == list(range(1, len(state.event.players) + 1))
    assert {entry.player for entry in table.entries} == set(state.event.players)
    for row, entry in enumerate(table.entries):
        own = [score for (player, _), scores in by_hand.items() if player == entry.player for score in scores]
        assert entry.games == counts(own)
        assert entry.interval[0] <= entry.rating <= entry.interval[1]
        for column, opponent in enumerate(table.entries):
            assert table.cross(row, column) == counts(by_hand.get((entry.player, opponent.player), []))
        history = table.history(row)
        assert (history[-1] if history else 0.5) == pytest.approx(entry.games.score)
    first = [(1 + result.result) / 2 for result in state.results.values()]
    assert table.first_mover == counts(first)
    assert table.games + table.missing == state.event.games
    ratings = [entry.rating for entry in table.entries]
    assert ratings == sorted(ratings, reverse=True) or ratings == pytest.approx(sorted(ratings, reverse=True))
    assert sum(ratings) == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
@given(courses(), st.randoms(use_true_random=False))
def test_order_of_games(state: EventProgress, order: random.Random) -> None:
    numbers = list(state.results)
    order.shuffle(numbers)
    shuffled = EventProgress(state.event, {number: state.results[number] for number in numbers})
    assert _comparable(tournament_result(shuffled)) == _comparable(tournament_result(state))


@given(courses())
def test_leader(state: EventProgress) -> None:
    spec, share = leader(state)
    by_hand = scores_by_hand(state)
    shares = {}
    for player in state.event.players:
        own = [score for (name, _), scores in by_hand.items() if name == player for score in scores]
        shares[player] = sum(own) / len(own) if own else 0.0
    assert share == pytest.approx(shares[spec]) == pytest.approx(max(shares.values()))


def test_rating_of_two_players() -> None:
    of = Tournament(players=NAMES[:2], game="othello4", games=200, openings="random:2", seed=1).first_event
    # The first-named player wins 150 of its 200 games, half of them from either side.
    results = [(1 if i // 2 % 4 else -1) * (-1 if i % 2 else 1) for i in range(200)]
    best, worst = tournament_result(progress_of(of, results)).entries
    assert best.player == NAMES[0]
    assert best.rating - worst.rating == pytest.approx(400 * math.log10(3), abs=0.01)


def test_advantage_of_moving_first() -> None:
    of = Tournament(players=NAMES[:2], game="othello4", games=200, openings="random:2", seed=1).first_event
    table = tournament_result(
        progress_of(of, [1 if i // 2 % 4 else -1 for i in range(200)])
    )  # the first side wins 3 of 4 games
    assert [entry.rating for entry in table.entries] == pytest.approx([0, 0])
    assert table.advantage is not None
    assert table.advantage.elo == pytest.approx(400 * math.log10(3), abs=0.01)
    low, high = table.advantage.interval
    assert 0 < low < table.advantage.elo < high


def test_all_games_won() -> None:
    of = Tournament(players=NAMES[:3], game="othello4", games=4, openings="random:2", seed=1).first_event
    results = []
    for task in of.tasks():
        winner = min(task.first, task.second, key=NAMES.index) if NAMES[0] in (task.first, task.second) else None
        results.append(0 if winner is None else 1 if task.first == winner else -1)
    table = tournament_result(progress_of(of, results))
    assert table.entries[0].player == NAMES[0]
    assert table.entries[0].interval[1] == math.inf
    assert all(math.isfinite(entry.rating) for entry in table.entries)
    assert table.to_json()["standings"][0]["elo_interval"][1] is None


def test_forfeits() -> None:
    of = Tournament(players=NAMES[:2], game="othello4", games=4, openings="random:2", seed=1).first_event
    reason = "greedy failed: it had enough"
    state = progress_of(of, [1, -1, 1, 1], {0: reason, 1: reason, 3: "time: random took too long"})
    by_greedy, by_random = tournament_result(state).forfeits
    assert (by_greedy.player, by_greedy.games, by_greedy.reasons) == ("greedy", 2, ((reason, 2),))
    assert (by_random.player, by_random.games) == ("random", 1)


def test_gauntlet() -> None:
    of = Tournament(players=NAMES, game="othello4", games=2, openings="random:2", seed=1, gauntlet=2)
    assert from_json(json.loads(json.dumps(of.to_json()))) == of
    assert of.first_event.pairings == gauntlet(4, 2)
    with Store(None) as store:
        table = of.run(store, runner_for(of.check(), threads=2))
    places = {entry.player: place for place, entry in enumerate(table.entries)}
    assert table.cross(places["random"], places["greedy"]).total == 0
    assert table.cross(places["mcts:iterations=5"], places["level:2"]).total == 0
    assert table.cross(places["greedy"], places["level:2"]).total == 2
    assert table.games == of.games_planned == 8


def test_more_games_in_the_store() -> None:
    longer, shorter = (
        Tournament(players=NAMES[:3], game="othello4", games=games, openings="random:2", seed=1) for games in (8, 4)
    )
    with Store(None) as store:
        longer.run(store, runner_for(NAMES[:3], threads=2))
        resumed = shorter.run(store, runner_for(NAMES[:3], threads=2))
    with Store(None) as store:
        fresh = shorter.run(store, runner_for(NAMES[:3], threads=2))
    assert _comparable(resumed) == _comparable(fresh)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "3 games for each pairing; they come in pairs"),
        ({"games": 0}, "0 games for each pairing"),
        ({"players": ("random",)}, "needs at least two players"),
        ({"gauntlet": 4}, "a gauntlet of 4 with 4 players; from 1 to 3"),
        ({"gauntlet": 0}, "a gauntlet of 0"),
        ({"players": ("random", "random")}, "random takes part twice"),
    ],
)
def test_invalid_settings(options: dict[str, object], message: str) -> None:
    usual: dict[str, Any] = {"players": NAMES, "game": "othello4", "games": 2, "openings": "random:2", "seed": 1}
    with pytest.raises(ArenaError, match=message):
        Tournament(**usual | options)


def _comparable(table: TournamentResult) -> dict[str, object]:
    """Everything but the time it took."""
    data = table.to_json()
    return {name: value for name, value in data.items() if name not in ("seconds", "games_a_second")}

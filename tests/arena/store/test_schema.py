"""Stores of older versions: a store made by flipdrop 0.1.0 opens, and everything in it is found by today's names."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.match import Match
from flipdrop.arena.option_values import Axis
from flipdrop.arena.parameter_sweep import Sweep
from flipdrop.arena.running import make_players
from flipdrop.arena.running.batch import BatchPlayer
from flipdrop.arena.store import Store, load_results, points_of, stored_runs
from flipdrop.arena.tournament import Tournament
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD = Path(__file__).parents[2] / "data" / "store-0.1.0.db"
FIRST, SECOND = "iterative:depth=2,evaluation=D.baseline", "greedy:evaluation=B@positive,epsilon=0.1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    shutil.copy(OLD, tmp_path / "games.db")
    with Store(tmp_path / "games.db") as opened:
        yield opened


def test_events_are_found(store: Store) -> None:
    match = Match(players=(FIRST, SECOND), games=4, openings="random:8", seed=3)
    tournament = Tournament(
        players=("greedy:epsilon=0.2,evaluation=A", "iterative:depth=1,evaluation=B", "random", "level:2"),
        game="othello6",
        games=2,
        openings="random:4",
        seed=5,
    )
    sweep = Sweep(
        spec="greedy:evaluation=D.baseline",
        axes=(Axis.parse("epsilon=0:0.2:0.1"),),
        against="random",
        game="othello4",
        games=2,
        openings="start",
        seed=7,
    )
    for id_, made in enumerate((match, tournament, sweep), start=1):
        found = store.find(made.first_event)
        assert found is not None
        assert (found.id, found.games, found.version) == (id_, made.games_planned, "0.1.0")
        (state,) = made.stored(store)
        assert len(state.results) == made.games_planned
    assert match.resume(store, any_seed=True) == match
    assert Match(players=(FIRST, SECOND), games=2, openings="random:8", seed=9).resume(store, any_seed=True).seed == 3


def test_players(store: Store) -> None:
    compared = 0
    for stored in store.events():
        make_players(stored.event.players, game_of(stored.event.game))
        played = list(store.games(stored.id))
        for task, old, new in zip(stored.event.tasks(), played, BatchPlayer().play(stored.event.tasks()), strict=True):
            if "level:2" not in (task.first, task.second):  # levels are other players in each version
                assert (new.moves, new.result) == (old.moves, old.result)
                compared += 1
    assert compared >= 10


def test_learning_runs_and_curves(store: Store) -> None:
    (run,) = stored_runs(store)
    assert (run.learner, run.game, run.seed) == ("tournament-ga", "othello", 11)
    assert (run.settings["fitness_measure"], run.settings["population"]) == ("points", 4)
    assert [point.values["score against iterative:depth=1"] for point in points_of(store, run.id)] == [0.25, 0.5]


def test_results_of_experiments(store: Store) -> None:
    (result,) = load_results(store, experiment="R1.1", size="quick", seed=1).values()
    assert (result.key, result.event, result.run) == ("p20/g80", 1, 1)
    assert (result.settings["first"], result.settings["second"]) == (FIRST, SECOND)
    assert result.values["players"] == [FIRST, SECOND]

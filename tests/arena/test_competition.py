"""What all competitions share: defaults, validation, JSON, and finding their games in a store."""

from __future__ import annotations

import json
from typing import Any

import pytest

from flipdrop.arena.competition import Competition, from_json
from flipdrop.arena.ladder import LadderPlacement, published_ladder
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.option_values import Axis
from flipdrop.arena.parameter_sweep import Sweep
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.store import Store
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import ArenaError, PlayerError

COMPETITIONS: list[Competition[Any]] = [
    Match(players=("random", "greedy"), game="othello4", games=6, sprt=Sprt(0, 50, model="normalised"), seed=3),
    Tournament(players=("random", "greedy", "level:1"), game="connect4:5x4", games=2, gauntlet=1, openings="start"),
    Tournament(players=("random", "greedy"), game="othello4", time=TimeControl.parse("60+0.5")),
    LadderPlacement(player="random", game="connect4", games=2, opponents=1, seed=9),
    Sweep(spec="greedy", axes=(Axis.parse("epsilon=0:0.2:0.1"),), against="random", game="othello4", games=2),
]


@pytest.mark.parametrize("one", COMPETITIONS, ids=lambda one: one.kind)
def test_json_round_trip(one: Competition[Any]) -> None:
    assert from_json(json.loads(json.dumps(one.to_json()))) == one


def test_defaults() -> None:
    made = Match(players=("random", "greedy"))
    assert (made.game, made.openings, made.games) == ("othello", "random:8", 100)
    assert Match(players=("random", "greedy"), game="connect4").openings == "random:5"
    assert LadderPlacement(player="random", game="connect4").ladder == published_ladder("connect4")


def match(*players: str, **options: Any) -> Match:
    first, second = players
    usual: dict[str, Any] = {"game": "othello4", "openings": "random:2", "seed": 1}
    return Match(players=(first, second), **usual | options)


def test_check() -> None:
    assert list(match("random", "greedy").check()) == ["random", "greedy"]
    with pytest.raises(PlayerError, match="rando"):
        match("rando", "greedy").check()
    with pytest.raises(PlayerError, match="decisive"):
        match("mcts:decisive=tree", "greedy").check()
    with pytest.raises(ArenaError, match="No such file"):
        match("random", "greedy", openings="nowhere.txt").check()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "3 games; they come in pairs"),
        ({"games": 0}, "0 games"),
        ({"time": TimeControl(total=0, increment=1)}, "no time for a move"),
        ({"players": ("random", "random")}, "random takes part twice"),
        ({"players": ("random",)}, "two players, not 1"),
        ({"games": "many"}, "many games; they come in pairs"),
        ({"games": 2.0}, "they come in pairs"),
        ({"seed": -1}, "whole number of at least 0"),
        ({"seed": 1.5}, "whole number of at least 0"),
    ],
)
def test_bad_settings(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        Match(**{"players": ("random", "greedy")} | options)


@pytest.mark.parametrize("data", [{}, {"kind": "duel"}, {"kind": "match", "game": "othello"}])
def test_invalid_json(data: dict[str, Any]) -> None:
    with pytest.raises(ArenaError, match="no settings of a competition"):
        from_json(data)


@pytest.mark.parametrize("one", COMPETITIONS, ids=lambda one: one.kind)
def test_resume_and_stored_result(one: Competition[Any]) -> None:
    with Store(None) as store:
        with pytest.raises(ArenaError, match="nothing to resume"):
            one.resume(store, any_seed=True)
        one.check_new(store)
        result = one.run(store, runner_for(one.check(), threads=1))
        with pytest.raises(ArenaError, match="--resume continues it"):
            one.check_new(store)
        other = from_json(one.to_json() | {"seed": one.seed + 1})
        other.check_new(store)
        assert other.resume(store, any_seed=True) == one
        found = one.result(one.stored(store))
    times = ("seconds", "games_a_second")
    assert {k: v for k, v in found.to_json().items() if k not in times} == {
        k: v for k, v in result.to_json().items() if k not in times
    }

"""Functions, classes, objects and searches as players of competitions."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop import Engine, Mcts, Minimax, Solver, evaluation, ladder, match, player, tournament
from flipdrop.arena.participants import Participants
from flipdrop.errors import ArenaError, PlayerError
from flipdrop.search import GuidedSearch

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop import Position
    from flipdrop.players import PlayerLike


def first_legal(position: Position) -> int:
    return position.legal_moves[0]


def most_discs(position: Any) -> float:
    mine, theirs = position.discs if position.to_move == 0 else position.discs[::-1]
    return float(mine - theirs)


class Seeded:
    """Random moves from its seed."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)

    def choose(self, position: Position) -> int:
        return self.random.choice(position.legal_moves)


def test_specs_of_what_a_spec_can_describe(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("def first(position): return position.legal_moves[0]")
    searches: list[PlayerLike] = [
        Minimax(depth=2),
        Mcts(iterations=9),
        GuidedSearch(simulations=9),
        Engine(depth=2),
        Solver(table=8),
    ]
    given = ["random", *searches, player("level:2"), player(f"{agent}:first")]
    participants = Participants(given, game="connect4")
    described = ("iterative:depth=2", "mcts:iterations=9", "puct:simulations=9", "engine:depth=2", "solver:table=8")
    assert participants.specs == ("random", *described, "level:2", f"{agent}:first")
    assert participants.runner() is None


def test_names_of_objects() -> None:
    def nested(position: Position) -> int:
        return position.legal_moves[-1]

    given: list[PlayerLike] = [first_legal, Seeded, Seeded(3), nested, lambda position: position.legal_moves[0]]
    participants = Participants(given, game="connect4")
    assert participants.specs == (
        "python:first_legal", "python:Seeded", "python:Seeded-2", "python:nested", "python:lambda"
    )  # fmt: skip
    by_function = Participants([Minimax(depth=1, evaluation=evaluation(most_discs))], game="othello")
    assert by_function.specs == ("python:iterative:evaluation=most_discs,depth=1",)


def test_evaluations_by_name_and_by_function() -> None:
    assert player(Minimax(depth=2, evaluation="Seven")).spec == "iterative:evaluation=Seven,depth=2"
    result = match(Minimax(depth=1, evaluation=most_discs), "random", games=4)
    assert result.tally.games.total == 4


def test_same_seed_same_games() -> None:
    results = [match(Seeded, first_legal, game="connect4", games=20, seed=5).to_json() for _ in range(2)]
    for result in results:
        result.pop("seconds")
        result.pop("games_a_second")
    assert results[0] == results[1]
    assert results[0]["players"] == ["python:Seeded", "python:first_legal"]


def test_the_same_games_as_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text("def first_legal(position): return position.legal_moves[0]")
    by_object = match(first_legal, "mcts:iterations=20", game="connect4", games=6, seed=2)
    by_file = match(f"{file}:first_legal", "mcts:iterations=20", game="connect4", games=6, seed=2)
    assert by_object.tally == by_file.tally


def test_a_function_that_fails_forfeits() -> None:
    def wrong(position: Position) -> str:
        return "z9"

    result = match(wrong, "random", game="connect4", games=2)
    assert result.forfeits == (2, 0)
    assert "wrong answered 'z9'" in result.terminations[0]


def test_ctrl_c_reaches_the_caller() -> None:
    def interrupted(position: Position) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(interrupted, "random", game="connect4", games=2)


def test_tournament_and_ladder_take_objects() -> None:
    standings = tournament([first_legal, Seeded, "random", Minimax(depth=2)], game="connect4", games=2, seed=1)
    assert {entry.player for entry in standings.entries} == {
        "python:first_legal", "python:Seeded", "random", "iterative:depth=2"
    }  # fmt: skip
    assert standings.games == 12
    placed = ladder(first_legal, game="connect4", games=2, opponents=2, seed=1)
    assert placed.player == "python:first_legal"
    assert placed.forfeits == 0


@pytest.mark.parametrize("players", ["random", None, 3])
def test_a_tournament_takes_a_list(players: Any) -> None:
    with pytest.raises(ArenaError, match="a tournament takes a list of players, such as"):
        tournament(players)


def test_what_is_no_player() -> None:
    with pytest.raises(TypeError, match="a player is a spec such as"):
        match(3, "random")  # type: ignore[arg-type]
    with pytest.raises(PlayerError, match="no method choose"):
        match(dict, "random")
    with pytest.raises(PlayerError, match="python:NAME is how results call a Python object"):
        player("python:first_legal")
    with pytest.raises(ArenaError, match="takes part twice"):
        match("random", "random")


@pytest.mark.parametrize("spec", ["uci:stockfish", "xboard: gnuchess"])
def test_prefixes_of_other_programs(spec: str) -> None:
    with pytest.raises(PlayerError, match="does not speak that protocol; programs are gtp:COMMAND LINE"):
        player(spec)

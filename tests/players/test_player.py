"""The contract of every player, in every game."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import PlayerError
from flipdrop.games import ConnectFour, ConnectFourGame, OthelloGame
from flipdrop.players import Clock, GameClock, Player, SpecPlayer, checked_move, player
from tests.players.examples import GAMES, NAMES, PASSES, SINGLE_MOVES, WIPED_OUT, all_players
from tests.strategies import random_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.strategies import AnyGame, AnyPosition

# Without a clock each of these would think for a long time; but a test that fails should not take for ever.
TIRELESS = [
    "flat:games=2000000",
    "minimax:depth=40,seconds=20",
    "alphabeta:depth=60,seconds=20",
    "iterative:depth=100,seconds=20",
    "adaptive:depth=40",
    "adaptive:depth=40,adapt=leaf",
    "mcts:iterations=1000000000,seconds=20",
    "mcts:seconds=20,reuse=yes",
    "mcts:seconds=20,threads=2",
    "iterative:seconds=20",
    "solver:seconds=20",
    "perfect",
    "level:9",
    "level:10",
]
TOLERANCE = 0.6  # s of processor time, which other processes do not use up


@pytest.fixture(scope="session")
def makers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[[int], SpecPlayer]]:
    return all_players(tmp_path_factory.mktemp("agents"))


@pytest.fixture(params=NAMES)
def make(request: pytest.FixtureRequest, makers: dict[str, Callable[[int], SpecPlayer]]) -> Callable[[int], SpecPlayer]:
    return makers[request.param]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_legal_moves_in_whole_games(make: Callable[[int], SpecPlayer], game: AnyGame) -> None:
    asked = make(3)
    for position in random_line(game, random.Random(1))[:-1]:
        answer = asked.choose(position)
        assert type(answer) is int
        assert answer in position.legal_moves
        assert checked_move(asked, position, Clock(remaining=60, move_limit=10)) in position.legal_moves


@pytest.mark.parametrize("game", [OthelloGame(6), ConnectFourGame()], ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_game(make: Callable[[int], SpecPlayer], game: AnyGame) -> None:
    def played(next_player: Callable[[], SpecPlayer]) -> list[int]:
        position: AnyPosition = game.start()
        moves: list[int] = []
        while not position.is_over:
            moves.append(next_player().choose(position))
            position = position.play(moves[-1])
        return moves

    one, other = make(7), make(7)
    expected = played(lambda: one)
    assert played(lambda: other) == expected
    if "reuse" not in one.name:  # what the others were asked before does not matter
        assert played(lambda: make(7)) == expected


@pytest.mark.parametrize("position", [*PASSES, *SINGLE_MOVES], ids=lambda position: position.board)
def test_a_pass_and_an_only_move_are_played(make: Callable[[int], SpecPlayer], position: AnyPosition) -> None:
    assert make(0).choose(position) == position.legal_moves[0]


@pytest.mark.parametrize("position", [WIPED_OUT, ConnectFour.from_transcript("1212121")], ids=["wiped out", "won"])
def test_a_finished_game_is_a_clear_error(make: Callable[[int], SpecPlayer], position: AnyPosition) -> None:
    assert position.is_over
    with pytest.raises(PlayerError, match="game is over"):
        make(0).choose(position)
    with pytest.raises(PlayerError, match="game is over"):
        checked_move(make(0), position)


def test_spec_makes_an_equal_player(make: Callable[[int], SpecPlayer]) -> None:
    made = make(12)
    assert isinstance(made, Player)
    assert str(made) == made.spec
    if made.name.startswith(("all_players", "test_")):  # a function that has no file cannot be made from a spec
        return
    again = player(made.spec)
    assert again.spec == made.spec
    assert repr(again) == f"player({made.spec!r})"
    start = OthelloGame(6).start()
    assert again.choose(start) == made.choose(start)


@pytest.mark.timing
@pytest.mark.parametrize("spec", TIRELESS)
@pytest.mark.parametrize("game", [OthelloGame(8), ConnectFourGame(12, 12)], ids=lambda game: game.name)
def test_it_never_overruns_the_time_for_a_move(spec: str, game: AnyGame) -> None:
    tireless = player(spec)
    for limit in (0.0, 0.05, 0.2):
        for clock in (Clock(move_limit=limit), Clock(remaining=limit)):
            began = time.process_time()
            tireless.choose(game.start(), clock)
            assert time.process_time() - began < limit + TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["flat:games=1000000", "iterative:seconds=9", "mcts:seconds=9"])
def test_it_does_not_lose_a_game_on_time(spec: str) -> None:
    both = player(spec)
    clock = GameClock(total=1.0)
    used = [0.0, 0.0]
    position: AnyPosition = OthelloGame(6).start()
    while not position.is_over:
        side = position.to_move
        move = both.choose(position, clock.start(side))
        used[side] += clock.stop()
        position = position.play(move)
    assert max(used) < 1.0 + TOLERANCE
    assert min(used) > 0.2  # it does use its time


@pytest.mark.timing
@pytest.mark.parametrize("position", [PASSES[0], SINGLE_MOVES[0]], ids=["pass", "only move"])
@pytest.mark.parametrize("spec", ["mcts:seconds=20", "iterative:depth=30,seconds=20", "mcts:seconds=20,reuse=yes"])
def test_forced_moves_without_a_search(spec: str, position: AnyPosition) -> None:
    began = time.perf_counter()
    assert player(spec).choose(position) == position.legal_moves[0]
    assert time.perf_counter() - began < 5

"""Players whose search a network guides."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.evaluation.network import write_network
from flipdrop.games import game as game_of
from flipdrop.players import Clock, NetworkPlayer, checked_move, player
from flipdrop.search import Puct
from tests.networks import indifferent, layers_for, metadata_for
from tests.strategies import random_line

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("networks")
    for game in ("connect4", "othello4", "othello6"):
        write_network(made / f"{game}.onnx", layers_for(game), metadata_for(game))
    return made


@pytest.mark.parametrize("name", ["connect4", "othello4", "othello6"])
def test_legal_moves_in_whole_games(folder: Path, name: str) -> None:
    game = game_of(name)
    asked = player(f"network:model={folder / name}.onnx,simulations=25", game=game, seed=3)
    for position in random_line(game, random.Random(1))[:-1]:  # type: ignore[arg-type]
        assert asked.choose(position) in position.legal_moves
        assert checked_move(asked, position, Clock(remaining=60, move_limit=10)) in position.legal_moves


def test_the_same_seed_gives_the_same_game(folder: Path) -> None:
    def played(seed: int) -> list[int]:
        position, moves = game_of("othello6").start(), []
        while not position.is_over:
            moves.append(player(f"network:model={folder}/othello6.onnx,simulations=20", seed=seed).choose(position))
            position = position.play(moves[-1])
        return moves

    assert played(7) == played(7)
    assert len({tuple(played(seed)) for seed in range(6)}) > 1


def test_spec_makes_an_equal_player(folder: Path) -> None:
    spec = f"network:model={folder}/connect4.onnx,simulations=77,c=2,seed=5"
    made = player(spec)
    assert made.spec == spec
    assert player(made.spec) == made
    assert made.name == spec.removesuffix(",seed=5")
    assert player("network").spec == "network"


@pytest.mark.timing
def test_simulations_and_clock(folder: Path) -> None:
    game = game_of("connect4")
    asked = NetworkPlayer(Puct(simulations=50), evaluator=indifferent(7))
    assert asked.report(game.start()).nodes == 50
    assert asked.report(game.start(), Clock(remaining=100)).nodes == 50  # more time than it needs changes nothing
    assert NetworkPlayer(evaluator=indifferent(7)).report(game.start(), Clock(remaining=100)).nodes == 200
    tireless = NetworkPlayer(Puct(simulations=10_000_000), evaluator=indifferent(7))
    began = time.process_time()
    tireless.choose(game.start(), Clock(remaining=60, move_limit=0.3))
    assert time.process_time() - began < 0.3 + 0.6
    timed = NetworkPlayer(Puct(seconds=0.1), evaluator=indifferent(7))
    assert timed.report(game.start()).nodes > 200


@pytest.mark.parametrize("game", ["connect4", "othello", "othello6"])
def test_the_shipped_networks_beat_beginners(game: str) -> None:
    kind = game_of(game)
    source = random.Random(2)
    strong, weak = player("network:simulations=50", game=kind), player("mcts:iterations=30", game=kind)
    score = 0
    for number in range(10):
        position = random_line(kind, source, plies=4)[-1]  # type: ignore[arg-type]
        while not position.is_over:
            mover = strong if position.to_move == number % 2 else weak
            position = position.play(mover.choose(position))
        assert position.result is not None
        score += position.result if number % 2 == 0 else -position.result
    assert score >= 6


def test_errors_say_what_would_be_right(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="network for othello4, not for othello6"):
        player(f"network:model={folder}/othello4.onnx", game="othello6")
    with pytest.raises(PlayerError, match="only for connect4, othello, othello6; train one"):
        player("network", game="othello4")
    with pytest.raises(PlayerError, match="No such file"):
        player("network:model=nowhere.onnx", game="connect4")
    with pytest.raises(PlayerError, match="files are not read here"):
        player(f"network:model={folder}/connect4.onnx", allow_code=False)
    (tmp_path / "text.onnx").write_text("hello")
    with pytest.raises(FlipdropError, match="damaged, or no network"):
        player(f"network:model={tmp_path}/text.onnx", game="connect4")
    with pytest.raises(PlayerError, match="over"):
        player("network").choose(game_of("connect4").start().from_transcript("1212121"))

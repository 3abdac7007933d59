"""One game under the referee: a player that fails forfeits it, and the reason is recorded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.model import GameTask, TimeControl
from flipdrop.arena.openings import Opening
from flipdrop.arena.referee import play, referee
from flipdrop.games import game
from flipdrop.players import FunctionPlayer, player

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position


def task(name: str = "othello", transcript: str = "", **options: TimeControl | None) -> GameTask:
    return GameTask(0, "random", "greedy", Opening(name, transcript), 7, **options)


@pytest.mark.parametrize("name", ["othello", "othello6", "connect4", "connect4:9x7,forbid=c3"])
def test_game(name: str) -> None:
    played = play(task(name))
    position = game(name).start()
    for move in played.moves:
        assert move in position.legal_moves
        position = position.play(move)
    assert position.is_over
    assert played.result == position.result
    assert (played.margin > 0) - (played.margin < 0) == played.result
    assert played == play(task(name))
    assert (played.termination, played.seconds) == ("", None)


def test_opening() -> None:
    played = play(task(transcript="f5d6c3"))
    assert list(played.moves[:3]) == Opening("othello", "f5d6c3").moves


def _illegal(position: Position) -> int:
    return position.move_space - 2


def _raises(position: Position) -> int:
    raise RuntimeError(f"no idea at ply {position.ply}")


def _leaves(position: Position) -> int:
    raise SystemExit(3)


def _slow(position: Position) -> int:
    time.sleep(1.5)
    return position.legal_moves[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "reason"),
    [(_illegal, "not a legal move"), (_raises, "no idea at ply"), (_leaves, "SystemExit"), (_slow, "time: ")],
)
@pytest.mark.parametrize("side", [0, 1])
def test_forfeits(agent: Callable[[Position], int], reason: str, side: int) -> None:
    players = [player("random"), player("random")]
    players[side] = FunctionPlayer(agent, name="culprit")
    played = referee(task(time=TimeControl(move=1) if agent is _slow else None), players)
    assert played.result == (-1 if side == 0 else 1)
    assert played.margin == 64 * played.result
    assert reason in played.termination
    assert "culprit" in played.termination
    assert len(played.moves) == side


def test_clock() -> None:
    played = play(task("othello4", time=TimeControl(total=5)))
    assert played.seconds is not None
    assert all(0 < seconds < 5 for seconds in played.seconds)


def test_player_that_cannot_be_made() -> None:
    played = play(GameTask(0, "random", "nobody.py:Agent", Opening("othello", "f5"), 7))
    assert played.result == 1
    assert "nobody.py" in played.termination
    assert len(played.moves) == 1

"""The server of Botzone's protocol."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest

from flipdrop.errors import PlayerError
from flipdrop.games import game as game_of
from flipdrop.interface.protocols.botzone import (
    KEEP_RUNNING,
    NO_MOVE,
    BotzoneServer,
    move_json,
    read_move,
    serve_botzone,
)
from flipdrop.players import player

GAMES = ("othello", "othello4", "connect4", "connect4:9x8,forbid=c3")


def _server(game: str, spec: str = "mcts:iterations=20") -> BotzoneServer:
    return BotzoneServer(player(spec, game=game_of(game), seed=3), game_of(game))


def _played(game: str) -> list[dict[str, int]]:
    """The moves of a game of two servers, each of which gets one request a turn."""
    sides = _server(game), _server(game)
    position, moves = game_of(game).start(), [NO_MOVE]
    while not position.is_over:
        moves.append(sides[(len(moves) - 1) % 2].answer(json.dumps(moves[-1])))
        position = position.play(read_move(position, moves[-1]))
    return moves[1:]


@pytest.mark.parametrize("game", GAMES)
def test_whole_game(game: str) -> None:
    moves = _played(game)
    assert len(moves) >= 7
    assert all(set(move) == {"x", "y"} for move in moves)


@pytest.mark.parametrize("game", GAMES)
def test_history_tells_the_same_game(game: str) -> None:
    moves = _played(game)
    for ply in range(0, len(moves), 5):
        mine = moves[ply % 2 : ply : 2]
        theirs = moves[1 - ply % 2 : ply : 2]
        requests = theirs if ply % 2 else [NO_MOVE, *theirs]
        turn = {"requests": requests, "responses": mine, "time_limit": 1, "data": ""}
        assert _server(game).answer(json.dumps(turn)) == moves[ply]


def test_passes() -> None:
    """Othello 4x4 has passes in nearly every game."""
    random = Random(1)
    position = game_of("othello4").start()
    seen = 0
    for _ in range(200):
        position = game_of("othello4").start() if position.is_over else position
        move = random.choice(position.legal_moves)
        named = move_json(position, move)
        assert read_move(position, named) == move
        seen += named == NO_MOVE
        position = position.play(move)
    assert seen > 0


def test_rows_do_not_matter_in_connect_four() -> None:
    start = game_of("connect4").start()
    assert [read_move(start, {"x": 3, "y": row}) for row in (0, 5, -1)] == [3, 3, 3]
    assert read_move(start, {"x": 3}) == 3


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no JSON",
        "[]",
        "3",
        '{"requests": []}',
        '{"requests": [{"x": -1, "y": -1}], "responses": [{"x": 3, "y": 2}]}',
        '{"requests": [{"x": -1, "y": -1}], "responses": 3}',
        '{"requests": [{"x": 0, "y": 0}]}',
        '{"x": 9, "y": 9}',
        '{"x": "3", "y": 2}',
        '{"y": 2}',
        "[" * 5000,
    ],
)
def test_bad_lines(line: str) -> None:
    with pytest.raises(PlayerError):
        _server("othello").answer(line)


def test_a_finished_game_has_no_move() -> None:
    server = _server("connect4", "random")
    won = [{"x": 0}, {"x": 0}, {"x": 0}, {"x": 0}]
    with pytest.raises(PlayerError, match="over"):
        server.answer(json.dumps({"requests": won, "responses": [{"x": 1}, {"x": 1}, {"x": 1}]}))


@pytest.mark.parametrize(("once", "lines"), [(True, 1), (False, 4)])
def test_lines_of_the_stream(once: bool, lines: int) -> None:
    turns: list[Any] = [{"requests": [NO_MOVE], "responses": []}, {"x": 0, "y": 0}]
    answers = io.StringIO()
    game = game_of("connect4")
    commands = io.StringIO("\n".join(map(json.dumps, turns)) + "\n")
    serve_botzone(player("random", game=game, seed=1), game, commands, answers, once=once)
    written = answers.getvalue().splitlines()
    assert len(written) == lines
    assert set(json.loads(written[0])) == {"response"}
    assert written[1::2] == [KEEP_RUNNING] * (lines // 2)

"""Plays one game between two players; a player that fails forfeits it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from flipdrop.arena.model import FinishedGame
from flipdrop.errors import PlayerError
from flipdrop.players import checked_move, player, send_history
from flipdrop.players.validation import name_of, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.arena.model import GameTask
    from flipdrop.games import Position
    from flipdrop.players import Player, SpecPlayer

LONGEST_TERMINATION = 300  # characters

Thinking: TypeAlias = "Callable[[int, list[int], float | None], object]"
"""Called before each move, and before each player is made, with the side (0 for the first), the moves so far and the
seconds that the side has."""


def play(task: GameTask, *, thinking: Thinking | None = None) -> FinishedGame:
    """Makes the players of a task, and plays its game. A player that cannot be made forfeits it."""
    game = task.opening.position.game
    specs, seeds = (task.first, task.second), task.seeds
    players: list[SpecPlayer] = []
    try:
        for spec, seed in zip(specs, seeds, strict=True):
            if thinking:
                thinking(len(players), task.opening.moves, None)
            try:
                players.append(player(spec, game=game, seed=seed))
            except PlayerError as error:
                return forfeit(task, task.opening.moves, len(players), one_line(error, LONGEST_TERMINATION))
        return referee(task, players, thinking=thinking)
    finally:
        for made in players:
            made.close()


def referee(task: GameTask, players: Sequence[Player], *, thinking: Thinking | None = None) -> FinishedGame:
    """Plays a task's game; the side that does not return a legal move in time forfeits it."""
    start = task.opening.position.game.start()
    moves = list(task.opening.moves)
    position = task.opening.position
    clock = task.time.clock() if task.time else None
    seconds = [0.0, 0.0]
    while not position.is_over:
        side = position.to_move
        mover = players[side]
        if thinking:
            thinking(side, moves, clock.clock(side).limit if clock else None)
        try:
            send_history(mover, start, moves)
            time = clock.start(side) if clock else None
            try:
                move = checked_move(mover, position, time)
            finally:
                if clock:
                    seconds[side] += clock.stop()
        except PlayerError as error:
            return forfeit(task, moves, side, one_line(error, LONGEST_TERMINATION), seconds if clock else None)
        if clock and clock.overrun is not None:
            reason = f"time: {name_of(mover)} took too long, {seconds[side]:.2f} s in all with the clock at {task.time}"
            return forfeit(task, moves, side, reason, seconds)
        moves.append(move)
        position = position.play(move)
    used = (seconds[0], seconds[1]) if clock else None
    return FinishedGame(task, tuple(moves), result_of(position), margin_of(position), "", used)


def forfeit(
    task: GameTask, moves: Sequence[int], side: int, reason: str, seconds: list[float] | None = None
) -> FinishedGame:
    """A game that `side` forfeits: every disc goes to the other side."""
    sign = -1 if side == 0 else 1
    position = task.opening.position
    margin = len(position.cells) if position.game.score_unit == "discs" else 1
    return FinishedGame(task, tuple(moves), sign, sign * margin, reason, (seconds[0], seconds[1]) if seconds else None)


def result_of(position: Position) -> int:
    """1, 0 or -1 for the first side of a finished game."""
    result = position.result
    assert result is not None, "the game is not over"
    return result


def margin_of(position: Position) -> int:
    """The first side's margin in a finished game: discs in Othello; empty cells plus one in Connect Four."""
    return result_of(position) * (position.empties + 1) if position.margin is None else position.margin

"""Plays one game between two players; a player that fails forfeits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.model import FinishedGame
from flipdrop.arena.player_pool import PlayerPool
from flipdrop.errors import IllegalMove, PlayerError, one_line
from flipdrop.players import checked_move, send_history
from flipdrop.players.spec import runs_code
from flipdrop.players.validation import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.arena.model import GameTask
    from flipdrop.games import Position
    from flipdrop.players import Player, SpecPlayer

LONGEST_TERMINATION = 300  # characters


def play(task: GameTask, *, watch: Callable[[], object] | None = None, pool: PlayerPool | None = None) -> FinishedGame:
    """Plays the game of a task. A player that cannot be made forfeits it.

    :param watch: called before each move, and before each player is made; what it raises ends the game
    :param pool: makes the players and keeps external engines for other games; by default they end with the game
    """
    if pool is None:
        with PlayerPool() as pool:
            return play(task, watch=watch, pool=pool)
    game = task.opening.position.game
    specs, seeds = (task.first, task.second), task.seeds
    players: list[SpecPlayer] = []
    try:
        for spec, seed in zip(specs, seeds, strict=True):
            if watch:
                watch()
            try:
                players.append(pool.take(spec, game=game, seed=seed))
            except PlayerError as error:
                return forfeit(task, task.opening.moves, len(players), one_line(error, LONGEST_TERMINATION))
        return referee(task, players, watch=watch)
    finally:
        for spec, made in zip(specs, players, strict=False):
            pool.give_back(spec, made)


def referee(task: GameTask, players: Sequence[Player], *, watch: Callable[[], object] | None = None) -> FinishedGame:
    """Plays a task's game; the side that does not return a legal move in time forfeits it."""
    start = task.opening.position.game.start()
    moves = list(task.opening.moves)
    position = task.opening.position
    clock = task.time.clock() if task.time else None
    seconds = [0.0, 0.0]
    while not position.is_over:
        side = position.to_move
        mover = players[side]
        if watch:
            watch()
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


def replayed(game: FinishedGame) -> FinishedGame:
    """The game, if its moves lead to its result by the rules; else the game forfeited where it leaves them.

    The process that keeps results checks games from other processes and machines in this way. A side that a spec lets
    run code forfeits rather than one of flipdrop's own players.
    """
    task, moves = game.task, game.moves
    opening = tuple(task.opening.moves)
    if moves[: len(opening)] != opening:
        return _not_replayed(task, opening, task.opening.position, "its game does not begin with the opening")
    position = task.opening.position
    for number, move in enumerate(moves[len(opening) :], len(opening)):
        try:
            position = position.play(move)
        except (IllegalMove, TypeError):
            return _not_replayed(task, moves[:number], position, f"move {number + 1} of its game is not legal")
    if game.termination:
        loser = -1 if game.result > 0 else 1 if game.result < 0 else 0
        if loser == 0 or game.margin != forfeit(task, moves, 0 if loser == 1 else 1, "").margin:
            return _not_replayed(task, moves, position, "its game was handed in with a false result")
    elif not position.is_over:
        return _not_replayed(task, moves, position, f"its game ends after {len(moves)} moves, and is not over")
    elif (game.result, game.margin) != (result_of(position), margin_of(position)):
        return _not_replayed(task, moves, position, "its game was handed in with a false result")
    return game


def _not_replayed(task: GameTask, moves: Sequence[int], position: Position, reason: str) -> FinishedGame:
    codes = [side for side, spec in enumerate((task.first, task.second)) if runs_code(spec)]
    side = codes[0] if len(codes) == 1 else int(position.to_move)
    return forfeit(task, moves, side, f"{(task.first, task.second)[side]}: {reason}")


def result_of(position: Position) -> int:
    """1, 0 or -1 for the first side of a finished game."""
    result = position.result
    assert result is not None, "the game is not over"
    return result


def margin_of(position: Position) -> int:
    """The first side's margin in a finished game: discs in Othello; empty cells plus one in Connect Four."""
    return result_of(position) * (position.empties + 1) if position.margin is None else position.margin

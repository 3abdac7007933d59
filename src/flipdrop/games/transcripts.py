"""Transcripts: the moves of a game in notation, such as ``f5d6c3``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from flipdrop.errors import IllegalMove, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flipdrop.games.base import Game
    from flipdrop.games.position import Position


def read_transcript(start: Position, text: str, *, after: str = "") -> tuple[list[int], Position]:
    """The moves of a transcript from `start` and the position after them. Passes may be left out.

    :param after: the transcript of the moves before `start`, for error messages
    """
    moves: list[int] = []
    position = start
    earlier = start.game.transcript_tokens(after) if after else []
    tokens = [*earlier, *start.game.transcript_tokens(text)]
    for number, token in enumerate(tokens[len(earlier) :], len(earlier) + 1):
        try:
            move = position.parse_move(token)
            if position.pass_move in position.legal_moves and move != position.pass_move:
                moves.append(position.pass_move)
                position = position.play(position.pass_move)
            position = position.play(move)
        except IllegalMove as error:
            before = "".join(tokens[: number - 1])
            where = f"after {quoted(before)}" if before else "at the start"
            raise IllegalMove(f"move {number} of the transcript, {where}: {error}") from None
        moves.append(move)
    return moves, position


def write_transcript(start: Position, moves: Iterable[int]) -> str:
    """The transcript of `moves`, without passes, except a final one that no later move implies."""
    moves = list(moves)
    written = [move for move in moves[:-1] if move != start.pass_move] + moves[-1:]
    return "".join(map(_names(start.game).__getitem__, written))


@cache
def _names(game: Game) -> tuple[str, ...]:
    """The names of a game's moves by number, cached: the arena's store writes millions of moves."""
    start = game.start()
    return tuple(map(start.move_name, range(start.move_space)))


def positions_along(start: Position, moves: Sequence[int | str]) -> list[Position]:
    """Every position of a game, from `start` to the one after the last move."""
    line = [start]
    for move in moves:
        line.append(line[-1].play(move))
    return line

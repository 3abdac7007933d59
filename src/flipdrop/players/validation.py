"""Validation of players' answers: every fault is a PlayerError that names the player."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, SupportsIndex

from flipdrop.errors import FlipdropError, PlayerError, one_line

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.players.clock import Clock
    from flipdrop.players.player import Player


def checked_move(player: Player, position: Position, clock: Clock | None = None) -> int:
    """A player's answer, a legal move; PlayerError with player and position for any other answer or exception."""
    if position.is_over:
        raise PlayerError(f"{position!r}: the game is over, there is no move to choose")
    try:
        answer: object = player.choose(position, clock)
    except PlayerError:
        raise
    except (Exception, SystemExit) as error:  # an agent that calls sys.exit() must not end a tournament
        raise failure(name_of(player), position, error) from error
    return legal_answer(name_of(player), position, answer)


def legal_answer(name: str, position: Position, answer: object) -> int:
    """The legal move that a player's answer names, by number or notation; PlayerError if there is none."""
    try:
        move = position.parse_move(answer) if isinstance(answer, str) else _number(answer)
    except (FlipdropError, TypeError):
        move = -1
    legal = position.legal_moves
    if move not in legal:
        names = " ".join(map(position.move_name, legal))
        raise PlayerError(
            f"{name} answered {short_repr(answer)} in {position!r}, which is not a legal move; legal: {names} "
            f"(as numbers {' '.join(map(str, legal))})"
        )
    return move


def failure(name: str, position: Position, error: BaseException) -> PlayerError:
    """The PlayerError for an exception of a player."""
    return PlayerError(f"{name} failed in {position!r}: {type(error).__name__}: {one_line(error)}")


def name_of(player: object) -> str:
    """A player's name for messages; its class if it has no usable name."""
    try:
        name = getattr(player, "name", None)
    except Exception:  # a user's property may raise anything
        name = None
    return name if isinstance(name, str) and name else type(player).__name__


def short_repr(value: object, limit: int = 60) -> str:
    """The repr of a value for a message, on one line."""
    try:
        text = repr(value)
    except Exception:  # so may a user's repr
        text = f"a {type(value).__name__}"
    return one_line(text, limit)


def _number(answer: object) -> int:
    if isinstance(answer, bool) or not isinstance(answer, SupportsIndex):  # True is not a move
        raise TypeError
    return operator.index(answer)

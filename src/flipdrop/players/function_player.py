"""`FunctionPlayer`: a user's function as a player."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError
from flipdrop.players.player import SpecPlayer
from flipdrop.players.validation import failure, legal_answer, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.players.clock import Clock


class FunctionPlayer(SpecPlayer):
    """Plays the answer of ``function(position)`` or ``function(position, clock)``: a move's number or name.

    The function is called only where there is a choice, never for a finished game, a pass or a forced move.

    >>> from flipdrop import Othello
    >>> first = FunctionPlayer(lambda position: position.legal_moves[0], name="first")
    >>> Othello().move_name(first.choose(Othello()))
    'd3'

    :param name: for tables and error messages
    :param spec: the spec that makes an equal player, if there is one
    """

    def __init__(self, function: Callable[..., Any], *, name: str = "", spec: str = "") -> None:
        if not callable(function):
            raise PlayerError(f"{shown(function)} cannot be called; a player is a function position -> move")
        self._function = function
        self._name = name or getattr(function, "__qualname__", type(function).__name__)
        self._own_spec = spec or self._name
        self._takes_clock = takes_clock(function, self._name)

    @property
    def spec(self) -> str:
        return self._own_spec

    @property
    def name(self) -> str:
        return self._name

    def _choose(self, position: Position, clock: Clock | None) -> int:
        """The function's answer; PlayerError if it is no legal move or if the function fails."""
        try:
            answer = self._function(position, clock) if self._takes_clock else self._function(position)
        except (Exception, SystemExit) as error:
            raise failure(self._name, position, error) from error
        return legal_answer(self._name, position, answer)


def takes_clock(function: Callable[..., Any], name: str) -> bool:
    """Whether it takes a position and a clock, rather than a position; PlayerError if it takes neither."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C have no signature
        return False
    for arguments in ((None, None), (None,)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return len(arguments) == 2
    raise PlayerError(f"{name} takes {signature}; a player is called with a position, or with a position and a clock")

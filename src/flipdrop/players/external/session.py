"""`EngineSession`: the base class of sessions with an engine, one for each protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, quoted
from flipdrop.players.external.process import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.games.history import GameHistory
    from flipdrop.players.clock import Clock
    from flipdrop.players.external.process import EngineProcess


class EngineSession(ABC):
    """A session with an engine that has just been started. Deadlines are by `time.monotonic`."""

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._sent: GameHistory | None = None

    @abstractmethod
    def handshake(self, deadline: float) -> None:
        """Waits until the engine answers."""

    @abstractmethod
    def send_history(self, history: GameHistory, deadline: float) -> None:
        """Sends the moves that the engine does not know yet, or the whole game."""

    @abstractmethod
    def move(self, history: GameHistory, clock: Clock | None, deadline: float) -> int:
        """Asks for the engine's move."""

    def new_game(self) -> None:
        """The next history begins another game, even if it continues the last one."""
        self._sent = None

    def quit(self, deadline: float) -> None:
        """Sends quit, without waiting for an answer."""
        self._engine.send("quit", deadline)


def legal_move(position: Position, answer: str, parse: Callable[[Position, str], int]) -> int:
    """The move that an engine's answer names; EngineError if it is not legal.

    :param parse: reads the protocol's notation
    """
    try:
        move = parse(position, answer)
    except FlipdropError as error:
        raise EngineError(f"answered {quoted(answer)} in {position!r}, which is no move: {error}") from None
    if move not in position.legal_moves:
        legal = " ".join(map(position.move_name, position.legal_moves))
        raise EngineError(f"answered {quoted(answer)} in {position!r}, which is not a legal move; legal: {legal}")
    return move

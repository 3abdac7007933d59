"""What a player is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from flipdrop.errors import PlayerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Position
    from flipdrop.players.clock import Clock
    from flipdrop.search import SearchReport


@runtime_checkable
class Player(Protocol):
    """Anything that chooses a move."""

    @property
    def name(self) -> str:
        """What tables call it."""

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """A legal move of a position that is not over, within the time of the clock if there is one."""


@runtime_checkable
class Analyst(Player, Protocol):
    """A player that can say what it thinks of every move."""

    def report(self, position: Position, clock: Clock | None = None) -> SearchReport:
        """What it finds out about a position that is not over."""


@runtime_checkable
class Follower(Protocol):
    """A player that wants to know how the game came to where it is, because it is more than a function of positions.

    Positions do not know their history, and `choose` is called for one side's turns only. Another program that is told
    moves, not boards, cannot do with that. So whoever runs a game calls `follow` before each `choose` of such a player,
    by `tell`; a player that was not told has to find out, or say that it cannot.
    """

    def follow(self, start: Position, moves: Sequence[int]) -> None:
        """Hears where the game is: after all `moves` from `start`, of both sides, passes and openings included.

        The position after them is the one that `choose` is asked about next, unless the game is over. It is called
        while no clock runs, so this is the time to start a program; a player that cannot go on raises PlayerError.
        """


class SpecPlayer(ABC):
    """A player that a spec string describes, its randomness included."""

    @property
    @abstractmethod
    def spec(self) -> str:
        """The canonical spec: `flipdrop.players.player` makes an equal player of it."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The spec without the seed, so that the same player is called the same in every game."""

    @abstractmethod
    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """A legal move of a position that is not over, within the time of the clock if there is one."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Gives back what it holds outside of Python, such as another program's process. It can play again after it."""

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        return f"player({self.spec!r})"


def forced_move(position: Position) -> int | None:
    """The move that needs no thought, a pass or an only move; None if there is a choice.

    R3's program crashed here: a side that has to pass has one legal move, the pass, and only a finished game has none.
    """
    if position.is_over:
        raise PlayerError(f"{position!r}: the game is over, there is no move to choose")
    moves = position.legal_moves
    return moves[0] if len(moves) == 1 else None


def report_of(player: Player, position: Position, clock: Clock | None = None) -> SearchReport:
    """What a player thinks of every move, if it is one that can say."""
    if not isinstance(player, Analyst):
        raise PlayerError(f"{player.name} chooses a move and cannot say what moves are worth")
    return player.report(position, clock)


def tell(player: Player, start: Position, moves: Sequence[int]) -> None:
    """Tells a player how the game went so far, if it wants to know: before each of its moves, while no clock runs."""
    if isinstance(player, Follower):
        player.follow(start, moves)

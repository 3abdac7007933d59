"""`Player` and `HistoryAware`: the protocols of players; `SpecPlayer` and `AnalysingPlayer`: the base classes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from flipdrop.errors import PlayerError
from flipdrop.games import check_position
from flipdrop.options import check_options, format_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock
    from flipdrop.search import SearchReport


@runtime_checkable
class Player(Protocol):
    """Anything that chooses a move.

    >>> from flipdrop import Othello, player
    >>> Othello().move_name(player("greedy", seed=1).choose(Othello()))
    'd3'
    """

    @property
    def name(self) -> str:
        """The name in tables."""

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """A legal move of a position that is not over, within the time of the clock if there is one."""


@runtime_checkable
class HistoryAware(Protocol):
    """A player that needs the moves of the game, not only the position: an external engine that takes moves.

    Positions hold no history, and `choose` is called for one side only. The code that runs a game calls `send_history`
    before each `choose`; without it such a player has to find a move sequence itself or raise PlayerError.
    """

    def set_history(self, start: Position, moves: Sequence[int]) -> None:
        """Receives all moves of both sides from `start`, passes and openings included.

        They lead to the position of the next `choose`, unless the game is over. No clock runs during the call, so a
        player may start its program here; a player that cannot continue raises PlayerError.
        """


class SpecPlayer(ABC):
    """A player that a spec string describes, its randomness included.

    A subclass with options is a dataclass with a `kind`; `_option_holders` gives the objects that hold its options.
    """

    is_reusable: ClassVar[bool] = False
    """Whether the player is kept for the next game, after `new_game`, because starting it takes long."""

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def kind(self) -> str:
        """The first word of the spec."""
        raise NotImplementedError

    @property
    def _option_holders(self) -> tuple[Any, ...]:
        """The dataclasses that hold the options, in the order of the spec."""
        return (self,)

    @property
    def spec(self) -> str:
        """The canonical spec: `flipdrop.players.player` makes an equal player of it."""
        return self._spec()

    @property
    def name(self) -> str:
        """The spec without the seed, which is the same in every game of an event."""
        return self._spec("seed")

    def _spec(self, *leave_out: str) -> str:
        options = format_options(*self._option_holders, leave_out=leave_out)
        return f"{self.kind}:{options}" if options else self.kind

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """A legal move of a position that is not over, within the time of the clock if there is one."""
        forced = forced_move(position)
        return self._choose(position, clock) if forced is None else forced

    @abstractmethod
    def _choose(self, position: Position, clock: Clock | None) -> int:
        """The move in a position with at least two legal moves."""

    def check_supported(self, game: Game) -> None:  # noqa: B027 - most play everything
        """Raises FlipdropError if its options do not fit a game."""

    def reseed(self, seed: int) -> None:  # noqa: B027 - a player with a seed is made for each game
        """Sets the seed of the next game; called for reusable players only."""

    def interrupt(self) -> None:  # noqa: B027 - searches are interrupted by the kernel
        """Makes a call in another thread that waits for a process raise PlayerError soon."""

    def new_game(self) -> None:  # noqa: B027 - most remember nothing
        """Forgets the game, and keeps resources outside of Python for the next one."""

    def close(self) -> None:  # noqa: B027 - most hold nothing
        """Releases resources outside of Python, such as a process. The player can be used again."""

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        return f"player({self.spec!r})"


class AnalysingPlayer(SpecPlayer):
    """A player that reports a value for every move, and plays the best one."""

    def report(self, position: Position, clock: Clock | None = None) -> SearchReport:
        """The report on a position that is not over."""
        forced_move(position)  # raises if the game is over
        return self._report(position, clock)

    @abstractmethod
    def _report(self, position: Position, clock: Clock | None) -> SearchReport: ...

    def _choose(self, position: Position, clock: Clock | None) -> int:
        return self._report(position, clock).best


def forced_move(position: Position) -> int | None:
    """The only legal move, which may be a pass; None if there is a choice.

    A side that has to pass has one legal move, the pass; only a finished game has none.
    """
    check_position(position)
    if position.is_over:
        raise PlayerError(f"{position!r}: the game is over, there is no move to choose")
    moves = position.legal_moves
    return moves[0] if len(moves) == 1 else None


def analyse_with(player: Player, position: Position, clock: Clock | None = None) -> SearchReport:
    """The player's report; PlayerError for a player that gives none."""
    if not isinstance(player, AnalysingPlayer):
        raise PlayerError(f"{player.name} chooses a move and cannot say how good moves are")
    return player.report(position, clock)


def send_history(player: Player, start: Position, moves: Sequence[int]) -> None:
    """Sends a `HistoryAware` player the moves so far: before each of its moves, while no clock runs."""
    if isinstance(player, HistoryAware):
        player.set_history(start, moves)

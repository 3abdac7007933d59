from collections.abc import Callable
import enum
from typing import Final, Self, overload


class ConnectFourPosition:
    """A Connect Four position: an immutable value."""

    def __init__(self, columns: int, rows: int, cells: str, to_move: Side) -> None: ...

    @property
    def columns(self) -> int:
        """Columns of the board."""

    @property
    def rows(self) -> int:
        """Rows of the board."""

    @property
    def forbidden(self) -> int | None:
        """The forbidden cell in reading order, or None."""

    @property
    def winning_cells(self) -> list[int]:
        """
        The cells of the winner's lines of four, in reading order; empty unless somebody has won.
        """

    def landing_cell(self, move: int) -> int:
        """
        The cell, in reading order, in which the disc of a legal move comes to rest.
        """

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""

    @property
    def ply(self) -> int:
        """Discs placed since the start."""

    @property
    def discs(self) -> tuple[int, int]:
        """Discs of the first and of the second side."""

    @property
    def cells(self) -> str:
        """
        The board in reading order: 'X' and 'O' for the first and second side's discs, '-' for empty.
        """

    @property
    def move_space(self) -> int:
        """Moves are numbers from 0 to one less than this."""

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """
        The moves of the side to move, ascending; empty exactly when the game is over.
        """

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def result(self) -> int | None:
        """
        1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on.
        """

    @overload
    def play(self, move: int) -> Self:
        """The position after a legal move, given by number or by name."""

    @overload
    def play(self, move: str) -> Self: ...

    def move_name(self, move: int) -> str:
        """The move in notation."""

    def parse_move(self, name: str) -> int:
        """The number of the move written as `name`; it need not be legal."""

    symmetries: Final[int] = ...
    """
    Symmetries are numbers from 0 (leave everything in place) to one less than this.
    """

    def transformed(self, symmetry: int) -> Self:
        """The position seen through one of the board's symmetries."""

    def transformed_move(self, move: int, symmetry: int) -> int:
        """Where a move goes under a symmetry."""

    def perft(self, depth: int, *, threads: int = 1, progress: Callable[[int, int], object] | None = None) -> int:
        """
        The number of move sequences of `depth` plies. `progress(finished, parts)` is called about 20 times a second.
        """

    def playouts(self, games: int, *, seed: int, threads: int = 1) -> tuple[int, int, int]:
        """
        Wins, draws and losses of the side to move in `games` games of random moves; the same for any number of threads.
        """

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

class FlipdropError(ValueError):
    pass

class IllegalMove(FlipdropError):
    pass

class IllegalPosition(FlipdropError):
    pass

class OthelloPosition:
    """An Othello position: an immutable value."""

    def __init__(self, size: int, cells: str, to_move: Side) -> None: ...

    @property
    def size(self) -> int:
        """Rows and columns of the board."""

    @property
    def margin(self) -> int:
        """
        The first side's discs minus the second's; once the game is over, the winner gets the empty squares.
        """

    def flipped_by(self, move: int) -> list[int]:
        """The squares whose discs turn when a legal move is played."""

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""

    @property
    def ply(self) -> int:
        """Discs placed since the start."""

    @property
    def discs(self) -> tuple[int, int]:
        """Discs of the first and of the second side."""

    @property
    def cells(self) -> str:
        """
        The board in reading order: 'X' and 'O' for the first and second side's discs, '-' for empty.
        """

    @property
    def move_space(self) -> int:
        """Moves are numbers from 0 to one less than this."""

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """
        The moves of the side to move, ascending; empty exactly when the game is over.
        """

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def result(self) -> int | None:
        """
        1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on.
        """

    @overload
    def play(self, move: int) -> Self:
        """The position after a legal move, given by number or by name."""

    @overload
    def play(self, move: str) -> Self: ...

    def move_name(self, move: int) -> str:
        """The move in notation."""

    def parse_move(self, name: str) -> int:
        """The number of the move written as `name`; it need not be legal."""

    symmetries: Final[int] = ...
    """
    Symmetries are numbers from 0 (leave everything in place) to one less than this.
    """

    def transformed(self, symmetry: int) -> Self:
        """The position seen through one of the board's symmetries."""

    def transformed_move(self, move: int, symmetry: int) -> int:
        """Where a move goes under a symmetry."""

    def perft(self, depth: int, *, threads: int = 1, progress: Callable[[int, int], object] | None = None) -> int:
        """
        The number of move sequences of `depth` plies. `progress(finished, parts)` is called about 20 times a second.
        """

    def playouts(self, games: int, *, seed: int, threads: int = 1) -> tuple[int, int, int]:
        """
        Wins, draws and losses of the side to move in `games` games of random moves; the same for any number of threads.
        """

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

class Side(enum.IntEnum):
    """
    FIRST moves first: black in Othello, red in Connect Four, X in notation.
    """

    FIRST = 0

    SECOND = 1

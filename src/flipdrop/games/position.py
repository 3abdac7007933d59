"""`Game` and `Position`: the protocols that both games implement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, Self, TypeAlias

from flipdrop.kernel import ConnectFourPosition, OthelloPosition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flipdrop.kernel import Side


ScoreUnit: TypeAlias = Literal["discs", "plies"]
"""What a score counts: the disc difference at the end, or how soon the game is won."""


def native(position: Position) -> OthelloPosition | ConnectFourPosition:
    """The position as the kernel's functions take it; TypeError for any other object."""
    if not isinstance(position, OthelloPosition | ConnectFourPosition):
        raise TypeError(f"a position such as Othello() is needed, not {position!r}")
    return position


class Game(Protocol):
    """A game with its board: the rules' parameters, as a value."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """The name on the command line and in files, such as ``othello6`` or ``connect4:9x10``."""

    @property
    def title(self) -> str:
        """The name for people, such as ``Connect Four 9x10``."""

    @property
    def columns(self) -> int:
        """Columns of the board."""

    @property
    def rows(self) -> int:
        """Rows of the board."""

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the first and the second side."""

    @property
    def family(self) -> str:
        """``othello`` or ``connect4``, whatever the size of the board."""

    @property
    def score_unit(self) -> ScoreUnit:
        """The unit of a proven score."""

    @property
    def largest_score(self) -> int:
        """The upper bound of a score: all cells in Othello, all discs of the first side in Connect Four."""

    @property
    def discs_flip(self) -> bool:
        """Whether a disc can change its colour."""

    @property
    def default_evaluation(self) -> str:
        """The evaluation of searches that name none."""

    @property
    def analysis_evaluation(self) -> str:
        """The best hand-made evaluation for analysis, whose values do not jump from ply to ply."""

    def start(self) -> Position:
        """The position before the first move."""

    def position(self, text: str) -> Position:
        """The position that `text` describes: a transcript (empty for the start) or a board string."""

    def is_board(self, text: str) -> bool:
        """Whether `text` is meant as a board string rather than a transcript."""

    def transcript_tokens(self, text: str) -> list[str]:
        """The names of the moves in a transcript, in order, whether they are legal or not."""


class Position(Protocol):
    """One position of a game: an immutable, hashable value.

    A move is a number from 0 to ``move_space - 1``; `play` takes its name as well. Cells are numbered in reading order:
    row by row from the top left.
    """

    @property
    def game(self) -> Game:
        """The game that this is a position of."""

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
        """The board in reading order: ``X`` and ``O`` discs, ``-`` empty, ``#`` forbidden."""

    @property
    def board(self) -> str:
        """The board string with the side to move."""

    @property
    def move_space(self) -> int:
        """Moves are numbers from 0 to one less than this."""

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The moves of the side to move, ascending; empty exactly when the game is over."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def result(self) -> int | None:
        """1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on."""

    @property
    def margin(self) -> int | None:
        """The first side's discs minus the second's, in games in which discs count."""

    @property
    def final_score(self) -> int:
        """The score of a finished game for the side to move, as `flipdrop.search.solver` defines scores."""

    @property
    def empties(self) -> int:
        """Empty cells."""

    def flipped_by(self, move: int) -> Sequence[int]:
        """The cells whose discs a move flips."""

    def play(self, move: int | str) -> Self:
        """The position after a legal move, given by number or by name."""

    def move_name(self, move: int) -> str:
        """The move in notation."""

    def parse_move(self, name: str) -> int:
        """The number of the move written as `name`; it need not be legal."""

    @property
    def pass_move(self) -> int | None:
        """The number of the move that places no disc, in games that have one."""

    def cell_of(self, move: int) -> int | None:
        """The cell in which a legal move places a disc; None for a pass."""

    @property
    def symmetries(self) -> int:
        """Symmetries are numbers from 0 (leave everything in place) to one less than this."""

    @property
    def winning_cells(self) -> list[int]:
        """The cells of the winning line; empty in games without one."""

    def last_cell(self, move: int) -> int | None:
        """The cell of the disc that `move`, the last one played, placed; None for a pass."""

    def transformed(self, symmetry: int) -> Self:
        """The position under one of the board's symmetries."""

    def transformed_move(self, move: int, symmetry: int) -> int:
        """The move under a symmetry."""

    def perft(self, depth: int, *, threads: int = 1, progress: Callable[[int, int], object] | None = None) -> int:
        """The number of move sequences of `depth` plies."""

    def playouts(self, games: int, *, seed: int, threads: int = 1) -> tuple[int, int, int]:
        """Wins, draws and losses of the side to move in games of random moves."""

    def diagram(
        self,
        *,
        last_move: int | str | None = None,
        legal: bool = False,
        scores: Mapping[int, object] | None = None,
    ) -> str:
        """The board as text."""

    def svg(
        self,
        *,
        last_move: int | str | None = None,
        legal: bool = False,
        scores: Mapping[int, object] | None = None,
        width: int = 400,
    ) -> str:
        """The board as an SVG picture."""

"""`Game`: the base class of both games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from flipdrop.errors import NotationError, quoted
from flipdrop.games.transcripts import read_transcript

if TYPE_CHECKING:
    from flipdrop.games.position import Position

ScoreUnit: TypeAlias = Literal["discs", "plies"]
"""What a score counts: the disc difference at the end, or how soon the game is won."""


class Game(ABC):
    """A game with its board: the rules' parameters, as a value.

    >>> from flipdrop import game
    >>> kind = game("connect4:9x10")
    >>> kind.title, kind.columns, kind.rows, kind.sides
    ('Connect Four 9x10', 9, 10, ('red', 'yellow'))
    >>> kind.position("445").to_move
    Side.SECOND
    """

    family: ClassVar[str]
    """``othello`` or ``connect4``, whatever the size of the board."""
    sides: ClassVar[tuple[str, str]]
    """The names of the first and the second side."""
    score_unit: ClassVar[ScoreUnit]
    """The unit of a proven score."""
    row_separator: ClassVar[str]
    """Between the rows of a board string."""
    moves_name_columns: ClassVar[bool]
    """Whether a move names a column, rather than a cell."""
    discs_flip: ClassVar[bool]
    """Whether a disc can change its colour."""
    default_evaluation: ClassVar[str]
    """The evaluation of searches that name none."""
    analysis_evaluation: ClassVar[str]
    """The best hand-made evaluation, whose values do not jump from ply to ply: for analysis, and for learners that set
    the weights of its terms."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name on the command line and in files, such as ``othello6`` or ``connect4:9x10``."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name for people, such as ``Connect Four 9x10``."""

    @property
    @abstractmethod
    def columns(self) -> int: ...

    @property
    @abstractmethod
    def rows(self) -> int: ...

    @property
    @abstractmethod
    def largest_score(self) -> int:
        """The upper bound of a score: all cells in Othello, all discs of the first side in Connect Four."""

    @abstractmethod
    def cell_name(self, cell: int) -> str:
        """The name of a cell, given by its number in reading order: its column's letter and its row."""

    @abstractmethod
    def resized(self, columns: int, rows: int) -> Game:
        """The game on another board; UnknownGame if there is no such board."""

    @abstractmethod
    def start(self) -> Position:
        """The position before the first move."""

    @abstractmethod
    def from_board(self, text: str) -> Position:
        """The position of a board string, which may have another size than this game."""

    @abstractmethod
    def is_board(self, text: str) -> bool:
        """Whether `text` is meant as a board string rather than a transcript."""

    @abstractmethod
    def transcript_tokens(self, text: str) -> list[str]:
        """The names of the moves in a transcript, in order, whether they are legal or not."""

    def board(self, cells: str, to_move: int) -> str:
        """The board string: the cells in reading order, then the side to move."""
        rows = (cells[i : i + self.columns] for i in range(0, len(cells), self.columns))
        return f"{self.row_separator.join(rows)} {'XO'[to_move]}"

    def position(self, text: str) -> Position:
        """The position that `text` describes: a transcript (empty for the start) or a board string."""
        if not isinstance(text, str):
            raise TypeError(f"a position is written as a string, not as {text!r}")
        if not self.is_board(text):
            return read_transcript(self.start(), text)[1]
        position = self.from_board(text)
        if position.game != self:
            raise NotationError(f"{quoted(text)} is a board of {position.game.title}, not of {self.title}")
        return position

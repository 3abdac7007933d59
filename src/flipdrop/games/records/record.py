"""`GameRecord`: one game with its players and the other properties in its file."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Self

from flipdrop.errors import IllegalMove, RecordError, quoted
from flipdrop.games.records.parsing import LARGEST_NUMBER, is_in_range, short_number
from flipdrop.games.transcripts import positions_along, read_transcript, write_transcript
from flipdrop.notebook import html_lines

if TYPE_CHECKING:
    from typing import Any

    from flipdrop.games.base import Game
    from flipdrop.games.position import Position


@dataclass(frozen=True)
class MoveNote:
    """The properties of one move in a file.

    :param evaluation: expected final margin in discs, for the side that moved
    :param seconds: time of the move
    """

    evaluation: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        _check_numbers(self, ("evaluation", "seconds"))


@dataclass(frozen=True)
class GameRecord:
    """A game that was played, finished or not: an immutable value whose moves are all legal.

    >>> from flipdrop import Othello
    >>> record = GameRecord.from_transcript(Othello(), "f5d6c3", first="Ada", second="Grace")
    >>> record.moves, record.margin, record.result
    ((37, 43, 18), 3, None)

    :param start: the position before the first move
    :param moves: every move, passes included
    :param first: the player of the first side (black in Othello)
    :param second: the player of the second side
    :param first_rating: the first player's rating, on the scale of the file
    :param second_rating: the second player's rating
    :param event: the tournament
    :param place: where it was played, such as a server
    :param date: when, as the file writes it
    :param score: the first side's final margin that the file states. It decides games that were resigned, lost on time
        or written down in part, and need not be what the board shows: that is `margin`
    :param ending: how the game ended, as the file abbreviates it: in GGF ``r`` resigned, ``t`` time, ``s`` agreed score
    :param theoretical_score: the first side's margin if both had played perfectly from `theoretical_empties` on
    :param theoretical_empties: empty squares from which `theoretical_score` was computed
    :param value: the number after a plain transcript: the value of the final position for the side to move
    :param notes: one note for each move, or none
    :param tags: further properties as the file names and writes them
    """

    start: Position
    moves: tuple[int, ...] = ()
    _: KW_ONLY
    first: str = ""
    second: str = ""
    first_rating: float | None = None
    second_rating: float | None = None
    event: str = ""
    place: str = ""
    date: str = ""
    score: float | None = None
    ending: str = ""
    theoretical_score: int | None = None
    theoretical_empties: int | None = None
    value: int | None = None
    notes: tuple[MoveNote, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    final: Position = field(init=False, repr=False, compare=False)
    """The position after the last move."""

    def __post_init__(self) -> None:
        names = ("first_rating", "second_rating", "score", "theoretical_score", "theoretical_empties", "value")
        _check_numbers(self, names)
        if len(self.notes) not in (0, len(self.moves)):
            raise RecordError(f"{len(self.notes)} notes for {len(self.moves)} moves; give one for each move, or none")
        if set(self.notes) == {MoveNote()}:  # one way to say nothing, so that equal games are equal
            object.__setattr__(self, "notes", ())
        object.__setattr__(self, "final", self._replay())

    @classmethod
    def from_transcript(cls, start: Position, text: str, **properties: Any) -> Self:
        """The game with the moves of a transcript, passes written or left out."""
        return cls(start, tuple(read_transcript(start, text)[0]), **properties)

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def transcript(self) -> str:
        """The moves in notation, without passes, except a final one that no later move implies."""
        return write_transcript(self.start, self.moves)

    @property
    def result(self) -> int | None:
        """1 if the first side has won, -1 if the second has, 0 for a draw, None for an unfinished game."""
        return self.final.result

    @property
    def outcome(self) -> int | None:
        """As `result`; the file's score decides an unfinished game. None without either."""
        if self.result is not None or self.score is None:
            return self.result
        return (self.score > 0) - (self.score < 0)

    @property
    def margin(self) -> int | None:
        """The first side's discs minus the second's on the final board, in Othello; empty squares go to the winner."""
        return self.final.margin

    def _repr_html_(self) -> str:
        """The final board, the players, the result and the moves."""
        players = " against ".join(filter(None, (self.first, self.second)))
        outcome = {None: "unfinished", 0: "draw"}.get(self.outcome, f"{self.game.sides[self.outcome == -1]} won")
        lines = [f"{outcome}" if self.margin is None else f"{outcome}, margin {self.margin:+}", self.transcript]
        last = self.moves[-1] if self.moves else None
        return f"<div>{self.final.svg(last_move=last)}</div>" + html_lines(players or self.game.title, lines)

    def positions(self) -> list[Position]:
        return positions_along(self.start, self.moves)

    def _replay(self) -> Position:
        position = self.start
        for number, move in enumerate(self.moves, 1):
            # The kernel takes names as well, and numbers of 32 bits only.
            if not isinstance(move, int) or not 0 <= move < position.move_space:
                raise IllegalMove(
                    f"move {number} of the game is {short_number(move)}; "
                    f"a number from 0 to {position.move_space - 1} is one"
                )
            try:
                position = position.play(move)
            except IllegalMove as error:
                before = write_transcript(self.start, self.moves[: number - 1])
                where = f"after {quoted(before)}" if before else "at the start"
                raise IllegalMove(f"move {number} of the game, {where}: {error}") from None
        return position


def _check_numbers(holder: MoveNote | GameRecord, names: tuple[str, ...]) -> None:
    for name in names:
        number = getattr(holder, name)
        if number is not None and not is_in_range(number):
            raise RecordError(f"{name} {short_number(number)}; it is a number smaller than {LARGEST_NUMBER:.0e}")

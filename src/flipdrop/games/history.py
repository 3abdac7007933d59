"""`GameHistory`: a game so far, with undo; `find_move_sequence`: moves that lead to a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.games.position import check_position
from flipdrop.games.transcripts import positions_along, read_transcript, write_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games.base import Game
    from flipdrop.games.position import Position

NEARBY, WHOLE_GAME = 300, 20_000
"""Limits on the positions that `find_move_sequence` visits: for a few moves, and for a whole game."""


@dataclass(frozen=True, repr=False)
class GameHistory:
    """Where a game began, every move including passes, and every position: an immutable value.

    >>> from flipdrop import Othello
    >>> history = GameHistory.of(Othello()).play("f5", "d6")
    >>> history.transcript, history.undo().transcript, history.moves_since(history.undo())
    ('f5d6', 'f5', (43,))
    """

    moves: tuple[int, ...]
    positions: tuple[Position, ...]

    @classmethod
    def of(cls, start: Position, moves: Sequence[int | str] = ()) -> GameHistory:
        """The game from `start` after legal moves, given by number or name."""
        check_position(start)
        return cls((), (start,)).play(*moves)

    @classmethod
    def from_transcript(cls, start: Position, text: str) -> GameHistory:
        """The game of a transcript such as ``f5d6c3``; passes may be left out."""
        return cls.of(start, read_transcript(start, text)[0])

    @property
    def start(self) -> Position:
        return self.positions[0]

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def last_move(self) -> int | None:
        return self.moves[-1] if self.moves else None

    @property
    def transcript(self) -> str:
        """The moves in notation; passes that a later move implies are left out."""
        return write_transcript(self.start, self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        return f"<GameHistory of {self.game.title}: {self.transcript}>"

    def _repr_html_(self) -> str:
        last = self.moves[-1] if self.moves else None
        return f"<div>{self.position.svg(last_move=last)}</div><div>{self.transcript}</div>"

    def play(self, *moves: int | str) -> GameHistory:
        """The game after more moves, given by number or name."""
        positions = positions_along(self.position, moves)
        numbers = tuple(
            position.parse_move(move) if isinstance(move, str) else move
            for position, move in zip(positions, moves, strict=False)
        )
        return GameHistory(self.moves + numbers, self.positions + tuple(positions[1:]))

    def undo(self, count: int = 1) -> GameHistory:
        """The game before the last `count` moves."""
        return self.first(len(self) - count)

    def first(self, count: int) -> GameHistory:
        """The game after its first `count` moves."""
        if not 0 <= count <= len(self):
            raise IndexError(f"move {count} of a game of {len(self)} moves")
        return GameHistory(self.moves[:count], self.positions[: count + 1])

    def moves_since(self, earlier: GameHistory) -> tuple[int, ...] | None:
        """The moves after an earlier state of this game; None if `earlier` is another game."""
        known = len(earlier.moves)
        if self.start != earlier.start or self.moves[:known] != earlier.moves:
            return None
        return self.moves[known:]

    def extended_to(self, position: Position) -> GameHistory:
        """A game that ends with `position`: this one with more moves, or with some moves taken back first; if no move
        sequence is found, a game that begins with `position`."""
        for played in range(len(self.moves), -1, -1):
            moves = find_move_sequence(self.positions[played], position, limit=NEARBY)
            if moves is not None:
                return self.first(played).play(*moves)
        return GameHistory.of(position)


def find_move_sequence(start: Position, goal: Position, *, limit: int = WHOLE_GAME) -> tuple[int, ...] | None:
    """Legal moves from one position to another; None if a depth-first search of `limit` positions finds none.

    Discs are never removed, so only moves onto cells that are occupied in the goal are tried. In Connect Four, where
    discs do not flip either, practically every position is found; in Othello positions up to about a dozen plies away.

    >>> from flipdrop import Othello
    >>> find_move_sequence(Othello(), Othello.from_transcript("f5d6c3"))
    (37, 43, 18)
    """
    if start.game != goal.game or not _may_become(start, goal):
        return None
    seen = {start}
    path = [(start, _useful_moves(start, goal))]
    moves: list[int] = []
    while path:
        position, untried = path[-1]
        if position == goal:
            return tuple(moves)
        if not untried:
            path.pop()
            moves = moves[:-1]
            continue
        move = untried.pop()
        after = position.play(move)
        if after in seen:
            continue
        if len(seen) >= limit:
            return None
        seen.add(after)
        path.append((after, _useful_moves(after, goal)))
        moves.append(move)
    return None


def _may_become(position: Position, goal: Position) -> bool:
    """Whether every occupied cell of a position can look as in the goal."""
    return all(_fits(now, later, position) for now, later in zip(position.cells, goal.cells, strict=True) if now != "-")


def _useful_moves(position: Position, goal: Position) -> list[int]:
    """The moves onto cells that are occupied in the goal, and a pass; the search tries the last one first."""
    own, cells = "XO"[position.to_move], goal.cells
    places = [(move, position.cell_of(move)) for move in position.legal_moves]
    useful = [(move, cell) for move, cell in places if cell is None or _fits(own, cells[cell], position)]
    if not position.game.discs_flip:
        # The column with most discs to come first: of 87,000 random positions none took more than 1,000 nodes that way,
        # while some took more than 20,000 with the columns in their order.
        useful.sort(key=lambda place: len(cells[place[0] : place[1] : position.game.columns].strip("-")))
    return [move for move, _ in useful]


def _fits(now: str, later: str, position: Position) -> bool:
    """Whether a disc can look like that later: where discs flip, it may have either colour."""
    return later != "-" if position.game.discs_flip else later == now

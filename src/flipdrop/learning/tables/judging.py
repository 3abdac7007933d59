"""How far from perfect a table plays, by the exact solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.learning.tables.positions import START
from flipdrop.players.value_table import reward_of
from flipdrop.search import Solver

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.learning.tables.positions import Positions


@dataclass(frozen=True)
class Judgement:
    """How good a way of playing is, over all games in which one side plays so and the other does whatever it likes.

    Results are in the unit of the reward, -1 to 1: a margin as a part of the largest, or won, drawn and lost.

    :param solved: the result of perfect play for the first side
    :param guaranteed: the result that it gets at least, as first and as second side
    :param decisions: positions with a choice of move that such games lead to
    :param kept: those in which it plays a move that keeps the result the position is worth
    """

    solved: float
    guaranteed: tuple[float, float]
    decisions: int
    kept: int

    @property
    def distances(self) -> tuple[float, float]:
        """What it may lose compared with perfect play, as first and as second side; 0 is perfect."""
        as_first, as_second = self.guaranteed
        return self.solved - as_first, -self.solved - as_second

    @property
    def is_optimal(self) -> bool:
        """Whether nobody can do better against it than against perfect play, whichever side it has."""
        return self.distances == (0, 0)

    @property
    def share(self) -> float:
        """The share of its decisions that keep the result."""
        return self.kept / self.decisions if self.decisions else 1.0


class Judge:
    """Judges ways of playing; what the solver said of a position is remembered."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._solver = Solver(moves=True, line=False, table=4)
        self._known: dict[int, tuple[float, ...]] = {}

    def judge(self, best: Callable[[int], int]) -> Judgement:
        """Judges play by which move of a position, given by its number, `best` chooses.

        Every reply of the opponent is followed to the end of the game.
        """
        seen: set[int] = set()  # decisions: of one side or the other, for a position says whose turn it is
        guaranteed = (self._guaranteed(best, START, 0, {}, seen), self._guaranteed(best, START, 1, {}, seen))
        kept = 0
        for position in seen:
            worths = self._worths(position)
            kept += worths[best(position)] == max(worths)
        return Judgement(max(self._worths(START)), guaranteed, len(seen), kept)

    def _guaranteed(
        self, best: Callable[[int], int], position: int, waiting: int, known: dict[int, float], seen: set[int]
    ) -> float:
        """The result, for the side that plays by `best`, against the reply that is worst for it.

        :param waiting: 0 if that side is to move, 1 if the opponent is
        :param known: results of positions that were walked through already
        """
        result = known.get(position)
        if result is not None:
            return result
        after = self._positions.after(position)
        if not after:
            worth = self._positions.worth(position)
            result = -worth if waiting else worth
        elif waiting:
            result = min(self._guaranteed(best, reply, 0, known, seen) for reply in after)
        else:
            if len(after) > 1:
                seen.add(position)
            result = self._guaranteed(best, after[best(position)], 1, known, seen)
        known[position] = result
        return result

    def _worths(self, number: int) -> tuple[float, ...]:
        """What each move of a position is worth if both sides go on perfectly."""
        worths = self._known.get(number)
        if worths is None:
            positions = self._positions
            position = positions.position(number)
            scores = {move.move: move.lower for move in self._solver.solve(position).moves}
            worths = tuple(reward_of(positions.game, scores[move], positions.reward) for move in position.legal_moves)
            self._known[number] = worths
        return worths

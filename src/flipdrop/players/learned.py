"""`LearnedPlayer`: plays the move with the highest learned value, and the rewards that values predict."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - the types of options are read at run time
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from flipdrop.errors import PlayerError
from flipdrop.options import option
from flipdrop.players.player import AnalysingPlayer
from flipdrop.search import MoveReport, SearchReport

if TYPE_CHECKING:
    import os

    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock

Reward = Literal["margin", "result"]


def reward_of(game: Game, score: int, by: Reward) -> float:
    """A proven score as a reward from -1 to 1."""
    if by == "result":
        return float((score > 0) - (score < 0))
    return score / game.largest_score


class MoveValues(Protocol):
    """Learned values of moves."""

    @property
    def game(self) -> Game: ...

    def move_values(self, position: Position) -> dict[int, float]:
        """The value of each move for the side that plays it; of equal moves the first is preferred."""


@dataclass(frozen=True, repr=False)
class LearnedPlayer(AnalysingPlayer):
    """The move with the highest learned value; the first of equals.

    :param values: by default those in the file `model`
    """

    kind: ClassVar[str]
    model: Path | None = option(None, "the file that `flipdrop learn` wrote")
    values: MoveValues = field(default=None, compare=False)  # type: ignore[assignment] # set in __post_init__

    def __post_init__(self) -> None:
        if self.values is not None:
            return
        if not self.model:
            raise PlayerError(
                f"{self.kind} plays from a file: {self.kind}:model=my.{self.kind} (`flipdrop learn` makes such files)"
            )
        try:
            object.__setattr__(self, "values", self.read(self.model))
        except OSError as error:
            raise PlayerError(f"model={self.model}: {error.strerror}") from None

    @staticmethod
    @abstractmethod
    def read(path: str | os.PathLike[str]) -> MoveValues:
        """Reads the file of a model."""

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:  # noqa: ARG002 - it needs no time
        values = self.values.move_values(position)
        best = max(values, key=values.__getitem__)  # the first of equals
        moves = sorted((MoveReport(move, value, 0) for move, value in values.items()), key=lambda m: -m.value)
        return SearchReport(
            position=position,
            best=best,
            value=values[best],
            line=(best,),
            moves=tuple(moves),
            nodes=len(values),
            depth=1,
            seconds=0.0,
            note="learned",
        )

    def check_supported(self, game: Game) -> None:
        if game != self.values.game:
            raise PlayerError(f"{self.model} was learned for {self.values.game.title}, not for {game.title}")

"""A game that the arena is going to play, and a game that it has played."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.games.transcripts import read_transcript
from flipdrop.players import GameClock

if TYPE_CHECKING:
    from flipdrop.games import Position


@dataclass(frozen=True)
class TimeControl:
    """What each side gets: seconds for the whole game, seconds gained with each move, seconds for each move.

    >>> str(TimeControl(total=60, increment=0.5)), str(TimeControl(move=1))
    ('60+0.5', '1/move')
    """

    total: float | None = None
    increment: float = 0.0
    move: float | None = None

    def __post_init__(self) -> None:
        self.clock()  # raises if they are nonsense
        if self.increment and self.total is None:
            raise ArenaError(f"an increment of {self.increment} s without time for the game; write it as 60+{self}")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """``60`` for the game, ``60+0.5`` with an increment, ``1/move`` for each move."""
        try:
            if text.endswith("/move"):
                return cls(move=float(text.removesuffix("/move")))
            total, _, increment = text.partition("+")
            return cls(total=float(total), increment=float(increment or 0))
        except ValueError as error:
            reason = f": {error}" if isinstance(error, ArenaError) else ""
            raise ArenaError(
                f"clock {text!r}{reason}; write seconds: 60 for the game, 60+0.5 with an increment, 1/move"
            ) from None

    def __str__(self) -> str:
        if self.move is not None:
            return f"{self.move:g}/move"
        return f"{self.total or 0:g}" + (f"+{self.increment:g}" if self.increment else "")

    def clock(self) -> GameClock:
        """A clock that has not yet begun to run."""
        return GameClock(total=self.total, increment=self.increment, move_limit=self.move)


@dataclass(frozen=True)
class Opening:
    """Moves that the players of a game do not choose."""

    game: str
    transcript: str

    @cached_property
    def start(self) -> Position:
        """The game's start position."""
        return game_of(self.game).start()

    @cached_property
    def _read(self) -> tuple[list[int], Position]:
        return read_transcript(self.start, self.transcript)

    @property
    def moves(self) -> list[int]:
        """The moves, passes included."""
        return self._read[0]

    @property
    def position(self) -> Position:
        """Where the players begin."""
        return self._read[1]


@dataclass(frozen=True)
class GameTask:
    """A game to be played: all that decides its course, if its players are deterministic.

    :param number: its place in the event
    :param first: the spec of whoever has the first side
    :param second: the spec of the other
    """

    number: int
    first: str
    second: str
    opening: Opening
    seed: int
    time: TimeControl | None = None

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds of the players' choices."""
        return derive_seed(self.seed, "first"), derive_seed(self.seed, "second")


@dataclass(frozen=True)
class FinishedGame:
    """A game that has been played.

    :param moves: all of them, those of the opening too
    :param result: 1 if the first side has won, -1 if the second has, 0 for a draw
    :param margin: of the first side, in discs; in Connect Four, the sign is who won, the size how early
    :param termination: empty for a completed game, else why a side forfeited it: ``time: level:9 took 2.1 s of 2``
    :param seconds: what each side took, where there was a clock
    """

    task: GameTask
    moves: tuple[int, ...]
    result: int
    margin: int
    termination: str = ""
    seconds: tuple[float, float] | None = None

"""An event, the games it consists of, and a game that was played.

An event is a fixed list of games: its players, who meets whom, how often, from which openings. A match or a tournament
is one event, a ladder placement or a sweep plays several (see `flipdrop.arena.competition`).
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.players import GameClock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.arena.openings import Opening


@dataclass(frozen=True)
class TimeControl:
    """A time control: seconds for the game, increment per move, or seconds per move.

    >>> str(TimeControl(total=60, increment=0.5)), str(TimeControl(move=1))
    ('60+0.5', '1/move')
    """

    total: float | None = None
    increment: float = 0.0
    move: float | None = None

    def __post_init__(self) -> None:
        self.clock()  # validates
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
class GameTask:
    """A game to be played: with deterministic players it determines every move.

    :param number: its index in the event
    :param first: the spec of the first side
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
        return derive_seed(self.seed, "first"), derive_seed(self.seed, "second")


@dataclass(frozen=True)
class FinishedGame:
    """A game that has been played.

    :param moves: all of them, those of the opening too
    :param result: 1 if the first side has won, -1 if the second has, 0 for a draw
    :param margin: of the first side, in discs; in Connect Four the empty cells plus one, with the sign of the result
    :param termination: empty for a completed game, else why a side forfeited it: ``time: level:9 took 2.1 s of 2``
    :param seconds: that each side used, with a clock
    """

    task: GameTask
    moves: tuple[int, ...]
    result: int
    margin: int
    termination: str = ""
    seconds: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Event:
    """A list of games, fixed by immutable settings: with deterministic players they determine every move.

    A pairing plays pairs of games: each opening twice, with sides swapped.

    :param kind: such as ``match``
    :param game: the game's name
    :param players: their specs
    :param pairings: of indices into `players`
    :param pairs: pairs of games for each pairing
    :param openings: as `flipdrop.arena.openings` reads it
    :param seed: of every random choice
    :param common_seeds: whether all pairings play with the same seeds, so that they differ only by their players
    """

    kind: str
    game: str
    players: tuple[str, ...]
    pairings: tuple[tuple[int, int], ...]
    pairs: int
    openings: str
    seed: int
    time: TimeControl | None = None
    common_seeds: bool = False

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise ArenaError(f"{self.pairs} pairs of games; there has to be at least one")
        if not self.pairings:
            raise ArenaError("no pairings; name at least two players")
        if len(set(self.players)) < len(self.players):
            twice = next(spec for spec in self.players if self.players.count(spec) > 1)
            raise ArenaError(f"{twice} takes part twice; each player has one entry, so give them different options")

    @property
    def games(self) -> int:
        return 2 * self.pairs * len(self.pairings)

    @cached_property
    def _stream(self) -> tuple[list[Opening], Iterator[Opening]]:
        """The openings so far, and an iterator of more: balanced ones take time to find, so they are made on demand."""
        return [], Openings(game_of(self.game), self.openings, self.seed).stream()

    def opening(self, pair: int) -> Opening:
        """The opening of a pair of games."""
        known, to_come = self._stream
        while len(known) <= pair:
            known.append(next(to_come))
        return known[pair]

    def distinct_openings(self, pairs: int) -> int:
        """The number of distinct openings among those of the first `pairs` pairs."""
        return len({self.opening(pair).transcript for pair in range(pairs)})

    def task(self, number: int) -> GameTask:
        """One of its games. Pairings take turns, so that all have about the same number of finished games."""
        pair, rest = divmod(number, 2 * len(self.pairings))
        pairing, swapped = divmod(rest, 2)
        one, two = self.pairings[pairing]
        first, second = (two, one) if swapped else (one, two)
        seed = derive_seed(self.seed, pair, *(() if self.common_seeds else (one, two)), swapped)
        return GameTask(number, self.players[first], self.players[second], self.opening(pair), seed, self.time)

    def tasks(self) -> Iterator[GameTask]:
        return map(self.task, range(self.games))

    def pairing_of(self, number: int) -> int:
        return number % (2 * len(self.pairings)) // 2

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "game": self.game,
            "players": list(self.players),
            "pairings": [list(pairing) for pairing in self.pairings],
            "pairs": self.pairs,
            "openings": self.openings,
            "seed": self.seed,
            "time": None if self.time is None else str(self.time),
        } | ({"common_seeds": True} if self.common_seeds else {})

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Event:
        """The inverse of `to_json`; ArenaError, KeyError, TypeError or ValueError if the data are damaged."""
        players, pairings = data["players"], data["pairings"]
        texts = (data["kind"], data["game"], data["openings"], *players)
        numbers = (data["pairs"], data["seed"], *itertools.chain.from_iterable(pairings))
        if not all(type(text) is str for text in texts) or not all(type(number) is int for number in numbers):
            raise TypeError
        if not all(0 <= index < len(players) for index in itertools.chain.from_iterable(pairings)):
            raise ArenaError("a pairing names a player that the event does not have")
        return cls(
            kind=data["kind"],
            game=data["game"],
            players=tuple(data["players"]),
            pairings=tuple((one, two) for one, two in data["pairings"]),
            pairs=data["pairs"],
            openings=data["openings"],
            seed=data["seed"],
            time=None if data["time"] is None else TimeControl.parse(data["time"]),
            common_seeds=data.get("common_seeds", False),
        )

    @property
    def identity(self) -> str:
        """The key by which a store finds the event: all settings but the number of pairs, which may grow."""
        return self._key("pairs")

    @property
    def series(self) -> str:
        """The key of all events that differ by the seed at most."""
        return self._key("pairs", "seed")

    def _key(self, *without: str) -> str:
        return json.dumps(
            {name: value for name, value in self.to_json().items() if name not in without}, sort_keys=True
        )


def round_robin(players: int) -> tuple[tuple[int, int], ...]:
    """All pairings of this number of players."""
    return tuple(itertools.combinations(range(players), 2))


def gauntlet(players: int, challengers: int = 1) -> tuple[tuple[int, int], ...]:
    """The pairings of the first `challengers` players with all the others."""
    return tuple((one, two) for one in range(challengers) for two in range(challengers, players))

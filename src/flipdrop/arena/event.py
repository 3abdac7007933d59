"""An event: players, who meets whom, and how often. A match is an event of two players, a tournament one of many."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flipdrop.arena.model import GameTask, TimeControl
from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.players import player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.arena.model import Opening


@dataclass(frozen=True, kw_only=True)
class Event:
    """What is going to be played: an immutable value that decides every game, if its players are deterministic.

    Two players who meet play pairs of games from the same opening, once from either side.

    :param kind: what it is called, such as ``match``
    :param game: the game's name
    :param players: their specs; in pairings they are numbers
    :param pairings: who meets whom
    :param pairs: pairs of games for each pairing
    :param openings: where they begin, as `flipdrop.arena.openings` reads it
    :param seed: of every random choice
    :param common_seeds: whether all pairings play with the same seeds, so that they differ by their players alone
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
            raise ArenaError(f"{self.pairs} pairs of games; there has to be one at least")
        if not self.pairings:
            raise ArenaError("nobody meets anybody; name two players at least")
        if len(set(self.players)) < len(self.players):
            twice = next(spec for spec in self.players if self.players.count(spec) > 1)
            raise ArenaError(f"{twice} takes part twice; each player has one entry, so give them different options")

    def check(self) -> None:
        """Raises if a player, its options or the openings do not suit the game. Players from files are run by it."""
        game = game_of(self.game)
        for spec in self.players:
            player(spec, game=game).close()
        Openings(game, self.openings, self.seed).take(1)

    @property
    def games(self) -> int:
        """How many games it has."""
        return 2 * self.pairs * len(self.pairings)

    @cached_property
    def _stream(self) -> tuple[list[Opening], Iterator[Opening]]:
        """The openings so far, and those to come: balanced ones take time to find, so each is sought for its game."""
        return [], Openings(game_of(self.game), self.openings, self.seed).stream()

    def opening(self, pair: int) -> Opening:
        """Where a pair of games begins."""
        known, to_come = self._stream
        while len(known) <= pair:
            known.append(next(to_come))
        return known[pair]

    def distinct_openings(self, pairs: int) -> int:
        """How many of the openings of its first so many pairs differ."""
        return len({self.opening(pair).transcript for pair in range(pairs)})

    def task(self, number: int) -> GameTask:
        """One of its games. Pairings take turns, so that all of them are equally far at any time."""
        pair, rest = divmod(number, 2 * len(self.pairings))
        pairing, swapped = divmod(rest, 2)
        one, two = self.pairings[pairing]
        first, second = (two, one) if swapped else (one, two)
        seed = derive_seed(self.seed, pair, *(() if self.common_seeds else (one, two)), swapped)
        return GameTask(number, self.players[first], self.players[second], self.opening(pair), seed, self.time)

    def tasks(self) -> Iterator[GameTask]:
        """All of its games, in order."""
        return map(self.task, range(self.games))

    def pairing_of(self, number: int) -> int:
        """Which pairing a game belongs to."""
        return number % (2 * len(self.pairings)) // 2

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
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
        """What `to_json` was made of."""
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
        """What makes it the same event when it is resumed: all but the number of games, of which there may be more."""
        data = self.to_json()
        del data["pairs"]
        return json.dumps(data, sort_keys=True)


def pairs_of(games: int) -> int:
    """How many pairs so many games are."""
    if games % 2:
        raise ArenaError(f"{games} games; they come in pairs, so give an even number")
    return games // 2


def round_robin(players: int) -> tuple[tuple[int, int], ...]:
    """Everybody meets everybody."""
    return tuple(itertools.combinations(range(players), 2))


def gauntlet(players: int, challengers: int = 1) -> tuple[tuple[int, int], ...]:
    """The first few meet all the others, who do not meet each other."""
    return tuple((one, two) for one in range(challengers) for two in range(challengers, players))

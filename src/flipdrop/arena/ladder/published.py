"""Ladders and their files.

A file has the ratings, the results of all pairings that they are computed from, and the command, seed and version that
made it: so the ratings can be computed again without playing a game, and the games can be repeated.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.arena.statistics import CrossTable, Pairs, rate
from flipdrop.errors import DAMAGE, ArenaError, FlipdropError, PlayerError
from flipdrop.games import game as game_of
from flipdrop.players import player
from flipdrop.players.upgrade import upgrade_spec

if TYPE_CHECKING:
    import os

    from flipdrop.arena.statistics import Ratings

FORMAT = 1
LARGE_BOARD = "connect4:10x10,forbid=d4"
"""The board on which the ladder of large boards is measured."""
GAMES = ("othello", "connect4", LARGE_BOARD)
"""Games that have a published ladder."""


@dataclass(frozen=True)
class LadderEntry:
    """An opponent.

    :param rating: in Elo; the weakest opponent, which moves at random, has 0
    :param interval: of the rating, with 95% confidence
    :param games: that it comes from
    """

    spec: str
    rating: float
    interval: tuple[float, float]
    games: int


@dataclass(frozen=True)
class PairResult:
    """The results of two opponents, given by their indices, from the view of the first."""

    one: int
    two: int
    pairs: Pairs


@dataclass(frozen=True, repr=False)
class Ladder:
    """Rated opponents of a game, the weakest first, and the results that the ratings come from.

    :param openings: of the games that rated it, and of placements on it
    :param version: of flipdrop
    """

    game: str
    entries: tuple[LadderEntry, ...]
    links: tuple[PairResult, ...]
    openings: str
    seed: int
    version: str
    command: str

    def __repr__(self) -> str:
        return f"<Ladder {self.game}: {len(self.entries)} opponents, {self.games} games>"

    @property
    def games(self) -> int:
        """The number of games that the ratings come from."""
        return sum(link.pairs.games for link in self.links)

    def place(self, rating: float) -> int:
        """The number of opponents that are not rated above this rating."""
        return bisect_right([entry.rating for entry in self.entries], rating)

    def index_of(self, spec: str) -> int | None:
        """The index of the opponent with an equivalent spec; None if there is none."""
        wanted = _canonical(spec)
        if wanted is None:
            return None
        return next((i for i, entry in enumerate(self.entries) if _canonical(entry.spec) == wanted), None)

    def recomputed_ratings(self) -> Ratings:
        """The ratings computed from its results, with differences and intervals."""
        table = CrossTable()
        for link in self.links:
            table.add_pairs(self.entries[link.one].spec, self.entries[link.two].spec, link.pairs)
        return rate(table, anchors={self.entries[0].spec: self.entries[0].rating})

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game,
            "command": self.command,
            "seed": self.seed,
            "openings": self.openings,
            "version": self.version,
            "games": self.games,
            "rungs": [
                {
                    "spec": entry.spec,
                    "rating": round(entry.rating, 1),
                    "interval": [round(end, 1) for end in entry.interval],
                    "games": entry.games,
                }
                for entry in self.entries
            ],
            "links": [[link.one, link.two, *link.pairs.counts] for link in self.links],
        }

    @classmethod
    def from_json(cls, data: Any) -> Ladder:
        try:
            if data["format"] != FORMAT:
                raise ArenaError(f"a ladder of format {data['format']!r}; this flipdrop knows {FORMAT}")
            entries = tuple(
                LadderEntry(
                    upgrade_spec(entry["spec"]),
                    float(entry["rating"]),
                    (entry["interval"][0], entry["interval"][1]),
                    entry["games"],
                )
                for entry in data["rungs"]
            )
            links = tuple(PairResult(one, two, Pairs.from_counts(counts)) for one, two, *counts in data["links"])
            made = cls(data["game"], entries, links, data["openings"], data["seed"], data["version"], data["command"])
        except DAMAGE as error:
            if isinstance(error, ArenaError):
                raise
            raise ArenaError(f"no ladder: {type(error).__name__} {error}") from None
        made.check()
        return made

    def check(self) -> None:
        """Raises if there are too few opponents, or they are not in order."""
        if len(self.entries) < 2:
            raise ArenaError(f"a ladder of {len(self.entries)} opponents; it needs at least two")
        ratings = [entry.rating for entry in self.entries]
        if ratings != sorted(ratings):
            raise ArenaError("the opponents of a ladder have to be in the order of their ratings, the weakest first")
        game_of(self.game)


def published_ladder(game: str) -> Ladder:
    """The ladder of a game that comes with flipdrop."""
    name = game_of(game).name
    if name not in GAMES:
        raise ArenaError(
            f"{name} has no published ladder; {', '.join(GAMES)} have one, and flipdrop ladder --measure makes one of "
            "your own"
        )
    file = f"{re.sub('[:,=]', '-', name)}.json"
    text = resources.files("flipdrop.arena.ladder").joinpath("data", file).read_text(encoding="utf-8")
    return Ladder.from_json(json.loads(text))


def read_ladder(path: str | os.PathLike[str]) -> Ladder:
    try:
        return Ladder.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise ArenaError(f"ladder {str(path)!r}: {error.strerror}") from None
    except DAMAGE as error:
        reason = str(error) if isinstance(error, FlipdropError) else "it is no JSON file"
        raise ArenaError(f"ladder {str(path)!r}: {reason}; flipdrop ladder --measure makes one") from None


def file_content(of: Ladder) -> bytes:
    """The content of a ladder's file: JSON with a line for each opponent and for each link."""
    data = of.to_json()
    parts = []
    for name, value in data.items():
        if isinstance(value, list):
            lines = ",\n".join(f"    {json.dumps(item)}" for item in value)
            parts.append(f'  "{name}": [\n{lines}\n  ]')
        else:
            parts.append(f'  "{name}": {json.dumps(value)}')
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def as_markdown(of: Ladder) -> str:
    """A table of the opponents, the strongest first, as `docs/figures/ladder.md` has it.

    The fifth column is the likelihood that an opponent is stronger than the one below it.
    """
    ratings = of.recomputed_ratings()
    lines = ["| place | rating | 95% | games | stronger than the next | opponent |", "|--:|--:|--:|--:|--:|:--|"]
    for place, entry in reversed(list(enumerate(of.entries, start=1))):
        low, high = entry.interval
        clear = f"{ratings.difference(entry.spec, of.entries[place - 2].spec).los:.0%}" if place > 1 else ""
        lines.append(
            f"| {place} | {entry.rating:.0f} | {low:.0f} to {high:.0f} | {entry.games} | {clear} | `{entry.spec}` |"
        )
    return "\n".join(lines) + "\n"


def _canonical(spec: str) -> str | None:
    """The canonical spec of a built-in player; None for agents and external engines."""
    try:
        return player(spec, allow_code=False).spec
    except PlayerError:
        return None

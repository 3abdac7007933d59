"""A ladder as a value, and the files that the published ones are in.

A file holds more than the ratings: the counts of pairs of games that they come from, link by link, and the command,
seed and version that made it. Anyone can rate the opponents again from it without playing a game, or play the games
again.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.arena.statistics import CrossTable, Pairs, rate
from flipdrop.errors import ArenaError, FlipdropError, PlayerError
from flipdrop.games import game as game_of
from flipdrop.players import player
from flipdrop.players.upgrade import upgrade_spec

if TYPE_CHECKING:
    import os

    from flipdrop.arena.statistics import Ratings

FORMAT = 1
GAMES = ("othello", "connect4")
"""Games that have a published ladder."""


@dataclass(frozen=True)
class LadderEntry:
    """An opponent.

    :param rating: in Elo; the weakest opponent, which moves at random, has 0
    :param interval: where its rating is in 95 of 100 cases
    :param games: how many it comes from
    """

    spec: str
    rating: float
    interval: tuple[float, float]
    games: int


@dataclass(frozen=True)
class PairResult:
    """Two opponents who have met, by their places from 0, and what the first of them made of it."""

    one: int
    two: int
    pairs: Pairs


@dataclass(frozen=True)
class Ladder:
    """Opponents of a game, the weakest first, and how their ratings came about.

    :param openings: where games began, and where those of a player who climbs it begin
    :param version: of flipdrop
    """

    game: str
    entries: tuple[LadderEntry, ...]
    links: tuple[PairResult, ...]
    openings: str
    seed: int
    version: str
    command: str

    @property
    def games(self) -> int:
        """How many games its ratings come from."""
        return sum(link.pairs.games for link in self.links)

    def place(self, rating: float) -> int:
        """How many of its opponents a player of this rating is stronger than."""
        return bisect_right([entry.rating for entry in self.entries], rating)

    def index_of(self, spec: str) -> int | None:
        """The place, from 0, of the opponent that a spec describes, whatever its spelling; None if it is not there."""
        wanted = _canonical(spec)
        if wanted is None:
            return None
        return next((i for i, entry in enumerate(self.entries) if _canonical(entry.spec) == wanted), None)

    def rated_again(self) -> Ratings:
        """The ratings that its results make, with all that can be asked of them."""
        table = CrossTable()
        for link in self.links:
            add_pairs(table, self.entries[link.one].spec, self.entries[link.two].spec, link.pairs)
        return rate(table, anchors={self.entries[0].spec: self.entries[0].rating})

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
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
        """What `to_json` was made of."""
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
        except (KeyError, TypeError, IndexError, ValueError) as error:
            if isinstance(error, ArenaError):
                raise
            raise ArenaError(f"no ladder: {type(error).__name__} {error}") from None
        made.check()
        return made

    def check(self) -> None:
        """Raises if there are too few opponents, or they are not in order."""
        if len(self.entries) < 2:
            raise ArenaError(f"a ladder of {len(self.entries)} opponents; it takes two at least")
        ratings = [entry.rating for entry in self.entries]
        if ratings != sorted(ratings):
            raise ArenaError("the opponents of a ladder have to be in the order of their ratings, the weakest first")
        game_of(self.game)


def ladder(game: str) -> Ladder:
    """The published ladder of a game."""
    name = game_of(game).name
    if name not in GAMES:
        raise ArenaError(
            f"{name} has no published ladder; {' and '.join(GAMES)} have, and --measure makes one of your own"
        )
    text = resources.files("flipdrop.arena.ladder").joinpath("data", f"{name}.json").read_text(encoding="utf-8")
    return Ladder.from_json(json.loads(text))


def read_ladder(path: str | os.PathLike[str]) -> Ladder:
    """The ladder in a file."""
    try:
        return Ladder.from_json(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise ArenaError(f"ladder {str(path)!r}: {error.strerror}") from None
    except ValueError as error:
        reason = str(error) if isinstance(error, FlipdropError) else "it is no JSON file"
        raise ArenaError(f"ladder {str(path)!r}: {reason}; flipdrop ladder --measure makes one") from None


def written(of: Ladder) -> bytes:
    """A ladder's file: JSON with a line for each opponent and for each link."""
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

    The fifth column says how sure it is that an opponent is stronger than the one below it.
    """
    ratings = of.rated_again()
    lines = ["| place | rating | 95% | games | stronger than the next | opponent |", "|--:|--:|--:|--:|--:|:--|"]
    for place, entry in reversed(list(enumerate(of.entries, start=1))):
        low, high = entry.interval
        clear = f"{ratings.difference(entry.spec, of.entries[place - 2].spec).los:.0%}" if place > 1 else ""
        lines.append(
            f"| {place} | {entry.rating:.0f} | {low:.0f} to {high:.0f} | {entry.games} | {clear} | `{entry.spec}` |"
        )
    return "\n".join(lines) + "\n"


def add_pairs(table: CrossTable, one: str, other: str, pairs: Pairs) -> None:
    """Adds the counts of a link to a table of results.

    They do not tell who moved first in which game, and ratings that take moving first to be no advantage need not know.
    """
    for half_points, count in enumerate(pairs.counts):
        better = min(2, half_points)
        table.add_pair(one, other, as_first=better / 2, as_second=(half_points - better) / 2, count=count)


def _canonical(spec: str) -> str | None:
    """The canonical spec of a built-in player; None for files and programs, which are on no ladder."""
    try:
        return player(spec, allow_code=False).spec
    except PlayerError:
        return None

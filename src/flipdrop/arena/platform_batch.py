"""A batch of games by the rules of R4's platform, Saiblo: Connect Four on boards that no player has seen.

Each game pair has a board of its own: 9 to 12 columns and rows, each size as likely as any other, and one random
forbidden cell. The player meets every opponent on such a board, once from each side, with 3 s for each move. A win
counts two points, a draw one; an error, an illegal move or a late one loses the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from flipdrop.arena.competition import Competition, pairs_of
from flipdrop.arena.ladder.published import LARGE_BOARD, published_ladder
from flipdrop.arena.model import Event, TimeControl
from flipdrop.arena.run_event import distinct_terminations
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.statistics import Games
from flipdrop.errors import ArenaError
from flipdrop.games import ConnectFourGame
from flipdrop.options import option
from flipdrop.players import display_name

if TYPE_CHECKING:
    from collections.abc import Generator

    from flipdrop.arena.run_event import EventProgress

SMALLEST, LARGEST = 9, 12
BOARDS = sum(range(SMALLEST, LARGEST + 1)) ** 2
"""The number of different boards: sizes and forbidden cells."""
SECONDS = 3.0
"""For each move."""
HEADS = ("points", "won", "drawn", "lost", "board", "opponent")
"""The heads of the columns of `BatchResult.rows`."""


def random_board(random: Random) -> ConnectFourGame:
    """A board of the platform."""
    columns, rows = random.randint(SMALLEST, LARGEST), random.randint(SMALLEST, LARGEST)
    plain = ConnectFourGame(columns, rows)
    return ConnectFourGame(columns, rows, plain.cell_name(random.randrange(columns * rows)))


def points_of(games: Games) -> int:
    return 2 * games.wins + games.draws


@dataclass(frozen=True)
class BoardResult:
    """The games against one opponent on one board."""

    opponent: str
    game: str
    games: Games

    def to_json(self) -> dict[str, Any]:
        return {
            "opponent": self.opponent,
            "game": self.game,
            "points": points_of(self.games),
            "won": self.games.wins,
            "drawn": self.games.draws,
            "lost": self.games.losses,
        }


@dataclass(frozen=True)
class BatchResult:
    """The result of a batch so far.

    :param forfeits: games that the player lost by an error, an illegal move or on time
    :param opponent_forfeits: games that its opponents lost so
    :param terminations: the reasons, at most 10
    """

    player: str
    boards: tuple[BoardResult, ...]
    forfeits: int
    opponent_forfeits: int
    terminations: tuple[str, ...]
    seed: int
    seconds: float

    @property
    def games(self) -> Games:
        return sum((board.games for board in self.boards), Games())

    @property
    def points(self) -> int:
        return points_of(self.games)

    def to_json(self) -> dict[str, Any]:
        games = self.games
        return {
            "player": self.player,
            "points": self.points,
            "most_points": 2 * games.total,
            "won": games.wins,
            "drawn": games.draws,
            "lost": games.losses,
            "boards": [board.to_json() for board in self.boards],
            "forfeits": self.forfeits,
            "opponent_forfeits": self.opponent_forfeits,
            "terminations": list(self.terminations),
            "seed": self.seed,
            "seconds": self.seconds,
        }

    def describe(self) -> list[str]:
        """The result in lines of text."""
        games = self.games
        lines = [
            f"{self.points} of {2 * games.total} points: {games.wins} won, {games.draws} drawn, {games.losses} lost"
        ]
        if self.forfeits or self.opponent_forfeits:
            lines.append(f"forfeited: {self.forfeits} by the player, {self.opponent_forfeits} by its opponents")
            lines += [f"  {reason}" for reason in self.terminations]
        return lines

    def rows(self) -> list[tuple[str, ...]]:
        """Points, results, board and opponent."""
        rows = []
        for board in self.boards:
            counts = (points_of(board.games), board.games.wins, board.games.draws, board.games.losses)
            rows.append((*map(str, counts), board.game.removeprefix("connect4:"), display_name(board.opponent)))
        return rows


@dataclass(frozen=True, kw_only=True)
class PlatformBatch(Competition[BatchResult]):
    """The games of a player against many opponents on random boards.

    :param opponents: their specs; by default all others of the ladder of large boards
    """

    kind: ClassVar[str] = "saiblo"
    readers: ClassVar = {"opponents": tuple}

    player: str
    opponents: tuple[str, ...] = ()
    games: int = option(2, "games against each opponent", minimum=2, maximum=2 * BOARDS)
    time: TimeControl | None = field(default_factory=lambda: TimeControl(move=SECONDS))

    def __post_init__(self) -> None:
        if not self.opponents:
            known = tuple(entry.spec for entry in published_ladder(LARGE_BOARD).entries if entry.spec != self.player)
            object.__setattr__(self, "opponents", known)
        for spec in self.opponents:
            if spec == self.player or self.opponents.count(spec) > 1:
                raise ArenaError(f"{spec} takes part twice; name each player once")
        if pairs_of(self.games, "against each opponent") > BOARDS:
            raise ArenaError(f"{self.games} games against each opponent; at most {2 * BOARDS} have different boards")
        object.__setattr__(self, "game", self.boards[0].name)
        object.__setattr__(self, "openings", "start")
        super().__post_init__()

    @cached_property
    def boards(self) -> tuple[ConnectFourGame, ...]:
        """One for each pair of games: those of the first opponent first, all of one opponent different."""
        boards: list[ConnectFourGame] = []
        for opponent in self.opponents:
            random = Random(derive_seed(self.seed, "boards", opponent))
            own: dict[ConnectFourGame, None] = {}
            while len(own) < self.games // 2:
                own[random_board(random)] = None
            boards += own
        return tuple(boards)

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.player, *self.opponents)))

    @property
    def games_planned(self) -> int:
        return self.games * len(self.opponents)

    def event(self, number: int) -> Event:
        """The pair of games on a board."""
        return Event(
            kind=self.kind,
            game=self.boards[number].name,
            players=(self.player, self.opponents[number // (self.games // 2)]),
            pairings=((0, 1),),
            pairs=1,
            openings=self.openings,
            seed=self.seed,
            time=self.time,
        )

    @property
    def first_event(self) -> Event:
        return self.event(0)

    def events(self) -> Generator[Event, EventProgress, None]:
        for number in range(len(self.boards)):
            yield self.event(number)

    def result(self, states: list[EventProgress]) -> BatchResult:
        forfeits = [(player, reason) for state in states for _, player, reason in state.forfeits()]
        return BatchResult(
            player=self.player,
            boards=tuple(
                BoardResult(state.event.players[1], state.event.game, state.tallies()[0].games)
                for state in states
                if state.results
            ),
            forfeits=sum(player == 0 for player, _ in forfeits),
            opponent_forfeits=sum(player == 1 for player, _ in forfeits),
            terminations=distinct_terminations(reason for _, reason in forfeits),
            seed=self.seed,
            seconds=sum(state.seconds for state in states),
        )

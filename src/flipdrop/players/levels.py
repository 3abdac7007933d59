"""Ten levels of each game, from absolute beginner to the strongest player of the package.

Most levels have a fixed number of simulations, nodes or plies: they are the same on any machine and take at most about
a second for a move. Level 10, and level 9 of Connect Four, are limited by time, and solve the rest of the game when the
time suffices. On 8x8 Othello levels 9 and 10 begin with the opening book, where the seed chooses among equal moves.

Scores against the level below (level 1 against random moves), each opening of 4 to 8 plies played from both sides;
Othello from openings of 6 plies, 200 games, 100 for level 9 and on 6x6::

    level           1    2    3    4    5    6    7    8    9
    Othello 8x8   .82  .83  .84  .80  .68  .78  .83  .86  .87
    Othello 6x6   .76  .71  .82  .71  .58
    Connect Four  .83  .75  .74  .67  .68  .71  .78  .66

Level 9 of Connect Four scored .56 in 40 games; with a second instead of a fifth of one it scored .53 in 40, which is
within chance. Level 10 of Connect Four, which plays perfectly, scored .63 against level 9 in 24 games from random
openings, many of them lost for either side.

On other boards Connect Four's levels 6 to 10 play by the engine. On random boards of 9x9 to 12x12 with a forbidden cell
level 7 scored .86 against level 6 in 200 games, and level 8 .89 against level 7 in 106.

On 4x4 all levels of Othello from 5 on play equally well.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.options import format_options, option
from flipdrop.players.clock import Clock
from flipdrop.players.player import AnalysingPlayer, SpecPlayer, analyse_with
from flipdrop.players.registry import PLAYER_TYPES
from flipdrop.players.search_player import SearchPlayer
from flipdrop.players.solver_player import SolverPlayer

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.search import SearchReport


@dataclass(frozen=True)
class Level:
    """The players of a level in each game, and its description."""

    othello: str
    connect_four: str
    description: str
    eight_by_eight: str = ""  # Othello 8x8, if it differs from the other boards
    six_by_six: str = ""  # Othello 6x6, likewise
    seven_by_six: str = ""  # Connect Four 7x6, likewise

    def spec(self, game: Game) -> str:
        of_board = {
            OthelloGame(8): self.eight_by_eight,
            OthelloGame(6): self.six_by_six,
            ConnectFourGame(): self.seven_by_six,
        }
        return of_board.get(game) or (self.othello if game.family == "othello" else self.connect_four)


# Each level beats the one below. Where there is an engine for the board, the upper levels are the engine.
LEVELS = {
    1: Level("mcts:iterations=5", "mcts:iterations=5", "absolute beginner: sees hardly further than the move itself"),
    2: Level("mcts:iterations=20", "mcts:iterations=20", "beginner: has a vague idea of good moves"),
    3: Level("mcts:iterations=100", "mcts:iterations=20,decisive=root", "learner: overlooks less, but plans nothing"),
    4: Level("mcts:iterations=300", "mcts:iterations=80,decisive=root", "casual player: punishes plain mistakes"),
    5: Level(
        "iterative:evaluation=Seven,depth=5",
        "mcts:iterations=300,decisive=root",
        "intermediate: you have to think",
    ),
    6: Level(
        "iterative:evaluation=Seven,depth=7",
        "engine:nodes=200",
        "club player: knows which squares matter, sees short tactics",
        eight_by_eight="engine:depth=1",
        six_by_six="engine:depth=2",
        seven_by_six="mcts:iterations=1000,decisive=tree",
    ),
    7: Level(
        "iterative:evaluation=Seven,depth=8",
        "engine:nodes=1500",
        "strong club player: every careless move costs",
        eight_by_eight="engine:depth=2",
        six_by_six="engine:depth=4",
        seven_by_six="mcts:iterations=1500,decisive=tree,decisive_playouts=yes",
    ),
    8: Level(
        "iterative:evaluation=Seven,depth=9",
        "engine:nodes=20000",
        "expert: beats nearly everyone",
        eight_by_eight="engine:depth=4",
        six_by_six="engine:depth=6",
        seven_by_six="mcts:iterations=8000,decisive=tree,decisive_playouts=yes",
    ),
    9: Level(
        "iterative:evaluation=Seven,seconds=1",
        "engine:seconds=1",
        "master: loses only to the best",
        eight_by_eight="engine:depth=8,book=yes",
        six_by_six="engine:depth=10",
        seven_by_six="mcts:seconds=1,decisive=tree,decisive_playouts=yes",
    ),
    10: Level(
        "iterative:evaluation=Seven",
        "engine",
        "strongest: takes all its time, or five seconds; perfect in Connect Four 7x6",
        eight_by_eight="engine:book=yes",
        six_by_six="engine",
        seven_by_six="perfect",
    ),
}
"""The levels by number."""

LEVEL_NAMES = {"beginner": 2, "intermediate": 4, "advanced": 6, "expert": 8}
"""Names of some levels."""

DEFAULT_SECONDS = 5.0
"""Seconds per move of a level that only time limits, without a clock."""


@dataclass(repr=False, eq=False)
class LevelPlayer(AnalysingPlayer):
    """Plays a level in any game.

    :param threads: for levels that only time limits; the others play the same on any machine
    """

    number: int = option(1, "level of strength, 1 to 10", minimum=min(LEVELS), maximum=max(LEVELS))
    seed: int = option(0, "of every random choice", minimum=0, maximum=2**64 - 1)
    threads: int = option(1, "threads to use, where the level takes time", minimum=1, maximum=1024)
    _players: dict[str, SpecPlayer] = field(default_factory=dict, init=False)

    @property
    def spec(self) -> str:
        return ",".join(filter(None, (self.name, format_options(self, leave_out=("number",)))))

    @property
    def name(self) -> str:
        return f"level:{self.number}"

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        return self.player_of(position.game).choose(position, clock or self._default_clock(position))

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        return analyse_with(self.player_of(position.game), position, clock or self._default_clock(position))

    def is_timed(self, game: Game) -> bool:
        """Whether only time limits its moves; without a clock they take at most `DEFAULT_SECONDS`."""
        match self.player_of(game):
            case SolverPlayer(kind="solver"):
                return True
            case SearchPlayer(search=search):
                return search.is_timed
        return False  # it has limits of its own

    def _default_clock(self, position: Position) -> Clock | None:
        return Clock(move_limit=DEFAULT_SECONDS) if self.is_timed(position.game) else None

    def player_of(self, game: Game) -> SpecPlayer:
        if game.name not in self._players:
            name, _, options = LEVELS[self.number].spec(game).partition(":")
            self._players[game.name] = self._threaded(PLAYER_TYPES[name].make(options, defaults={"seed": self.seed}))
        return self._players[game.name]

    def _threaded(self, player: SpecPlayer) -> SpecPlayer:
        match player:
            case SearchPlayer(search=search) if search.is_timed:
                return dataclasses.replace(player, search=search.with_options(threads=self.threads))
            case SolverPlayer():
                return dataclasses.replace(player, threads=self.threads)
        return player

"""Settings of tabular learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from flipdrop.errors import LearningError
from flipdrop.learning.episodes import EpisodeSettings, settings_with
from flipdrop.options import option
from flipdrop.players.value_table import LARGEST_BOARD

if TYPE_CHECKING:
    from flipdrop.games import Game

Rule = Literal["q", "sarsa", "td"]
RULES: tuple[Rule, ...] = get_args(Rule)


@dataclass(frozen=True, kw_only=True)
class TableSettings(EpisodeSettings):
    """Settings of tabular learning."""

    lambda_: float = option(
        0.0,
        "weight of the rest of the game in a target: TD(lambda)",
        minimum=0,
        maximum=1,
    )
    initial: float = option(0.0, "value of untried moves; high values explore them all", minimum=-10, maximum=10)
    symmetric: bool = option(True, "mirror images share an entry")
    backward: bool = option(
        True, "update a game from its last move to its first; otherwise a result moves back one move per game"
    )
    positions: int = option(2_000_000, "entries of a full table, which ends learning", minimum=1, maximum=10**8)


# Q-learning is off-policy: it learns the value of best play from any play, and because the games are deterministic it
# can use a learning rate of 1. The others are on-policy: they learn the value of their own play, random moves included,
# so they have to reduce epsilon and average over random moves.
_DEFAULTS: dict[Rule, dict[str, Any]] = {
    "q": {"rate": 1.0, "rate_end": 1.0, "epsilon": 1.0, "epsilon_end": 1.0},
    "sarsa": {"rate": 0.3, "rate_end": 0.05, "epsilon": 1.0, "epsilon_end": 0.1, "lambda_": 0.5},
    "td": {"rate": 0.3, "rate_end": 0.05, "epsilon": 1.0, "epsilon_end": 0.1, "lambda_": 0.5},
}


def settings_for(rule: Rule, game: Game, **given: Any) -> TableSettings:
    """The defaults of a rule with some settings changed."""
    halving = 10_000 if game.family == "othello" else 100_000  # 4x4 has ten times the positions in Connect Four
    return settings_with(TableSettings, _DEFAULTS[rule] | {"halving": halving}, given)


def fits_a_table(game: Game) -> bool:
    """Whether the reachable positions of a game fit into memory and can be learned within minutes."""
    cells = game.columns * game.rows
    return cells <= (16 if game.family == "othello" else 20)


def check_board(game: Game) -> None:
    """Raises LearningError if the board is too large for a table to be of any use."""
    cells = game.columns * game.rows
    if cells > LARGEST_BOARD:
        raise LearningError(
            f"a table for {game.title}, with {cells} cells, would never be filled; tables are for boards of up to "
            f"{LARGEST_BOARD} cells (and only filled on small ones: othello4, connect4:5x4), patterns for larger ones"
        )

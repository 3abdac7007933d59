"""flipdrop: a laboratory for Othello and Connect Four.

Positions are values, players are specs, functions or objects, and results have intervals:

>>> from flipdrop import Othello, match, solve
>>> position = Othello().play("f5")
>>> [position.move_name(move) for move in position.legal_moves]
['f4', 'd6', 'f6']
>>> match("mcts:iterations=100", "greedy", games=20, seed=1).score > 0.5
True
>>> solve("", game="connect4").score
1

- games: `Othello`, `ConnectFour`, `game`, `GameHistory`, `GameRecord`
- measuring: `match`, `tournament`, `ladder`, `Store`, `to_pandas`
- analysis: `analyse`, `solve`, `review`
- players and evaluations: `player`, `evaluation`
- searches: `Minimax`, `Mcts`, `Engine`, `Puct`, `Solver`
- arrays: `batch`; environments: `flipdrop.envs`
- errors: kinds of `FlipdropError`, which is a ValueError

The names load the modules that they need on first use, so that ``import flipdrop`` takes a few hundredths of a second.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from flipdrop.errors import (
    ArenaError,
    BookError,
    FlipdropError,
    IllegalMove,
    IllegalPosition,
    LearningError,
    ModelError,
    NotationError,
    OptionError,
    PlayerError,
    RecordError,
    SearchError,
    StoreError,
    UnknownEvaluation,
    UnknownGame,
    WeightsError,
)
from flipdrop.games import ConnectFour, Game, Othello, Position, game
from flipdrop.kernel import Side

if TYPE_CHECKING:
    from flipdrop import batch as batch
    from flipdrop.arena.frames import to_pandas
    from flipdrop.arena.ladder import place_on_ladder as ladder
    from flipdrop.arena.match import MatchResult, match
    from flipdrop.arena.store import Store
    from flipdrop.arena.tournament import TournamentResult, tournament
    from flipdrop.evaluation import Evaluation, evaluation
    from flipdrop.games import GameHistory
    from flipdrop.games.records import GameRecord
    from flipdrop.players import Player, player
    from flipdrop.players.analysing import analyse, solve
    from flipdrop.search import Engine, Mcts, Minimax, Puct, SearchReport, Solution, Solver
    from flipdrop.search.review import GameReview, review

__version__ = "0.2.0"

_LAZY = {
    "Engine": "search",
    "Evaluation": "evaluation",
    "GameHistory": "games",
    "GameRecord": "games.records",
    "GameReview": "search.review",
    "MatchResult": "arena.match",
    "Mcts": "search",
    "Minimax": "search",
    "Player": "players",
    "Puct": "search",
    "SearchReport": "search",
    "Solution": "search",
    "Solver": "search",
    "Store": "arena.store",
    "TournamentResult": "arena.tournament",
    "analyse": "players.analysing",
    "ladder": "arena.ladder.placement:place_on_ladder",
    "match": "arena.match",
    "player": "players",
    "review": "search.review",
    "solve": "players.analysing",
    "to_pandas": "arena.frames",
    "tournament": "arena.tournament",
}
"""The module of each name, and the name there if it differs."""
_SUBPACKAGES = ("batch", "evaluation")

__all__ = [
    "ArenaError",
    "BookError",
    "ConnectFour",
    "Engine",
    "Evaluation",
    "FlipdropError",
    "Game",
    "GameHistory",
    "GameRecord",
    "GameReview",
    "IllegalMove",
    "IllegalPosition",
    "LearningError",
    "MatchResult",
    "Mcts",
    "Minimax",
    "ModelError",
    "NotationError",
    "OptionError",
    "Othello",
    "Player",
    "PlayerError",
    "Position",
    "Puct",
    "RecordError",
    "SearchError",
    "SearchReport",
    "Side",
    "Solution",
    "Solver",
    "Store",
    "StoreError",
    "TournamentResult",
    "UnknownEvaluation",
    "UnknownGame",
    "WeightsError",
    "analyse",
    "batch",
    "evaluation",
    "game",
    "ladder",
    "match",
    "player",
    "review",
    "solve",
    "to_pandas",
    "tournament",
]


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return importlib.import_module(f"flipdrop.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module 'flipdrop' has no attribute {name!r}")
    module, _, other = _LAZY[name].partition(":")
    value = getattr(importlib.import_module(f"flipdrop.{module}"), other or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""Players that play whole games inside the kernel: the same moves, but faster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.evaluation import default_evaluation
from flipdrop.kernel import NativePlayer
from flipdrop.players.basic import GreedyPlayer, RandomPlayer
from flipdrop.players.levels import LevelPlayer
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Mcts, Minimax

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.players.player import SpecPlayer


@dataclass(frozen=True)
class Native:
    """A player for games in the kernel, and the seed of its spec."""

    player: NativePlayer
    seed: int


def native_player(player: SpecPlayer, game: Game) -> Native | None:
    """The kernel's equal of a player, for games without a clock; None if the player needs Python or a clock."""
    match player:
        case LevelPlayer() if not player.is_timed(game):
            return native_player(player.player_of(game), game)
        case RandomPlayer():
            return Native(NativePlayer.random(), player.seed)
        case GreedyPlayer():
            made = _minimax(player.search, game)
            return made and Native(made.player.epsilon_greedy(player.epsilon), player.seed)
        case SearchPlayer(search=Minimax() as search) if search.seconds is None:
            return _minimax(search, game)
        case SearchPlayer(search=Mcts() as search, reuse=False) if search.is_plain:
            evaluation = search.evaluation or default_evaluation(game)
            if evaluation.is_function:
                return None
            return Native(NativePlayer.mcts(search.kernel_settings(game.start()), evaluation.kernel), search.seed)
    return None


def _minimax(search: Minimax, game: Game) -> Native | None:
    evaluation = search.evaluation or default_evaluation(game)
    if search.threads > 1 or evaluation.is_function:
        return None
    return Native(NativePlayer.minimax(search.kernel_settings(), evaluation.kernel), 0)

"""Whether an evaluation has something to say about a game, and what to do if it has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.errors import ModelError
from flipdrop.evaluation.registry import FAMILIES

if TYPE_CHECKING:
    from flipdrop.evaluation.evaluation import Evaluation
    from flipdrop.games import Game


def check_has_network(evaluation: Evaluation, game: Game) -> None:
    """Raises ModelError if an evaluation is made of networks, and none of them is for a game."""
    if evaluation.networks is None or evaluation.supports(game):
        return
    there = " and ".join(model.game.name for model in evaluation.networks.models)
    raise ModelError(
        f"evaluation {evaluation.name} has no network for {FAMILIES[game.family]} on {game.columns}x{game.rows}, only "
        f"for {there}; learn one (flipdrop learn td {game.name} --with patterns --out my.pattern) and name it, "
        "pattern:model=my.pattern or evaluation=my.pattern"
    )

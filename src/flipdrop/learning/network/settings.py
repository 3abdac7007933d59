"""Settings of self-play training, and the recipes measured for each game."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.errors import LearningError, quoted
from flipdrop.kernel import SelfPlaySettings
from flipdrop.options import check_options, option

if TYPE_CHECKING:
    from flipdrop.games import Game

_BODY = re.compile(r"(?:(conv|res):(\d{1,2})x(\d{1,4}))?(?:\+|^)?(?:dense:(\d{1,5}(?:-\d{1,5})*))?")


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """Everything that determines a run except game, seed and budget."""

    # The network.
    body: str = option(
        "conv:3x32+dense:64",
        "layers: conv:LAYERSxCHANNELS or res:BLOCKSxCHANNELS (residual), dense:SIZE-..., or both joined by +",
    )

    initial_model: str = option("", "file of a network with the same layers, whose weights the run begins with")

    # The warm start: supervised learning from labelled positions, before self-play.
    warm_start: str = option("", "file of labelled positions to begin with, from flipdrop dataset --policy")
    warm_updates: int = option(
        8000, "updates on them before self-play; 0 for positions that are only mixed into it", minimum=0, maximum=10**8
    )
    warm_rate: float = option(0.002, "initial learning rate of the warm start", above=0)
    warm_share: float = option(0.5, "share of them in each batch of self-play", minimum=0, maximum=1)

    # Self-play.
    games: int = option(256, "games per step; 0 ends the run after the warm start", minimum=0, maximum=1_000_000)
    actors: int = option(1, "groups of these games with seeds of their own; a cluster plays each on a core", minimum=1)
    slots: int = option(128, "games in parallel, which share an inference batch", minimum=1, maximum=100_000)
    simulations: int = option(
        100, "simulations of a full search, which gives a policy target", minimum=2, maximum=1_000_000
    )
    cheap_simulations: int = option(25, "simulations of the other searches", minimum=1, maximum=1_000_000)
    full_search_probability: float = option(0.25, "probability of a full search", above=0, maximum=1)
    c: float = option(1.5, "exploration constant of PUCT", minimum=0)
    noise: float = option(0.25, "weight of Dirichlet noise in the root's policy", minimum=0, maximum=1)
    alpha: float = option(1.0, "parameter of the Dirichlet distribution", above=0)
    random_plies: int = option(8, "most random moves at the start of a game", minimum=0, maximum=100)
    temperature_plies: int = option(
        12, "moves after them that are drawn in proportion to visits", minimum=0, maximum=1000
    )
    temperature: float = option(1.0, "temperature of these draws", minimum=0)

    # Learning.
    window: int = option(400_000, "newest positions to learn from", minimum=1, maximum=100_000_000)
    batch: int = option(512, "positions per update", minimum=1, maximum=1_000_000)
    reuse: float = option(4.0, "mean number of updates that use a position", above=0)
    rate: float = option(0.002, "initial learning rate", above=0)
    half_life: int = option(150_000, "games after which the learning rate is halved", minimum=1)
    slowest: float = option(0.05, "lowest learning rate, as a share of the initial one", minimum=0, maximum=1)
    decay: float = option(1e-4, "weight decay", minimum=0)
    mix: float = option(0.5, "weight of the outcome in value targets, against the search's value", minimum=0, maximum=1)
    average: float = option(0.999, "decay of the moving average of the weights", minimum=0, maximum=0.999999)
    bfloat16: bool = option(False, "learn in bfloat16 arithmetic, which some processors do faster")

    # Gating and benchmarking.
    gate_every: int = option(40, "steps between gating matches", minimum=1)
    gate_pairs: int = option(50, "pairs of games in a gating match", minimum=1)
    gate_simulations: int = option(64, "for each of their moves", minimum=1)
    opponent: str = option("mcts:iterations=1000", "opponent of the learning curve; empty for none")
    opponent_pairs: int = option(25, "pairs of games against the opponent", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)
        self.layers()
        if not self.games and not (self.warm_start and self.warm_updates):
            raise LearningError(
                "games=0: without self-play, a run needs a warm start (warm_start=FILE with warm_updates)"
            )

    def recorded(self) -> dict[str, Any]:
        """As checkpoints, models and results keep them: without `initial_model`, which is new, if there is none."""
        settings = dataclasses.asdict(self)
        if not self.initial_model:
            del settings["initial_model"]
        return settings

    def layers(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Channels of the convolutions, and sizes of the dense layers."""
        found = _BODY.fullmatch(self.body)
        if not self.body or found is None or self.body.endswith("+"):
            raise LearningError(
                f"body={quoted(self.body)}; write conv:3x32 (3 layers of 32 channels), res:4x48 (a layer and 4 "
                "residual blocks of 48 channels), dense:256-128 or conv:3x32+dense:64"
            )
        kind, number, channels, sizes = found.groups()
        layers = int(number or 0) if kind != "res" or not int(number) else 1 + 2 * int(number)
        convolutions = (int(channels),) * layers if layers else ()
        dense = tuple(map(int, sizes.split("-"))) if sizes else ()
        if min([*convolutions, *dense, 1]) < 1 or not convolutions + dense:
            raise LearningError(
                f"body={quoted(self.body)}; it has at least one layer, and every layer at least one channel"
            )
        return convolutions, dense

    def is_residual(self, layer: int) -> bool:
        """Whether a convolution is the second of a residual block, by its index."""
        return self.body.startswith("res:") and layer > 0 and layer % 2 == 0

    def kernel_settings(self, seed: int) -> SelfPlaySettings:
        settings = SelfPlaySettings()
        search = settings.search
        search.simulations, search.c, search.noise, search.alpha = self.simulations, self.c, self.noise, self.alpha
        search.seed = seed
        settings.search = search
        for name in (
            "cheap_simulations",
            "full_search_probability",
            "random_plies",
            "temperature_plies",
            "temperature",
        ):
            setattr(settings, name, getattr(self, name))
        return settings

    def warm_rate_after(self, updates: int) -> float:
        """The learning rate of the warm start: up within its first 2%, then down by half a cosine."""
        share = min(1.0, updates / self.warm_updates)
        falling = max(self.slowest, (1 + math.cos(math.pi * share)) / 2)
        return self.warm_rate * falling * min(1.0, (updates + 1) / (1 + 0.02 * self.warm_updates))

    def rate_after(self, games: int) -> float:
        return self.rate * max(self.slowest, float(0.5 ** (games / self.half_life)))


RECIPES: dict[str, TrainingSettings] = {
    "connect4": TrainingSettings(),
    "othello": TrainingSettings(body="res:5x32+dense:128", rate=0.0003, bfloat16=True),
    "othello6": TrainingSettings(body="conv:3x32+dense:128"),
}
"""Measured in docs/learning/network.md; other games use the recipe of the same kind of game."""


def settings_for(game: Game, **changes: Any) -> TrainingSettings:
    """The recipe for a game, with some settings changed."""
    kind = "connect4" if game.name.startswith("connect4") else "othello6"
    return dataclasses.replace(RECIPES.get(game.name, RECIPES[kind]), **changes)

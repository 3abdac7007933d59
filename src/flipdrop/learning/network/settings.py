"""What decides a run of network-guided self-play, and what has been found to suit each game."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.errors import LearningError, OptionError, quoted
from flipdrop.kernel import SelfPlaySettings
from flipdrop.options import check_options, option

if TYPE_CHECKING:
    from flipdrop.games import Game

_BODY = re.compile(r"(?:conv:(\d{1,2})x(\d{1,4}))?(?:\+|^)?(?:dense:(\d{1,5}(?:-\d{1,5})*))?")


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """Everything but game, seed and budget."""

    # The network.
    body: str = option("conv:3x32+dense:64", "layers: conv:LAYERSxCHANNELS, dense:SIZE-SIZE-..., or one + the other")

    # Self-play.
    games: int = option(256, "games of a step", minimum=1, maximum=1_000_000)
    slots: int = option(128, "games that share a batch", minimum=1, maximum=100_000)
    simulations: int = option(100, "of a search that teaches the policy", minimum=2, maximum=1_000_000)
    fast: int = option(25, "simulations of the others", minimum=1, maximum=1_000_000)
    full: float = option(0.25, "share of searches that teach the policy", above=0, maximum=1)
    c: float = option(1.5, "weight of the policy in the search", minimum=0)
    noise: float = option(0.25, "share of the root's policy that is random", minimum=0, maximum=1)
    alpha: float = option(1.0, "how even that share is: Dirichlet's parameter", above=0)
    random_plies: int = option(8, "a game begins with up to so many random moves", minimum=0, maximum=100)
    warm_plies: int = option(12, "then so many moves are drawn by their visits", minimum=0, maximum=1000)
    temperature: float = option(1.0, "of those draws", minimum=0)

    # Learning.
    window: int = option(400_000, "positions of late to learn from", minimum=1, maximum=100_000_000)
    batch: int = option(512, "positions of an update", minimum=1, maximum=1_000_000)
    reuse: float = option(4.0, "how often a position is learned from", above=0)
    rate: float = option(0.002, "learning rate at first", above=0)
    half_life: int = option(150_000, "games after which the rate is half of what it was", minimum=1)
    slowest: float = option(0.05, "share of the rate that is always left", minimum=0, maximum=1)
    decay: float = option(1e-4, "of weights", minimum=0)
    mix: float = option(0.5, "share of the outcome in values; the rest is what the search found", minimum=0, maximum=1)
    average: float = option(0.999, "share of the running mean that an update keeps", minimum=0, maximum=0.999999)

    # Measuring.
    gate_every: int = option(40, "steps between matches with the champion", minimum=1)
    gate_pairs: int = option(50, "pairs of games of such a match", minimum=1)
    gate_simulations: int = option(64, "for each of their moves", minimum=1)
    opponent: str = option("mcts:iterations=1000", "whom the curve shows it against; nobody if it is empty")
    opponent_pairs: int = option(25, "pairs of games against it", minimum=1)

    def __post_init__(self) -> None:
        try:
            check_options(self)
        except OptionError as error:
            raise LearningError(str(error)) from None
        self.layers()

    def layers(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Channels of the convolutions, and sizes of the dense layers."""
        found = _BODY.fullmatch(self.body)
        if not self.body or found is None or self.body.endswith("+"):
            raise LearningError(
                f"body={quoted(self.body)}; write conv:3x32 (3 layers of 32 channels), dense:256-128 or "
                "conv:3x32+dense:64"
            )
        layers, channels, sizes = found.groups()
        convolutions = (int(channels),) * int(layers) if layers else ()
        dense = tuple(map(int, sizes.split("-"))) if sizes else ()
        if min([*convolutions, *dense, 1]) < 1 or not convolutions + dense:
            raise LearningError(f"body={quoted(self.body)}; every layer has at least 1 of everything")
        return convolutions, dense

    def kernel_settings(self, seed: int) -> SelfPlaySettings:
        """What the kernel is told of a step's games."""
        settings = SelfPlaySettings()
        search = settings.search
        search.simulations, search.c, search.noise, search.alpha = self.simulations, self.c, self.noise, self.alpha
        search.seed = seed
        settings.search = search
        settings.cheap_simulations, settings.full_search_probability = self.fast, self.full
        settings.random_plies, settings.temperature_plies = self.random_plies, self.warm_plies
        settings.temperature = self.temperature
        return settings

    def rate_after(self, games: int) -> float:
        """The learning rate after so many games."""
        return self.rate * max(self.slowest, float(0.5 ** (games / self.half_life)))

    def to_json(self) -> dict[str, Any]:
        """Every setting by its name."""
        return dataclasses.asdict(self)


RECIPES: dict[str, TrainingSettings] = {
    "connect4": TrainingSettings(),
    "othello6": TrainingSettings(body="conv:3x32+dense:128"),
}
"""What has been measured (docs/learning/network.md); other games begin with the first of the same kind."""


def settings_for(game: Game, **changes: Any) -> TrainingSettings:
    """The recipe for a game, with some settings changed."""
    kind = "connect4" if game.name.startswith("connect4") else "othello6"
    return dataclasses.replace(RECIPES.get(game.name, RECIPES[kind]), **changes)

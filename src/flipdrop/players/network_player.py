"""`NetworkPlayer`: plays by PUCT with a network."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - as the types of the other options, it is read at run time
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError
from flipdrop.evaluation.network import Evaluator, network_for  # the types of options are read at run time
from flipdrop.options import option
from flipdrop.players.clock import time_for_move
from flipdrop.players.player import AnalysingPlayer
from flipdrop.search.puct import Puct
from flipdrop.search.search import NO_TIME

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock
    from flipdrop.search import SearchReport


@dataclass(frozen=True, repr=False)
class NetworkPlayer(AnalysingPlayer):
    """Plays by PUCT.

    :param evaluator: by default the network in the file `model`, or the package's own for the game, read on first use
    """

    kind = "network"
    search: Puct = field(default_factory=Puct)
    model: Path | None = option(None, "file of the network; flipdrop's own by default")
    evaluator: Evaluator | None = None

    @property
    def _option_holders(self) -> tuple[Any, ...]:
        return self, self.search

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        search = self.search
        seconds = time_for_move(position, clock, search.seconds)
        if math.isfinite(seconds):
            # With a clock, a search that simulations limit keeps that limit.
            limit = search.simulations or (None if search.seconds else search.kernel_settings().simulations)
            search = search.with_options(seconds=max(seconds, NO_TIME), simulations=limit)
        return search.search(position, self.evaluator_for(position.game))

    def check_supported(self, game: Game) -> None:
        self.evaluator_for(game)

    def evaluator_for(self, game: Game) -> Evaluator:
        if self.evaluator is not None:
            return self.evaluator
        try:
            return network_for(game, self.model)
        except OSError as error:
            raise PlayerError(f"model={self.model}: {error.strerror}") from None

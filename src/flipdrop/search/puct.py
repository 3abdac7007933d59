"""PUCT: Monte Carlo tree search with a policy and value network, as in AlphaZero: the player ``network``.

`GuidedSearch`, the player ``puct``, is the same search with an evaluation in place of the network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from flipdrop.kernel import PuctSettings, puct_search
from flipdrop.options import option
from flipdrop.search.search import Search

if TYPE_CHECKING:
    from flipdrop.evaluation.network import Evaluator
    from flipdrop.games import Position
    from flipdrop.search.report import Progress, SearchReport

DEFAULT_SIMULATIONS = 200


@dataclass(frozen=True, kw_only=True)
class Puct(Search):
    """PUCT. A move's score is its mean value + c P sqrt(N_parent) / (1 + N), where P is its policy prior.

    Values are expected outcomes from -1 (lost) to 1 (won). Finished games, in Connect Four also those that end by
    forced moves, are proven and backed up: a move that is proven to lose is not visited again, and a proven root ends
    the search.
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("simulations", "seconds")
    WORK_LIMITS: ClassVar[tuple[str, ...]] = ("simulations",)

    simulations: int | None = option(None, "simulations for a move", minimum=1, maximum=10**7)
    seconds: float | None = option(None, "time for a move", above=0)
    batch: int = option(8, "positions per call of the network", minimum=1, maximum=4096)
    c: float = option(0.7, "weight of the policy prior", minimum=0)
    fpu_reduction: float = option(0.25, "value of an untried move below its parent's (first play urgency)", minimum=0)
    symmetries: bool = option(True, "random symmetry for each evaluation")
    seed: int = option(0, "of every random choice", minimum=0, maximum=2**64 - 1)

    def search(self, position: Position, evaluator: Evaluator, *, progress: Progress | None = None) -> SearchReport:
        """Searches a position that is not over.

        `progress` receives intermediate reports about twenty times a second.
        """
        self.check_not_over(position)
        settings = self.kernel_settings()
        return self.run_kernel(
            puct_search, position, evaluator, settings, progress=progress, seed=self.seed, expected_score=True
        )

    def kernel_settings(self) -> PuctSettings:
        settings = PuctSettings()
        settings.simulations = self.simulations or (0 if self.is_limited else DEFAULT_SIMULATIONS)
        settings.seconds = self.seconds or 0.0
        for name in ("batch", "c", "fpu_reduction", "symmetries", "seed"):
            setattr(settings, name, getattr(self, name))
        return settings

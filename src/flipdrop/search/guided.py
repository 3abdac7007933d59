"""`GuidedSearch`: PUCT with an evaluation in place of a network, for boards of both games: the player ``puct``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, ClassVar

from flipdrop.evaluation import Evaluation, default_evaluation, evaluation
from flipdrop.kernel import PuctSettings, guided_search
from flipdrop.options import option
from flipdrop.search.search import Search
from flipdrop.search.solver import engine_network_file
from flipdrop.search.win_probability import scale_of

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.search.report import Progress, SearchReport

DEFAULT_SIMULATIONS = 10_000


@dataclass(frozen=True, kw_only=True)
class GuidedSearch(Search):
    """PUCT that an evaluation guides: fast enough for hundreds of thousands of leaves a second.

    The evaluation values the position after each move, in Connect Four also after the moves that it forces. The best of
    these values is the value of the leaf, and their softmax the policy of its moves. Scores become expected results
    from -1 (lost) to 1 (won) on the scale on which the page shows win probabilities; `temperature` is on that scale
    before its ends are bent to -1 and 1: in Othello, 0.5 are 4 discs. Finished games are proven and backed up, as in
    `Puct`.

    Several threads search one tree; leaves that a thread is valuing have a virtual loss. Their result differs from run
    to run, that of one thread does not.
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("simulations", "seconds", "nodes")
    WORK_LIMITS: ClassVar[tuple[str, ...]] = ("simulations",)  # nodes limit the memory of the tree

    evaluation: Evaluation | None = option(None, "value of the position after a move; the engine's by default")
    simulations: int | None = option(None, "simulations for a move", minimum=1, maximum=10**7)
    seconds: float | None = option(None, "time for a move", above=0)
    nodes: int | None = option(None, "nodes of the tree", minimum=1)
    c: float = option(0.5, "weight of the policy prior", minimum=0)
    fpu_reduction: float = option(0.1, "value of an untried move below its parent's (first play urgency)", minimum=0)
    temperature: float = option(0.5, "of the policy: the higher, the more even", minimum=1e-6, maximum=1e6)
    threads: int = option(1, "threads on the one tree", minimum=1, maximum=1024)

    def search(self, position: Position, *, progress: Progress | None = None) -> SearchReport:
        """Searches a position that is not over.

        `progress` receives intermediate reports about twenty times a second.
        """
        self.check_not_over(position)
        return self.run_kernel(
            guided_search,
            position,
            self.evaluation_for(position.game).kernel,
            self.kernel_settings(position.game),
            progress=progress,
            expected_score=True,
        )

    def evaluation_for(self, game: Game) -> Evaluation:
        """The evaluation that it uses on a board."""
        return self.evaluation or guiding_evaluation(game)

    def kernel_settings(self, game: Game) -> PuctSettings:
        settings = PuctSettings()
        settings.simulations = self.simulations or (0 if self.is_limited else DEFAULT_SIMULATIONS)
        settings.nodes = self.nodes or 0
        settings.seconds = self.seconds or 0.0
        settings.half_point = scale_of(self.evaluation_for(game)).half_point
        if self.threads > 1:
            settings.threads = self.threads
        for name in ("c", "fpu_reduction", "temperature"):
            setattr(settings, name, getattr(self, name))
        return settings

    def check_supported(self, game: Game) -> None:
        """Raises FlipdropError unless the evaluation is for this board."""
        self.evaluation_for(game).check_supported(game)


@cache
def guiding_evaluation(game: Game) -> Evaluation:
    """The evaluation by default: `parity` in Connect Four, the engine's network or the usual one in Othello."""
    if game.family == "connect4":
        return evaluation("parity")
    if (file := engine_network_file(game)) is None:
        return default_evaluation(game)
    with resources.as_file(file) as path:
        return evaluation(path)

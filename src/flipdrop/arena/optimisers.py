"""The optimisers of tuning runs: Optuna's tree-structured Parzen estimator (TPE), and CMA-ES.

Both propose values and receive their scores, and both are determined by their seed: with the same scores, they propose
the same again. So a stopped run is replayed from the games in the store, and nothing else has to be kept.
"""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import ArenaError, install_command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.arena.option_values import Range

Method = Literal["optuna", "cma"]
Values = dict[str, str]

STARTUP = 10  # random trials before Optuna fits a model
SPREAD = 0.25  # the first standard deviation of CMA-ES, as a share of each range


class Optimiser(Protocol):
    """Proposes values, one after the other."""

    def ask(self) -> tuple[Values, int]:
        """Values to try, and the number of their batch: those of one batch are compared with each other."""

    def tell(self, score: float) -> None:
        """Receives the score of the last values, which is maximised."""

    def recommended(self) -> Values | None:
        """The values that the method recommends, if they are not among those it proposed."""


def make_optimiser(
    method: Method, ranges: Sequence[Range], start: Mapping[str, float | None], score: float, seed: int
) -> Optimiser:
    """The optimiser of a method.

    :param start: the position of each option's start value in its range, from 0 to 1; None if it is outside
    :param score: of the start values
    """
    if method == "optuna":
        return OptunaOptimiser(ranges, start, score, seed)
    return CmaOptimiser(ranges, start, seed)


def check_installed(method: Method) -> None:
    """Raises if the method's library is not installed."""
    try:
        with warnings.catch_warnings(action="ignore"):  # about each other's versions
            importlib.import_module(method)
    except ImportError:
        raise ArenaError(
            f"--method {method} needs {method}, which is not installed: {install_command('tune')}"
        ) from None


class OptunaOptimiser:
    """Models where good trials lie and where the others do. It ranks trials, which makes it robust to noise.

    Each trial is a batch of its own: it plays openings that no other has played, so a point that was lucky with its
    openings loses its lead as its neighbours are tried.
    """

    def __init__(self, ranges: Sequence[Range], start: Mapping[str, float | None], score: float, seed: int) -> None:
        import optuna

        self._ranges = ranges
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings(category=optuna.exceptions.ExperimentalWarning, action="ignore"):
            # Options depend on each other (c on the reward, one weight on the next), so they are modelled together.
            sampler = optuna.samplers.TPESampler(
                seed=derive_seed(seed, "optuna") % 2**32, multivariate=True, n_startup_trials=STARTUP
            )
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._space: dict[str, Any] = {}
        for one in ranges:
            self._space[one.name] = (
                optuna.distributions.CategoricalDistribution(one.words)
                if one.words
                else optuna.distributions.IntDistribution(int(one.low), int(one.high), log=one.is_log)
                if one.is_int
                else optuna.distributions.FloatDistribution(one.low, one.high, log=one.is_log)
            )
        self._trial: Any = None
        shares = [start[one.name] for one in ranges]
        if all(share is not None for share in shares):
            params = {
                one.name: self._param(one, one.text(share or 0.0)) for one in ranges for share in [start[one.name]]
            }
            self._study.add_trial(optuna.trial.create_trial(params=params, distributions=self._space, value=score))

    @staticmethod
    def _param(one: Range, text: str) -> str | int | float:
        return text if one.words else int(text) if one.is_int else float(text)

    def ask(self) -> tuple[Values, int]:
        self._trial = self._study.ask(self._space)
        values = {
            one.name: self._trial.params[one.name] if one.words else one.rounded(self._trial.params[one.name])
            for one in self._ranges
        }
        return values, int(self._trial.number)

    def tell(self, score: float) -> None:
        self._study.tell(self._trial, score)

    def recommended(self) -> Values | None:
        return None


class CmaOptimiser:
    """Adapts a normal distribution. Its mean averages over many noisy trials, and is better than any of them.

    The points of a generation play the same openings, since they are compared with each other; the next generation
    plays others.
    """

    def __init__(self, ranges: Sequence[Range], start: Mapping[str, float | None], seed: int) -> None:
        words = [one.name for one in ranges if one.words]
        if words:
            raise ArenaError(f"CMA-ES searches among numbers, and {words[0]} takes words; use --method optuna")
        if len(ranges) < 2:
            raise ArenaError("CMA-ES needs two options at least; use --method optuna for one")
        random = np.random.default_rng(derive_seed(seed, "cma"))
        with warnings.catch_warnings(action="ignore"):  # it complains about missing plotting libraries
            cma: Any = importlib.import_module("cma")
            middle = [0.5 if share is None else share for share in (start[one.name] for one in ranges)]
            self._strategy: Any = cma.CMAEvolutionStrategy(
                middle,
                SPREAD,
                {
                    "bounds": [0, 1],
                    "seed": float("nan"),  # it would seed numpy's global generator, which is not ours alone
                    "randn": lambda *shape: random.standard_normal(shape),
                    "verbose": -9,
                    "verb_log": 0,
                },
            )
        self._ranges = ranges
        self._generation: list[Any] = []
        self._scores: list[float] = []
        self._number = 0

    def ask(self) -> tuple[Values, int]:
        if len(self._scores) == len(self._generation):
            if self._generation:
                self._strategy.tell(self._generation, [-score for score in self._scores])
                self._number += 1
            self._generation, self._scores = self._strategy.ask(), []
        return self._values(self._generation[len(self._scores)]), self._number

    def tell(self, score: float) -> None:
        self._scores.append(score)

    def recommended(self) -> Values | None:
        return self._values(self._strategy.result.xfavorite)

    def _values(self, shares: Sequence[float]) -> Values:
        return {one.name: one.text(float(share)) for one, share in zip(self._ranges, shares, strict=True)}

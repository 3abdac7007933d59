"""`Evaluation`: a static estimate of a position for the side to move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from flipdrop.errors import ModelError, WeightsError
from flipdrop.evaluation.breakdown import Breakdown, Term
from flipdrop.evaluation.notation import format_notation
from flipdrop.evaluation.patterns import Networks
from flipdrop.evaluation.registry import FAMILIES
from flipdrop.evaluation.weights import Weights, tuple_text
from flipdrop.games import Position
from flipdrop.kernel import Evaluation as KernelEvaluation

if TYPE_CHECKING:
    from flipdrop.games import Game

EvaluationFunction: TypeAlias = Callable[[Any], float]
"""A Python function of a position that returns a finite number; higher is better for the side to move."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Evaluation:
    """An immutable evaluation that scores positions; the function `evaluation` makes one by name.

    :param made_from: the weights of a named evaluation, pattern networks, or a Python function of a position
    """

    weights: Weights | None
    networks: Networks | None
    function: EvaluationFunction | None
    kernel: KernelEvaluation = field(compare=False)
    """The form that the searches of the kernel call."""

    def __init__(self, made_from: Weights | Networks | EvaluationFunction) -> None:
        weights = networks = function = None
        if isinstance(made_from, Weights):
            weights, kernel = made_from, made_from.kernel()
        elif isinstance(made_from, Networks):
            networks, kernel = made_from, made_from.kernel()
        elif callable(made_from):
            function, kernel = made_from, KernelEvaluation.from_function(made_from)
        else:
            raise WeightsError(f"an evaluation is made from Weights or a function of a position, not {made_from!r}")
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "networks", networks)
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "kernel", kernel)

    @property
    def made_from(self) -> Weights | Networks | EvaluationFunction:
        """The argument that makes an equal `Evaluation`."""
        made_from = self.weights or self.networks or self.function
        assert made_from is not None
        return made_from

    @property
    def name(self) -> str:
        return self.kernel.name

    def supports(self, game: Game) -> bool:
        """Whether it can score positions of a game; a Python function supports every game."""
        if self.networks is not None:
            return self.networks.supports(game)
        return self.weights is None or self.weights.game == game.family

    def check_supported(self, game: Game) -> None:
        """Raises FlipdropError unless it can score positions of a game."""
        if self.networks is not None and not self.supports(game):
            available = " and ".join(model.game.name for model in self.networks.models)
            raise ModelError(
                f"evaluation {self.name} has no network for {FAMILIES[game.family]} on {game.columns}x{game.rows}, "
                f"only for {available}; learn one (flipdrop learn td {game.name} --with patterns --out my.pattern) and "
                "name it, pattern:model=my.pattern or evaluation=my.pattern"
            )
        self.score(game.start())

    def score(self, position: Position) -> float:
        """The score for the side to move; higher is better."""
        if not isinstance(position, Position):
            raise TypeError(f"a position such as Othello() is needed, not {position!r}")
        return self.kernel.score(position)

    def explain(self, position: Position) -> Breakdown:
        terms = tuple(Term(*term) for term in self.kernel.terms(position))
        # A function is called once, as it may be random. The sum of the terms may differ from the score in the last
        # digit.
        total = terms[0].feature if self.function is not None else self.score(position)
        return Breakdown(self._notation or self.name, terms, total)

    @property
    def _notation(self) -> str | None:
        return None if self.weights is None else format_notation(self.weights)

    def __str__(self) -> str:
        """The notation that `evaluation` reads; a function's bare name, and the repr for a table without a name."""
        return self.name if self.weights is None else self._notation or repr(self)

    def __repr__(self) -> str:
        if self.weights is None:
            return f"evaluation({self.name})"
        if self._notation is not None:
            return f"evaluation({self._notation!r})"
        numbers = f"weights={tuple_text(self.weights.vector)}, table={tuple_text(self.weights.table)}"
        return f"evaluation({self.name!r}, {numbers})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation, (self.made_from,)

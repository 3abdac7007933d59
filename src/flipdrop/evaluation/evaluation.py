"""`Evaluation`: a static estimate of a position for the side to move; `Breakdown`: the terms of a score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from flipdrop.errors import ModelError, WeightsError
from flipdrop.evaluation.patterns import Networks
from flipdrop.evaluation.registry import FAMILIES
from flipdrop.evaluation.weights import Weights, format_notation, tuple_text
from flipdrop.games import Position
from flipdrop.kernel import Evaluation as KernelEvaluation

if TYPE_CHECKING:
    from flipdrop.games import Game

EvaluationFunction: TypeAlias = Callable[[Any], float]
"""A Python function of a position that returns a finite number; higher is better for the side to move."""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a score: the measured feature and its weight."""

    name: str
    feature: float
    weight: float

    @property
    def contribution(self) -> float:
        return self.feature * self.weight + 0.0  # 0.0, never -0.0


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A score with its terms, for the side to move; its text form is a table."""

    evaluation: str
    terms: tuple[Term, ...]
    total: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "evaluation": self.evaluation,
            "score": self.total,
            "terms": [
                {
                    "name": term.name,
                    "feature": term.feature,
                    "weight": term.weight,
                    "contribution": term.contribution,
                }
                for term in self.terms
            ],
        }

    def __str__(self) -> str:
        rows = [[self.evaluation, "feature", "weight", "score"]]
        rows += [[t.name, *(f"{x:.6g}" for x in (t.feature, t.weight, t.contribution))] for t in self.terms]
        rows += [["total", "", "", f"{self.total:.6g}"]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        )


@dataclass(frozen=True, repr=False)
class Evaluation:
    """An immutable evaluation that scores positions; the function `evaluation` makes one by name.

    >>> from flipdrop import Othello, evaluation
    >>> evaluation("D").score(Othello())
    32.0
    >>> Evaluation(lambda position: position.empties).score(Othello())
    60.0

    :param made_from: the weights of a named evaluation, pattern networks, or a Python function of a position
    :param source: the file that it was read from, so that a spec can name it
    """

    made_from: Weights | Networks | EvaluationFunction
    source: str = ""
    kernel: KernelEvaluation = field(init=False, compare=False)
    """The form that the searches of the kernel call."""

    def __post_init__(self) -> None:
        made_from = self.made_from
        if isinstance(made_from, Weights | Networks):
            kernel = made_from.kernel()
        elif callable(made_from):
            kernel = KernelEvaluation.from_function(made_from)
        else:
            raise WeightsError(f"an evaluation is made from Weights or a function of a position, not {made_from!r}")
        object.__setattr__(self, "kernel", kernel)

    @property
    def weights(self) -> Weights | None:
        return self.made_from if isinstance(self.made_from, Weights) else None

    @property
    def networks(self) -> Networks | None:
        return self.made_from if isinstance(self.made_from, Networks) else None

    @property
    def is_function(self) -> bool:
        """Whether it calls a Python function."""
        return not isinstance(self.made_from, Weights | Networks)

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
        total = terms[0].feature if self.is_function else self.score(position)
        return Breakdown(self._notation or self.name, terms, total)

    @property
    def _notation(self) -> str | None:
        return None if self.weights is None else format_notation(self.weights)

    def __str__(self) -> str:
        """The notation that `evaluation` reads; a function's bare name, and the repr for a table without a name."""
        if self.source:
            return self.source
        return self.name if self.weights is None else self._notation or repr(self)

    def __repr__(self) -> str:
        if self.weights is None:
            return f"evaluation({self.name})"
        if self._notation is not None:
            return f"evaluation({self._notation!r})"
        numbers = f"weights={tuple_text(self.weights.vector)}, table={tuple_text(self.weights.table)}"
        return f"evaluation({self.name!r}, {numbers})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Evaluation, (self.made_from, self.source)

"""`Search`: the base class of all searches."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, overload

from flipdrop.errors import SearchError
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.games import check_position
from flipdrop.options import check_options
from flipdrop.search.report import SearchReport
from flipdrop.search.win_probability import WinProbabilityScale

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from flipdrop.evaluation import EvaluationFunction
    from flipdrop.games import Game, Position
    from flipdrop.kernel import KernelReport
    from flipdrop.search.report import Progress

    class EvaluationField:
        """The field `evaluation` for type checkers: any form goes in, `Search.__post_init__` makes one of them."""

        @overload
        def __get__(self, instance: None, owner: Any) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: Any) -> Evaluation | None: ...
        def __get__(self, instance: object, owner: Any) -> Any: ...
        def __set__(self, instance: Any, value: str | Evaluation | EvaluationFunction | None) -> None: ...

else:
    EvaluationField = Evaluation | None

NO_TIME = 1e-6  # s: a search without time stops at its first check of the clock


class Search:
    """Base class of searches: dataclasses of options whose ``search(position)`` gives a `SearchReport`."""

    LIMITS: ClassVar[tuple[str, ...]]
    """The options that limit a search."""
    WORK_LIMITS: ClassVar[tuple[str, ...]]
    """Those that limit its work, which is then the same on every machine."""

    def __post_init__(self) -> None:
        given = getattr(self, "evaluation", None)
        if given is not None and not isinstance(given, Evaluation):  # a name or a function
            object.__setattr__(self, "evaluation", evaluation(given))
        check_options(self)

    @property
    def is_limited(self) -> bool:
        return any(getattr(self, name) for name in self.LIMITS)

    @property
    def is_timed(self) -> bool:
        """Whether only time limits the search: that of its own option or that of a clock."""
        return not any(getattr(self, name) for name in self.WORK_LIMITS)

    def value_scale(self, game: Game) -> WinProbabilityScale:  # noqa: ARG002 - expected scores need no game
        """The scale of its values on a board."""
        return WinProbabilityScale()

    def with_options(self, **changes: Any) -> Self:
        """The same search with some options changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    def continued(self, **changes: Any) -> Self:
        """The same with some options changed, and with the table of this search if it keeps one."""
        return self.with_options(**changes)

    @staticmethod
    def check_not_over(position: Position) -> None:
        check_position(position)
        if position.is_over:
            raise SearchError(f"{position!r}: the game is over, there is no move to search")

    @staticmethod
    def run_kernel(
        search: Callable[..., KernelReport],
        position: Position,
        *settings: Any,
        progress: Progress | None,
        seed: int | None = None,
        expected_score: bool = False,
    ) -> SearchReport:
        """Calls a search of the kernel, which takes a position, settings and a callback.

        :param expected_score: whether its values are expected scores from -1 to 1
        """

        def report(found: KernelReport) -> SearchReport:
            return SearchReport.from_kernel(position, found, seed=seed, expected_score=expected_score)

        watch = None if progress is None else lambda found: progress(report(found))
        return report(search(position, *settings, watch))

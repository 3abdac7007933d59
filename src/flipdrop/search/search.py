"""`Search`: the base class of all searches."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from flipdrop.errors import SearchError
from flipdrop.options import check_options

if TYPE_CHECKING:
    from typing import Self

    from flipdrop.games import Position


class Search:
    """Base class of searches: dataclasses of options whose ``search(position)`` gives a `SearchReport`."""

    LIMITS: ClassVar[tuple[str, ...]] = ("seconds", "nodes")
    """The options that limit a search."""

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def is_limited(self) -> bool:
        return any(getattr(self, name) for name in self.LIMITS)

    def with_options(self, **changes: Any) -> Self:
        """The same search with some options changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[type-var]

    @staticmethod
    def check_not_over(position: Position) -> None:
        if position.is_over:
            raise SearchError(f"{position!r}: the game is over, there is no move to search")

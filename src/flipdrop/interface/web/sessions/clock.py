"""The clock of a session."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.arena.model import TimeControl
from flipdrop.interface.web.sessions.errors import OutOfRange, SessionError
from flipdrop.kernel import Side
from flipdrop.players import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 24 * 3600.0  # s for a side
_LONGEST_INCREMENT = 600.0  # s for a move


@dataclass
class SessionClock:
    """What both sides have left, in seconds.

    Not a referee's `GameClock`, which times moves from start to stop and says afterwards who was late: this one is read
    while it runs, is stopped without a move being made, falls by itself, and goes on after a restart.

    :param control: as it was asked for, such as ``300+2``
    :param remaining: of the first and of the second side, when nothing ran
    """

    control: str
    remaining: list[float]
    increment: float
    now: Callable[[], float] = time.monotonic
    running: Side | None = field(default=None, init=False)
    _since: float = field(default=0.0, init=False)

    @classmethod
    def of(cls, control: str, **options: Any) -> SessionClock:
        """The clock that ``300`` or ``300+2`` describes: seconds for a game, and for each move."""
        parsed = TimeControl.parse(control)
        if parsed.total is None:
            raise SessionError(f"clock {control!r}; write seconds for the game: 300, or 300+2 with an increment")
        if not 1 <= parsed.total <= LONGEST or not parsed.increment <= _LONGEST_INCREMENT:
            raise OutOfRange(f"clock {control!r}; a side has 1 to {LONGEST:.0f} s, and gains at most 600 s a move")
        return cls(str(parsed), [parsed.total, parsed.total], parsed.increment, **options)

    @property
    def left(self) -> tuple[float, float]:
        """What both sides have now, at least 0."""
        first, second = (max(0.0, self._left(side)) for side in Side)
        return first, second

    @property
    def has_fallen(self) -> bool:
        """Whether the side whose time runs has none left."""
        return self.running is not None and self._left(self.running) <= 0

    def start(self, side: Side) -> None:
        """Lets a side's time run; that of the other stands."""
        if self.running != side:
            self.stop()
            self.running, self._since = side, self.now()

    def stop(self) -> None:
        """Both stand still."""
        if self.running is not None:
            self.remaining[self.running] = self._left(self.running)
            self.running = None

    def moved(self, side: Side) -> None:
        """Ends a side's move."""
        self.stop()
        self.remaining[side] += self.increment

    def for_player(self, side: Side) -> Clock:
        """What a player is told."""
        return Clock(remaining=self.left[side], increment=self.increment)

    def _left(self, side: Side) -> float:
        elapsed = self.now() - self._since if side == self.running else 0.0
        return self.remaining[side] - elapsed

    def to_json(self) -> dict[str, Any]:
        """What is kept: after a restart the clock goes on from here."""
        return {"control": self.control, "remaining": list(self.left)}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> SessionClock:
        """The clock that was kept."""
        clock = cls.of(kept["control"])
        clock.remaining = [float(seconds) for seconds in kept["remaining"]]
        return clock

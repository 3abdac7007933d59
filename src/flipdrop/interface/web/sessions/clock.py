"""The clock of a session."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.arena.model import TimeControl
from flipdrop.interface.web.sessions.errors import OutOfRange
from flipdrop.kernel import Side
from flipdrop.players import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST = 24 * 3600.0  # s of a side
_LONGEST_INCREMENT = 600.0  # s


@dataclass
class SessionClock:
    """A clock that is read while it runs, stops without a move, falls by itself and survives a restart.

    The arena's `GameClock` only measures moves from start to stop.

    :param control: the time control, such as ``300+2`` or ``60/move``
    :param remaining: seconds of each side when the clock last stopped
    :param increment: seconds for each move, which are added to the remaining ones
    :param per_move: seconds for each move, which replace the remaining ones
    """

    control: str
    remaining: list[float]
    increment: float = 0.0
    per_move: float | None = None
    now: Callable[[], float] = time.monotonic
    running: Side | None = field(default=None, init=False)
    _since: float = field(default=0.0, init=False)

    @classmethod
    def of(cls, control: str, **options: Any) -> SessionClock:
        """The clock for a time control: ``300`` seconds for the game, ``300+2`` with an increment, or ``60/move``."""
        parsed = TimeControl.parse(control)
        seconds = parsed.total or parsed.move or 0.0
        if not 1 <= seconds <= LONGEST or not parsed.increment <= _LONGEST_INCREMENT:
            limits = f"1 to {LONGEST:.0f} s for a side or a move, increments up to {_LONGEST_INCREMENT:.0f} s"
            raise OutOfRange(f"clock {control!r}; allowed are {limits}")
        return cls(str(parsed), [seconds, seconds], parsed.increment, parsed.move, **options)

    @property
    def left(self) -> tuple[float, float]:
        """Seconds of each side now, at least 0."""
        first, second = (max(0.0, self._left(side)) for side in Side)
        return first, second

    @property
    def has_fallen(self) -> bool:
        """Whether the side whose time runs has no time left."""
        return self.running is not None and self._left(self.running) <= 0

    def start(self, side: Side) -> None:
        """Starts the time of a side; that of the other stops."""
        if self.running != side:
            self.stop()
            self.running, self._since = side, self.now()

    def stop(self) -> None:
        if self.running is not None:
            self.remaining[self.running] = self._left(self.running)
            self.running = None

    def moved(self, side: Side) -> None:
        """Stops the clock after a move; adds the increment, or sets the time for the next move."""
        self.stop()
        self.remaining[side] = self.remaining[side] + self.increment if self.per_move is None else self.per_move

    def for_player(self, side: Side) -> Clock:
        if self.per_move is not None:
            return Clock(move_limit=self.left[side])
        return Clock(remaining=self.left[side], increment=self.increment)

    def _left(self, side: Side) -> float:
        elapsed = self.now() - self._since if side == self.running else 0.0
        return self.remaining[side] - elapsed

    def to_json(self) -> dict[str, Any]:
        return {"control": self.control, "remaining": list(self.left)}

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> SessionClock:
        clock = cls.of(state["control"])
        clock.remaining = [float(seconds) for seconds in state["remaining"]]
        return clock

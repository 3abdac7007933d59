"""Time control: a player's `Clock`, the time for one move, and the referee's `GameClock`."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.errors import PlayerError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.kernel import Side


@dataclass(frozen=True, kw_only=True)
class Clock:
    """The time of the side to move when its move begins, in seconds; None for no limit.

    :param remaining: for the rest of the game
    :param increment: added after each move
    :param move_limit: for this move
    """

    remaining: float | None = None
    increment: float = 0.0
    move_limit: float | None = None

    def __post_init__(self) -> None:
        for name in ("remaining", "increment", "move_limit"):
            seconds = getattr(self, name)
            if seconds is not None and not (seconds >= 0 and math.isfinite(seconds)):
                raise PlayerError(f"{name}={seconds} is no time: a clock holds seconds, 0 or more")

    @property
    def limit(self) -> float | None:
        """The seconds after which this move is too late; None without a limit."""
        return min((s for s in (self.remaining, self.move_limit) if s is not None), default=None)


# A search checks the clock only every few hundred nodes, and Python, the operating system and a network add delays.
_OVERHEAD = 0.005  # s per move besides the search
_MARGIN = 0.03  # share of the time, and seconds, kept in reserve; at most half of the time
# Early moves get more than an equal share: late ones are solved before their time is up.
EARLY_MOVE_FACTOR = 1.3


def time_for_move(position: Position, clock: Clock | None, own_limit: float | None = None) -> float:
    """The seconds that a search may take on this move; infinite without any limit.

    The sum over all moves of a game stays below the remaining time.

    :param own_limit: the search's own time limit
    """
    limits = [own_limit or math.inf]
    if clock is None:
        return limits[0]
    if clock.move_limit is not None:
        limits.append(_usable(clock.move_limit))
    if clock.remaining is not None:
        moves = own_moves_left(position)
        usable = max(0.0, _usable(clock.remaining) - moves * _OVERHEAD)
        limits.append(min(usable, usable * EARLY_MOVE_FACTOR / moves + clock.increment * (1 - _MARGIN)))
    return min(limits)


def own_moves_left(position: Position) -> int:
    """An upper bound for the moves left to the side to move: half of the empty cells, and one."""
    return position.empties // 2 + 1


def _usable(seconds: float) -> float:
    return max(seconds / 2, seconds * (1 - _MARGIN) - _MARGIN)


class GameClock:
    """Both sides' time in one game, for the code that runs it.

    >>> from flipdrop.kernel import Side
    >>> clock = GameClock(total=60)
    >>> clock.start(Side.FIRST)
    Clock(remaining=60, increment=0.0, move_limit=None)
    >>> clock.stop() < 60, clock.overrun
    (True, None)

    :param total: seconds that each side has for the whole game
    :param increment: seconds that a side gains after each of its moves
    :param move_limit: seconds that a side has for each move
    :param now: the time source
    """

    def __init__(
        self,
        *,
        total: float | None = None,
        increment: float = 0.0,
        move_limit: float | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        Clock(remaining=total, increment=increment, move_limit=move_limit)  # checks them
        self._remaining = [total, total]
        self._increment = increment
        self._move_limit = move_limit
        self._now = now
        self._running: tuple[Side, float] | None = None
        self.overrun: Side | None = None
        """The first side that exceeded its time."""

    def clock(self, side: Side) -> Clock:
        remaining = self._remaining[side]
        return Clock(
            remaining=None if remaining is None else max(0.0, remaining),
            increment=self._increment,
            move_limit=self._move_limit,
        )

    def start(self, side: Side) -> Clock:
        if self._running is not None:
            raise PlayerError(f"the clock of {self._running[0].name} is running; stop it before you start another")
        self._running = side, self._now()
        return self.clock(side)

    def stop(self) -> float:
        """Ends the running move and subtracts its time. Returns the seconds that it took."""
        if self._running is None:
            raise PlayerError("no clock is running; start one before you stop it")
        (side, began), self._running = self._running, None
        took = self._now() - began
        late = self._move_limit is not None and took > self._move_limit
        remaining = self._remaining[side]
        if remaining is not None:
            late = late or took > remaining
            self._remaining[side] = remaining - took + self._increment
        if late and self.overrun is None:
            self.overrun = side
        return took

"""The clock of a session."""

from __future__ import annotations

import pytest

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.kernel import Side
from flipdrop.players import Clock


@pytest.mark.parametrize("text", ["", "abc", "0", "-5", "1e9", "nan", "60+1e6", "0/move", "60+-1", "inf", "5" * 400])
def test_invalid_time_controls(text: str) -> None:
    with pytest.raises(FlipdropError):
        SessionClock.of(text)


def test_seconds_a_move() -> None:
    now = 0.0
    clock = SessionClock.of("60/move", now=lambda: now)
    clock.start(Side.FIRST)
    now = 58.0
    assert clock.for_player(Side.FIRST) == Clock(move_limit=2)
    assert clock.for_player(Side.SECOND) == Clock(move_limit=60)
    restored = SessionClock.from_json(clock.to_json())
    assert (restored.control, restored.remaining, restored.per_move) == ("60/move", [2.0, 60.0], 60.0)
    clock.moved(Side.FIRST)
    assert clock.left == (60.0, 60.0)  # the unused seconds are not kept
    clock.start(Side.SECOND)
    now = 117.9
    assert not clock.has_fallen
    now = 118.0
    assert clock.has_fallen

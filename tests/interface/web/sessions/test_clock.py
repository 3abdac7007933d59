"""The clock of a session."""

from __future__ import annotations

import pytest

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.sessions.clock import SessionClock


@pytest.mark.parametrize("text", ["", "abc", "0", "-5", "1e9", "nan", "60+1e6", "1/move", "60+-1", "inf", "5" * 400])
def test_invalid_time_controls(text: str) -> None:
    with pytest.raises(FlipdropError):
        SessionClock.of(text)

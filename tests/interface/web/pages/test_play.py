"""The time controls that the page offers."""

from __future__ import annotations

import pytest

from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.i18n import LANGUAGES, Translator
from flipdrop.interface.web.pages.display_names import clock_title
from flipdrop.interface.web.pages.play import clocks_up_to
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.validation import parse_clock


@pytest.mark.parametrize("longest", [1.0, 45.0, Limits().seconds, 90.5, 3600.0])
def test_clocks(longest: float) -> None:
    clocks = clocks_up_to(longest)
    assert clocks[0] == ""
    assert clocks[-1] == f"{longest:g}/move"
    for control in clocks[1:]:
        assert str(parse_clock(control, Limits(seconds=longest))) == SessionClock.of(control).control == control
    for language in LANGUAGES:
        titles = [clock_title(Translator(language), control) for control in clocks]
        assert len(set(titles)) == len(clocks)


def test_default_limit() -> None:
    assert "60/move" in clocks_up_to(Limits().seconds)
    assert "300/move" not in clocks_up_to(Limits().seconds)
    assert "300/move" in clocks_up_to(600)

"""Other programs that think for a session: held ready, and ended when nobody talks to them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from flipdrop.games import Othello
from flipdrop.interface.web.sessions import Settings
from flipdrop.interface.web.sessions.searching import Cancelled, Ticket
from flipdrop.interface.web.sessions.session import Seat, Session
from flipdrop.interface.web.sessions.thinking import Thinkers
from flipdrop.kernel import Side
from tests.interface.web.sessions.houses import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path


def test_a_program_that_is_let_go_in_the_middle_of_its_move_ends_after_it(tmp_path: Path) -> None:
    """The event loop does not wait for it, nobody closes it while it is talked to, and it does not stay."""
    thinkers = Thinkers(Settings(store=tmp_path / "games.db", allow_code=True))
    spec = f"gtp:{sys.executable} -m flipdrop gtp --player random"
    session = Session("a", Othello(), seats=(Seat(spec, "random"), Seat()))
    ticket = Ticket("a", lambda _: None, lambda *_: None)
    choose = thinkers.work(session, Side.FIRST)
    assert choose(ticket) in Othello().legal_moves
    (program,) = thinkers._programs.values()
    with program.turn:  # somebody talks to it
        thinkers.forget("a")
        assert thinkers._programs == {}
        (farewell,) = thinkers._ending
        farewell.join(0.05)
        assert farewell.is_alive()
    farewell.join(PATIENCE)
    assert not farewell.is_alive()
    ticket.cancel()
    with pytest.raises(Cancelled):  # a search that hears of it only now keeps no program
        choose(ticket)
    thinkers.close()
    with pytest.raises(Cancelled):
        choose(Ticket("a", lambda _: None, lambda *_: None))
    assert thinkers._programs == {}

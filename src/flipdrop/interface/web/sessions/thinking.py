"""Computers that think: the work that a search's thread does for one move of a session."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flipdrop.interface.web.sessions.entrance import ready_player
from flipdrop.interface.web.sessions.searching import Cancelled
from flipdrop.kernel import Side
from flipdrop.players import Clock, HistoryAware, checked_move, send_history

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.sessions.searching import Ticket
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.interface.web.sessions.settings import Settings
    from flipdrop.players import SpecPlayer


@dataclass(eq=False)
class _Program:
    """Another program that is held ready, and the right to talk to it: one search at a time."""

    spec: str
    player: SpecPlayer
    turn: threading.Lock = field(default_factory=threading.Lock)
    is_let_go: bool = False
    """Whether it is no longer held: who still talks to it ends it afterwards."""

    def end(self) -> None:
        """Ends it, as soon as nobody talks to it."""
        with self.turn:
            self.player.close()


class Thinkers:
    """Makes players and asks them.

    Players are made for each move, so that a session that nobody goes on with holds no table and no tree. Other
    programs are kept from move to move, for they take long to start: as many as the limits say, then the one that was
    not asked for longest is ended.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._programs: OrderedDict[tuple[str, Side], _Program] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = False
        self._ending: dict[threading.Thread, _Program] = {}

    def work(self, session: Session, side: Side) -> Callable[[Ticket], int]:
        """What is to be done for a move of the side whose turn it is; the session itself may go on meanwhile."""
        spec = session.seats[side].spec
        assert spec is not None
        start, moves, position = session.line[0], tuple(session.moves), session.line[-1]
        key, seed = (session.id, side), session.seed ^ side
        # Read here, for the session's clock belongs to the event loop. It stands until the search begins.
        clock = Clock() if session.clock is None else session.clock.for_player(side)

        def choose(ticket: Ticket) -> int:
            began = time.monotonic()

            def ask(player: SpecPlayer, seconds: float) -> int:
                send_history(player, start, moves)
                left = None if clock.remaining is None else max(0.0, clock.remaining - (time.monotonic() - began))
                return checked_move(player, position, replace(clock, remaining=left, move_limit=seconds))

            program = self._program(key, spec)
            if program is None:
                limits = self._settings.limits
                made, seconds = ready_player(
                    spec, position.game, limits, seed=seed, allow_code=self._settings.allow_code
                )
                if not isinstance(made, HistoryAware):
                    try:
                        return ask(made, seconds)
                    finally:
                        made.close()
                try:
                    program = self._keep(key, _Program(spec, made), ticket)
                except Cancelled:
                    made.close()
                    raise
            with program.turn:  # a move that was taken back may still be thought about
                ticket.check()
                try:
                    return ask(program.player, self._settings.limits.patience)
                finally:
                    if program.is_let_go:
                        program.player.close()

        return choose

    def forget(self, id_: str) -> None:
        """Ends the programs of a session, whose searches were cancelled before. It does not wait for them."""
        with self._lock:
            self._let_go([(id_, side) for side in Side if (id_, side) in self._programs])

    def close(self, patience: float = 1.0) -> None:
        """Ends all programs: politely, or after so many seconds in the middle of a move."""
        with self._lock:
            self._closed = True
            self._let_go(list(self._programs))
            ending = list(self._ending.items())
        end = time.monotonic() + patience
        for thread, program in ending:
            thread.join(max(0.0, end - time.monotonic()))
            if thread.is_alive():
                program.player.close()

    def _program(self, key: tuple[str, Side], spec: str) -> _Program | None:
        with self._lock:
            kept = self._programs.get(key)
            if kept is None or kept.spec != spec:
                return None
            self._programs.move_to_end(key)
            return kept

    def _keep(self, key: tuple[str, Side], program: _Program, ticket: Ticket) -> _Program:
        with self._lock:
            if self._closed:
                ticket.cancel()
            ticket.check()  # nobody would end what is kept for a session that was forgotten
            if key in self._programs:
                self._let_go([key])
            self._programs[key] = program
            surplus = len(self._programs) - self._settings.limits.programs
            self._let_go(list(self._programs)[: max(0, surplus)])
        return program

    def _let_go(self, keys: list[tuple[str, Side]]) -> None:
        """Holds programs no longer. They end in threads of their own, for a farewell takes as long as it takes."""
        self._ending = {thread: program for thread, program in self._ending.items() if thread.is_alive()}
        for key in keys:
            program = self._programs.pop(key)
            program.is_let_go = True
            thread = threading.Thread(target=program.end, name="flipdrop farewell", daemon=True)
            self._ending[thread] = program
            thread.start()

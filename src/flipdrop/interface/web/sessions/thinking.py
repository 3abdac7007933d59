"""Computers that think: the work that a search's thread does for one move of a session."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flipdrop.interface.web.sessions.entrance import ready_player
from flipdrop.kernel import Side
from flipdrop.players import Clock, Follower, checked_move, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.sessions.searching import Ticket
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.interface.web.sessions.settings import Settings
    from flipdrop.players import SpecPlayer


@dataclass(frozen=True)
class _Program:
    """Another program that is held ready, and the right to talk to it: one search at a time."""

    spec: str
    player: SpecPlayer
    turn: threading.Lock = field(default_factory=threading.Lock)


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

    def work(self, session: Session, side: Side) -> Callable[[Ticket], int]:
        """What is to be done for a move of the side whose turn it is; the session itself may go on meanwhile."""
        spec = session.seats[side].spec
        assert spec is not None
        start, moves, position = session.line[0], tuple(session.moves), session.line[-1]
        key, seed, clock = (session.id, side), session.seed ^ side, session.clock

        def ask(player: SpecPlayer, seconds: float) -> int:
            tell(player, start, moves)
            time = Clock(move_limit=seconds) if clock is None else clock.for_player(side, seconds)
            return checked_move(player, position, time)

        def choose(ticket: Ticket) -> int:
            program = self._program(key, spec)
            if program is None:
                limits = self._settings.limits
                made, seconds = ready_player(
                    spec, position.game, limits, seed=seed, allow_code=self._settings.allow_code
                )
                if not isinstance(made, Follower):
                    try:
                        return ask(made, seconds)
                    finally:
                        made.close()
                program = self._keep(key, _Program(spec, made))
            with program.turn:  # a move that was taken back may still be thought about
                ticket.check()
                return ask(program.player, self._settings.limits.patience)

        return choose

    def forget(self, id_: str) -> None:
        """Ends the programs of a session."""
        with self._lock:
            ended = [self._programs.pop((id_, side)) for side in Side if (id_, side) in self._programs]
        _close(ended)

    def close(self) -> None:
        """Ends all programs."""
        with self._lock:
            ended = list(self._programs.values())
            self._programs.clear()
        _close(ended)

    def _program(self, key: tuple[str, Side], spec: str) -> _Program | None:
        with self._lock:
            kept = self._programs.get(key)
            if kept is None or kept.spec != spec:
                return None
            self._programs.move_to_end(key)
            return kept

    def _keep(self, key: tuple[str, Side], program: _Program) -> _Program:
        with self._lock:
            ended = [self._programs.pop(key)] if key in self._programs else []
            self._programs[key] = program
            while len(self._programs) > self._settings.limits.programs:
                ended.append(self._programs.popitem(last=False)[1])
        _close(ended)
        return program


def _close(programs: list[_Program]) -> None:
    for program in programs:
        program.player.close()

"""Computers that think: the work that a search's thread does for one move of a session."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flipdrop.interface.web.sessions.search_queue import Cancelled
from flipdrop.interface.web.sessions.validation import make_limited_player
from flipdrop.kernel import Side
from flipdrop.players import Clock, HistoryAware, checked_move, send_history

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.sessions.search_queue import SearchTask
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.players import SpecPlayer


@dataclass(eq=False)
class _Engine:
    """Another engine that is held ready, and the right to talk to it: one search at a time."""

    spec: str
    player: SpecPlayer
    turn: threading.Lock = field(default_factory=threading.Lock)
    is_released: bool = False
    """Whether it is no longer held: who still talks to it ends it afterwards."""

    def end(self) -> None:
        """Ends it, as soon as nobody talks to it."""
        with self.turn:
            self.player.close()


class EnginePool:
    """Makes players and asks them.

    Players are made for each move, so that a session that nobody goes on with holds no table and no tree. Other
    engines are kept from move to move, for they take long to start: as many as the limits say, then the one that was
    not asked for longest is ended.
    """

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self._engines: OrderedDict[tuple[str, Side], _Engine] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = False
        self._ending: dict[threading.Thread, _Engine] = {}

    def work(self, session: Session, side: Side) -> Callable[[SearchTask], int]:
        """What is to be done for a move of the side whose turn it is; the session itself may go on meanwhile."""
        spec = session.players[side].spec
        assert spec is not None
        start, moves, position = session.positions[0], tuple(session.moves), session.positions[-1]
        key, seed = (session.id, side), session.seed ^ side
        # Read here, for the session's clock belongs to the event loop. It stands until the search begins.
        clock = Clock() if session.clock is None else session.clock.for_player(side)

        def choose(task: SearchTask) -> int:
            began = time.monotonic()

            def ask(player: SpecPlayer, seconds: float) -> int:
                send_history(player, start, moves)
                left = None if clock.remaining is None else max(0.0, clock.remaining - (time.monotonic() - began))
                return checked_move(player, position, replace(clock, remaining=left, move_limit=seconds))

            engine = self._find(key, spec)
            if engine is None:
                limits = self._config.limits
                made, seconds = make_limited_player(
                    spec, position.game, limits, seed=seed, allow_code=self._config.allow_code
                )
                if not isinstance(made, HistoryAware):
                    try:
                        return ask(made, seconds)
                    finally:
                        made.close()
                try:
                    engine = self._keep(key, _Engine(spec, made), task)
                except Cancelled:
                    made.close()
                    raise
            with engine.turn:  # a move that was taken back may still be thought about
                task.check()
                try:
                    return ask(engine.player, self._config.limits.move_timeout)
                finally:
                    if engine.is_released:
                        engine.player.close()

        return choose

    def forget(self, id_: str) -> None:
        """Ends the engines of a session, whose searches were cancelled before. It does not wait for them."""
        with self._lock:
            self._release([(id_, side) for side in Side if (id_, side) in self._engines])

    def close(self, timeout: float = 1.0) -> None:
        """Ends all engines: politely, or after so many seconds in the middle of a move."""
        with self._lock:
            self._closed = True
            self._release(list(self._engines))
            ending = list(self._ending.items())
        end = time.monotonic() + timeout
        for thread, engine in ending:
            thread.join(max(0.0, end - time.monotonic()))
            if thread.is_alive():
                engine.player.close()

    def _find(self, key: tuple[str, Side], spec: str) -> _Engine | None:
        with self._lock:
            kept = self._engines.get(key)
            if kept is None or kept.spec != spec:
                return None
            self._engines.move_to_end(key)
            return kept

    def _keep(self, key: tuple[str, Side], engine: _Engine, task: SearchTask) -> _Engine:
        with self._lock:
            if self._closed:
                task.cancel()
            task.check()  # nobody would end what is kept for a session that was forgotten
            if key in self._engines:
                self._release([key])
            self._engines[key] = engine
            surplus = len(self._engines) - self._config.limits.engines
            self._release(list(self._engines)[: max(0, surplus)])
        return engine

    def _release(self, keys: list[tuple[str, Side]]) -> None:
        """Holds engines no longer. They end in threads of their own, for a farewell takes as long as it takes."""
        self._ending = {thread: engine for thread, engine in self._ending.items() if thread.is_alive()}
        for key in keys:
            engine = self._engines.pop(key)
            engine.is_released = True
            thread = threading.Thread(target=engine.end, name="engine shutdown", daemon=True)
            self._ending[thread] = engine
            thread.start()

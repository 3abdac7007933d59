"""Computers that choose moves; external engines are kept alive between moves."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flipdrop.interface.web.sessions.search_queue import Cancelled
from flipdrop.interface.web.validation import make_limited_player
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
    """An external engine; `lock` serialises its searches."""

    spec: str
    player: SpecPlayer
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_released: bool = False
    """Whether the pool has dropped it: a search that still uses it closes it afterwards."""

    def close(self) -> None:
        """Closes it after its current search."""
        with self.lock:
            self.player.close()


class EnginePool:
    """Makes players and asks them for moves.

    Built-in players are made for each move, so that an idle session holds no table and no tree. External engines, and
    agents from files, are kept between moves, since they start slowly; above the limit, the least recently used one is
    closed.
    """

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self._engines: OrderedDict[tuple[str, Side], _Engine] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = False
        self._closing: dict[threading.Thread, _Engine] = {}

    def work(self, session: Session, side: Side) -> Callable[[SearchTask], int]:
        """A function that chooses the move of `side` on a thread; the session may change meanwhile."""
        spec = session.players[side].spec
        assert spec is not None
        history = session.history
        key, seed = (session.id, side), session.seed ^ side
        # Read here, since the session's clock belongs to the event loop. It is stopped until the search begins.
        clock = Clock() if session.clock is None else session.clock.for_player(side)
        limits = self._config.limits
        used = 0.0  # s, by searches that were preempted

        def choose(task: SearchTask) -> int:
            nonlocal used
            began = time.monotonic()
            try:
                return search(task, began - used)
            finally:
                used += time.monotonic() - began

        def search(task: SearchTask, began: float) -> int:
            def ask(player: SpecPlayer, seconds: float) -> int:
                send_history(player, history.start, history.moves)
                elapsed = time.monotonic() - began
                left = None if clock.remaining is None else max(0.0, clock.remaining - elapsed)
                if clock.move_limit is not None:
                    seconds = min(limits.seconds, max(0.0, clock.move_limit - elapsed))
                seconds = task.within_share(seconds)
                return checked_move(player, history.position, replace(clock, remaining=left, move_limit=seconds))

            engine = self._find(key, spec)
            if engine is None:
                player, seconds = make_limited_player(spec, session.game, self._config, seed=seed)
                if not isinstance(player, HistoryAware):
                    try:
                        return ask(player, seconds)
                    finally:
                        player.close()
                try:
                    engine = self._keep(key, _Engine(spec, player), task)
                except Cancelled:
                    player.close()
                    raise
            with engine.lock:  # a search for a move that was taken back may still use it
                task.check()
                task.is_preemptible = False  # it would have to be started again
                try:
                    return ask(engine.player, limits.move_timeout)
                finally:
                    if engine.is_released:
                        engine.player.close()

        return choose

    def forget(self, id_: str) -> None:
        """Closes the engines of a session, whose searches must be cancelled already; does not wait."""
        with self._lock:
            self._release([(id_, side) for side in Side if (id_, side) in self._engines])

    def close(self, timeout: float = 1.0) -> None:
        """Closes all engines; after `timeout` seconds also those in the middle of a move."""
        with self._lock:
            self._closed = True
            self._release(list(self._engines))
            closing = list(self._closing.items())
        deadline = time.monotonic() + timeout
        for thread, engine in closing:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                engine.player.close()

    def _find(self, key: tuple[str, Side], spec: str) -> _Engine | None:
        with self._lock:
            engine = self._engines.get(key)
            if engine is None or engine.spec != spec:
                return None
            self._engines.move_to_end(key)
            return engine

    def _keep(self, key: tuple[str, Side], engine: _Engine, task: SearchTask) -> _Engine:
        with self._lock:
            if self._closed:
                task.cancel()
            task.check()  # an engine that is kept for a deleted session would never be closed
            if key in self._engines:
                self._release([key])
            self._engines[key] = engine
            surplus = len(self._engines) - self._config.limits.engines
            self._release(list(self._engines)[: max(0, surplus)])
        return engine

    def _release(self, keys: list[tuple[str, Side]]) -> None:
        """Drops engines; they close on threads of their own, since an engine may take long to quit."""
        self._closing = {thread: engine for thread, engine in self._closing.items() if thread.is_alive()}
        for key in keys:
            engine = self._engines.pop(key)
            engine.is_released = True
            thread = threading.Thread(target=engine.close, name="engine shutdown", daemon=True)
            self._closing[thread] = engine
            thread.start()

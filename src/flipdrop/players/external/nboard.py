"""NBoard client, protocol version 2, for Othello 8x8::

    nboard 2                             once; then "set depth", the plies of the engine's search
    set game (;GM[Othello]...;)          the game so far in GGF, from any position
    move F5//1.25                        a new move, with the seconds that the engine's own move took
    set time black main 60000 inc 0      the clock in milliseconds: an extension that engines may ignore
    ping 7                               "pong 7" confirms that all earlier commands are processed
    go                                   the engine answers "=== D6/1.50/0.80": move, evaluation, seconds

Other output (``status``, ``nodestats``, ``set myname``, hints) is ignored. An engine that implements only version 2
derives its time from ``TI`` in the game and the seconds of its moves.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from flipdrop.games.records import GameRecord
from flipdrop.games.records.ggf import write_ggf
from flipdrop.players.external.gtp_notation import COLOURS
from flipdrop.players.external.session import EngineSession, legal_move

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.games.history import GameHistory
    from flipdrop.players.clock import Clock
    from flipdrop.players.external.process import EngineProcess

DEPTH = 12
"""Search depth without a depth option and without a clock; the protocol requires one."""
ENDLESS = 60
"""A depth that is no limit in Othello."""


class NboardSession(EngineSession):
    """An NBoard session.

    :param depth: search depth of the engine; None for as deep as the clock allows
    """

    def __init__(self, engine: EngineProcess, *, depth: int | None = None) -> None:
        super().__init__(engine)
        self._depth = depth
        self._sent_depth = 0
        self._clock: Clock | None = None
        self._seconds: dict[int, float] = {}  # of the engine's own moves, by move number
        self._pings = 0

    def handshake(self, deadline: float) -> None:
        self._engine.send("nboard 2", deadline)
        self._set_depth(self._depth or DEPTH, deadline)
        self._ping(deadline)

    def send_history(self, history: GameHistory, deadline: float) -> None:
        new_moves = None if self._sent is None else history.moves_since(self._sent)
        if new_moves is None:
            self._seconds.clear()
            self._set_game(history, None, deadline)
        else:
            first = len(history.moves) - len(new_moves)
            for number, (position, move) in enumerate(zip(history.positions[first:], new_moves, strict=False), first):
                self._engine.send(f"move {self._written(position, move, number)}", deadline)
        self._sent = history
        self._ping(deadline)

    def move(self, history: GameHistory, clock: Clock | None, deadline: float) -> int:
        """Asks for the engine's move. The engine does not play it until it is sent back."""
        position = history.position
        self._send_time(history, clock, deadline)
        self._ping(deadline)
        began = time.perf_counter()
        self._engine.send("go", deadline)
        while not (line := self._engine.receive(deadline, after="go").strip()).startswith("==="):
            pass
        move = legal_move(position, line, _read_answer)
        self._seconds[len(history.moves)] = time.perf_counter() - began
        return move

    def _set_game(self, history: GameHistory, clock: Clock | None, deadline: float) -> None:
        tags = [("TI", game_time(clock))] if clock is not None and clock.remaining is not None else []
        record = GameRecord(history.start, history.moves, place="flipdrop", tags=tuple(tags))
        self._engine.send(f"set game {write_ggf([record]).strip()}", deadline)
        self._clock = clock

    def _send_time(self, history: GameHistory, clock: Clock | None, deadline: float) -> None:
        """Sends the clock. The game is set again when a clock starts or stops, because GGF holds the time."""
        if (clock is None or clock.remaining is None) != (self._clock is None or self._clock.remaining is None):
            self._seconds.clear()
            self._set_game(history, clock, deadline)
        if clock is not None or self._clock is not None:
            colour = COLOURS[history.position.to_move]
            self._engine.send(f"set time {colour}{extension_time(clock)}", deadline)
        self._clock = clock
        self._set_depth(self._depth or (DEPTH if clock is None else ENDLESS), deadline)

    def _set_depth(self, depth: int, deadline: float) -> None:
        if depth != self._sent_depth:
            self._engine.send(f"set depth {depth}", deadline)
            self._sent_depth = depth

    def _written(self, position: Position, move: int, number: int) -> str:
        name = "PA" if move == position.pass_move else position.move_name(move).upper()
        seconds = self._seconds.get(number)
        timed = self._clock is not None and self._clock.remaining is not None and seconds is not None
        return f"{name}//{seconds:.2f}" if timed else name

    def _ping(self, deadline: float) -> None:
        """Waits until the engine has processed all commands."""
        self._pings += 1
        self._engine.send(f"ping {self._pings}", deadline)
        while self._engine.receive(deadline, after=f"ping {self._pings}").split() != ["pong", str(self._pings)]:
            pass


def _read_answer(position: Position, line: str) -> int:
    return position.parse_move(re.split(r"[/\s]+", line.removeprefix("===").strip())[0].lower())


def game_time(clock: Clock) -> str:
    """A clock as ``TI`` in GGF: time for the game and increment, ``01:30/00:02``."""
    texts = [f"{int(seconds) // 60:02}:{int(seconds) % 60:02}" for seconds in (clock.remaining or 0, clock.increment)]
    return "/".join(texts if clock.increment >= 1 else texts[:1])


def extension_time(clock: Clock | None) -> str:
    """The arguments after the colour in ``set time``; empty without a limit."""
    if clock is None:
        return ""
    times = {"main": clock.remaining, "inc": clock.increment or None, "byoyomi": clock.move_limit}
    return "".join(f" {name} {int(seconds * 1000)}" for name, seconds in times.items() if seconds is not None)

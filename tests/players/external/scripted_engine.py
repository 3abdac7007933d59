"""Engines without a process: their answers are functions of the lines that they receive."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.games import OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.interface.protocols.gtp import GtpServer
from flipdrop.players import player
from flipdrop.players.external.gtp import GtpSession
from flipdrop.players.external.gtp_notation import SET_CLOCK, SET_GAME, SET_POSITION
from flipdrop.players.external.nboard import NboardSession
from flipdrop.players.external.process import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop import ConnectFour, Othello
    from flipdrop.errors import FlipdropError
    from flipdrop.players.external.process import EngineProcess

PRIVATE = {SET_GAME, SET_POSITION, SET_CLOCK}
SOON = 0.0  # nothing waits here


class ScriptedEngine:
    """In place of an `EngineProcess`: answers lines by a function."""

    def __init__(self, answer: Callable[[str], list[str]]) -> None:
        self.answer = answer
        self.received: list[str] = []
        self.waiting: list[str] = []

    def send(self, line: str, deadline: float) -> None:
        assert "\n" not in line
        self.received.append(line)
        self.waiting += self.answer(line)

    def receive(self, deadline: float, *, after: str) -> str:
        if not self.waiting:
            raise EngineError(f"did not answer {after!r} in time")
        return self.waiting.pop(0)

    def unsolicited_line(self) -> str:
        return self.waiting.pop(0) if self.waiting else ""


def gtp_engine(
    unknown: set[str] = PRIVATE, *, passes: bool = True, **answers: str
) -> tuple[ScriptedEngine, GtpSession]:
    """Our own server as an engine that does not know some commands, with some answers changed."""
    server = GtpServer(player("random"), OthelloGame())
    for command in unknown:
        del server._commands[command]

    def answer(line: str) -> list[str]:
        given = answers.get(line.split()[0])
        return [*(server.answer(line) if given is None else given).split("\n"), ""]

    scripted = ScriptedEngine(answer)
    return scripted, GtpSession(_as_process(scripted), passes=passes)


def nboard_engine(go: str = "=== D3", depth: int | None = None) -> tuple[ScriptedEngine, NboardSession]:
    def answer(line: str) -> list[str]:
        word, _, rest = line.partition(" ")
        return {"ping": ["status idle", f"pong {rest}"], "go": ["nodestats 5 0.1", *go.split("\n")]}.get(word, [])

    scripted = ScriptedEngine(answer)
    return scripted, NboardSession(_as_process(scripted), depth=depth)


def _as_process(scripted: ScriptedEngine) -> EngineProcess:
    return scripted  # type: ignore[return-value]


def commands_sent(scripted: ScriptedEngine) -> list[str]:
    """The commands since the last call, without ``known_command`` and ``ping``."""
    lines = [line for line in scripted.received if not line.startswith(("known_command", "ping"))]
    scripted.received.clear()
    return lines


def history(start: Othello | ConnectFour, text: str) -> GameHistory:
    moves = []
    position = start
    for token in start.game.transcript_tokens(text):
        moves.append(position.parse_move(token))
        position = position.play(token)
    return GameHistory.of(start, moves)


def check_message(error: FlipdropError, pattern: str = ".") -> None:
    """Checks that a message is one line, not empty, and matches a pattern."""
    assert re.search(pattern, str(error))
    assert "\n" not in str(error)

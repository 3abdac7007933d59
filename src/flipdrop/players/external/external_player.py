"""`ExternalPlayer`: a player that runs a GTP or NBoard engine as a subprocess."""

from __future__ import annotations

import os
import shlex
import shutil
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import PlayerError, quoted
from flipdrop.games import OthelloGame
from flipdrop.games.history import GameHistory
from flipdrop.options import check_options, format_options, option, options_of, parse_options
from flipdrop.players.external.gtp import GtpSession
from flipdrop.players.external.nboard import NboardSession
from flipdrop.players.external.process import EngineError, EngineProcess
from flipdrop.players.player import SpecPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock
    from flipdrop.players.external.session import EngineSession

DEFAULT_TIMEOUT = 60.0
"""Seconds for a move without a timeout option and without a clock."""
GRACE = 0.5  # s beyond the clock for pipes and load; the referee decides what is too late
_QUIT_TIMEOUT = 0.5  # s for the engine to exit after quit


@dataclass(frozen=True, kw_only=True)
class ExternalSettings:
    """Options of an external player."""

    name: str = option("", "name in tables and messages; the command line by default")
    timeout: float | None = option(
        None, f"seconds for a move; the clock's, or {DEFAULT_TIMEOUT:g} without one", above=0
    )
    startup: float = option(30.0, "seconds to start and to set up a position, while no clock runs", above=0)
    folder: str = option("", "where the program runs")
    passes: bool = option(True, "whether a GTP engine is sent passes, which some refuse")
    depth: int | None = option(None, "search depth of an NBoard engine", minimum=1, maximum=60)

    def __post_init__(self) -> None:
        check_options(self)
        for name in ("name", "folder"):
            value = getattr(self, name)
            if any(mark in value for mark in ",[]") or not (value.isprintable() and value == value.strip()):
                raise PlayerError(
                    f"{name}={quoted(value)}; it is printable text without commas, brackets and end spaces"
                )


_OPTIONS = {
    "gtp": options_of(ExternalSettings, leave_out=("depth",)),
    "nboard": options_of(ExternalSettings, leave_out=("passes",)),
}


def external_player(kind: str, options: str, command_line: str) -> ExternalPlayer:
    """The player that a spec describes.

    :param kind: ``gtp`` or ``nboard``
    :param options: what the brackets hold: ``name=Edax,timeout=20``
    :param command_line: split as a shell would split it; no shell runs it
    """
    settings = ExternalSettings(**parse_options(options, _OPTIONS[kind]))
    try:
        command = tuple(shlex.split(command_line))
        for word in command:
            os.fsencode(word)
    except ValueError as error:  # open quotes; characters that no command line can hold
        raise PlayerError(f"command line {quoted(command_line)}: {error}") from None
    if not command or not command[0]:
        raise PlayerError(f"say which program to run, as in {kind}:path/to/engine --option")
    if any("\0" in word for word in command):
        raise PlayerError(f"command line {quoted(command_line)}: it holds a null character")
    return ExternalPlayer(kind, command, settings)


class ExternalPlayer(SpecPlayer):
    """Plays the moves of an engine, whose process starts with the first call.

    Every fault of the engine is a PlayerError within its time plus `GRACE`; the process tree is then ended, and the
    next call starts a new one. It plays one game at a time, and after `new_game` another one with the same process.
    Forced moves are played without the engine.

    :param kind: the protocol, ``gtp`` or ``nboard``
    :param command: the program and its arguments
    """

    kind = ""
    is_reusable = True

    def __init__(self, kind: str, command: Sequence[str], settings: ExternalSettings | None = None) -> None:
        self.kind = kind
        self.command = tuple(command)
        self.settings = settings or ExternalSettings()
        self._history: GameHistory | None = None
        self._engine: EngineProcess | None = None
        self._session: EngineSession | None = None
        self._is_kept = False  # the program has played a game, and has not begun another one yet
        self._one_game_only = False  # a program has failed to begin another one

    @property
    def spec(self) -> str:
        written = format_options(self.settings)
        options = f"[{written}]" if written else ""
        return f"{self.kind}{options}:{shlex.join(self.command)}"

    @property
    def name(self) -> str:
        """The name option, or the command line without the program's folder."""
        return self.settings.name or shlex.join([Path(self.command[0]).name, *self.command[1:]])

    def check_supported(self, game: Game) -> None:
        """Raises PlayerError unless the program exists and its protocol knows the game."""
        self._check_protocol(game)
        folder = Path(self.settings.folder)
        program = self.command[0]
        if shutil.which(str(folder / program) if os.sep in program else program) is None:
            raise PlayerError(f"there is no program {quoted(program)} that can be run")

    def set_history(self, start: Position, moves: Sequence[int]) -> None:
        """Starts the program if it is not running, and sends it the game."""
        self._check_protocol(start.game)
        self._history = GameHistory.of(start, moves)
        if self._history.position.is_over:
            return
        try:
            self._send_history(self._history)
        except PlayerError:
            if not self._is_kept:
                raise
            # It has ended since the last game, or cannot begin another one: a new process is tried once.
            self._one_game_only = True
            self._send_history(self._history)
        self._is_kept = False

    def _send_history(self, history: GameHistory) -> None:
        with self._running_session() as session:
            session.send_history(history, self._deadline(self.settings.startup))

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        self._check_protocol(position.game)
        self._history = GameHistory.of(position) if self._history is None else self._history.extended_to(position)
        move = super().choose(position, clock)
        self._history = self._history.play(move)
        return move

    def _choose(self, position: Position, clock: Clock | None) -> int:
        history = self._history or GameHistory.of(position)
        with self._running_session() as session:
            deadline = self._deadline(self._limit(clock))
            session.send_history(history, deadline)
            return session.move(history, clock, deadline)

    def new_game(self) -> None:
        """Drops the game. The program stays for the next one, unless it has failed to begin a second game before."""
        self._history = None
        if self._one_game_only:
            self.close()
        elif self._session is not None:
            self._session.new_game()
            self._is_kept = True

    def interrupt(self) -> None:
        if (engine := self._engine) is not None:
            engine.interrupt()

    def close(self) -> None:
        """Ends the program and drops the game. The next call starts it again."""
        engine, session = self._engine, self._session
        self._engine = self._session = self._history = None
        self._is_kept = False
        if engine is None:
            return
        if session is not None and engine.owner == os.getpid():
            with suppress(EngineError):
                session.quit(self._deadline(_QUIT_TIMEOUT))
        engine.end(timeout=_QUIT_TIMEOUT)

    def _check_protocol(self, game: Game) -> None:
        if self.kind == "nboard" and game != OthelloGame():
            raise PlayerError(f"{self.name} cannot play {game.title}: the protocol of NBoard is for Othello 8x8")

    def _limit(self, clock: Clock | None) -> float:
        """Seconds to wait for a move."""
        limits = (self.settings.timeout, None if clock is None else clock.limit)
        return min((limit for limit in limits if limit is not None), default=DEFAULT_TIMEOUT) + GRACE

    @contextmanager
    def _running_session(self) -> Iterator[EngineSession]:
        """A session with the running program; an error in the block ends the program."""
        try:
            yield self._start()
        except EngineError as failure:
            stderr = "" if self._engine is None else self._engine.stderr_tail
            self._kill()
            raise PlayerError(
                f"{self.name} {failure}" + (f"; its standard error ends with: {stderr}" if stderr else "")
            ) from None
        except BaseException:  # Ctrl-C, for example: the state of the session is unknown
            self._kill()
            raise

    def _start(self) -> EngineSession:
        if self._engine is not None and self._engine.owner != os.getpid():
            self._kill()  # it belongs to the parent of this forked process
        if self._engine is None or self._session is None:
            self._is_kept = False
            deadline = self._deadline(self.settings.startup)
            self._engine = EngineProcess(self.command, folder=self.settings.folder, deadline=deadline)
            session: EngineSession
            if self.kind == "gtp":
                session = GtpSession(self._engine, passes=self.settings.passes)
            else:
                session = NboardSession(self._engine, depth=self.settings.depth)
            session.handshake(deadline)
            self._session = session
        return self._session

    def _kill(self) -> None:
        engine, self._engine, self._session = self._engine, None, None
        if engine is not None:
            engine.end()

    @staticmethod
    def _deadline(seconds: float) -> float:
        return time.monotonic() + seconds

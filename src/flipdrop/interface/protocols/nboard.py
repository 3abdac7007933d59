"""Server of NBoard's protocol, versions 1 and 2: runs a player as an Othello engine.

``set depth`` limits minimax players whose spec has no depth. ``go`` keeps to the time of the game: ``TI`` of the GGF
record less the seconds of the moves since, or ``set time COLOUR main MS inc MS byoyomi MS`` in milliseconds, an
extension of the protocol for the next move. ``hint`` ignores the clock. The next command interrupts both, and then they
send no answer, as the protocol demands. The end of the input does not interrupt, so that a script can wait for an
answer.

Evaluations are in discs if the search reached the end of the game, otherwise on the scale of the player. ``set
contempt`` and ``learn`` are accepted and have no effect; unknown commands are ignored, as the protocol demands. The
protocol has no errors: an illegal game or move is reported as ``status``, and until the next game ``go`` has no answer.
"""

from __future__ import annotations

import dataclasses
import re
import time
from typing import TYPE_CHECKING, TextIO

from flipdrop.errors import RecordError, quoted
from flipdrop.games import Othello
from flipdrop.games.history import GameHistory
from flipdrop.games.records.ggf import read_ggf
from flipdrop.interface.protocols.command_queue import CommandQueue
from flipdrop.interface.protocols.streams import error_text, write_line
from flipdrop.kernel import Side
from flipdrop.players import AnalysingPlayer, Clock, LevelPlayer, SearchPlayer, checked_move
from flipdrop.players.player import forced_move, send_history
from flipdrop.search import Engine, GuidedSearch, Mcts, Minimax
from flipdrop.search.values import in_discs

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.games.records import GameRecord
    from flipdrop.players import Player
    from flipdrop.search import MoveReport, SearchReport

HINT_SECONDS = 5.0
"""Time limit of a hint for a player without a limit of its own."""
_MIN_INTERVAL = 0.2  # s between hints on the way
_UNLIMITED_DEPTH = 60  # plies: no limit
_MOVE = re.compile(r"([a-h][1-8]|pa|pass|ps|--)(?:/([^/\s]*))?(?:/([^/\s]*))?", re.IGNORECASE)
_COLOURS = {"black": Side.FIRST, "b": Side.FIRST, "white": Side.SECOND, "w": Side.SECOND}


def serve_nboard(player: Player, commands: TextIO, answers: TextIO) -> None:
    """Answers commands until ``quit`` or the end of the stream."""
    queue = CommandQueue(commands, last="quit")
    with queue.open():
        server = NboardServer(player, queue, answers)
        while (line := queue.take()) is not None and line.strip() != "quit":
            server.handle(line)


@dataclasses.dataclass
class _TimedGame:
    """A game so far, and the time of each side.

    :param time: seconds for the game and for each move more; None without a limit
    :param used: seconds that each side used, less its increments
    """

    history: GameHistory
    time: tuple[float, float] | None = None
    used: list[float] = dataclasses.field(default_factory=lambda: [0.0, 0.0])

    @classmethod
    def of(cls, record: GameRecord) -> _TimedGame:
        if record.game.family != "othello":
            raise RecordError(f"NBoard plays Othello, not {record.game.title}")
        times = [value for tag, value in record.tags if tag == "TI"]
        game = cls(GameHistory.of(record.start, record.moves), read_time(times[0]) if times else None)
        for position, note in zip(game.history.positions, record.notes, strict=False):
            game.spend(position.to_move, note.seconds or 0.0)
        return game

    @property
    def position(self) -> Position:
        return self.history.position

    def play(self, move: int, seconds: float) -> None:
        side = self.position.to_move
        self.history = self.history.play(move)
        self.spend(side, seconds)

    def spend(self, side: Side, seconds: float) -> None:
        if self.time is not None:
            self.used[side] += seconds - self.time[1]

    def clock(self) -> Clock | None:
        if self.time is None:
            return None
        total, increment = self.time
        return Clock(remaining=max(0.0, total - self.used[self.position.to_move]), increment=increment)


class NboardServer:
    """The state of a connection: a player, a game, clocks."""

    def __init__(self, player: Player, queue: CommandQueue, answers: TextIO) -> None:
        self._given = self._player = player
        self._queue = queue
        self._answers = answers
        self._game: _TimedGame | None = _TimedGame(GameHistory.of(Othello()))
        self._clocks: dict[Side, Clock | None] = {}  # of set time, for the next move

    def handle(self, line: str) -> None:
        command, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        try:
            match command.lower():
                case "nboard":
                    self._send(f"set myname {'_'.join(self._given.name.split())}")
                case "set":
                    self._set(*(rest.partition(" ")[::2]))
                case "move":
                    self._move(rest)
                case "go":
                    self._go()
                case "hint":
                    self._hint(rest)
                case "ping":
                    self._send(f"pong {rest}")
                case "learn":
                    self._send("learned")
                case other if _MOVE.fullmatch(other) and not rest:  # a move as in version 1
                    self._move(other)
                case _:
                    pass
        except Exception as error:
            self._send(f"status {error_text(error)}")

    def _send(self, line: str) -> None:
        with self._queue.uninterruptible():
            write_line(self._answers, line)

    def _set(self, what: str, value: str) -> None:
        value = value.strip()
        match what.lower():
            case "game":
                self._game = None
                self._clocks.clear()
                self._game = _TimedGame.of(_only_game(value))
            case "depth":
                self._set_depth(value)
            case "time":
                self._set_time(value.lower().split())
            case _:
                pass

    def _set_depth(self, value: str) -> None:
        if not re.fullmatch("[0-9]{1,4}", value, re.ASCII) or int(value) < 1:
            raise RecordError(f"depth {quoted(value, 20)} is not a number of plies")
        depth = int(value) if int(value) < _UNLIMITED_DEPTH else None
        match self._given:
            case SearchPlayer(search=Minimax(depth=None) | Engine(depth=None) as search):
                self._player = dataclasses.replace(self._given, search=search.with_options(depth=depth))
            case _:
                pass

    def _set_time(self, words: list[str]) -> None:
        side = _COLOURS.get(words[0]) if words else None
        if side is None or len(words) % 2 == 0 or not all(re.fullmatch("[0-9]{1,12}", word) for word in words[2::2]):
            raise RecordError(
                f"time {quoted(' '.join(words))} cannot be read; write: set time black main 60000 inc 0 byoyomi 1000"
            )
        given = {name: int(number) / 1000 for name, number in zip(words[1::2], words[2::2], strict=True)}
        clock = Clock(
            remaining=given.get("main", given.get("time")),
            increment=given.get("inc", 0.0),
            move_limit=given.get("byoyomi"),
        )
        self._clocks[side] = None if clock.remaining is None and clock.move_limit is None else clock

    def _move(self, text: str) -> None:
        game, self._game = self._game, None
        match = _MOVE.fullmatch("/".join(text.split()))
        if game is None:
            raise RecordError("there is no game; send it with set game")
        if match is None:
            raise RecordError(f"move {quoted(text, 20)} cannot be read; a move is written F5, F5/1.50/0.80 or PA")
        if not (game.position.is_over and game.position.parse_move(match[1].lower()) == game.position.pass_move):
            game.play(game.position.parse_move(match[1].lower()), _number(match[3]))
        self._game = game

    def _go(self) -> None:
        game = self._game
        if game is None:
            raise RecordError("there is no game; send it with set game")
        if game.position.is_over:
            self._send("=== PA")
            return
        self._send("status thinking")
        answer = self._queue.run_interruptible(lambda: self._choice(game))
        if answer is not None:
            self._send(f"=== {answer}")
        self._send("status")

    def _choice(self, game: _TimedGame) -> str:
        """The answer to ``go``: move, value and seconds."""
        position = game.position
        send_history(self._player, game.history.start, game.history.moves)
        clock = self._clocks.pop(position.to_move, game.clock())
        began = time.perf_counter()
        if isinstance(self._player, AnalysingPlayer) and forced_move(position) is None:
            report = self._player.report(position, clock)
            move = report.best
            value = f"{in_discs(report.value):.2f}"
        else:
            move, value = checked_move(self._player, position, clock), ""
        return f"{_format_moves(position, (move,))}/{value}/{time.perf_counter() - began:.2f}"

    def _hint(self, count: str) -> None:
        game = self._game
        if game is None or game.position.is_over:
            raise RecordError("there is no position to give hints for")
        most = int(count) if re.fullmatch("[0-9]{1,3}", count, re.ASCII) else 1
        self._send("status thinking")
        self._queue.run_interruptible(lambda: self._hints(game, max(1, most)))
        self._send("status")

    def _hints(self, game: _TimedGame, most: int) -> None:
        position = game.position
        player = self._player
        if isinstance(player, LevelPlayer):
            player = player.player_of(position.game)
        if isinstance(player, SearchPlayer):
            shown = Throttle(lambda report: self._send_hints(report, most))
            self._send_hints(_for_hints(player.search, most).search(position, progress=shown), most, finished=True)
        elif isinstance(player, AnalysingPlayer):
            self._send_hints(player.report(position, Clock(move_limit=HINT_SECONDS)), most, finished=True)
        else:
            send_history(player, game.history.start, game.history.moves)
            move = checked_move(player, position, Clock(move_limit=HINT_SECONDS))
            self._send(f"search {_format_moves(position, (move,))} 0 0 0 this player reports no values")

    def _send_hints(self, report: SearchReport, most: int, *, finished: bool = False) -> None:
        for entry in report.moves[:most]:
            line = report.line if entry.move == report.best else (entry.move,)
            value, depth = _hint_value(report, entry)
            self._send(f"search {_format_moves(report.position, line)} {value} 0 {depth}")
        if finished:
            self._send(f"nodestats {report.nodes} {report.seconds:.2f}")


class Throttle:
    """Forwards reports at most once per `_MIN_INTERVAL`."""

    def __init__(self, show: Callable[[SearchReport], None]) -> None:
        self._show = show
        self._next = 0.0

    def __call__(self, report: SearchReport) -> None:
        if time.monotonic() >= self._next:
            self._show(report)
            self._next = time.monotonic() + _MIN_INTERVAL


def read_time(text: str) -> tuple[float, float] | None:
    """Seconds for the game and increment per move of GGF's ``TI``: ``15:00``, ``1:00:00/0:02/2:00``."""
    main, _, rest = text.partition("/")
    total, increment = _clock_seconds(main), _clock_seconds(rest.partition("/")[0])
    return None if total is None else (total, increment or 0.0)


def _clock_seconds(text: str) -> float | None:
    """The seconds of ``1:02:03``; None for another format."""
    match = re.match(r"(?:([0-9]{1,3}):)?([0-9]{1,4}):([0-9]{1,2})", text.strip().partition(",")[0], re.ASCII)
    return None if match is None else int(match[1] or 0) * 3600.0 + int(match[2]) * 60.0 + int(match[3])


def _for_hints(search: Engine | Minimax | Mcts | GuidedSearch, most: int) -> Engine | Minimax | Mcts | GuidedSearch:
    """The search with a time limit, and with exact values of the moves that hints are about."""
    match search:
        case Minimax() if most > 1:
            search = search.with_options(all_moves=True)
        case Engine():
            search = search.with_options(lines=max(1, min(64, most)))
    return search if search.is_limited else search.with_options(seconds=HINT_SECONDS)


def _hint_value(report: SearchReport, entry: MoveReport) -> tuple[str, str]:
    """The evaluation and the depth of a hint."""
    found, discs = report.value_of(entry), f"{in_discs(entry.value):.2f}"
    if found.sees_end and not found.bound:
        return discs, "100%"
    if report.proven and entry.move == report.best:
        return discs, "100%W"
    return discs, str(report.depth)


def _format_moves(position: Position, line: tuple[int, ...]) -> str:
    return "".join("PA" if move == position.pass_move else position.move_name(move).upper() for move in line)


def _only_game(text: str) -> GameRecord:
    for record in read_ggf(text):
        return record
    raise RecordError("set game takes a game in GGF: (;GM[Othello]...;)")


def _number(text: str | None) -> float:
    """The seconds of a move; 0 if they are missing or not a number."""
    try:
        seconds = float(text or 0)
    except ValueError:
        return 0.0
    return seconds if 0 <= seconds < 1e6 else 0.0

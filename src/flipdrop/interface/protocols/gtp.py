"""Server of GTP, version 2: runs a player as an engine. See `flipdrop.players.external.gtp_notation` for the notation.

Besides the required commands it has ``reg_genmove``, ``undo``, the time commands, ``showboard``, ``final_score``,
``list_games`` and ``set_game`` (sent by some clients for several games), ``flipdrop-analyse``, and other private
commands of flipdrop. ``komi`` is accepted and has no effect.

A side without a legal move passes; if the client asks the other side to play, the pass is implied. In a finished game
``genmove`` answers ``pass`` and a pass is accepted, in both games. A player never resigns. The answer to a wrong
command is ``?`` with a message; the command then changes nothing.
"""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, TextIO

import flipdrop as package
from flipdrop.errors import PlayerError, UnknownGame, quoted
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.games.history import GameHistory
from flipdrop.interface.protocols.streams import error_text, read_lines, write_line
from flipdrop.kernel import Side
from flipdrop.players import Clock, checked_move
from flipdrop.players.external.gtp_notation import SET_CLOCK, SET_GAME, SET_POSITION, read_board, read_clock, read_move
from flipdrop.players.player import send_history
from flipdrop.search.analyse import Analysis

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.games import Game, Position
    from flipdrop.players import Player

_PASS = "pass"


def serve_gtp(player: Player, game: Game, commands: TextIO, answers: TextIO) -> None:
    """Answers commands until ``quit`` or the end of the stream."""
    server = GtpServer(player, game)
    for line in read_lines(commands):
        answer = server.answer(line)
        if answer:
            write_line(answers, f"{answer}\n")
        if server.has_quit:
            return


class GtpServer:
    """The state of a connection: a player, a game, clocks."""

    def __init__(self, player: Player, game: Game) -> None:
        self.player = player
        self.has_quit = False
        self._time = GtpClock()
        self._begin(game.start())
        self._commands: dict[str, Callable[[list[str]], str | None]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "flipdrop",
            "version": lambda _: f"{package.__version__} {self.player.name}",
            "known_command": lambda words: "true" if words and words[0] in self._commands else "false",
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": lambda _: "",
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": self._showboard,
            "final_score": self._final_score,
            "list_games": lambda _: "\n".join(EXAMPLES),
            "set_game": self._set_game,
            "flipdrop-analyse": self._analyse,
            SET_GAME: self._set_game,
            SET_POSITION: self._set_position,
            SET_CLOCK: self._set_clock,
        }

    @property
    def position(self) -> Position:
        return self._history.position

    def answer(self, line: str) -> str:
        """The answer to a line, without the empty line that ends it; empty if the line holds no command."""
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ")
        words = text.split()
        if not words:
            return ""
        number = words.pop(0) if re.fullmatch("[0-9]+", words[0], re.ASCII) else ""
        try:
            result = self._execute(words)
            return f"={number}{' ' if result[:1].strip() else ''}{result}"
        except Exception as error:
            return f"?{number} {error_text(error)}"

    def _execute(self, words: list[str]) -> str:
        command = self._commands.get(words[0]) if words else None
        if command is None:
            raise PlayerError("unknown command")
        return command(words[1:]) or ""

    def _begin(self, start: Position) -> None:
        self._history = GameHistory.of(start)
        self._passes_after_end = 0
        self._time.restart()

    def _boardsize(self, words: list[str]) -> None:
        sizes = [_whole(word) for word in words[:2]]
        if not sizes:
            raise PlayerError("boardsize takes a number, or columns and rows")
        columns, rows = sizes[0], sizes[-1]
        game = self.position.game
        if (columns, rows) != (game.columns, game.rows):  # the same size keeps a forbidden cell
            try:
                game = game.resized(columns, rows)
            except UnknownGame as error:
                raise UnknownGame(f"unacceptable size: {error}") from None
        self._begin(game.start())

    def _clear_board(self, _: list[str]) -> None:
        self._begin(self.position.game.start())

    def _set_game(self, words: list[str]) -> None:
        self._begin(game_of(" ".join(words)).start())

    def _set_position(self, words: list[str]) -> None:
        self._begin(self.position.game.position(read_board(" ".join(words))))

    def _play(self, words: list[str]) -> None:
        if len(words) != 2:
            raise PlayerError("play takes a colour and a move, as in: play black d3")
        history = self._on_turn(words[0])
        if words[1].lower() == _PASS and history.position.is_over:
            self._passes_after_end += 1
        else:
            self._history = history.play(read_move(history.position, words[1]))

    def _genmove(self, words: list[str]) -> str:
        history, move = self._choose(words)
        if move is None:
            return _PASS
        self._history = history.play(move)
        return history.position.move_name(move)

    def _reg_genmove(self, words: list[str]) -> str:
        history, move = self._choose(words)
        return _PASS if move is None else history.position.move_name(move)

    def _choose(self, words: list[str]) -> tuple[GameHistory, int | None]:
        """The game with the colour on turn, and the player's move; None if the game is over."""
        if len(words) != 1:
            raise PlayerError("genmove takes a colour, as in: genmove black")
        history = self._on_turn(words[0])
        position = history.position
        if position.is_over:
            return history, None
        send_history(self.player, history.start, history.moves)
        clock = self._time.clock(position.to_move)
        began = time.perf_counter()
        move = checked_move(self.player, position, clock)
        self._time.spend(position.to_move, time.perf_counter() - began)
        return history, move

    def _analyse(self, words: list[str]) -> str:
        """A line for each move, the best first, after this number of seconds, by book, proof and search."""
        if len(words) > 1:
            raise PlayerError("flipdrop-analyse takes seconds, or nothing for 1 s")
        analysis = Analysis(seconds=_seconds(words[0]) if words else 1.0)
        position = self.position
        report = analysis.search(position)
        scale = analysis.search_settings(position.game).value_scale(position.game)
        lines = []
        for order, entry in enumerate(report.moves):
            value = report.value_of(entry)
            share = (1 + (scale.to_unit(value) if value.outcome is None else value.outcome)) / 2
            line = report.line if entry.move == report.best else (entry.move,)
            lines.append(
                f"info move {position.move_name(entry.move)} visits {entry.visits} winrate {round(10_000 * share)} "
                f"proven {str(value.proven).lower()} value {value.format()} order {order} "
                f"pv {' '.join(_names(position, line))}"
            )
        return "\n".join(lines)

    def _on_turn(self, colour: str) -> GameHistory:
        """The game so far, plus a pass if it is the turn of the other side and that side has no move."""
        side = _side(colour, self.position.game)
        position = self.position
        if position.is_over or position.to_move == side:
            return self._history
        if position.legal_moves != (position.pass_move,):
            raise PlayerError(f"it is not the turn of {colour}")
        return self._history.play(position.legal_moves[0])

    def _undo(self, _: list[str]) -> None:
        if self._passes_after_end:
            self._passes_after_end -= 1
        elif not self._history.moves:
            raise PlayerError("cannot undo")
        else:
            self._history = self._history.undo()

    def _time_settings(self, words: list[str]) -> None:
        if len(words) != 3:
            raise PlayerError("time_settings takes the main time, the overtime, and the moves in the overtime")
        self._time = GtpClock(_seconds(words[0]), _seconds(words[1]), _whole(words[2]))

    def _time_left(self, words: list[str]) -> None:
        if len(words) != 3:
            raise PlayerError("time_left takes a colour, the time, and the moves to make in it (0 for the main time)")
        side = _side(words[0], self.position.game)
        self._time.left[side] = (_seconds(words[1]), _whole(words[2]))

    def _set_clock(self, words: list[str]) -> None:
        self._time.exact = (read_clock(words),)

    def _quit(self, _: list[str]) -> None:
        self.has_quit = True

    def _showboard(self, _: list[str]) -> str:
        last = None if self._passes_after_end else self._history.last_move
        return "\n" + self.position.diagram(last_move=last)

    def _final_score(self, _: list[str]) -> str:
        position = self.position
        if position.result is None:
            raise PlayerError("the game is not over")
        margin = position.result if position.margin is None else position.margin
        return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin)}"


class GtpClock:
    """The time left by the client's time commands; between them, moves of the player are subtracted.

    :param main: main time in seconds; None without a limit
    :param period: length of an overtime period in seconds
    :param moves: moves per overtime period
    """

    def __init__(self, main: float | None = None, period: float = 0.0, moves: int = 0) -> None:
        self._main = None if period > 0 and moves == 0 else main
        self._overtime = (period, moves) if moves > 0 else None
        self.left: dict[Side, tuple[float, int]] = {}
        """Seconds of each colour, and the moves to make in them; 0 moves in the main time."""
        self.exact: tuple[Clock | None] | None = None
        """The clock of the next move, if flipdrop-clock has set it."""
        self.restart()

    def restart(self) -> None:
        """Gives both sides their full time."""
        self.left.clear()
        self.exact = None
        if self._main is not None:
            self.left = dict.fromkeys(Side, (self._main, 0) if self._main or not self._overtime else self._overtime)

    def clock(self, side: Side) -> Clock | None:
        if self.exact is not None:
            return self.exact[0]
        if side not in self.left:
            return None
        seconds, moves = self.left[side]
        if moves:
            return Clock(move_limit=seconds / moves)
        return Clock(remaining=seconds, increment=self._overtime[0] / self._overtime[1] if self._overtime else 0.0)

    def spend(self, side: Side, seconds: float) -> None:
        """Subtracts the time of a move."""
        self.exact = None
        if side not in self.left:
            return
        left, moves = self.left[side]
        rest = (max(0.0, left - seconds), max(0, moves - 1))
        if self._overtime is not None and (rest[0] == 0.0 if moves == 0 else rest[1] == 0):
            rest = self._overtime
        self.left[side] = rest


def _names(position: Position, moves: Sequence[int]) -> list[str]:
    names = []
    for move in moves:
        names.append(position.move_name(move))
        position = position.play(move)
    return names


def _side(colour: str, game: Game) -> Side:
    """The side of ``black``, ``b``, ``white``, ``w`` or of the game's own names."""
    for side, names in zip(Side, (("black", "b"), ("white", "w")), strict=True):
        if colour.lower() in (*names, game.sides[side]):
            return side
    raise PlayerError(f"unknown colour {quoted(colour, 20)}; it is black (the first side) or white (the second)")


def _whole(word: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", word, re.ASCII):
        raise PlayerError(f"{quoted(word, 20)} is not a whole number")
    return int(word)


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not (math.isfinite(seconds) and 0 <= seconds <= 1e9):
        raise PlayerError(f"{quoted(word, 20)} is not a number of seconds")
    return seconds

"""One game at one table: the record, where in it one looks, who plays, the clock, and how it ended.

A session knows no page, no thread and no file. Pages subscribe to it; so does the manager, which starts
searches and saves sessions. All of it happens on one thread, the server's event loop.

The record is a row of moves; the cursor says how many of them are on the board. Taking back moves the cursor only. A
move that is played before the end of the record replaces what came after it.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.games import game as game_of
from flipdrop.games import positions_along, write_transcript
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.sessions.errors import (
    ClockRuns,
    GameOver,
    OutOfRange,
    OutOfTurn,
    SessionError,
    UnknownSession,
)
from flipdrop.kernel import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.games import Game, Position
    from flipdrop.interface.web.schemas import AnalysisView, ErrorInfo, ReviewView, SideName

SIDES: dict[str, Side] = {"first": Side.FIRST, "second": Side.SECOND}
"""The sides as views and clients call them."""

_log = logging.getLogger(__name__)


def name_of_side(side: Side) -> SideName:
    return "first" if side == Side.FIRST else "second"


def opponent(side: Side) -> Side:
    """The other side."""
    return Side.SECOND if side == Side.FIRST else Side.FIRST


@dataclass(frozen=True)
class PlayerSlot:
    """Who plays a side: a person if there is no spec."""

    spec: str | None = None
    name: str = ""


@dataclass(frozen=True)
class Ending:
    """How a game ended; a draw has no winner."""

    winner: Side | None
    reason: Literal["board", "resign", "time"]


class Session:
    """One game at one table.

    :param start: the position before the first move
    :param moves: the record so far
    :param players: who plays the first and the second side
    :param pace: the least seconds between two moves of computers
    :param kept: whether it outlives the server
    """

    def __init__(
        self,
        id_: str,
        start: Position,
        moves: Sequence[int] = (),
        *,
        players: tuple[PlayerSlot, PlayerSlot] = (PlayerSlot(), PlayerSlot()),
        clock: SessionClock | None = None,
        pace: float = 0.0,
        paused: bool = False,
        seed: int = 0,
        kept: bool = True,
    ) -> None:
        self.id = id_
        self.players = players
        self.clock = clock
        self.pace = pace
        self.paused = paused
        self.seed = seed
        self.kept = kept
        self.positions = positions_along(start, moves)
        self.moves = list(moves)
        self.cursor = len(self.moves)
        self.adjudicated: Ending | None = None
        """An end that the board does not show: somebody resigned, or ran out of time."""
        self.pending_steps = 0
        """Moves of computers that are allowed while the session is paused."""
        self.thinking: Side | None = None
        self.waiting = False
        """Whether the search of the side that thinks has not begun yet."""
        self.error: ErrorInfo | None = None
        self.analysis: AnalysisView | None = None
        self.review: ReviewView | None = None
        self.is_deleted = False
        """Whether somebody removed it. Who still has it before them may look, and no more."""
        # Times in milliseconds, so that versions grow across restarts too, and a page never takes an old view for new.
        self.version = int(time.time() * 1000)
        self.record_version = self.version
        self.changed = time.time()
        self._subscribers: list[Callable[[Session], object]] = []

    # What there is.

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.positions[0].game

    @property
    def position(self) -> Position:
        """What is on the board."""
        return self.positions[self.cursor]

    @property
    def is_at_end(self) -> bool:
        """Whether the whole record is on the board."""
        return self.cursor == len(self.moves)

    @property
    def ending(self) -> Ending | None:
        """How the game of the record ended, None while it goes on."""
        result = self.positions[-1].result
        if self.adjudicated is not None or result is None:
            return self.adjudicated
        winner = None if result == 0 else Side.FIRST if result > 0 else Side.SECOND
        return Ending(winner, "board")

    @property
    def is_over(self) -> bool:
        """Whether nothing can be played in what is on the board."""
        return self.position.is_over or (self.is_at_end and self.adjudicated is not None)

    @property
    def people(self) -> tuple[Side, ...]:
        """The sides that people play."""
        return tuple(side for side in Side if self.players[side].spec is None)

    @property
    def computer_to_move(self) -> Side | None:
        """The side whose computer has to move now, if one has."""
        if not self.is_at_end or self.is_over or self.error is not None or (self.paused and not self.pending_steps):
            return None
        side = self.position.to_move
        return None if self.players[side].spec is None else side

    @property
    def transcript(self) -> str:
        """The moves on the board, in notation."""
        return write_transcript(self.positions[0], self.moves[: self.cursor])

    # What people do.

    def play(self, move: str, *, cursor: int | None = None) -> None:
        """Plays a person's move, such as ``f5``, ``4`` or ``pass``.

        :param cursor: what whoever plays has seen on the board; an error if that is no longer so
        """
        if cursor is not None and cursor != self.cursor:
            raise OutOfTurn(f"move {move[:12]!r} was meant for move {cursor + 1}; the board has {self.cursor} moves")
        self.check_alive()
        self.check_time()
        if self.is_over:
            raise GameOver(f"move {move[:12]!r}: the game is over")
        side = self.position.to_move
        if self.players[side].spec is not None:
            raise OutOfTurn(f"move {move[:12]!r}: it is the turn of {self.players[side].name}")
        self.push(self.position.parse_move(move.strip().lower()))

    def push(self, move: int) -> None:
        """Puts a legal move on the board, whoever chose it."""
        mover, after = self.position.to_move, self.position.play(move)
        if not self.is_at_end:
            self._refuse_with_clock("play before the end of the record")
        del self.moves[self.cursor :], self.positions[self.cursor + 1 :]
        self.moves.append(move)
        self.positions.append(after)
        self.cursor += 1
        self.adjudicated = None
        self.pending_steps = max(0, self.pending_steps - 1)
        if self.clock is not None:
            self.clock.moved(mover)
        self._changed(record=True)

    @property
    def undo_target(self) -> int | None:
        """Where taking back leads: to the last time that a person had a choice, or by one move where computers play
        each other; None if there is nothing to take back."""
        if not self.people:
            return self.cursor - 1 if self.cursor else None
        return next((i for i in range(self.cursor - 1, -1, -1) if self._is_choice(self.positions[i])), None)

    @property
    def can_undo(self) -> bool:
        """Whether something can be taken back now."""
        if self._is_timed:
            return False
        return self.undo_target is not None or (self.is_at_end and self.adjudicated is not None)

    def undo(self) -> None:
        """Takes back a resignation, else moves to the last time that a person had a choice."""
        self.check_alive()
        self._refuse_with_clock("take back")
        if self.is_at_end and self.adjudicated is not None:
            self.adjudicated = None
            self._changed(record=True)
            return
        if self.undo_target is None:
            raise SessionError("there is nothing to take back")
        self.jump(self.undo_target)

    def redo(self) -> None:
        """Plays again what was taken back, up to the next time that a person had a choice."""
        if self.is_at_end:
            raise SessionError("there is nothing to play again")
        choices = [i for i in range(self.cursor + 1, len(self.moves)) if self._is_choice(self.positions[i])]
        self.jump(choices[0] if choices else len(self.moves) if self.people else self.cursor + 1)

    def jump(self, cursor: int) -> None:
        """Shows the board after so many moves of the record."""
        if not 0 <= cursor <= len(self.moves):
            raise OutOfRange(f"move {cursor}; the record has moves 0 to {len(self.moves)}")
        if cursor != self.cursor:
            self.cursor = cursor
            self._changed(record=True)

    def truncate(self) -> None:
        """Forgets the moves after the cursor, so that the game goes on from what is on the board."""
        self.check_alive()
        self._refuse_with_clock("change the record")
        if not self.is_at_end:
            del self.moves[self.cursor :], self.positions[self.cursor + 1 :]
            self.adjudicated = None
            self._changed(record=True)

    def resign(self, side: Side | None = None) -> None:
        """Gives the game up for a side: the only person's, else the one to move."""
        self.check_alive()
        self.check_time()
        if self.ending is not None:
            raise GameOver("the game is over; nobody can resign")
        if side is None:
            side = self.people[0] if len(self.people) == 1 else self.positions[-1].to_move
        self._end(Ending(opponent(side), "resign"))

    def pause(self, paused: bool) -> None:
        """Keeps computers from moving, or lets them move again."""
        self.check_alive()
        self.paused, self.pending_steps = paused, 0
        self._changed(record=True)

    def step(self) -> None:
        """Lets a computer make one move, and then no other."""
        self.check_alive()
        self.paused, self.pending_steps = True, 1
        if not self.is_at_end:
            self.pending_steps = 0
            self.jump(self.cursor + 1)
            return
        self._changed(record=True)

    def set_pace(self, seconds: float) -> None:
        """Sets the least seconds between two moves of computers."""
        self.check_alive()
        if not 0 <= seconds <= 60:
            raise OutOfRange(f"pace {seconds!r}; it is 0 to 60 seconds")
        self.pace = seconds
        self._changed(record=True)

    def set_players(self, first: PlayerSlot, second: PlayerSlot) -> None:
        """Lets others play on."""
        self.check_alive()
        self.players = (first, second)
        self._changed(record=True)

    def restart(self, start: Position, moves: Sequence[int] = (), *, cursor: int | None = None) -> None:
        """Replaces the game by another: a position that was set up, a transcript that was pasted."""
        self.check_alive()
        self._refuse_with_clock("set up a position")
        self.positions, self.moves = positions_along(start, moves), list(moves)
        self.cursor = len(self.moves) if cursor is None else max(0, min(cursor, len(self.moves)))
        self.adjudicated = self.review = None
        self._changed(record=True)

    # What the manager does.

    def check_time(self) -> None:
        """Ends the game if the side whose time runs has none left."""
        if self.clock is not None and self.ending is None and self.clock.has_fallen:
            assert self.clock.running is not None
            self._end(Ending(opponent(self.clock.running), "time"))

    def set_thinking(self, side: Side | None, *, waiting: bool = False) -> None:
        """Shows that a computer thinks, waits to be allowed to, or does neither."""
        if (self.thinking, self.waiting) != (side, waiting):
            self.thinking, self.waiting = side, waiting
            self._changed()

    def set_error(self, error: ErrorInfo | None) -> None:
        """Shows why a computer does not move; None lets it try again."""
        self.error, self.thinking, self.waiting = error, None, False
        self._changed()

    def set_analysis(self, analysis: AnalysisView | None) -> None:
        self.analysis = analysis
        self._changed()

    def set_review(self, review: ReviewView | None) -> None:
        self.review = review
        self._changed()

    def mark_deleted(self) -> None:
        """Nobody plays on here: the manager has removed it."""
        self.is_deleted = True

    def check_alive(self) -> None:
        """Raises unless one may go on with it."""
        if self.is_deleted:
            raise UnknownSession("this game was removed; begin another")

    def subscribe(self, callback: Callable[[Session], object]) -> Callable[[], None]:
        """Calls back after every change, until the function that this returns is called."""
        self._subscribers.append(callback)

        def stop() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return stop

    @property
    def is_watched(self) -> bool:
        """Whether anybody but the manager looks at it."""
        return len(self._subscribers) > 1

    # How it is kept.

    def to_json(self) -> dict[str, Any]:
        """What is needed to go on with it after a restart."""
        return {
            "id": self.id,
            "game": self.game.name,
            "start": self.positions[0].board,
            "moves": self.moves,
            "cursor": self.cursor,
            "players": [[slot.spec, slot.name] for slot in self.players],
            "clock": None if self.clock is None else self.clock.to_json(),
            "pace": self.pace,
            "paused": self.paused,
            "seed": self.seed,
            "ending": None
            if self.adjudicated is None
            else [
                None if self.adjudicated.winner is None else name_of_side(self.adjudicated.winner),
                self.adjudicated.reason,
            ],
            "changed": self.changed,
        }

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Session:
        """The session that was kept."""
        first, second = (PlayerSlot(*slot) for slot in kept["players"])
        session = cls(
            kept["id"],
            game_of(kept["game"]).position(kept["start"]),
            kept["moves"],
            players=(first, second),
            clock=None if kept["clock"] is None else SessionClock.from_json(kept["clock"]),
            pace=kept["pace"],
            paused=kept["paused"],
            seed=kept["seed"],
        )
        session.cursor = kept["cursor"]
        if kept["ending"] is not None:
            winner, reason = kept["ending"]
            session.adjudicated = Ending(None if winner is None else SIDES[winner], reason)
        session.changed = kept["changed"]
        session._run_clock()
        return session

    # Within.

    def _is_choice(self, position: Position) -> bool:
        return position.to_move in self.people and position.pass_move not in position.legal_moves

    @property
    def _is_timed(self) -> bool:
        """Whether a clock keeps the record as it is: it runs, or has fallen, and would fall again at once."""
        ending = self.ending
        return self.clock is not None and (ending is None or ending.reason == "time")

    def _refuse_with_clock(self, what: str) -> None:
        if self._is_timed:
            when = "while the clock runs" if self.adjudicated is None else "after the time was up"
            raise ClockRuns(f"nobody can {what} {when}")

    def _end(self, ending: Ending) -> None:
        self.adjudicated = ending
        self.cursor = len(self.moves)
        self.thinking, self.waiting = None, False
        self._changed(record=True)

    def _run_clock(self) -> None:
        """A person's time runs from the second move of a game on; a computer's while it searches, not while it waits
        to be allowed to."""
        if self.clock is None:
            return
        side = self.positions[-1].to_move
        if self.ending is not None or not self.moves or (side not in self.people and self.thinking != side):
            self.clock.stop()
        elif side in self.people or not self.waiting:
            self.clock.start(side)

    def _changed(self, *, record: bool = False) -> None:
        self.version = max(self.version + 1, int(time.time() * 1000))
        if record:
            self.error = None  # what failed there need not fail here
            self.record_version = self.version
            self.changed = time.time()
        self._run_clock()
        for callback in list(self._subscribers):
            try:
                callback(self)
            except Exception:  # one page that fails must not keep the others, or the manager, from hearing
                _log.exception("a subscriber of session %s failed", self.id)

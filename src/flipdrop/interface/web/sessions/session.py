"""A game on the server: the record, the cursor in it, the players, the clock, and how the game ended.

The record is a sequence of moves; the cursor says how many of them are on the board. Taking back moves the cursor only.
A move before the end of the record replaces the moves after it. In a session with variations, which analyses use, it
opens a variation instead: the record is then the line through the board, and nothing is overwritten.

Only the methods of a session change it. A change is announced once, after it is complete: first the manager's hook
saves the session and starts what the change calls for (a computer's search, an analysis), which may change the session
further; then the subscribers are called. Everything happens on the server's event loop.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Literal

from flipdrop.games import game as game_of
from flipdrop.games.history import GameHistory
from flipdrop.games.records import GameRecord
from flipdrop.games.variations import MoveTree
from flipdrop.interface.web.schemas import PERSON, GameResult, PlayerView
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

    from flipdrop.errors import FlipdropError
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.schemas import AnalysisView, ErrorInfo, ReviewView, SideName

SIDES: dict[str, Side] = {"first": Side.FIRST, "second": Side.SECOND}
_WINNERS: dict[int, Literal["first", "second", "draw"]] = {1: "first", 0: "draw", -1: "second"}
MAX_PACE = 60.0  # s
_MAX_UNDO = 200  # changes of a tree
_log = logging.getLogger(__name__)


def name_of_side(side: Side) -> SideName:
    return "first" if side == Side.FIRST else "second"


def opponent(side: Side) -> Side:
    return Side.SECOND if side == Side.FIRST else Side.FIRST


class Session:
    """A game on the server.

    :param start: the position before the first move
    :param moves: the record so far
    :param pace: the least seconds between two moves of computers
    :param kept: whether the session is saved
    :param branching: whether a move before the end of the record opens a variation
    """

    def __init__(
        self,
        id_: str,
        start: Position,
        moves: Sequence[int] = (),
        *,
        players: tuple[PlayerView, PlayerView] = (PERSON, PERSON),
        clock: SessionClock | None = None,
        pace: float = 0.0,
        paused: bool = False,
        seed: int = 0,
        kept: bool = True,
        branching: bool = False,
    ) -> None:
        self.id = id_
        self.history = GameHistory.of(start, moves)
        """The whole record."""
        self.tree = MoveTree.of(start, self.history.moves) if branching else None
        """The game with its variations; None for a session without them."""
        self.edits = 0
        """Grows with every change of the tree, except undo and redo."""
        self._undone: list[tuple[MoveTree, tuple[int, ...]]] = []
        self._done: list[tuple[MoveTree, tuple[int, ...]]] = []
        self.cursor = len(moves)
        self.players = players
        self.clock = clock
        self.pace = _checked_pace(pace)
        self.paused = paused
        self.pending_steps = 0
        """Moves that computers may still make while the session is paused."""
        self.seed = seed
        self.kept = kept
        self.client = ""
        """The client that opened it: its searches take turns with those of others. Empty for a client of its own."""
        self.adjudicated: GameResult | None = None
        """An end that the board does not show: by resignation or on time."""
        self.thinking: Side | None = None
        self.waiting = False
        """Whether the search of the thinking side is still queued."""
        self.error: ErrorInfo | None = None
        """Why a computer does not move."""
        self.analysis: AnalysisView | None = None
        self.review: ReviewView | None = None
        self.is_deleted = False
        """Read-only after deletion."""
        # In milliseconds, so that versions grow across restarts too and a page never takes an old view for a new one.
        self.version = int(time.time() * 1000)
        self.record_version = 0
        """Grows with every change that is to be saved."""
        self.changed_at = time.time()
        self._hook: Callable[[Session], object] | None = None
        self._subscribers: list[Callable[[Session], object]] = []
        self._is_dirty = self._is_announcing = False
        self._rejection: FlipdropError | None = None

    @property
    def moves(self) -> tuple[int, ...]:
        return self.history.moves

    @property
    def positions(self) -> tuple[Position, ...]:
        return self.history.positions

    @property
    def path(self) -> tuple[int, ...]:
        """The moves on the board."""
        return self.moves[: self.cursor]

    @property
    def game_history(self) -> GameHistory:
        """The game without variations: the record, unless a variation is on the board."""
        main = self.moves if self.tree is None else self.tree.main_line
        return self.history if main == self.moves else GameHistory.of(self.history.start, main)

    @property
    def game(self) -> Game:
        return self.history.game

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.positions[self.cursor]

    @property
    def is_at_end(self) -> bool:
        """Whether the whole record is on the board."""
        return self.cursor == len(self.moves)

    @property
    def ending(self) -> GameResult | None:
        """How the game of the record ended; None while it continues."""
        final = self.history.position
        if self.adjudicated is not None or final.result is None:
            return self.adjudicated
        return GameResult(winner=_WINNERS[final.result], reason="board", margin=final.margin)

    @property
    def is_over(self) -> bool:
        """Whether no move can be played on this board."""
        return self.position.is_over or (self.is_at_end and self.adjudicated is not None)

    @property
    def people(self) -> tuple[Side, ...]:
        """The sides that people play."""
        return tuple(side for side in Side if self.players[side].spec is None)

    @property
    def computer_to_move(self) -> Side | None:
        """The side whose computer has to move now."""
        if not self.is_at_end or self.is_over or self.error is not None or (self.paused and not self.pending_steps):
            return None
        side = self.position.to_move
        return None if self.players[side].spec is None else side

    @property
    def transcript(self) -> str:
        """The moves on the board, in notation."""
        return self.history.first(self.cursor).transcript

    @property
    def record(self) -> GameRecord:
        """The record as files hold it, with the names of the players."""
        first, second = (player.name for player in self.players)
        return GameRecord(self.history.start, self.moves, first=first, second=second, place="flipdrop")

    @property
    def undo_target(self) -> int | None:
        """The cursor after taking back: at the last choice of a person, or one move earlier where computers play each
        other; None if there is nothing to take back."""
        if not self.people:
            return self.cursor - 1 if self.cursor else None
        return next((i for i in range(self.cursor - 1, -1, -1) if self._is_choice(self.positions[i])), None)

    @property
    def can_undo(self) -> bool:
        if self._is_timed:
            return False
        return self.undo_target is not None or (self.is_at_end and self.adjudicated is not None)

    @property
    def is_watched(self) -> bool:
        return bool(self._subscribers)

    # Actions of people

    def play(self, move: str, *, cursor: int | None = None) -> None:
        """Plays a person's move, such as ``f5``, ``4`` or ``pass``.

        :param cursor: the number of moves on the board that the person saw; another number is an error
        """
        if cursor is not None and cursor != self.cursor:
            raise OutOfTurn("the board changed before your move arrived")
        self.check_alive()
        self.check_time()
        if self.is_over:
            raise GameOver(f"move {move[:12]!r}: the game is over")
        side = self.position.to_move
        if self.players[side].spec is not None:
            raise OutOfTurn(f"move {move[:12]!r}: it is the turn of {self.players[side].name}")
        self.push(self.position.parse_move(move.strip().lower()))

    def undo(self) -> None:
        """Takes back a resignation, or goes back to the last choice of a person."""
        self.check_alive()
        self._check_untimed("taken back")
        if self.is_at_end and self.adjudicated is not None:
            self.adjudicated = None
            self._changed(record=True)
            return
        if self.undo_target is None:
            raise SessionError("there is nothing to take back")
        self.jump(self.undo_target)

    def redo(self) -> None:
        """Replays moves that were taken back, up to the next choice of a person."""
        if self.is_at_end:
            raise SessionError("there is nothing to replay")
        choices = [i for i in range(self.cursor + 1, len(self.moves)) if self._is_choice(self.positions[i])]
        self.jump(choices[0] if choices else len(self.moves) if self.people else self.cursor + 1)

    def jump(self, cursor: int) -> None:
        """Shows the board after the first `cursor` moves of the record."""
        if not 0 <= cursor <= len(self.moves):
            raise OutOfRange(f"move {cursor}; the record has moves 0 to {len(self.moves)}")
        if cursor == self.cursor:
            return
        self.cursor = cursor
        if self.tree is not None:
            self._follow(self.path)
        self._changed(record=True)

    # Variations

    def go_to(self, moves: Sequence[int | str]) -> None:
        """Shows the board after moves of the game or of a variation."""
        path = GameHistory.of(self.history.start, moves).moves
        if self.tree is None or not self._holds(path):
            raise OutOfRange(f"the record has no line of these {len(moves)} moves")
        self._follow(path)
        self._changed(record=True)

    def play_line(self, moves: Sequence[int | str]) -> None:
        """Plays moves from the board on, as the game where it ends there and otherwise as a variation."""
        self.check_alive()
        if self.tree is None:
            raise SessionError("lines are played in an analysis only")
        path = GameHistory.of(self.history.start, [*self.path, *moves]).moves
        self._edit(self.tree.add(path), path)

    def promote_variation(self) -> None:
        """Makes the variation on the board the main line where it branches off."""
        if self.tree is not None:
            self._edit(self.tree.promote(self.path), self.path)

    def delete_variation(self) -> None:
        """Deletes the innermost variation on the board; the board shows the position where it branched off."""
        branch = None if self.tree is None else self.tree.branch_of(self.path)
        if self.tree is not None and branch is not None:
            self._edit(self.tree.remove(self.path[: branch + 1]), self.path[:branch])

    def return_to_game(self) -> None:
        """Shows the position of the game where the variation on the board branched off."""
        if self.tree is not None:
            main = self.tree.main_line
            shared = next((i for i, move in enumerate(self.path) if main[i : i + 1] != (move,)), self.cursor)
            self.go_to(main[:shared])

    def load(self, tree: MoveTree, path: Sequence[int] | None = None, *, undoable: bool = True) -> None:
        """Replaces the game and its variations.

        :param path: the moves on the board; by default the end of the game
        :param undoable: whether `undo_edit` takes it back
        """
        self.check_alive()
        self._edit(tree, tree.main_line if path is None else tuple(path))
        if not undoable:
            self._done.clear()

    def undo_edit(self) -> None:
        """Takes back the last change of the tree: a new move, a deleted or promoted variation, another game."""
        self._swap_edit(self._done, self._undone)

    def redo_edit(self) -> None:
        """Repeats the change of the tree that was taken back last."""
        self._swap_edit(self._undone, self._done)

    def _swap_edit(
        self, source: list[tuple[MoveTree, tuple[int, ...]]], target: list[tuple[MoveTree, tuple[int, ...]]]
    ) -> None:
        if self.tree is not None and source:
            target.append((self.tree, self.path))
            self.tree, path = source.pop()
            self._follow(path)
            self._changed(record=True)

    def _edit(self, tree: MoveTree, path: tuple[int, ...]) -> None:
        assert self.tree is not None
        if tree != self.tree:
            self._done.append((self.tree, self.path))
            del self._done[:-_MAX_UNDO]
            self._undone.clear()
            self.edits += 1
        self.tree = tree
        self.adjudicated = None
        self._follow(path)
        self._changed(record=True)

    def _follow(self, path: tuple[int, ...]) -> None:
        """Makes the line through a path of the tree the record."""
        assert self.tree is not None
        line = self.tree.line_through(path)
        if line != self.moves or self.tree.start != self.history.start:
            self.history = GameHistory.of(self.tree.start, line)
        self.cursor = len(path)

    def _holds(self, path: tuple[int, ...]) -> bool:
        try:
            return self.tree is not None and self.tree.children_at(path) is not None
        except KeyError:
            return False

    def truncate(self) -> None:
        """Drops the moves after the cursor, so that the game continues from the board."""
        self.check_alive()
        self._check_untimed("changed")
        if not self.is_at_end:
            self.history = self.history.first(self.cursor)
            self.adjudicated = None
            self._changed(record=True)

    def resign(self, side: Side | None = None) -> None:
        """Resigns for a side; by default for the only person, or else for the side to move."""
        self.check_alive()
        self.check_time()
        if self.ending is not None:
            raise GameOver("the game is already over")
        if side is None:
            side = self.people[0] if len(self.people) == 1 else self.history.position.to_move
        self._end(opponent(side), "resign")

    def pause(self, paused: bool) -> None:
        """Stops computers from moving, or resumes."""
        self.check_alive()
        self.paused, self.pending_steps = paused, 0
        self._changed(record=True)

    def step(self) -> None:
        """Pauses after one more move: the next one of the record, or a computer's."""
        self.check_alive()
        self.paused, self.pending_steps = True, int(self.is_at_end)
        if not self.is_at_end:
            self.cursor += 1
        self._changed(record=True)

    def set_pace(self, seconds: float) -> None:
        self.check_alive()
        self.pace = _checked_pace(seconds)
        self._changed(record=True)

    def set_players(self, first: PlayerView, second: PlayerView) -> None:
        self.check_alive()
        self.players = (first, second)
        self._changed(record=True)

    def restart(self, start: Position, moves: Sequence[int] = ()) -> None:
        """Replaces the game by another one, such as a pasted transcript."""
        self.check_alive()
        self._check_untimed("replaced")
        if self.tree is not None:
            self.review = None
            self.load(MoveTree.of(start, moves))
            return
        self.history = GameHistory.of(start, moves)
        self.cursor = len(moves)
        self.adjudicated = self.review = None
        self._changed(record=True)

    # Actions of the server

    def push(self, move: int) -> None:
        """Puts a legal move on the board."""
        if self.tree is not None:
            path = self.history.first(self.cursor).play(move).moves
            self._edit(self.tree.add(path), path)
            return
        mover = self.position.to_move
        history = self.history.first(self.cursor).play(move)
        if not self.is_at_end:
            self._check_untimed("changed")
        self.history = history
        self.cursor += 1
        self.adjudicated = self.thinking = None
        self.waiting = False
        self.pending_steps = max(0, self.pending_steps - 1)
        if self.clock is not None:
            self.clock.moved(mover)
        self._changed(record=True)

    def check_time(self) -> None:
        """Ends the game if the side whose clock runs has no time left."""
        if self.clock is not None and self.ending is None and self.clock.has_fallen:
            assert self.clock.running is not None
            self._end(opponent(self.clock.running), "time")

    def set_thinking(self, side: Side | None, *, waiting: bool = False) -> None:
        if (self.thinking, self.waiting) != (side, waiting):
            self.thinking, self.waiting = side, waiting
            self._changed()

    def set_error(self, error: ErrorInfo | None) -> None:
        """Sets why a computer does not move; None lets it try again."""
        self.error, self.thinking, self.waiting = error, None, False
        self._changed()

    def set_analysis(self, analysis: AnalysisView | None) -> None:
        self.analysis = analysis
        self._changed()

    def set_review(self, review: ReviewView | None) -> None:
        self.review = review
        self._changed()

    def mark_deleted(self) -> None:
        self.is_deleted = True

    def check_alive(self) -> None:
        if self.is_deleted:
            raise UnknownSession("this game was deleted; start another")

    def roll_back(self, state: dict[str, Any], error: FlipdropError) -> None:
        """Restores a saved state, for the hook: the method that made the change announces it, and raises `error`.

        :param state: as of `to_json`
        """
        saved = Session.from_json(state)
        self.history, self.cursor, self.players = saved.history, saved.cursor, saved.players
        self.clock, self.pace, self.paused, self.pending_steps = saved.clock, saved.pace, saved.paused, 0
        self.adjudicated, self.changed_at = saved.adjudicated, saved.changed_at
        self.thinking, self.waiting = None, False
        self._rejection = error
        self._is_dirty = True

    def attach(self, hook: Callable[[Session], object]) -> None:
        """Sets the hook that completes every change before it is announced, and calls it."""
        self._hook = hook
        self._changed()

    def subscribe(self, callback: Callable[[Session], object]) -> Callable[[], None]:
        """Calls back after every change until the returned function is called."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    # Storage

    def to_json(self) -> dict[str, Any]:
        ending = self.adjudicated
        return {
            "id": self.id,
            "game": self.game.name,
            "start": self.history.start.board,
            "moves": self.moves,
            "cursor": self.cursor,
            "players": [[player.spec, player.name] for player in self.players],
            "clock": None if self.clock is None else self.clock.to_json(),
            "pace": self.pace,
            "paused": self.paused,
            "seed": self.seed,
            "ending": None if ending is None else [ending.winner, ending.reason],
            "changed": self.changed_at,
        }

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> Session:
        first, second = (PlayerView(spec=spec, name=name) for spec, name in state["players"])
        session = cls(
            state["id"],
            game_of(state["game"]).position(state["start"]),
            state["moves"],
            players=(first, second),
            clock=None if state["clock"] is None else SessionClock.from_json(state["clock"]),
            pace=state["pace"],
            paused=state["paused"],
            seed=state["seed"],
        )
        if type(state["cursor"]) is not int or not 0 <= state["cursor"] <= len(session.moves):
            raise ValueError("the cursor is outside the record")
        if type(session.seed) is not int or not 0 <= session.pace <= MAX_PACE:
            raise ValueError("seed or pace is out of range")
        session.cursor = state["cursor"]
        if state["ending"] is not None:
            winner, reason = state["ending"]
            session.adjudicated = GameResult(winner=winner, reason=reason)
        session.changed_at = state["changed"]
        session._run_clock()
        return session

    # Internals

    def _is_choice(self, position: Position) -> bool:
        return position.to_move in self.people and position.pass_move not in position.legal_moves

    @property
    def _is_timed(self) -> bool:
        """Whether a clock protects the record: it runs, or has fallen and would fall again at once."""
        ending = self.ending
        return self.clock is not None and (ending is None or ending.reason == "time")

    def _check_untimed(self, what: str) -> None:
        if self._is_timed:
            when = "while the clock runs" if self.adjudicated is None else "after the time was up"
            raise ClockRuns(f"the record cannot be {what} {when}")

    def _end(self, winner: Side, reason: Literal["resign", "time"]) -> None:
        self.adjudicated = GameResult(winner=name_of_side(winner), reason=reason)
        self.cursor = len(self.moves)
        self.thinking, self.waiting = None, False
        self._changed(record=True)

    def _run_clock(self) -> None:
        """A person's time runs from the second move of the game on; a computer's while it searches, not while the
        search is queued."""
        if self.clock is None:
            return
        side = self.history.position.to_move
        if self.ending is not None or not self.moves or (side not in self.people and self.thinking != side):
            self.clock.stop()
        elif side in self.people or not self.waiting:
            self.clock.start(side)

    def _changed(self, *, record: bool = False) -> None:
        """Completes and announces a change. A change made by the hook joins the current announcement; one made by a
        subscriber is announced after it."""
        if record:
            self.error = None  # a failure in one position need not recur in another
            self.record_version += 1
            self.changed_at = time.time()
        self._is_dirty = True
        if self._is_announcing:
            return
        self._is_announcing = True
        try:
            while self._is_dirty:
                self._complete()
                self.version = max(self.version + 1, int(time.time() * 1000))
                for callback in list(self._subscribers):
                    self._call(callback)
        finally:
            self._is_announcing = False
        if self._rejection is not None:
            rejection, self._rejection = self._rejection, None
            raise rejection

    def _complete(self) -> None:
        while self._is_dirty:
            self._is_dirty = False
            self._run_clock()
            if self._hook is not None:
                self._call(self._hook)

    def _call(self, callback: Callable[[Session], object]) -> None:
        try:
            callback(self)
        except Exception:  # a page that fails must not keep the others from being called
            _log.exception("a subscriber of session %s failed", self.id)


def _checked_pace(seconds: float) -> float:
    if not 0 <= seconds <= MAX_PACE:
        raise OutOfRange(f"pace {seconds!r}; it is 0 to {MAX_PACE:g} seconds")
    return seconds

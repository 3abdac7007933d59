"""Views of sessions and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.schemas import (
    SIDE_NAMES,
    BoardView,
    ClockView,
    DisplayedBoard,
    GameResult,
    LastMove,
    LegalMove,
    RecordedMove,
    SessionView,
)
from flipdrop.interface.web.sessions.session import name_of_side

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.sessions.session import Ending, Session

_CELLS = {"-": "", "X": "first", "O": "second", "#": "forbidden"}


def view_of(session: Session) -> SessionView:
    ending = _result(session.ending, session.positions[-1])
    return SessionView(
        id=session.id,
        version=session.version,
        **_board(session.position),
        turn=None if session.is_over else name_of_side(session.position.to_move),
        over=session.is_over,
        result=ending if session.is_at_end else None,
        ending=ending,
        human_to_move=not session.is_over and session.position.to_move in session.people,
        last=_last(session),
        moves=[
            RecordedMove(move=before.move_name(move), by=name_of_side(before.to_move), cell=before.cell_of(move))
            for before, move in zip(session.positions, session.moves, strict=False)
        ],
        cursor=session.cursor,
        can_undo=session.can_undo,
        can_redo=not session.is_at_end,
        players=dict(zip(SIDE_NAMES, session.players, strict=True)),
        clock=_clock(session),
        thinking=None if session.thinking is None else name_of_side(session.thinking),
        waiting=session.waiting,
        error=session.error,
        paused=session.paused,
        pace=session.pace,
        transcript=session.transcript,
        start=None if session.positions[0] == session.game.start() else session.positions[0].board,
        analysis=session.analysis,
        review=session.review,
    )


def board_view(position: Position) -> BoardView:
    return BoardView(**_board(position))


def start_view(game: Game) -> DisplayedBoard:
    """The board of a game before it begins."""
    return DisplayedBoard(**_board(game.start()))


def _board(position: Position) -> dict[str, Any]:
    game = position.game
    passes = position.pass_move in position.legal_moves
    return {
        "game": game.name,
        "kind": game.family,
        "title": game.title,
        "sides": list(game.sides),
        "columns": game.columns,
        "rows": game.rows,
        "cells": [_CELLS[mark] for mark in position.cells],
        "legal": []
        if passes
        else [LegalMove(move=position.move_name(move), cell=position.cell_of(move)) for move in position.legal_moves],
        "must_pass": passes,
        "counts": dict(zip(SIDE_NAMES, position.discs, strict=True)),
        "board": position.board,
        "winning_line": list(position.winning_cells),
    }


def _last(session: Session) -> LastMove | None:
    if session.cursor == 0:
        return None
    move = session.moves[session.cursor - 1]
    before = session.positions[session.cursor - 1]
    passed = move == before.pass_move
    return LastMove(
        move=before.move_name(move),
        cell=before.cell_of(move),
        by=name_of_side(before.to_move),
        flipped=[] if passed else list(before.flipped_by(move)),
        passed=passed,
    )


def _result(ending: Ending | None, final: Position) -> GameResult | None:
    if ending is None:
        return None
    return GameResult(
        winner="draw" if ending.winner is None else name_of_side(ending.winner),
        reason=ending.reason,
        margin=final.margin if ending.reason == "board" else None,
    )


def _clock(session: Session) -> ClockView | None:
    clock = session.clock
    if clock is None:
        return None
    first, second = clock.left
    return ClockView(
        remaining={"first": round(first, 2), "second": round(second, 2)},
        running=None if clock.running is None else name_of_side(clock.running),
        increment=clock.increment,
        control=clock.control,
    )

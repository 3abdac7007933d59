"""The view: all that a board, a page or a program needs to know about a session, as plain JSON.

Cells are numbered from the top row, left to right. ``first`` and ``second`` are the sides.

======================  ================================================================================================
``id``                  of the session
``version``             grows with every change, across restarts of the server too
``game``                ``othello``, ``connect4:9x10,forbid=c3``
``kind``                ``othello`` or ``connect4``
``title``               the game as people call it
``sides``               what the two sides are called, ``["black", "white"]``
``columns``, ``rows``   of the board
``cells``               for each cell ``""``, ``"first"``, ``"second"`` or ``"forbidden"``
``turn``                the side to move on the board, null if it is over
``over``                whether nothing can be played on this board
``result``              null, or how it ended: ``winner`` (``first``, ``second``, ``draw``), ``reason`` (``board``,
                        ``resign``, ``time``), ``margin`` (discs by which the first side leads, Othello, else null)
``ending``              the same for the end of the record, which need not be on the board
``legal``               ``move`` and the ``cell`` where its disc lands; empty if only a pass is possible
``pass``                whether the side to move can only pass: play ``pass``
``person``              whether a person may play on this board now
``last``                null, or the last move: ``move``, ``cell`` (null for a pass), ``by``, ``flipped`` (cells),
                        ``passed``
``counts``              discs of ``first`` and ``second``
``moves``               of the whole record: ``move``, ``by``, ``cell``
``cursor``              how many of them are on the board
``undo``, ``redo``      whether there is something to take back, or to play again
``players``             for ``first`` and ``second``: ``spec`` (null for a person) and ``name``
``clock``               null, or seconds that ``first`` and ``second`` have, ``running`` (a side or null), ``increment``
``thinking``            the side whose computer thinks, or null
``waiting``             whether its search waits for others to finish
``error``             why a computer does not move, or null; ``error_kind`` is the name of the error's class
``paused``, ``pace``    whether computers stand still, and the least seconds between two of their moves
``transcript``          the moves on the board
``start``               the board string before the first move, null if that is the usual one
``board``               the board string
``winning_line``        the cells of the four, in Connect Four
``analysis``            null, or see `flipdrop.interface.web.sessions.analysis`
``review``              null, or see `flipdrop.interface.web.sessions.review`
======================  ================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.games import Othello
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.kernel import Side

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.interface.web.sessions.session import Ending, Session

_CELLS = {"-": "", "X": "first", "O": "second", "#": "forbidden"}


def view_of(session: Session) -> dict[str, Any]:
    """The view of a session as it is now."""
    ending = _result(session.ending, session.positions[-1])
    return {
        "id": session.id,
        "version": session.version,
        **board_view(session.position),
        "turn": None if session.is_over else name_of_side(session.position.to_move),
        "over": session.is_over,
        "result": ending if session.is_at_end else None,
        "ending": ending,
        "person": not session.is_over and session.position.to_move in session.people,
        "last": _last(session),
        "moves": [
            {
                "move": before.move_name(move),
                "by": name_of_side(before.to_move),
                "cell": before.cell_of(move),
            }
            for before, move in zip(session.positions, session.moves, strict=False)
        ],
        "cursor": session.cursor,
        "undo": session.can_undo,
        "redo": not session.is_at_end,
        "players": {
            name_of_side(side): {"spec": session.players[side].spec, "name": session.players[side].name}
            for side in Side
        },
        "clock": _clock(session),
        "thinking": None if session.thinking is None else name_of_side(session.thinking),
        "waiting": session.waiting,
        "error": None if session.error is None else session.error.message,
        "error_kind": None if session.error is None else session.error.kind,
        "paused": session.paused,
        "pace": session.pace,
        "transcript": session.transcript,
        "start": None if session.positions[0] == session.game.start() else session.positions[0].board,
        "analysis": session.analysis,
        "review": session.review,
    }


def board_view(position: Position) -> dict[str, Any]:
    """The part of a view that a position alone decides."""
    game = position.game
    passes = position.pass_move in position.legal_moves
    return {
        "game": game.name,
        "kind": "othello" if isinstance(position, Othello) else "connect4",
        "title": game.title,
        "sides": list(game.sides),
        "columns": game.columns,
        "rows": game.rows,
        "cells": [_CELLS[mark] for mark in position.cells],
        "legal": []
        if passes
        else [{"move": position.move_name(move), "cell": position.cell_of(move)} for move in position.legal_moves],
        "pass": passes,
        "counts": dict(zip(("first", "second"), position.discs, strict=True)),
        "board": position.board,
        "winning_line": list(position.winning_cells),
    }


def _last(session: Session) -> dict[str, Any] | None:
    if session.cursor == 0:
        return None
    move = session.moves[session.cursor - 1]
    before = session.positions[session.cursor - 1]
    passed = move == before.pass_move
    return {
        "move": before.move_name(move),
        "cell": before.cell_of(move),
        "by": name_of_side(before.to_move),
        "flipped": list(before.flipped_by(move)) if isinstance(before, Othello) and not passed else [],
        "passed": passed,
    }


def _result(ending: Ending | None, final: Position) -> dict[str, Any] | None:
    if ending is None:
        return None
    return {
        "winner": "draw" if ending.winner is None else name_of_side(ending.winner),
        "reason": ending.reason,
        "margin": final.margin if isinstance(final, Othello) and ending.reason == "board" else None,
    }


def _clock(session: Session) -> dict[str, Any] | None:
    clock = session.clock
    if clock is None:
        return None
    first, second = clock.left
    running = None if clock.running is None else name_of_side(clock.running)
    return {
        "first": round(first, 2),
        "second": round(second, 2),
        "running": running,
        "increment": clock.increment,
        "control": clock.control,
    }

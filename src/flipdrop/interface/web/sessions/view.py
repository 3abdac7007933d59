"""Views of sessions, positions, evaluations and values of searches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import default_evaluation
from flipdrop.evaluation.registry import definition_of
from flipdrop.interface.web.schemas import (
    SIDE_NAMES,
    BoardView,
    ClockView,
    DisplayedBoard,
    EvaluationView,
    LastMove,
    LegalMove,
    RecordedMove,
    ScoreView,
    SessionView,
    TermView,
    ValueView,
)
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.search.values import in_discs

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.schemas import Outcome
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.search.values import Value

_CELLS = {"-": "", "X": "first", "O": "second", "#": "forbidden"}
# A proven win lies above this; the rest of the scale orders wins by margin or speed.
_SURE = 0.9
# Values of hand-made evaluations that are shown half-way between even and won. They are rough and decide only how
# bars and percentages look on boards for which there is no learned evaluation; the order of moves is the search's.
_HALF_WON = {"Seven": 40.0, "D": 60.0, "lines": 60.0}
_USUAL_HALF = 60.0
_LARGEST = 1e15


def view_of(session: Session) -> SessionView:
    ending = session.ending
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


def breakdown(position: Position, evaluation: Evaluation | None = None) -> EvaluationView:
    """The terms of an evaluation for the side to move: of the position, and of the positions after each move."""
    used = evaluation or default_evaluation(position.game)
    after = {}
    for move in position.legal_moves:
        then = position.play(move)
        # A score is for the side to move, which after most moves is the opponent.
        after[position.move_name(move)] = _score(used, then, 1 if then.to_move == position.to_move else -1)
    meanings = {}
    if used.weights is not None:
        meanings = {kind.name: kind.description for kind in definition_of(used.weights.evaluation).kinds}
    return EvaluationView(**dict(_score(used, position, 1)), name=str(used), meanings=meanings, moves=after)


def _score(evaluation: Evaluation, position: Position, sign: int) -> ScoreView:
    found = evaluation.explain(position)
    terms = [
        TermView(
            name=term.name,
            feature=finite(term.feature),
            weight=finite(term.weight),
            contribution=finite(sign * term.contribution),
        )
        for term in found.terms
    ]
    return ScoreView(score=finite(sign * found.total), terms=terms)


@dataclass(frozen=True)
class WinProbabilityScale:
    """Maps values of a search to -1 (lost) .. 1 (won); `half_point` 0 if they are in that range already."""

    half_point: float = 0.0
    discs: bool = False  # the values are in discs, and shown so

    def to_unit(self, value: Value) -> float:
        """-1 .. 1 for the side to move."""
        number = finite(value.number)
        if value.sees_end:
            share = min(1.0, abs(in_discs(number)) / len(value.position.cells))
            return math.copysign(_SURE + (1 - _SURE) * share, number)
        if self.half_point:
            return math.tanh(number / (2 * self.half_point))
        return max(-1.0, min(1.0, number))


ENGINE_SCALE = WinProbabilityScale(half_point=4.0, discs=True)
"""Of values in discs: four more than the opponent are shown as a win probability of 73%."""


def scale_of(evaluation: Evaluation) -> WinProbabilityScale:
    """The scale of an evaluation: learned ones give expected scores, others have units of their own."""
    return (
        WinProbabilityScale()
        if evaluation.networks is not None
        else WinProbabilityScale(_HALF_WON.get(evaluation.name, _USUAL_HALF))
    )


def finite(value: float) -> float:
    """The nearest number that JSON can hold; extreme weights give infinite scores."""
    return 0.0 if math.isnan(value) else max(-_LARGEST, min(_LARGEST, value))


def signed(discs: int) -> str:
    """``+4``, ``-2`` or ``0``."""
    return f"{discs:+}" if discs else "0"


def describe_value(value: Value, scale: WinProbabilityScale) -> ValueView:
    """A value for the side to move, as views show it."""
    number = round(finite(value.number), 4)
    win_probability = round((1 + scale.to_unit(value)) / 2, 4)
    if value.outcome is None:
        text = signed(round(number)) if scale.discs else f"{100 * win_probability:.0f}%"
        return ValueView(value=number, win_probability=win_probability, proven=False, text=text)
    outcome: Outcome = ("draw", "win", "loss")[value.outcome]
    text = "=+-"[value.outcome]
    margin = moves = None
    if value.outcome and value.exact and value.margin is not None:
        margin = value.margin
        text = f"{margin:+}"
    elif value.outcome and value.exact and value.plies is not None:
        moves = (value.plies + (value.outcome > 0)) // 2  # the sides alternate
        text = f"{'-' if value.outcome < 0 else ''}#{moves}"
    return ValueView(
        value=number,
        win_probability=win_probability,
        proven=True,
        outcome=outcome,
        margin=margin,
        moves=moves,
        text=text,
    )

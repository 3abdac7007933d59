"""Views of sessions, positions, evaluations and values of searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import default_evaluation
from flipdrop.evaluation.registry import definition_of
from flipdrop.games.history import GameHistory
from flipdrop.games.opening_names import named_opening
from flipdrop.interface.web.schemas import (
    SIDE_NAMES,
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
    VariationView,
)
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.search.win_probability import finite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.games.variations import MoveNode
    from flipdrop.interface.web.schemas import Outcome
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.search.values import Value
    from flipdrop.search.win_probability import WinProbabilityScale

_CELLS = {"-": "", "X": "first", "O": "second", "#": "forbidden"}


def view_of(session: Session) -> SessionView:
    ending, moves, game = session.ending, _recorded(session.history), session.game_history
    opening = named_opening(session.positions[0], session.moves[: session.cursor])
    return SessionView(
        id=session.id,
        version=session.version,
        **board_fields(session.position),
        turn=None if session.is_over else name_of_side(session.position.to_move),
        over=session.is_over,
        result=ending if session.is_at_end else None,
        ending=ending,
        human_to_move=not session.is_over and session.position.to_move in session.people,
        last=_last(session),
        moves=moves,
        game_moves=moves if game is session.history else _recorded(game),
        branch=_branch(session),
        variations=[] if session.tree is None else _variations(session.tree.children, session.history.start, 0),
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
        opening=None if opening is None else opening.name,
        start=None if session.positions[0] == session.game.start() else session.positions[0].board,
        analysis=session.analysis,
        review=session.review,
    )


def _recorded(history: GameHistory) -> list[RecordedMove]:
    return [_recorded_move(before, move) for before, move in zip(history.positions, history.moves, strict=False)]


def _recorded_move(before: Position, move: int) -> RecordedMove:
    return RecordedMove(move=before.move_name(move), by=name_of_side(before.to_move), cell=before.cell_of(move))


def _branch(session: Session) -> int | None:
    """The number of moves that the variation on the board shares with the game; None if the game is on the board."""
    if session.tree is None:
        return None
    main = session.tree.main_line
    return next((i for i, move in enumerate(session.path) if main[i : i + 1] != (move,)), None)


def _variations(children: Sequence[MoveNode], position: Position, after: int) -> list[VariationView]:
    """The variations beside a main line, and theirs."""
    found = []
    while children:
        main, *others = children
        for node in others:
            line = [node]
            while line[-1].children:
                line.append(line[-1].children[0])
            history = GameHistory.of(position, [entry.move for entry in line])
            inner = _variations(node.children, history.positions[1], after + 1)
            found.append(VariationView(after=after, moves=_recorded(history), variations=inner))
        children, position, after = main.children, position.play(main.move), after + 1
    return found


def position_view(position: Position, last: LastMove | None = None, **fields: Any) -> DisplayedBoard:
    """A position that may be drawn on a board.

    :param fields: others of `DisplayedBoard`
    """
    turn = None if position.is_over else name_of_side(position.to_move)
    return DisplayedBoard(**board_fields(position), turn=turn, over=position.is_over, last=last, **fields)


def board_fields(position: Position) -> dict[str, Any]:
    """The fields of a `BoardView`."""
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
    return move_view(session.positions[session.cursor - 1], session.moves[session.cursor - 1])


def move_view(before: Position, move: int) -> LastMove:
    """A move from a position, as the last one on a board."""
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


def signed(discs: int) -> str:
    """``+4``, ``-2`` or ``0``."""
    return f"{discs:+}" if discs else "0"


def describe_value(value: Value, scale: WinProbabilityScale) -> ValueView:
    """A value for the side to move, as views show it."""
    number = round(finite(value.number), 4)
    win_probability = scale.win_probability(value)
    discs = scale.expected_discs(value)
    if value.outcome is None:
        percent = f"{100 * win_probability:.0f}%"
        return ValueView(
            value=number,
            win_probability=win_probability,
            discs=discs,
            proven=False,
            text=percent if discs is None or not scale.discs else signed(round(discs)),
            percent=percent,
        )
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
        discs=discs,
        proven=True,
        outcome=outcome,
        margin=margin,
        moves=moves,
        text=text,
        percent=("50%", "100%", "0%")[value.outcome],
    )

"""Reading positions, without a session."""

from __future__ import annotations

from fastapi import APIRouter

from flipdrop.games.history import GameHistory
from flipdrop.interface.web.api.common import Sessions, ShortText, Text  # noqa: TC001 - read at run time
from flipdrop.interface.web.schemas import PositionView, RequestModel
from flipdrop.interface.web.sessions.view import board_fields, breakdown
from flipdrop.interface.web.validation import parse_evaluation, parse_game, parse_position

router = APIRouter()


class PositionRequest(RequestModel):
    """A position to read, and the evaluation that explains it."""

    position: Text
    game: ShortText = "othello"
    evaluation: ShortText | None = None


@router.post("/position")
async def read_position(sessions: Sessions, request: PositionRequest) -> PositionView:
    """Reads a transcript, a board string or a GGF game; returns the board and the terms of an evaluation."""
    start, moves = parse_position(request.position, parse_game(request.game), sessions.limits)
    evaluation = parse_evaluation(request.evaluation, start.game)
    history = GameHistory.of(start, moves)
    final = history.position
    return PositionView(
        **board_fields(final),
        start=start.board,
        moves=[at.move_name(move) for at, move in zip(history.positions, moves, strict=False)],
        evaluation=None if final.is_over else breakdown(final, evaluation),
    )

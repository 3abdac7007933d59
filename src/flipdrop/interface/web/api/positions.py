"""Reading positions, without a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.interface.web.api.responses import RequestModel, ShortText, Text
from flipdrop.interface.web.schemas import PositionView
from flipdrop.interface.web.sessions.analysis import breakdown
from flipdrop.interface.web.sessions.validation import parse_evaluation, parse_game, parse_position
from flipdrop.interface.web.sessions.view import board_view

if TYPE_CHECKING:
    from fastapi import APIRouter

    from flipdrop.interface.web.sessions.manager import SessionManager


class PositionRequest(RequestModel):
    """A position to read, and the evaluation that explains it."""

    position: Text
    game: ShortText = "othello"
    evaluation: ShortText | None = None


def add_routes(router: APIRouter, manager: SessionManager) -> None:
    @router.post("/position")
    async def position(request: PositionRequest) -> PositionView:
        """Reads a transcript, a board string or a GGF game; returns the board and the terms of an evaluation."""
        start, moves = parse_position(request.position, parse_game(request.game), manager.limits)
        evaluation = parse_evaluation(request.evaluation, start.game)
        final, names = start, []
        for move in moves:
            names.append(final.move_name(move))
            final = final.play(move)
        terms = None if final.is_over else breakdown(final, evaluation)
        return PositionView(**dict(board_view(final)), start=start.board, moves=names, evaluation=terms)

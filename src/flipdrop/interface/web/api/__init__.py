"""The JSON API. ``/openapi.json`` describes it.

Errors are ``{"error": "..."}`` with status 400 for invalid input, 404 for an unknown session, 409 for what the
current state forbids and 503 at a limit of the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter

from flipdrop.interface.web.api import catalogue, positions, sessions
from flipdrop.interface.web.api.responses import ApiError, AsciiJSONResponse

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.manager import SessionManager


def create_router(manager: SessionManager) -> APIRouter:
    router = APIRouter(
        prefix="/api",
        tags=["api"],
        default_response_class=AsciiJSONResponse,
        responses={status: {"model": ApiError} for status in (400, 404, 409, 413, 422, 503)},
    )
    catalogue.add_routes(router)
    positions.add_routes(router, manager)
    sessions.add_routes(router, manager)
    return router

"""The JSON API. ``/openapi.json`` describes it.

Errors are ``{"error": "..."}`` with status 400 for invalid input, 404 for an unknown session or job, 409 for what the
current state forbids, 408 and 413 for bodies that arrive too slowly or are too large, 503 at a limit of the server and
507 if a change could not be saved and was not made.
"""

from __future__ import annotations

from fastapi import APIRouter

from flipdrop.interface.web.api import catalogue, jobs, positions, sessions
from flipdrop.interface.web.api.common import ERROR_STATUSES, ApiError, AsciiJSONResponse


def create_router() -> APIRouter:
    router = APIRouter(
        prefix="/api",
        tags=["api"],
        default_response_class=AsciiJSONResponse,
        responses={status: {"model": ApiError} for status in ERROR_STATUSES},
    )
    for part in (catalogue, jobs, positions, sessions):
        router.include_router(part.router)
    return router

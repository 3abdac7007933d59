"""The JSON API. ``/openapi.json`` describes it.

Errors are ``{"error": "..."}`` with status 400 for invalid input, 404 for an unknown session or job, 409 for what the
current state forbids and 503 at a limit of the server.
"""

from __future__ import annotations

from fastapi import APIRouter

from flipdrop.interface.web.api import catalogue, jobs, positions, sessions
from flipdrop.interface.web.api.common import ApiError, AsciiJSONResponse


def create_router() -> APIRouter:
    router = APIRouter(
        prefix="/api",
        tags=["api"],
        default_response_class=AsciiJSONResponse,
        responses={status: {"model": ApiError} for status in (400, 404, 409, 413, 422, 503)},
    )
    for part in (catalogue, jobs, positions, sessions):
        router.include_router(part.router)
    return router

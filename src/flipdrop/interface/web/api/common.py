"""Shared by all routes of the API: dependencies, request models, JSON responses, errors."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from flipdrop.interface.web.jobs.manager import JobConflict, TooManyJobs, UnknownJob
from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.manager import SessionManager
from flipdrop.interface.web.sessions.session import Session

_STATUS = {UnknownSession: 404, UnknownJob: 404, TooBusy: 503, TooManyJobs: 503, SessionError: 409, JobConflict: 409}
"""Statuses of errors; a class precedes its bases."""

Text = Annotated[str, Field(max_length=8000)]
ShortText = Annotated[str, Field(max_length=300)]


async def _manager(request: Request) -> SessionManager:
    manager: SessionManager = request.app.state.manager
    return manager


Manager = Annotated[SessionManager, Depends(_manager)]


async def _session(
    manager: Manager, session_id: Annotated[str, Path(alias="id", max_length=40, description="The session's id.")]
) -> Session:
    return manager.find(session_id)


SessionById = Annotated[Session, Depends(_session)]


class ApiError(BaseModel):
    """Why a request failed."""

    error: str


class Deleted(BaseModel):
    """The id of a deleted session or job."""

    deleted: str


class AsciiJSONResponse(JSONResponse):
    """JSON in ASCII: a client may have sent characters that UTF-8 cannot encode."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def error_response(error: str, status: int) -> AsciiJSONResponse:
    return AsciiJSONResponse({"error": error[:1000]}, status)


async def on_flipdrop_error(_: Request, error: Exception) -> AsciiJSONResponse:
    """FastAPI's handler of `FlipdropError`."""
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
    return error_response(str(error), status)

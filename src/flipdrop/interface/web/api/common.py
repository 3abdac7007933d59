"""Shared by all routes of the API: dependencies, request models, JSON responses, errors."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.manager import SessionManager
from flipdrop.interface.web.sessions.session import Session

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


class RequestModel(BaseModel):
    """The body of a request: no unknown fields, no infinite numbers."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ApiError(BaseModel):
    """Why a request failed."""

    error: str


class AsciiJSONResponse(JSONResponse):
    """JSON in ASCII: a client may have sent characters that UTF-8 cannot encode."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def error_response(error: str, status: int) -> AsciiJSONResponse:
    return AsciiJSONResponse({"error": error[:1000]}, status)


async def on_flipdrop_error(_: Request, error: Exception) -> AsciiJSONResponse:
    """FastAPI's handler of `FlipdropError`."""
    status = 400
    if isinstance(error, UnknownSession):
        status = 404
    elif isinstance(error, TooBusy):
        status = 503
    elif isinstance(error, SessionError):
        status = 409
    return error_response(str(error), status)

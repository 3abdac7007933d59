"""Shared by all routes of the API: dependencies, request models, JSON responses, errors."""

from __future__ import annotations

import errno
import json
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from flipdrop.errors import StoreError
from flipdrop.interface.web.jobs.manager import JobConflict, TooManyJobs, UnknownJob
from flipdrop.interface.web.jobs.service import JobService
from flipdrop.interface.web.services import Services  # noqa: TC001 - read at run time
from flipdrop.interface.web.sessions.errors import NotSaved, SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.manager import SessionManager
from flipdrop.interface.web.sessions.session import Session

_STATUS = {
    **dict.fromkeys((UnknownSession, UnknownJob), 404),
    **dict.fromkeys((TooBusy, TooManyJobs, StoreError), 503),
    NotSaved: 507,
    **dict.fromkeys((SessionError, JobConflict), 409),
}
"""Statuses of errors; a class precedes its bases."""

ERROR_STATUSES = (400, 404, 408, 409, 413, 422, 503, 507)
JSON_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": "Error",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}},
    }
    for status in ERROR_STATUSES
}
"""Descriptions of the errors of routes whose results are not JSON: FastAPI takes their type from the result."""

Text = Annotated[str, Field(max_length=8000)]
ShortText = Annotated[str, Field(max_length=300)]


async def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


async def _sessions(services: Annotated[Services, Depends(_services)]) -> SessionManager:
    return services.sessions


async def _jobs(services: Annotated[Services, Depends(_services)]) -> JobService:
    return services.jobs


Sessions = Annotated[SessionManager, Depends(_sessions)]
Jobs = Annotated[JobService, Depends(_jobs)]


async def _session(
    sessions: Sessions, session_id: Annotated[str, Path(alias="id", max_length=40, description="The session's id.")]
) -> Session:
    return sessions.find(session_id)


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


async def on_os_error(_: Request, error: Exception) -> AsciiJSONResponse:
    """FastAPI's handler of `OSError`: jobs write files."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
        return error_response(f"this could not be saved and was not done: {error.strerror}", 507)
    raise error


async def on_flipdrop_error(_: Request, error: Exception) -> AsciiJSONResponse:
    """FastAPI's handler of `FlipdropError`."""
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 400)
    return error_response(str(error), status)

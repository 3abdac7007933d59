"""What all parts of the API share: request models, JSON responses, errors."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Request  # noqa: TC002 - read at run time
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession

Text = Annotated[str, Field(max_length=8000)]
ShortText = Annotated[str, Field(max_length=300)]


class RequestModel(BaseModel):
    """The body of a request: no unknown fields, no infinite numbers."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ApiError(BaseModel):
    """Why a request failed."""

    error: str


def json_response(value: Any, status: int = 200) -> Response:
    """JSON in ASCII: a client may have sent characters that UTF-8 cannot encode."""
    return Response(json.dumps(value, separators=(",", ":")), status_code=status, media_type="application/json")


async def on_flipdrop_error(_: Request, error: Exception) -> Response:
    """FastAPI's handler of `FlipdropError`."""
    status = 400
    if isinstance(error, UnknownSession):
        status = 404
    elif isinstance(error, TooBusy):
        status = 503
    elif isinstance(error, SessionError):
        status = 409
    return json_response({"error": str(error)[:1000]}, status)

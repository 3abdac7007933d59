"""The ASGI application: pages and JSON API behind the security middleware."""

from __future__ import annotations

import logging
import os
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

import flipdrop
from flipdrop.errors import FlipdropError
from flipdrop.interface.web.api import create_router
from flipdrop.interface.web.api.common import error_response, on_flipdrop_error, on_os_error
from flipdrop.interface.web.error_messages import localise
from flipdrop.interface.web.error_pages import error_page
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.middleware import REQUEST_STATE, SecurityMiddleware

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from flipdrop.interface.web.services import Services

_MAX_UNCONNECTED = 100  # pages without a socket; above this, those older than the timeout are dropped
_CONNECT_TIMEOUT = 15.0  # s
_log = logging.getLogger(__name__)


def create_app(services: Services, *, pages: bool = True) -> ASGIApp:
    """The application. NiceGUI allows one with pages in a process."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        services.start()
        yield
        services.shutdown()

    app = FastAPI(
        title="flipdrop",
        version=flipdrop.__version__,
        description="Games, analyses and reviews of Othello and Connect Four.",
        docs_url=None,  # its scripts come from a CDN, and flipdrop works offline
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    app.include_router(create_router())
    app.add_exception_handler(FlipdropError, on_flipdrop_error)
    app.add_exception_handler(OSError, on_os_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_page_error)
    if pages:
        _mount_pages(app, services)
    return SecurityMiddleware(app, services.config)


def _mount_pages(app: FastAPI, services: Services) -> None:
    # NiceGUI reads this when it is imported. The pages store nothing there.
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(services.config.data / "pages"))
    from nicegui import app as page_app
    from nicegui import ui

    from flipdrop.interface.web.pages import (
        analyse,
        experiments,
        help_dialog,
        job_routes,
        layout,
        play,
        puzzles,
        watch,
        widgets,
    )

    layout.mount(has_class=services.classroom is not None)
    help_dialog.mount()
    for page in (play, analyse, watch):
        page.mount(services.sessions)
    puzzles.mount(services)
    job_routes.mount(services.jobs)
    experiments.mount(services.config.store)
    if services.classroom is not None:
        from flipdrop.interface.web.pages import classroom

        classroom.mount(services.classroom)
    for error in (404, HTTPException, RequestValidationError, FlipdropError, Exception):
        page_app.add_exception_handler(error, _on_page_error)
    page_app.add_middleware(_ClientPruner)
    ui.run_with(
        app,
        title="flipdrop",
        favicon=widgets.LOGO,
        tailwind=False,
        dark=None,
        show_welcome_message=False,
        reconnect_timeout=10.0,
    )


async def _on_invalid(_: Request, error: Exception) -> Response:
    """An API request of the wrong shape. The response does not quote it, since it may hold anything."""
    assert isinstance(error, RequestValidationError)
    wrong = [
        f"{'.'.join(str(part)[:40] for part in one['loc'][:4])}: {one['msg'].removeprefix('Value error, ')[:200]}"
        for one in error.errors()[:5]
    ]
    return error_response("; ".join(wrong), 422)


async def _on_page_error(request: Request, error: Exception) -> Response:
    """A page that cannot be shown, and any path that does not exist."""
    status, detail, message = 500, "", ""
    if isinstance(error, HTTPException):
        status, detail = error.status_code, str(error.detail)[:200]
        if request.url.path.startswith("/api/"):
            return error_response(detail, status)
    elif isinstance(error, RequestValidationError):
        status = 422
    elif isinstance(error, FlipdropError):
        status, (message, detail) = 400, localise(Translator.for_request(request), error)
    elif not request.scope[REQUEST_STATE].has_disconnected:
        _log.error("%s failed", request.url.path, exc_info=error)
    return HTMLResponse(error_page(request, status, "" if status == 404 else detail, message=message), status)


class _ClientPruner:
    """Frees the memory of pages that never opened their socket: after seconds, not after NiceGUI's minute."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._pruned_at = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from nicegui import Client

        now = time.monotonic()
        if len(Client.instances) > _MAX_UNCONNECTED and now - self._pruned_at > 1:
            self._pruned_at = now
            Client.prune_instances(client_age_threshold=_CONNECT_TIMEOUT)
        await self._app(scope, receive, send)

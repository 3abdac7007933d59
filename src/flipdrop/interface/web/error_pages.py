"""Static error pages, in the language of the browser; JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from flipdrop.interface.web.i18n import TAGS, Translator
from flipdrop.interface.web.pages.layout import DARK_COOKIE
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response
    from starlette.types import Scope

_LONGEST = 1000


def error_page(request: Request, status: int, detail: str = "", *, message: str = "") -> bytes:
    """The page of an error.

    :param detail: a message in English, shown below
    :param message: a message in the language of the page; by default that of the status
    """
    t = Translator.for_request(request)
    message = message or t.get(f"error_page.{status}", t("error_page.400"))
    if detail.lower().rstrip(".") == message.lower().rstrip("."):
        detail = ""
    page = render(
        "error_page",
        language=TAGS[t.language],
        status=status,
        message=message,
        detail=detail[:_LONGEST],
        home=t("error_page.home"),
        schemes={"1": "dark", "0": "light"}.get(request.cookies.get(DARK_COOKIE, ""), "light dark"),
    )
    return page.encode("utf-8", "replace")


def accepts_html(scope: Scope) -> bool:
    """Whether a browser asks for a page, not a program for data."""
    accepted = next((value for name, value in scope["headers"] if name.lower() == b"accept"), b"")
    return b"text/html" in accepted and not scope["path"].startswith("/api/")


def error_response(scope: Scope, status: int, detail: str, headers: Mapping[str, str]) -> Response:
    """The response to an error: a page for browsers, JSON for programs."""
    if accepts_html(scope):
        return HTMLResponse(error_page(Request(scope), status, detail), status, headers)
    return JSONResponse({"error": detail}, status, headers)

"""Pages without sockets and scripts, for those who came to the wrong door: what is wrong, in their language."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING

from starlette.requests import Request

from flipdrop.interface.web.i18n import TAGS, Translator

if TYPE_CHECKING:
    from starlette.types import Scope

_PAGE = (
    "<!doctype html><html lang={language}><meta charset=utf-8>"
    "<meta name=viewport content='width=device-width'><meta name=color-scheme content='light dark'>"
    "<title>flipdrop</title>"
    "<body style='font-family:system-ui;display:grid;place-content:center;min-height:90vh;text-align:center'>"
    "<h1>{status}</h1><p>{sentence}</p><p lang=en style='font-size:small;opacity:.7'>{detail}</p>"
    "<a href='/'>{home}</a>"
)
_LONGEST = 1000


def error_page(request: Request, status: int, detail: str = "", *, sentence: str = "") -> bytes:
    """The page of an error.

    :param detail: more about it, in English
    :param sentence: what it is, in the language of whoever asks; what there is to say about the status if not given
    """
    t = Translator.for_request(request)
    said = sentence or t.get(f"error_page.{status}", t("error_page.400"))
    page = _PAGE.format(
        language=TAGS[t.language],
        status=status,
        sentence=html.escape(said),
        detail=html.escape(detail[:_LONGEST] if detail.lower().rstrip(".") != said.lower().rstrip(".") else ""),
        home=html.escape(t("error_page.home")),
    )
    return page.encode("utf-8", "replace")


def accepts_html(scope: Scope) -> bool:
    """Whether a browser asks for a page, and not a program for data."""
    accepted = next((value for name, value in scope["headers"] if name.lower() == b"accept"), b"")
    return b"text/html" in accepted and not scope["path"].startswith("/api/")


def error_body(scope: Scope, status: int, why: str) -> tuple[bytes, bytes]:
    """The body of an answer that refuses, and its type: a page for people, JSON for programs."""
    if accepts_html(scope):
        return error_page(Request(scope), status, why), b"text/html; charset=utf-8"
    return json.dumps({"error": why}).encode(), b"application/json"

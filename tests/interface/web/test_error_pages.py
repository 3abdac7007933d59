"""Static error pages: the theme and the language of the browser."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from flipdrop.interface.web.error_pages import error_page


@pytest.mark.parametrize(
    ("cookie", "schemes"), [("", "light dark"), ("flipdrop-dark=1", "dark"), ("flipdrop-dark=0", "light")]
)
def test_theme(cookie: str, schemes: str) -> None:
    headers = [(b"cookie", cookie.encode())] if cookie else []
    page = error_page(Request({"type": "http", "headers": headers}), 404).decode()
    assert f"color-scheme: {schemes} }}" in page
    assert "<h1>404</h1>" in page


def test_language_and_detail() -> None:
    request = Request({"type": "http", "headers": [(b"accept-language", b"zh-CN,zh;q=0.9")]})
    page = error_page(request, 422, "<b>").decode()
    assert '<html lang="zh-Hans">' in page
    assert "&lt;b&gt;" in page

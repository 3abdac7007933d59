"""The layout of every page: style sheets, and the header with navigation, language and theme."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from nicegui import app, ui

from flipdrop.interface.web.i18n import COOKIE, LANGUAGES, TAGS, Translator
from flipdrop.interface.web.pages.widgets import LOGO, STATIC, Button, div, icon_svg, raw_html, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.requests import Request

STYLES = sorted(STATIC.glob("style*.css"))
NAVIGATION = {
    "play": "/",
    "analyse": "/analyse",
    "watch": "/watch",
    "arena": "/arena",
    "learning": "/learning",
    "experiments": "/experiments",
}

DARK_COOKIE = "flipdrop-dark"
"""``1`` for the dark theme, ``0`` for the light one; without it the system decides."""

_YEAR = 31_536_000  # seconds
_COOKIE_OPTIONS = f"path=/;max-age={_YEAR};samesite=lax"
_TOGGLE_DARK = (
    "() => {const dark = !document.body.classList.contains('body--dark');"
    f"document.cookie = '{DARK_COOKIE}=' + (dark ? 1 : 0) + ';{_COOKIE_OPTIONS}'; emit(dark)}}"
)
# Sets the language for screen readers, and translates NiceGUI's own texts about a lost connection.
_TRANSLATE = (
    "{const texts = %s; document.documentElement.lang = texts.language;"
    "addEventListener('DOMContentLoaded', () => document.querySelectorAll('#popup span').forEach("
    "(span, i) => span.textContent = texts.lost[i]))}"
)


def mount() -> None:
    """Serves the style sheets."""
    for path in STYLES:
        app.add_static_file(local_file=path, url_path=f"/static/{path.name}", max_cache_age=_YEAR)


@contextmanager
def page_layout(request: Request, *, section: str, title: str = "") -> Iterator[Translator]:
    """Puts the elements made inside below the header; yields the translator of the request's language.

    :param section: a key of `NAVIGATION`
    :param title: of the browser's window, before the section's name
    """
    t = Translator.for_request(request)
    ui.page_title(" · ".join(part for part in (title, t(f"nav.{section}"), "flipdrop") if part))
    for path in STYLES:
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{path.name}?{_fingerprint(path)}">')
    texts = {"language": TAGS[t.language], "lost": [t("layout.lost"), t("layout.reconnecting")]}
    ui.add_head_html(f"<script>{_TRANSLATE % json.dumps(texts)}</script>")
    dark = ui.dark_mode({"1": True, "0": False}.get(request.cookies.get(DARK_COOKIE, "")))
    with div("fd-header", tag="header"):
        with div("fd-logo", tag="a", href="/"):
            raw_html(LOGO, "fd-row")
            text("flipdrop", tag="span")
        with div("fd-nav", tag="nav"):
            for name, target in NAVIGATION.items():
                with div("selected" if name == section else "", tag="a", href=target, test=f"nav-{name}"):
                    raw_html(icon_svg(name))
                    text(t(f"nav.{name}"), tag="span")
        with div("fd-tools"):
            for language, name in LANGUAGES.items():
                if language != t.language:
                    change = f"() => {{document.cookie = '{COOKIE}={language};{_COOKIE_OPTIONS}'; location.reload()}}"
                    Button(name, icon="language", kind="subtle", js=change, test=f"language-{language}")
            toggle = Button("", icon="dark", kind="subtle", hint=t("layout.dark"), test="dark")
            toggle.on("click", lambda event: dark.set_value(event.args is True), js_handler=_TOGGLE_DARK)
    with div("fd-main"):
        yield t


@cache
def _fingerprint(path: Path) -> str:
    """Changes with the file, so that browsers never use an outdated copy."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]

"""The layout of every page: style sheets, and the header with navigation, language and theme."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cache, partial
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
    "puzzles": "/puzzles",
    "watch": "/watch",
    "arena": "/arena",
    "learning": "/learning",
    "experiments": "/experiments",
}

_sections: dict[str, str] = {}

DARK_COOKIE = "flipdrop-dark"
"""``1`` for the dark theme, ``0`` for the light one; without it the system decides."""

_CONTENT = "content"  # the target of the link that skips the header
_YEAR = 31_536_000  # seconds
RESPONSE_TIMEOUT = 30.0
"""Seconds to make a page that reads the store, on a machine whose cores are all busy."""
COOKIE_OPTIONS = f"path=/;max-age={_YEAR};samesite=lax"
_TOGGLE_DARK = (
    "() => {const dark = !document.body.classList.contains('body--dark');"
    f"document.cookie = '{DARK_COOKIE}=' + (dark ? 1 : 0) + ';{COOKIE_OPTIONS}'; emit(dark)}}"
)
# Sets the language for screen readers, and translates NiceGUI's own texts about a lost connection.
_TRANSLATE = (
    "{const texts = %s; document.documentElement.lang = texts.language;"
    "addEventListener('DOMContentLoaded', () => document.querySelectorAll('#popup span').forEach("
    "(span, i) => span.textContent = texts.lost[i]))}"
)

_HELP_KEY = (
    "addEventListener('keydown', (event) => {const at = document.activeElement;"
    "const writes = at && /INPUT|TEXTAREA|SELECT/.test(at.tagName);"
    "if (event.key === '?' && !writes && !document.querySelector('.q-dialog'))"
    "document.querySelector('[data-test=help]').click()})"
)


def mount(*, has_class: bool = False) -> None:
    """Serves the style sheets.

    :param has_class: whether the navigation has the section of the class
    """
    if has_class:
        _sections.update({"class": "/class", **NAVIGATION})
    else:
        _sections.update(NAVIGATION)
    for path in STYLES:
        app.add_static_file(local_file=path, url_path=f"/static/{path.name}", max_cache_age=_YEAR)


@contextmanager
def page_layout(request: Request, *, section: str, title: str = "", heading: bool = False) -> Iterator[Translator]:
    """Puts the elements made inside below the header; yields the translator of the request's language.

    :param section: a key of `NAVIGATION`; empty for none
    :param title: of the browser's window, before the section's name
    :param heading: whether screen readers get the section's name as the heading of a page that shows none
    """
    t = Translator.for_request(request)
    ui.page_title(" · ".join(part for part in (title, t.get(f"nav.{section}", ""), "flipdrop") if part))
    for path in STYLES:
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{path.name}?{_fingerprint(path)}">')
    texts = {"language": TAGS[t.language], "lost": [t("layout.lost"), t("layout.reconnecting")]}
    ui.add_head_html(f"<script>{_TRANSLATE % json.dumps(texts)}{_HELP_KEY}</script>")
    dark = ui.dark_mode({"1": True, "0": False}.get(request.cookies.get(DARK_COOKIE, "")))
    text(t("layout.skip"), "fd-skip-link", tag="a", href=f"#{_CONTENT}", test="skip")
    with div("fd-header", tag="header"):
        with div("fd-logo", tag="a", href="/"):
            raw_html(LOGO, "fd-row")
            text("flipdrop", tag="span")
        with div("fd-nav", tag="nav", aria_label=t("layout.nav")):
            for name, target in _sections.items():
                current = "page" if name == section else ""
                with div("selected" if current else "", tag="a", href=target, aria_current=current, test=f"nav-{name}"):
                    raw_html(icon_svg(name))
                    text(t(f"nav.{name}"), tag="span")
        with div("fd-tools"):
            for language, name in LANGUAGES.items():
                if language != t.language:
                    change = f"() => {{document.cookie = '{COOKIE}={language};{COOKIE_OPTIONS}'; location.reload()}}"
                    Button(name, icon="language", kind="subtle", js=change, test=f"language-{language}")
            Button("", partial(_show_help, t, section), icon="help", kind="subtle", hint=t("layout.help"), test="help")
            toggle = Button("", icon="dark", kind="subtle", hint=t("layout.dark"), test="dark")
            toggle.on("click", lambda event: dark.set_value(event.args is True), js_handler=_TOGGLE_DARK)
    with div("fd-main"):
        raw_html(f'<span id="{_CONTENT}" tabindex="-1"></span>')
        if heading:
            text(t(f"nav.{section}"), "fd-hidden", tag="h1")
        yield t


def _show_help(t: Translator, section: str) -> None:
    from flipdrop.interface.web.pages.help_dialog import show_help

    show_help(t, section)


@cache
def _fingerprint(path: Path) -> str:
    """Changes with the file, so that browsers never use an outdated copy."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]

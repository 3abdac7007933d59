"""What surrounds every page: the header with navigation, language, day and night; and the style sheet."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import app, ui

from flipdrop.interface.web.i18n import COOKIE, LANGUAGES, TAGS, Translator
from flipdrop.interface.web.pages.icons import LOGO, icon
from flipdrop.interface.web.pages.widgets import Button, div, raw_html, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

STYLES = sorted((Path(__file__).parent.parent / "static").glob("style*.css"))
NAVIGATION = {
    "play": "/",
    "analyse": "/analyse",
    "watch": "/watch",
    "arena": "/arena",
    "learning": "/learning",
    "experiments": "/experiments",
}
"""The pages in the navigation, and where they are."""

DARK_COOKIE = "flipdrop-dark"
"""``1`` for night, ``0`` for day; without it the system decides."""

_YEAR = 31_536_000  # seconds
_KEEP = f"path=/;max-age={_YEAR};samesite=lax"
_TURN = (
    "() => {const dark = !document.body.classList.contains('body--dark');"
    f"document.cookie = '{DARK_COOKIE}=' + (dark ? 1 : 0) + ';{_KEEP}'; emit(dark)}}"
)


# NiceGUI's own texts, and what language readers aloud should use.
_SPEAK = (
    "{const said = %s; document.documentElement.lang = said.language;"
    "addEventListener('DOMContentLoaded', () => document.querySelectorAll('#popup span').forEach("
    "(span, i) => span.textContent = said.lost[i]))}"
)


def mount() -> None:
    """Serves the style sheets."""
    for path in STYLES:
        app.add_static_file(local_file=path, url_path=f"/static/{path.name}", max_cache_age=_YEAR)


@contextmanager
def page_layout(request: Request, t: Translator, *, section: str, title: str = "") -> Iterator[None]:
    """The frame of a page; what is made inside stands in it.

    :param section: of the navigation, a key of `NAVIGATION`
    :param title: of the browser's window, besides the name of the place
    """
    ui.page_title(" · ".join(part for part in (title, t(f"nav.{section}"), "flipdrop") if part))
    for path in STYLES:
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{path.name}?{_fingerprint(path)}">')
    ui.add_head_html(f"<script>{_SPEAK % json.dumps(_spoken(t))}</script>")
    dark = ui.dark_mode({"1": True, "0": False}.get(request.cookies.get(DARK_COOKIE, "")))
    with div("fd-header", tag="header"):
        logo = div("fd-logo fd-plain", tag="a")
        logo._props["href"] = "/"
        with logo:
            raw_html(LOGO, "fd-row")
            text("flipdrop", tag="span")
        with div("fd-nav", tag="nav"):
            for place, target in NAVIGATION.items():
                link = div("selected" if place == section else "", tag="a")
                link._props |= {"href": target, "data-test": f"nav-{place}"}
                with link:
                    raw_html(icon(place))
                    text(t(f"nav.{place}"), tag="span")
        with div("fd-tools"):
            _language(t)
            turn = Button("", icon="dark", kind="subtle", hint=t("layout.dark"), test="dark")
            turn.on("click", lambda event: dark.set_value(event.args is True), js_handler=_TURN)
    with div("fd-main"):
        yield


def _spoken(t: Translator) -> dict[str, Any]:
    return {"language": TAGS[t.language], "lost": [t("layout.lost"), t("layout.reconnecting")]}


def _language(t: Translator) -> None:
    """A button that changes to the other language."""
    for language, name in LANGUAGES.items():
        if language != t.language:
            change = f"() => {{document.cookie = '{COOKIE}={language};{_KEEP}'; location.reload()}}"
            Button(name, icon="language", kind="subtle", js=change, test=f"language-{language}")


@cache
def _fingerprint(path: Path) -> str:
    """Changes with the file, so that browsers never show an old one."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]

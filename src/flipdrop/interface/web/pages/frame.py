"""What surrounds every page: the header with navigation, language, day and night; and the style sheet."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import app, ui

from flipdrop.interface.web.pages.icons import LOGO, icon
from flipdrop.interface.web.pages.parts import Button, box, drawing, text
from flipdrop.interface.web.pages.words import COOKIE, LANGUAGES, TAGS, Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

STYLES = sorted(Path(__file__).parent.parent.glob("style*.css"))
PLACES = {
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
        app.add_static_file(local_file=path, url_path=f"/{path.name}", max_cache_age=_YEAR)


@contextmanager
def frame(request: Request, words: Words, *, here: str, title: str = "") -> Iterator[None]:
    """The frame of a page; what is made inside stands in it.

    :param here: the place in the navigation, a key of `PLACES`
    :param title: of the browser's window, besides the name of the place
    """
    ui.page_title(" · ".join(part for part in (title, words(f"nav.{here}"), "flipdrop") if part))
    for path in STYLES:
        ui.add_head_html(f'<link rel="stylesheet" href="/{path.name}?{_fingerprint(path)}">')
    ui.add_head_html(f"<script>{_SPEAK % json.dumps(_spoken(words))}</script>")
    dark = ui.dark_mode({"1": True, "0": False}.get(request.cookies.get(DARK_COOKIE, "")))
    with box("fd-header", tag="header"):
        logo = box("fd-logo fd-plain", tag="a")
        logo._props["href"] = "/"
        with logo:
            drawing(LOGO, "fd-row")
            text("flipdrop", tag="span")
        with box("fd-nav", tag="nav"):
            for place, target in PLACES.items():
                link = box("here" if place == here else "", tag="a")
                link._props |= {"href": target, "data-test": f"nav-{place}"}
                with link:
                    drawing(icon(place))
                    text(words(f"nav.{place}"), tag="span")
        with box("fd-tools"):
            _language(words)
            turn = Button("", icon="dark", kind="quiet", hint=words("frame.dark"), test="dark")
            turn.on("click", lambda event: dark.set_value(event.args is True), js_handler=_TURN)
    with box("fd-main"):
        yield


def _spoken(words: Words) -> dict[str, Any]:
    return {"language": TAGS[words.language], "lost": [words("frame.lost"), words("frame.reconnecting")]}


def _language(words: Words) -> None:
    """A button that changes to the other language."""
    for language, name in LANGUAGES.items():
        if language != words.language:
            change = f"() => {{document.cookie = '{COOKIE}={language};{_KEEP}'; location.reload()}}"
            Button(name, icon="language", kind="quiet", js=change, test=f"language-{language}")


@cache
def _fingerprint(path: Path) -> str:
    """Changes with the file, so that browsers never show an old one."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]

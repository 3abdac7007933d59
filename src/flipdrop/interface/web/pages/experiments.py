"""The page of the experiments: their report, from the results in the store or from the published ones.

`flipdrop.experiments` writes the report, a page of its own at ``/experiments/report``, which is shown in a frame here.
That package is imported with the first request.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from fastapi.responses import HTMLResponse
from nicegui import app, ui

import flipdrop
from flipdrop.errors import FlipdropError, LearningError
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.layout import DARK_COOKIE, RESPONSE_TIMEOUT, page_layout
from flipdrop.interface.web.pages.widgets import Button, ErrorBanner, card, div, text
from flipdrop.interface.web.report_translation import translate_report

if TYPE_CHECKING:
    from flipdrop.experiments.experiment import Results

PUBLISHED = (
    Path(flipdrop.__file__).parent / "experiments" / "data",
    Path(flipdrop.__file__).parents[2] / "docs" / "experiments",
)
"""Folders of the published results: in the package, or in its source tree."""

# The server forbids frames of its pages on any site, so the script puts the report into the frame as text.
_FETCH = (
    "fetch('/experiments/report').then((answer) => answer.text())"
    ".then((page) => {const frame = getHtmlElement(ID); if (frame) frame.srcdoc = page})"
    ".catch(() => undefined)"  # the page was left before the report was there
)
# The event also comes for the empty frame. Links to sections would load the frame's base URL into the frame.
# On a phone the frame is as high as the report, so that only the page scrolls.
_LOADED = (
    "(event) => {const frame = event.target; if (!frame.srcdoc) return; emit();"
    "const page = frame.contentDocument;"
    "page.addEventListener('click', (click) => {const link = click.target.closest('a[href^=\"#\"]'); if (!link) return;"
    "click.preventDefault(); const section = page.getElementById(link.hash.slice(1)); if (!section) return;"
    "section.style.scrollMarginTop = '64px'; section.scrollIntoView()});"
    "const space = 2 * parseFloat(getComputedStyle(page.body).marginTop) + 40;"
    "if (innerWidth <= 860) new ResizeObserver("
    "() => frame.style.height = `${page.body.offsetHeight + space}px`).observe(page.body)}"
)
_PREFERS = re.compile(r"\(prefers-color-scheme:\s*dark\)")


@dataclass
class Report:
    """The report, cached until the results change.

    :param store: the file of games and results
    :param published: folders that may hold published results; the first that does is read
    """

    store: Path
    published: tuple[Path, ...] = PUBLISHED

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._cached: tuple[object, str] | None = None

    def results(self) -> tuple[dict[str, Results], bool]:
        """Results by experiment, and whether any are the store's own; published results fill the gaps."""
        from flipdrop.arena.store import Store
        from flipdrop.experiments.catalogue import experiments
        from flipdrop.experiments.experiment import SEED, SIZES
        from flipdrop.experiments.results_io import read_results
        from flipdrop.experiments.running import stored_results

        path = self._published_file("results.json")
        found = {} if path is None else read_results(path.read_text(encoding="utf-8"), path.name)
        own = False
        with Store(self.store) as store:
            for one in experiments().values():
                for size in SIZES[::-1]:  # full results if there are any
                    try:
                        of = stored_results(one, store, size=size, seed=SEED)
                    except LearningError:  # its learners need an extra that is not installed
                        break
                    if of is not None:
                        if one.name not in found or size == "full":
                            found[one.name] = of
                            own = True
                        break
        return found, own

    def _published_file(self, name: str) -> Path | None:
        return next((folder / name for folder in self.published if (folder / name).is_file()), None)

    def html(self) -> str | None:
        """The page; None without results. Takes seconds: call it off the event loop."""
        from flipdrop.experiments.catalogue import experiments
        from flipdrop.experiments.pages import content_of, html

        with self._lock:
            results, own = self.results()
            if not results:
                return None
            if not own and (page := self._published_file("results.html")) is not None:
                return page.read_text(encoding="utf-8")
            if self._cached is None or self._cached[0] != results:
                self._cached = results, html(content_of(experiments().values(), results))
            return self._cached[1]


def mount(store: Path) -> None:
    """Serves the report.

    :param store: the file of games and results
    """
    report = Report(store)

    @app.get("/experiments/report", include_in_schema=False)
    async def report_page(request: Request) -> HTMLResponse:
        page = await asyncio.to_thread(report.html)
        if page is None:
            return HTMLResponse("", 404)
        language = Translator.for_request(request).language
        page = await asyncio.to_thread(translate_report, page, language)
        return HTMLResponse(with_theme(page, request.cookies.get(DARK_COOKIE)))

    @ui.page("/experiments", response_timeout=RESPONSE_TIMEOUT)
    async def experiments_page(request: Request) -> None:
        with page_layout(request, section="experiments") as t:
            try:
                found = await asyncio.to_thread(report.results)
            except FlipdropError as error:
                with card():
                    ErrorBanner(t).show(error)
                return
            results, own = found
            with div("fd-page-header"):
                text(t("nav.experiments"), "fd-title", tag="h1")
                if results:
                    text(t("experiments.of_store" if own else "experiments.of_docs"), "fd-pill")
                    with div("buttons"):
                        target = "/experiments/report"
                        Button(t("experiments.alone"), href=target, icon="link", test="report-new-tab")
                text(t("experiments.lead"), "subtitle")
            if not results:
                with card():
                    text(t("experiments.none"), "fd-empty-list")
                return
            waiting = text(t("experiments.making"), "fd-empty-list")
            page = div("fd-report", tag="iframe", test="report", title=t("nav.experiments"))
            page.on("load", lambda _: waiting.set_visibility(False), js_handler=_LOADED)
            await ui.context.client.connected()
            ui.run_javascript(_FETCH.replace("ID", str(page.id)))


def with_theme(page: str, dark: str | None) -> str:
    """The page in the theme that the user chose; without a choice, the browser's preference decides.

    >>> with_theme("@media (prefers-color-scheme: dark) {}", "1")
    '@media all {}'
    """
    if dark not in ("0", "1"):
        return page
    return _PREFERS.sub("all" if dark == "1" else "not all", page)

"""What a real browser sees of the page: Chromium, by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import CDPSession, Page, Request, sync_playwright

_BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

# Clicks one of the legal cells; the milliseconds until the frame in which its disc is drawn.
_CLICK = """
() => new Promise((resolve) => {
  const hits = document.querySelectorAll("rect.fd-hit.can[data-move]");
  const hit = hits[Math.floor(hits.length / 2)];
  const cell = hit.dataset.cell;
  const svg = hit.closest("svg");
  const began = performance.now();
  const watcher = new MutationObserver(() => {
    if (!svg.querySelector(`rect.fd-hit[data-cell="${cell}"]`).dataset.disc) return;
    watcher.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  });
  watcher.observe(svg, { subtree: true, attributes: true, childList: true });
  hit.dispatchEvent(new MouseEvent("click", { bubbles: true }));
})
"""


@contextmanager
def _page() -> Iterator[Page]:
    path = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    assert path is not None, f"no browser; install one of {', '.join(_BROWSERS)}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser.new_page()
        finally:
            browser.close()


def first_load(address: str) -> tuple[float, int]:
    """Megabytes that the first visit takes over the wire, and in how many requests."""
    finished: list[Request] = []
    with _page() as page:
        page.on(
            "requestfinished", lambda request: finished.append(request)
        )  # Playwright marks it, which append does not allow
        page.goto(address)
        page.wait_for_selector("rect.fd-hit")
        page.wait_for_load_state("networkidle")
        sizes = [request.sizes() for request in finished]
    total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    return total / 1e6, len(sizes)


def renderer_seconds(address: str) -> float:
    """Processor seconds that the page's process takes until the board of a first visit can be used."""
    with _page() as page:
        browser = page.context.browser
        assert browser is not None
        session = browser.new_browser_cdp_session()
        before = _renderers(session)
        page.goto(address)
        page.wait_for_selector("rect.fd-hit.can[data-move]", state="attached")
        after = _renderers(session)
    return sum(after.values()) - sum(before.get(id_, 0.0) for id_ in after)


def _renderers(session: CDPSession) -> dict[int, float]:
    """Processor seconds of the processes of pages."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return {process["id"]: process["cpuTime"] for process in processes if process["type"] == "renderer"}


def clicks(address: str, count: int) -> list[float]:
    """Seconds from each of some clicks until its disc is seen, in a game of two people."""
    found = []
    with _page() as page:
        page.goto(address)
        for _ in range(count + 1):
            page.wait_for_selector("rect.fd-hit.can[data-move]", state="attached")
            page.wait_for_timeout(400)  # the last discs have turned
            found.append(float(page.evaluate(_CLICK)) / 1000)
    return found[1:]  # the first one loads what the others find

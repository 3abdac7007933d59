"""One server and one browser for all browser tests of a worker.

Both end with the last test of this package: Playwright keeps an event loop running in the thread, so that other tests
could not run their own.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import ViewportSize, expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
BLANK = "/static/style.css"  # of the same server, so that the window keeps its process
TIMEOUT = 20_000  # ms, for a busy machine
expect.set_options(timeout=TIMEOUT)

# uvicorn logs a traceback for a request that is still being answered two seconds after the server's stop signal, as
# happens on a busy machine; no other traceback is allowed.
CANCELLED = re.compile(
    r"ERROR: +Exception in ASGI application\n(?:(?!Exception in ASGI application).)*?"
    r"CancelledError: Task cancelled, timeout graceful shutdown exceeded\n",
    re.DOTALL,
)


FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; the hook is called with those of all folders."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass
class Server:
    """A running server: `address` without a slash at the end, and the `link` that it printed."""

    address: str
    log: Path
    store: Path
    client: httpx.Client
    link: str

    def new_session(self, **wanted: Any) -> str:
        """Creates a session by the API and returns its id."""
        answer = self.client.post("/api/sessions", json=wanted)
        answer.raise_for_status()
        return str(answer.json()["id"])

    def view(self, session: str) -> dict[str, Any]:
        """The view of a session, by the API."""
        found: dict[str, Any] = self.client.get(f"/api/sessions/{session}").json()
        return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[Server]:
    """A server with its data in a folder; a traceback in its log is an error."""
    log, store = folder / "log.txt", folder / "store.db"
    port = free_port()
    command = [sys.executable, "-m", "flipdrop", "serve", "--no-open", "--port", str(port), "--store", str(store)]
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
    environment.pop("PYTEST_CURRENT_TEST", None)  # NiceGUI would take itself for a part of the test
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        with process, process.stdout:
            try:
                line = process.stdout.readline()
                assert "flipdrop is at" in line, log.read_text()
                address = f"http://127.0.0.1:{port}"
                with httpx.Client(base_url=address, timeout=20) as client:
                    yield Server(address, log, store, client, line.split()[-1])
            finally:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
    written = CANCELLED.sub("", log.read_text())
    assert "Traceback" not in written, written


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail(f"none of {', '.join(BROWSERS)} is installed; on Debian: apt-get install chromium", pytrace=False)
    with sync_playwright() as playwright:
        # Without a sandbox, which containers often lack; only pages of this server are opened.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def contexts(browser: Browser, server: Server) -> Iterator[Callable[[bool, str], BrowserContext]]:
    """Profiles of the browser, kept so that scripts and styles are fetched once."""
    made: dict[tuple[bool, str], BrowserContext] = {}

    def context_of(phone: bool, language: str) -> BrowserContext:
        if (phone, language) not in made:
            context = browser.new_context(
                viewport=PHONE if phone else DESKTOP,
                has_touch=phone,
                is_mobile=phone,
                locale=language,
                base_url=server.address,
                reduced_motion="reduce",
            )
            context.set_default_timeout(TIMEOUT)
            made[phone, language] = context
        return made[phone, language]

    yield context_of
    for context in made.values():
        context.close()


@pytest.fixture
def open_page(contexts: Callable[[bool, str], BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens pages of the server; a script that fails there fails the test.

    The windows of tests before are used again: one that has shown pages of the server has their scripts ready, which
    takes a new one longer than most tests.
    """
    pages: list[Page] = []
    failures: list[str] = []

    def failed(error: Error) -> None:
        failures.append(str(error))

    def said(message: ConsoleMessage) -> None:
        if message.type == "error":
            failures.append(message.text)

    def open_(path: str = "/", *, phone: bool = False, language: str = "en-GB") -> Page:
        context = contexts(phone, language)
        page = next((page for page in context.pages if page not in pages), None) or context.new_page()
        pages.append(page)
        page.on("pageerror", failed)
        page.on("console", said)
        page.goto(path)
        return page

    yield open_
    for page in pages:
        page.remove_listener("pageerror", failed)
        page.remove_listener("console", said)
        page.context.clear_cookies()
        page.goto(BLANK)  # ends the searches of the page
    assert not failures, failures

"""Access: axe-core's rules on every page in both themes, the board by keyboard and screen reader, reduced motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from tests.interface.web.browser.conftest import BLANK

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.interface.web.browser.conftest import Server

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
_RUN = "axe.run(document, {resultTypes: ['violations']})"
PAGES = (
    "/",
    "/?game=connect4:9x8&against=iterative:depth=3",
    "/watch",
    "/puzzles?game=connect4",
    "/analyse/othello?position=f5d6c3d3c4",
    "/analyse/connect4?position=1122334&review=1",
    "/arena",
    "/learning",
    "/experiments",
    "/docs/glossary.md",
)


def violations(page: Page) -> list[str]:
    """The findings of axe-core on a page."""
    page.evaluate(AXE)
    found = page.evaluate(_RUN)["violations"]
    return [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


@pytest.fixture(scope="module")
def visited(server: Server) -> list[str]:
    """Paths of the pages about sessions and events, besides those that always exist."""
    othello = server.new_session(game="othello", second="level:1", position="f5d6c3d3")
    won = server.new_session(game="connect4", second="level:1", position="1212121")
    watched = server.new_session(game="othello", first="level:1", second="level:2", paused=True)
    job = server.client.post(
        "/api/jobs", json={"kind": "match", "game": "othello4", "first": "greedy", "second": "random", "games": 10}
    ).json()["id"]
    return [f"/play/{othello}", f"/play/{won}", f"/watch/{watched}", f"/arena/{job}"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe(open_page: Callable[..., Page], visited: list[str], theme: str) -> None:
    page = open_page(BLANK)
    page.evaluate(f"document.cookie = 'flipdrop-dark={int(theme == 'dark')};path=/'")
    found = {}
    for path in (*PAGES, *visited):
        page.goto(path)
        page.wait_for_selector("h1", state="attached")
        assert page.locator("h1").count() == 1, path
        page.wait_for_selector(f"body.body--{theme}")
        found[path] = violations(page)
    assert {path: rules for path, rules in found.items() if rules} == {}


def test_screen_reader(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(f"/play/{server.new_session(game='othello', second='level:1')}")
    page.wait_for_selector(".fd-board.active")
    expect(page.locator('[data-cell="27"]')).to_have_attribute("aria-label", "d4 White")
    expect(page.locator('[data-cell="0"]')).to_have_attribute("aria-label", "a1 empty")
    expect(page.get_by_role("button", name="f5 empty, Play f5")).to_have_count(1)
    page.keyboard.type("f5")
    page.wait_for_function("document.querySelectorAll('[data-test=moves] button').length === 2")
    status = page.get_by_role("status")
    expect(status).to_contain_text("Level 1 plays ")
    expect(status).to_contain_text("1 disc flipped. Your turn")
    page.goto("/?game=connect4")
    expect(page.locator('[data-cell="38"]')).to_have_attribute("aria-label", "column 4, row 1 empty, Play 4")


def test_board_by_tab(open_page: Callable[..., Page], server: Server) -> None:
    session = server.new_session(game="othello", second="level:1")
    page = open_page(f"/play/{session}")
    page.wait_for_selector(".fd-board.active")
    page.keyboard.press("Tab")
    expect(page.locator('[data-test="skip"]')).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator('[data-cell="36"]')).to_be_focused()  # e5, in the middle
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-cell="37"]')).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-cell="37"][data-disc="first"]')
    page.goto("/watch")
    page.wait_for_selector(".fd-board svg")
    assert page.locator('.fd-board [tabindex="0"]').count() == 1


def test_help(open_page: Callable[..., Page]) -> None:
    page = open_page("/arena")
    page.wait_for_selector('[data-test="begin"]')
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    for term in ("Elo difference", "Likelihood of superiority", "SPRT", "random:8", "Ctrl+Z"):
        expect(dialog).to_contain_text(term)
    assert violations(page) == []
    target = dialog.get_by_role("link").first.get_attribute("href")
    page.click('[data-test="help-close"]')
    expect(dialog).to_have_count(0)
    page.fill('[data-test="games"]', "10")
    page.locator('[data-test="games"]').press("?")  # is typed
    expect(dialog).to_have_count(0)
    page.goto(str(target))
    expect(page.locator("h1")).to_have_text("Glossary")
    for section, term in (("learning", "TD(λ)"), ("analyse", "Seven"), ("", "Levels")):
        page.goto(f"/{section}")
        page.click('[data-test="help"]')
        expect(dialog).to_contain_text(term)


def test_reduced_motion(open_page: Callable[..., Page], server: Server) -> None:
    """The pages of the tests ask for reduced motion: then nothing moves, not even for a moment."""
    page = open_page(f"/play/{server.new_session(game='connect4', position='121212')}")
    page.wait_for_selector(".fd-board.active")
    page.evaluate("window.seen = 0; document.addEventListener('animationstart', () => window.seen += 1, true)")
    page.keyboard.type("1")
    page.wait_for_selector(".fd-line circle")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate("window.seen") == 0
    page.goto(f"/play/{server.new_session(game='othello')}")
    page.wait_for_selector(".fd-board.active")
    page.keyboard.type("f5")
    page.wait_for_selector('[data-cell="37"][data-disc="first"]')
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".fd-turning:visible").count() == 0

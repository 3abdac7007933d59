"""All pages: layout on a phone, Chinese texts, cookies of language and theme, size of the first load."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.interface.web.browser.boards import click_cell
from tests.interface.web.browser.conftest import BLANK

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.interface.web.browser.conftest import Server

# Names that are the same in every language: of the product, of languages, of notations, of kinds of search and players.
NAMES = {
    "flipdrop",
    "English",
    "GGF",
    "MCTS",
    "Alpha",
    "Beta",
    "SPRT",
    "Elo",
    "Seven",
    "Sarsa",
    "greedy",
    "random",
    "CMA",
}


def test_phone(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(BLANK, phone=True)
    for path in ("/", "/?game=connect4:12x12", "/watch", "/analyse/connect4?position=44"):
        page.goto(path)
        page.wait_for_selector(".fd-board svg")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        board = page.locator(".fd-board svg").bounding_box()
        assert board is not None
        assert board["width"] > 330, path  # of 390 pixels
        assert board["y"] + board["height"] < 844 - 60, path  # all of it above the navigation
        expect(page.locator('[data-test="nav-arena"]')).to_be_in_viewport()
        # Nothing is too small for a finger.
        heights = "(all) => all.filter((it) => it.offsetParent).map((it) => it.getBoundingClientRect().height)"
        assert min(page.eval_on_selector_all("button:not(.fd-switch), .fd-button", heights)) >= 28, path
    page.goto(f"/play/{server.new_session(game='connect4', second='random')}")
    page.wait_for_selector(".fd-board.active")
    page.tap('[data-cell="3"]')
    page.wait_for_selector('[data-cell="38"][data-disc="first"]')
    page.wait_for_function("document.querySelectorAll('[data-disc=second]').length === 1")


# Elements that stand out of their card or of the window, with their texts.
OUTSIDE = """
() => [...document.querySelectorAll('.fd-card')].flatMap((card) => {
  const frame = card.getBoundingClientRect();
  return [...card.querySelectorAll('button, a, input, select, span, p, td')].filter((one) => {
    const box = one.getBoundingClientRect();
    const scrolls = one.closest('.fd-scroll-x, .fd-tabs, .fd-tree');
    return !scrolls && box.width && (box.right > frame.right + 1 || box.left < frame.left - 1);
  }).map((one) => `${one.dataset.test ?? one.className}: ${one.textContent.slice(0, 40)}`);
}).concat(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page scrolls'] : [])
"""


@pytest.mark.parametrize("phone", [False, True])
def test_nothing_stands_out_of_its_card(open_page: Callable[..., Page], server: Server, phone: bool) -> None:
    settings = {"kind": "tournament", "game": "connect4:5x4", "players": ["random", "greedy", "level:1"], "games": 2}
    job = server.client.post("/api/jobs", json=settings).json()["id"]
    session = server.new_session(game="othello", second="level:1", position="f5d6c3d3")
    won = server.new_session(game="connect4", second="level:1", position="1212121")
    page = open_page(BLANK, phone=phone)
    before = page.viewport_size
    assert before is not None
    found = {}
    for path in (
        *("/", "/watch", f"/play/{session}", f"/play/{won}", "/puzzles?game=connect4"),
        *("/analyse/othello?position=f5d6c3d3c4", "/analyse/connect4?position=4445&method=level:3"),
        *("/arena", f"/arena/{job}", "/learning", "/experiments"),
    ):
        page.goto(path)
        page.wait_for_selector("h1", state="attached")
        if path == f"/arena/{job}":
            page.wait_for_selector('[data-test="game"]')
        for width in (390,) if phone else (1280, 1100):
            page.set_viewport_size({"width": width, "height": before["height"]})
            found[path, width] = page.evaluate(OUTSIDE)
    page.set_viewport_size(before)
    assert {place: names for place, names in found.items() if names} == {}


def test_chinese_games(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(BLANK, language="zh-CN")
    for path in ("/?game=connect4", "/watch", "/analyse/othello?position=f5d6"):
        page.goto(path)
        page.wait_for_selector(".fd-board svg")
        expect(page.locator('[data-test="nav-play"]')).to_have_text("对弈")
        assert english_on(page) == set(), path
    for panel in ("evaluation", "tree", "review"):
        page.click(f'[data-test="panels"] [data-value="{panel}"]')
        page.wait_for_selector(f'[data-value="{panel}"].selected')
        assert english_on(page) == set(), panel
    page.goto(f"/play/{server.new_session(game='othello', second='level:1')}")
    click_cell(page, 37)
    page.wait_for_function("document.querySelectorAll('[data-test=moves] button').length === 2")
    expect(page.locator('[data-test="status"]')).to_have_text("轮到你了")
    assert english_on(page) == set()


def test_chinese_arena_and_learning(open_page: Callable[..., Page]) -> None:
    page = open_page(BLANK, language="zh-CN")
    for path in ("/arena", "/learning", "/experiments"):
        page.goto(path)
        expect(page.locator("h1")).to_have_text(re.compile("[一-龥]"))
        assert english_on(page) == set(), path
        for form in page.locator('[data-test="form"] button').all()[1:]:
            form.click()
            expect(form).to_have_class("selected")
            assert english_on(page) == set(), path


def english_on(page: Page) -> set[str]:
    """Visible words in Latin letters, except names, moves and the like."""
    seen = page.evaluate("document.body.innerText")
    # Names of players who met in other tests, such as q-othello4.
    for row in page.locator('[data-test="event"]').locator(".title, .right").all_inner_texts():
        seen = seen.replace(row, "")
    # Openings have English names.
    for name in page.locator('[data-test="opening"]').all_inner_texts():
        seen = seen.replace(name.partition("：")[2], "")
    hints = [
        hint
        for name in ("title", "aria-label", "placeholder")
        for hint in page.eval_on_selector_all(f"[{name}]", f"(all) => all.map((it) => it.getAttribute('{name}'))")
    ]
    # What describes a player or a move is notation in every language: mcts:iterations=2000, level:8. So are commands.
    notation = r"\w+:\w+(=\w+)?|flipdrop( -{0,2}[a-z]+)+"
    without_notation = re.sub(notation, "", " ".join([seen, *hints]), flags=re.ASCII)
    return set(re.findall(r"[A-Za-z]{3,}", without_notation)) - NAMES


def test_language_and_theme_cookies(open_page: Callable[..., Page]) -> None:
    page = open_page("/watch")
    page.click('[data-test="language-zh"]')
    page.wait_for_selector('[data-test="language-en"]')
    page.goto("/")
    expect(page.locator('[data-test="start"]')).to_have_text("开始对局")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click('[data-test="dark"]')
    page.wait_for_selector("body.body--dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.reload()
    page.wait_for_selector("body.body--dark")


def test_first_load(open_page: Callable[..., Page]) -> None:
    """The bytes of a first visit, as the browser counts them."""
    page = open_page("/", language="de-DE")  # a profile of its own: nothing is in its cache
    page.wait_for_selector(".fd-board svg")
    fetched = page.evaluate("performance.getEntriesByType('resource').reduce((sum, it) => sum + it.transferSize, 0)")
    hosts = page.evaluate("[...new Set(performance.getEntriesByType('resource').map((it) => new URL(it.name).host))]")
    assert 50_000 < fetched < 800_000
    assert hosts == [page.evaluate("location.host")]  # nothing comes from elsewhere

"""Watching two computers in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.interface.web.browser.boards import cells_of, choose, click_cell, slide, wait_for_cells

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.interface.web.browser.conftest import Server

_MOVES = "document.querySelectorAll('[data-test=moves] button').length"


def test_watch_to_the_end(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/watch?game=connect4:4x4")
    page.click('[data-test="forbid"]')
    page.wait_for_selector(".fd-board.editing")
    click_cell(page, 0)
    page.wait_for_selector('[data-cell="0"][data-disc="forbidden"]')
    slide(page, "first-level", 2)
    choose(page, "second", "spec")
    page.fill('[data-test="second-spec"]', "random:seed=3")
    page.click('[data-test="start"]')
    page.wait_for_url("**/watch/*")
    slide(page, "speed", 9)
    page.wait_for_selector(".fd-status.result")
    view = server.view(page.url.rsplit("/", 1)[1])
    assert view["players"]["first"]["spec"] == "level:2"
    assert view["players"]["second"]["spec"] == "random:seed=3"
    assert view["game"] == "connect4:4x4,forbid=a4"
    assert view["over"]
    page.click('[data-test="review"]')
    page.wait_for_url("**/analyse/connect4*forbid*a4*position=*")


def test_pause_and_step(open_page: Callable[..., Page], server: Server) -> None:
    session = server.new_session(game="connect4", first="level:1", second="random", paused=True)
    page = open_page(f"/watch/{session}")
    wait_for_cells(page, "-" * 42)
    expect(page.locator('[data-test="status"]')).to_have_text("Paused")
    for moves in (1, 2, 3):
        page.click('[data-test="step-forward"]')
        page.wait_for_function(f"{_MOVES} === {moves}")
    after = cells_of(page)
    assert len(server.view(session)["moves"]) == 3
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("document.querySelectorAll('[data-disc=first], [data-disc=second]').length === 2")
    page.keyboard.press("ArrowRight")
    wait_for_cells(page, after)
    page.click('[data-test="pause"]')
    page.wait_for_function(f"{_MOVES} > 4")

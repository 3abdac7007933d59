"""Learning runs in a browser: started, followed, stopped, played against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.interface.web.browser.boards import choose
from tests.interface.web.browser.test_arena import TIMEOUT, wait_for_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


def test_evolve(open_page: Callable[..., Page]) -> None:
    page = open_page("/learning")
    choose(page, "form", "evolve")
    expect(page.locator('[data-test="evaluation"] option[value="D"]')).to_have_text("D: corners, edges, discs, moves")
    page.wait_for_selector('[data-test="population"]')  # the form before it chooses a size as well
    choose(page, "size", "4")
    page.fill('[data-test="population"]', "8")
    page.fill('[data-test="generations"]', "100000")
    page.locator('[data-test="seconds"]').select_option("14400")
    page.fill('[data-test="depth"]', "1")
    page.click('[data-test="begin"]')
    page.wait_for_url("**/learning/evolve-*")
    page.wait_for_selector('[data-test="curves"] polyline', state="attached", timeout=TIMEOUT)
    before = page.get_attribute('[data-test="curves"] polyline >> nth=-1', "points")
    newest = "[...document.querySelectorAll('[data-test=curves] polyline')].at(-1).getAttribute('points')"
    page.wait_for_function(f"before => {newest} !== before", arg=before)
    expect(page.locator('[data-test="weights"]')).to_contain_text("corners", timeout=TIMEOUT)
    expect(page.locator('[data-test="play-model"]')).to_be_hidden()
    page.click('[data-test="stop"]')
    wait_for_state(page, "stopped")
    expect(page.locator('[data-test="play-model"]')).to_be_visible()
    page.reload()
    expect(page.locator('[data-test="weights"] b')).to_have_count(6)
    page.goto("/learning")
    expect(page.locator('[data-test="run"]').first).to_contain_text("Genetic algorithm (tournament)")

    page.go_back()
    page.click('[data-test="play-model"]')
    choose(page, "side", "second")
    page.click('[data-test="start"]')
    page.wait_for_url("**/play/*")
    page.wait_for_selector('[data-test="moves"] button')
    expect(page.locator('[data-test="player-first"]')).to_contain_text("D-tournament-ga-othello4")


def test_learn_and_match(open_page: Callable[..., Page]) -> None:
    page = open_page("/learning")
    choose(page, "size", "4")
    choose(page, "rule", "q")
    page.locator('[data-test="seconds"]').select_option("3600")  # it learns until it is stopped
    page.click('[data-test="begin"]')
    page.wait_for_url("**/learning/learn-*")
    job = page.url.rsplit("/", 1)[1]
    page.wait_for_selector('[data-test="curves"] polyline', state="attached", timeout=TIMEOUT)
    choose(page, "over", "seconds")
    page.wait_for_selector('[data-test="curves"] polyline', state="attached")
    page.click('[data-test="stop"]')
    wait_for_state(page, "stopped")
    expect(page.locator('[data-test="play-model"]')).to_be_visible()

    page.goto("/arena?game=othello4")
    choose(page, "player-first", "spec")
    page.fill('[data-test="player-first-spec"]', f"learned:{job}")
    page.fill('[data-test="games"]', "10")
    page.click('[data-test="begin"]')
    page.wait_for_url("**/arena/match-*")
    wait_for_state(page, "ended")
    expect(page.locator("h1")).to_contain_text("q-othello4")

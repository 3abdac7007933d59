"""Matches and tournaments in a browser: started, followed to the end, stopped, replayed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.interface.web.browser.boards import choose

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

TIMEOUT = 200_000  # ms: starting a process takes long on a busy machine


def set_player(page: Page, side: str, spec: str) -> None:
    choose(page, f"player-{side}", "spec")
    page.fill(f'[data-test="player-{side}-spec"]', spec)


def wait_for_state(page: Page, state: str) -> None:
    page.wait_for_selector(f'[data-test="state"][data-state="{state}"]', timeout=TIMEOUT)


def test_match_and_replay(open_page: Callable[..., Page]) -> None:
    page = open_page("/arena")
    choose(page, "size", "4")
    set_player(page, "first", "greedy")
    set_player(page, "second", "random")
    page.fill('[data-test="games"]', "30")
    page.click('[data-test="begin"]')
    page.wait_for_url("**/arena/match-*")
    wait_for_state(page, "ended")
    expect(page.locator('[data-test="counts"]')).to_contain_text("won")
    counts = [int(count) for count in re.findall(r"\d+", page.inner_text('[data-test="counts"]'))]
    assert sum(counts) == 30
    points = [float(part) for part in page.inner_text('[data-test="points"]').split(":")]
    assert points == [counts[0] + counts[1] / 2, counts[2] + counts[1] / 2]
    assert re.fullmatch(r"0|[+−](\d+|∞)", page.inner_text('[data-test="elo"]'))
    expect(page.locator('[data-test="game"]')).to_have_count(30)

    for outcome, count in zip(("first", "draw", "second"), counts, strict=True):
        if count:
            page.click(f'[data-test="games-{outcome}"]')
            expect(page.locator('[data-test="game"]')).to_have_count(count)
    page.click('[data-test="games-all"]')
    expect(page.locator('[data-test="game"]')).to_have_count(30)

    for form, beginning in {"csv": b"game", "ggf": b"(;GM[Othello]"}.items():
        with page.expect_download() as saved:
            page.click(f'[data-test="event-{form}"]')
        content = saved.value.path().read_bytes()
        assert beginning in content[:80]
        assert content.count(b"\n") >= 30
    page.locator('[data-test="game"]').last.click()
    page.wait_for_url("**/arena/match-*/*/0")
    chosen = page.locator('[data-test="moves"] button.drawn')  # moves of the random opening
    expect(page.locator('[data-test="arena-opening"]')).to_contain_text(f"The first {chosen.count()} moves")
    assert chosen.count() > 0
    expect(page.locator('[data-test="replay-previous"]')).to_have_count(0)
    expect(page.locator('[data-test="replay-next"]')).to_have_attribute("href", re.compile(r"/1$"))
    expect(page.locator('[data-test="review"]')).to_have_attribute("href", re.compile(r"\?position=.*&review=1&"))
    review = str(page.get_attribute('[data-test="review"]', "href"))
    page.click('[data-test="step-last"]')
    expect(page.locator(".fd-status.result")).to_be_visible()
    page.click('[data-test="step-first"]')
    page.wait_for_function("document.querySelectorAll('[data-disc=first], [data-disc=second]').length === 4")
    page.click('[data-test="step-forward"]')
    page.wait_for_function("document.querySelectorAll('[data-disc=first], [data-disc=second]').length === 5")
    page.click('[data-test="analyse"]')
    page.wait_for_url("**/analyse/othello4?position=*")

    page.goto(review)  # names the players, and blames no one for the opening
    expect(page.locator('[data-test="name-first"]')).to_have_text("greedy")
    expect(page.locator('[data-test="name-second"]')).to_have_text("random")
    page.wait_for_selector('[data-test="review-start"]')  # it has ended
    assert page.locator('[data-test="moves"] button.drawn').count() > 0
    assert page.locator('[data-test="moves"] button.drawn .fd-mark').count() == 0
    page.wait_for_url("**first=greedy&second=random&opening=*")
    page.click('[data-test="tool-paste"]')  # another game has other players
    page.fill('[data-test="paste-text"]', "b1")
    page.click('[data-test="paste-load"]')
    page.wait_for_url("**/analyse/othello4?position=b1")

    page.goto("/arena")
    expect(page.locator('[data-test="event"]').first).to_contain_text("30 games")


def test_stop_and_delete_match(open_page: Callable[..., Page]) -> None:
    page = open_page("/arena")
    # Equal players, whose sequential test takes longest, and moves so slow that all games take hours.
    choose(page, "size", "6")
    set_player(page, "first", "mcts:seconds=0.05")
    set_player(page, "second", "mcts:seconds=0.051")
    page.fill('[data-test="games"]', "100000")
    page.locator('[data-test="sprt"]').select_option("-10,10")
    page.click('[data-test="begin"]')
    page.wait_for_url("**/arena/match-*")
    address = page.url
    page.goto("/")  # no page shows it now
    page.goto(address)
    page.wait_for_selector('[data-test="llr"]', timeout=TIMEOUT)
    wait_for_state(page, "running")
    page.click('[data-test="stop"]')
    wait_for_state(page, "stopped")
    page.wait_for_selector('[data-test="resume"]:visible')
    page.click('[data-test="delete"]')
    page.click('[data-test="delete-yes"]')
    page.wait_for_url("**/arena")


def test_tournament(open_page: Callable[..., Page]) -> None:
    page = open_page("/arena", phone=True, language="zh-CN")
    choose(page, "form", "tournament")
    page.wait_for_selector('[data-test="players"]')  # the match form has a size control as well
    choose(page, "size", "4")
    page.fill('[data-test="players"]', "random\ngreedy\nlevel:2\n")
    page.fill('[data-test="games"]', "4")
    page.click('[data-test="begin"]')
    page.wait_for_url("**/arena/tournament-*")
    wait_for_state(page, "ended")
    expect(page.locator('[data-test="standings"] tbody tr')).to_have_count(3)
    expect(page.locator('[data-test="game"]')).to_have_count(12)
    page.locator('[data-pair="0,2"]').click()
    expect(page.locator('[data-test="game"]')).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "排名" in page.inner_text("main")


def test_invalid_settings(open_page: Callable[..., Page]) -> None:
    page = open_page("/arena", language="zh-CN")
    set_player(page, "first", "my_agent.py:MyAgent")
    page.click('[data-test="begin"]')
    expect(page.locator(".q-notification__message")).to_contain_text("未知的棋手")
    expect(page.locator(".q-notification__caption")).to_contain_text("my_agent.py")
    assert page.url.endswith("/arena")
    page.goto("/arena/nothing-here")
    expect(page.locator("h2")).to_have_text("找不到此页面")
    page.goto(f"/arena/1/1/{10**30}")
    expect(page.locator("h2")).to_have_text("找不到此页面")


def test_ladder_of_a_board_without_one(open_page: Callable[..., Page]) -> None:
    page = open_page("/arena")
    choose(page, "form", "ladder")
    page.wait_for_selector('[data-test="opponents"]')
    expect(page.locator('[data-test="begin"]')).to_be_enabled()
    choose(page, "size", "6")
    expect(page.locator('[data-test="begin"]')).to_be_disabled()
    expect(page.locator(".fd-banner:visible")).to_contain_text("Othello 8×8")
    choose(page, "size", "8")
    expect(page.locator('[data-test="begin"]')).to_be_enabled()

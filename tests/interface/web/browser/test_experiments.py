"""The page of experiments in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from flipdrop.experiments.catalogue import experiments
from flipdrop.interface.web.i18n import Translator
from tests.interface.web.browser.test_arena import TIMEOUT
from tests.interface.web.pages.test_experiments import NAME, keep, made_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.interface.web.browser.conftest import Server


def test_experiments_page(open_page: Callable[..., Page], server: Server) -> None:
    keep(server.store, NAME, made_up(NAME, "full", 0.6))
    page = open_page("/experiments", phone=True)
    expect(page.locator("h1")).to_have_text("Experiments")
    expect(page.locator('[data-test="report-new-tab"]')).to_be_visible()
    report = page.frame_locator('[data-test="report"]').locator("body")
    expect(report).to_contain_text(experiments()[NAME].title, timeout=TIMEOUT)
    expect(page.get_by_text(Translator("en")("experiments.making"))).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The frame is as high as the report, and links of its contents go to their sections.
    inside = report.evaluate("(body) => body.offsetHeight")
    page.wait_for_function(f"document.querySelector('[data-test=report]').offsetHeight >= {inside}")
    section = report.locator("section").last
    expect(section).not_to_be_in_viewport()
    report.locator(".contents a").last.click()
    expect(section).to_be_in_viewport()
    page = open_page("/experiments", language="zh-CN")
    report = page.frame_locator('[data-test="report"]').locator("body")
    expect(report.locator("h1")).to_have_text("五份报告的重新检验", timeout=TIMEOUT)
    report.locator(".contents a").last.click()
    expect(report.locator("section").last).to_be_in_viewport()

"""A class in a browser: students upload agents, the standings follow, the teacher chooses and removes."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.interface.web.browser.boards import choose
from tests.interface.web.browser.conftest import DESKTOP, PHONE, TIMEOUT, running_server
from tests.interface.web.browser.test_access import violations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.interface.web.browser.conftest import Server

LONG = 200_000  # ms: starting processes takes long on a busy machine
FIRST = b"class First:\n    def choose(self, position):\n        return position.legal_moves[0]\n"
LAST = b"def choose(position, clock):\n    return position.legal_moves[-1]\n"
BROKEN = b"def choose(position):\n    return 99\n"


@pytest.fixture(scope="module")
def class_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("classroom")
    (folder / "agents").mkdir()
    (folder / "agents" / "corners.py").write_bytes(FIRST)
    options = ("--allow-code", "--class", str(folder / "ai-course"), "--agents", str(folder / "agents"))
    with running_server(folder, *options) as server:
        yield server


@contextmanager
def person(
    browser: Browser, server: Server, path: str, *, language: str = "en-GB", phone: bool = False
) -> Iterator[Page]:
    """A browser of its own, whose scripts must not fail."""
    failures: list[str] = []
    context = browser.new_context(
        viewport=PHONE if phone else DESKTOP, locale=language, base_url=server.address, reduced_motion="reduce"
    )
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.goto(path)
    yield page
    context.close()
    assert not failures


def send(page: Page, name: str, code: bytes) -> None:
    page.wait_for_selector('[data-test="send"]')
    page.fill('[data-test="name"]', name)
    page.set_input_files('[data-test="file"]', {"name": "mine.py", "mimeType": "text/x-python", "buffer": code})
    page.click('[data-test="send"]')


def test_class(browser: Browser, class_server: Server, tmp_path: Path) -> None:
    teacher_path = class_server.link.removeprefix(class_server.address)
    with (
        person(browser, class_server, teacher_path) as teacher,
        person(browser, class_server, "/class") as ann,
        person(browser, class_server, "/class", language="zh-CN", phone=True) as bob,
    ):
        # The teacher's key leaves the address; students do not get the controls.
        teacher.wait_for_url("**/class/teacher")
        choose(teacher, "size", "4")
        teacher.select_option('[data-test="seconds"]', "10")
        teacher.select_option('[data-test="games"]', "4")
        teacher.click('[data-test="apply"]')
        expect(teacher.locator('[data-test="about"]')).to_contain_text("4×4")
        expect(ann.locator('[data-test="controls"]')).to_have_count(0)
        expect(ann.locator('[data-test="about"]')).to_contain_text("10 s per move")

        # An agent that plays no legal move is refused, in words and in the student's language.
        send(bob, "小明", BROKEN)
        expect(bob.locator('[data-test="refused"]')).to_have_text("这个程序还不能参赛。", timeout=LONG)
        expect(bob.locator(".fd-sidebar .fd-error-detail")).to_contain_text("不是合法着法")
        send(bob, "小明", LAST)
        expect(bob.locator('[data-test="accepted"]')).to_contain_text("小明", timeout=LONG)
        assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")

        send(ann, "小明", FIRST)
        expect(ann.locator('[data-test="refused"]')).to_be_visible()
        expect(ann.locator(".fd-sidebar .fd-error-detail")).to_contain_text("another browser has the name")
        send(ann, "Ann", FIRST)
        expect(ann.locator('[data-test="accepted"]')).to_contain_text("Ann plays now (version 1)", timeout=LONG)
        expect(ann.locator('tr.mine[data-name="Ann"]')).to_have_count(1)

        # The projector's page follows by itself.
        projector = ann
        projector.click('[data-test="projector"]')
        projector.wait_for_url("**/class/standings")
        expect(projector.locator('[data-test="class-state"][data-state="done"]')).to_be_visible(timeout=LONG)
        rows = projector.locator('[data-test="agent"]')
        expect(rows).to_have_count(2)
        expect(rows.first.locator("td").first).to_have_text("1")
        points = [float(cells.split("\t")[4]) for cells in rows.all_inner_texts()]
        assert sum(points) == 4
        expect(projector.locator('[data-test="join"]')).to_contain_text("/class")
        assert str(tmp_path.parent.parent) not in projector.content()

        # A student finds the games that were lost.
        rows.last.locator("a").click()
        projector.wait_for_url("**/class/agent/*")
        projector.locator('[data-test="lost-game"]').first.click()
        projector.wait_for_selector('[data-test="replay-play"]')
        expect(projector.locator("body")).to_contain_text("小明")

        with teacher.expect_download() as saved:
            teacher.click('[data-test="save-json"]')
        assert {row["name"] for row in json.loads(saved.value.path().read_bytes())["rows"]} == {"Ann", "小明"}
        teacher.click('[data-test="pause"]')
        expect(teacher.locator('[data-test="class-state"][data-state="paused"]')).to_be_visible()
        teacher.click('[data-remove="Ann"]')
        teacher.click('[data-test="remove-yes"]')
        expect(teacher.locator('[data-remove="Ann"]')).to_have_count(0)
        expect(bob.locator('[data-name="Ann"]')).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe(browser: Browser, class_server: Server, theme: str) -> None:
    """After the test above there is one agent; alone, the pages are those of an empty class."""
    found = {}
    with person(browser, class_server, class_server.link.removeprefix(class_server.address)) as page:
        page.evaluate(f"document.cookie = 'flipdrop-dark={int(theme == 'dark')};path=/'")
        for path in ("/class", "/class/standings", "/class/teacher", "/class/agent/小明", "/class/agent/nobody"):
            page.goto(path)
            page.wait_for_selector(f"body.body--{theme} h1")
            page.wait_for_timeout(300)
            assert page.locator("h1").count() == 1, path
            found[path] = violations(page)
    assert {path: rules for path, rules in found.items() if rules} == {}


def test_teacher_only(browser: Browser, class_server: Server) -> None:
    with person(browser, class_server, "/class/teacher") as page:
        expect(page.locator("body")).to_contain_text("This page is for the teacher")
        expect(page.locator('[data-test="pause"]')).to_have_count(0)


def test_agents_by_name(browser: Browser, class_server: Server) -> None:
    """Agents of the folder and of the class are opponents; files are not, for students."""
    with person(browser, class_server, "/?game=othello4") as page:
        page.wait_for_selector(".fd-board.active")
        choose(page, "opponent", "agent")
        page.wait_for_selector('[data-test="opponent-agent"]')
        page.locator('[data-test="opponent-agent"]').select_option(label="corners")
        page.click('[data-test="start"]')
        page.wait_for_url("**/play/*")
        expect(page.locator("body")).to_contain_text("corners")
        page.keyboard.type("b1")
        page.wait_for_function("document.querySelectorAll('[data-test=moves] button').length === 2", timeout=LONG)
        page.goto("/?game=othello4")
        page.wait_for_selector(".fd-board.active")
        choose(page, "opponent", "spec")
        page.fill('[data-test="opponent-spec"]', "/tmp/other.py:Agent")
        page.click('[data-test="start"]')
        expect(page.locator(".q-notification__caption")).to_contain_text("only the teacher names files")
        page.goto("/arena")
        choose(page, "player-first", "agent")
        choose(page, "size", "4")
        page.fill('[data-test="games"]', "2")
        page.click('[data-test="begin"]')
        page.wait_for_url("**/arena/match-*")
        page.wait_for_selector('[data-test="state"][data-state="ended"]', timeout=LONG)
        expect(page.locator('[data-test="game"]')).to_have_count(2)
        assert "agents/" not in page.content()
        assert page.locator('[data-test="copy-command"]').count() == 0

"""The pages in Firefox, where it is installed (Debian: ``apt-get install firefox-esr``)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.interface.web.browser.conftest import TIMEOUT
from tests.interface.web.browser.firefox import firefox

if TYPE_CHECKING:
    from pathlib import Path

    from tests.interface.web.browser.conftest import Server

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
PAGES = (
    *("/", "/?game=connect4", "/watch", "/puzzles?game=connect4", "/analyse/othello?position=f5d6c3d3c4"),
    *("/arena", "/learning", "/experiments", "/docs/glossary.md"),
)


@pytest.mark.skipif(PROGRAM is None, reason="Firefox is not installed")
def test_firefox(server: Server, tmp_path: Path) -> None:
    assert PROGRAM is not None
    with firefox(PROGRAM, tmp_path, TIMEOUT / 1000) as browser:
        for path in PAGES:
            browser.open(server.address + path)
            browser.wait_for("document.querySelector('h1')")
            assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), path

        browser.open(f"{server.address}/play/{server.new_session(game='othello', second='level:1')}")
        browser.wait_for("document.querySelector('.fd-board.active')")
        browser.click('[data-cell="37"]')
        browser.wait_for("document.querySelector('[data-cell=\"37\"]').dataset.disc === 'first'")
        browser.wait_for("document.querySelectorAll('[data-test=moves] button').length === 2")  # the reply

        browser.open(f"{server.address}/analyse/connect4?position=4444443")
        browser.wait_for("document.querySelectorAll('[data-test=ranked] [data-line]').length > 3")
        browser.click('[data-cell="3"]')  # a full column
        browser.click('[data-cell="38"]')
        browser.click('[data-cell="0"]')
        browser.wait_for("location.search.includes('position=44444431')")

        browser.open(f"{server.address}/")
        browser.click('[data-test="dark"]')
        browser.wait_for("document.body.classList.contains('body--dark')")
        assert browser.errors == []

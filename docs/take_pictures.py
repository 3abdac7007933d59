"""Takes the pictures of README.md and of the site: ``python docs/take_pictures.py``.

Starts a server of its own with an empty store, plays and analyses, and photographs the pages in the light theme with
the system's Chromium.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.web import server

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

PICTURES = Path(__file__).parent / "pictures"
WINDOW: ViewportSize = {"width": 1280, "height": 800}
GAME = "f5d6c3d3c4f4f6g5e6d7e3c5f3c2b5c6b6d2f2f1c1g6g3"
VARIATION = "f5d6c3d3c4f4f6g5(b4e3)e6d7e3c5f3"
MATCH = {"kind": "match", "game": "othello6", "first": "level:3", "second": "level:2", "games": 100, "seed": 1}


def main() -> None:
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    with server() as served, sync_playwright() as playwright:
        client = httpx.Client(base_url=served.address, timeout=60)
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport=WINDOW, locale="en-GB", reduced_motion="reduce", base_url=served.address)

        game = client.post("/api/sessions", json={"game": "othello", "second": "level:3", "position": GAME}).json()[
            "id"
        ]
        page.goto(f"/play/{game}")
        page.wait_for_selector(".fd-board.active")
        take(page, "play")

        page.goto(f"/analyse/othello?position={VARIATION}&at=12")
        page.wait_for_selector('[data-test="line"]')
        page.wait_for_timeout(4000)
        take(page, "analyse")

        page.goto(f"/analyse/othello?position={GAME}&review=1")
        page.locator('[data-test="mistake-next"]').click(timeout=300_000)  # is there when the review has ended
        take(page, "review")

        job = client.post("/api/jobs", json=MATCH).json()["id"]
        page.goto(f"/arena/{job}")
        page.get_by_text("Finished", exact=True).wait_for(timeout=300_000)
        take(page, "arena")
        browser.close()


def take(page: Page, name: str) -> None:
    page.wait_for_timeout(500)
    # The name of the other language needs a Chinese font, which this machine may not have.
    page.add_style_tag(content='[data-test^="language-"] { visibility: hidden }')
    page.screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    main()

"""Reading and clicking the board on a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

MARKS = {"-": "", "X": "first", "O": "second", "#": "forbidden"}
_CELLS = "JSON.stringify([...document.querySelectorAll('.fd-board [data-cell]')].map((cell) => cell.dataset.disc))"


def wait_for_cells(page: Page, cells: str) -> None:
    """Waits until the board shows `cells`, written as positions write them."""
    shown = json.dumps([MARKS[mark] for mark in cells], separators=(",", ":"))
    page.wait_for_function(f"(shown) => {_CELLS} === shown", arg=shown)


def cells_of(page: Page) -> str:
    """What the board shows, written as positions write it."""
    marks = {name: mark for mark, name in MARKS.items()}
    return "".join(marks[name] for name in json.loads(page.evaluate(_CELLS)))


def click_cell(page: Page, cell: int) -> None:
    """Clicks the middle of a cell, wherever it is on the screen."""
    box = page.locator(f'.fd-board [data-cell="{cell}"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def centres_of(page: Page) -> list[tuple[float, float]]:
    """Where to click for each cell, as long as the board stays where it is."""
    found = page.eval_on_selector_all(
        ".fd-board [data-cell]",
        "(all) => all.map((it) => it.getBoundingClientRect()).map((r) => [r.x + r.width / 2, r.y + r.height / 2])",
    )
    return [(x, y) for x, y in found]


def legal_cells(page: Page) -> set[int]:
    """The cells where the page lets a person move."""
    found = page.eval_on_selector_all(
        ".fd-board.active [data-move]", "(all) => all.map((it) => Number(it.dataset.cell))"
    )
    return set(found)


def choose(page: Page, test: str, value: str) -> None:
    """Presses one of several buttons."""
    page.click(f'[data-test="{test}"] [data-value="{value}"]')


def slide(page: Page, test: str, value: int) -> None:
    """Moves a slider."""
    page.locator(f'[data-test="{test}"]').fill(str(value))

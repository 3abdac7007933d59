"""Puzzles in a real browser: right and wrong moves, replies, the answer, the streak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from flipdrop import game
from flipdrop.search.puzzles import make_puzzle
from tests.interface.web.browser.boards import choose, click_cell, wait_for_cells
from tests.interface.web.browser.conftest import DESKTOP, TIMEOUT, running_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page


MAKING = 120_000  # ms for a puzzle of the day: a second of processor time, which a busy machine gives late


def test_puzzle(open_page: Callable[..., Page]) -> None:
    puzzles = (make_puzzle(game("othello6"), seed=seed, number=0, level=1) for seed in range(100))
    puzzle = next(puzzle for puzzle in puzzles if len(puzzle.line) > 2)
    seed = puzzle.seed
    page = open_page(f"/puzzles?game=othello6&seed={seed}")
    message = page.locator('[data-test="puzzle-message"]')
    wait_for_cells(page, puzzle.position.cells)
    expect(message).to_contain_text("to move and win")
    wrong = next(move for move in puzzle.position.legal_moves if move != puzzle.line[0])
    click_cell(page, wrong)
    expect(message).to_contain_text("does not win")
    position = puzzle.position
    for move in puzzle.line:
        if position.to_move == puzzle.position.to_move:
            click_cell(page, move)
        position = position.play(move)
        wait_for_cells(page, position.cells)
    expect(message).to_contain_text("Solved!")
    page.click('[data-test="puzzle-next"]')
    following = make_puzzle(game("othello6"), seed=seed, number=1, level=2)
    wait_for_cells(page, following.position.cells)
    page.click('[data-test="puzzle-answer"]')
    expect(message).to_contain_text(f"The solution is {' '.join(following.names)}.")
    href = page.get_attribute('[data-test="puzzle-analyse"]', "href")
    assert href is not None
    page.goto(href)
    wait_for_cells(page, following.position.cells)


def test_puzzles_from_played_games(browser: Browser, tmp_path: Path) -> None:
    """From a game of this browser; without games, the page says so. The server has no games of other tests."""
    puzzle = make_puzzle(game("othello6"), seed=3, number=0, level=1)
    with running_server(tmp_path) as server:
        session = server.new_session(game="othello6", second="random", position=puzzle.position.board)
        context = browser.new_context(viewport=DESKTOP, locale="en-GB", base_url=server.address)
        context.set_default_timeout(TIMEOUT)
        page = context.new_page()
        page.goto("/puzzles?game=othello6")
        choose(page, "puzzle-source", "games")
        page.wait_for_url("**source=games")
        message = page.locator('[data-test="puzzle-message"]')
        expect(message).to_contain_text("No puzzle of level 1")
        page.goto(f"/play/{session}")  # remembers the game
        page.wait_for_function(f"localStorage.getItem('flipdrop-games')?.includes('{session}')")
        page.goto("/puzzles?game=othello6&source=games")
        wait_for_cells(page, puzzle.position.cells)
        expect(message).to_contain_text("to move and win")
        expect(page.locator('[data-test="puzzle-origin"]')).to_contain_text("You – random")
        click_cell(page, puzzle.line[0])
        expect(message).not_to_contain_text("to move and win")
        context.close()


def test_daily_puzzles(open_page: Callable[..., Page]) -> None:
    page = open_page("/puzzles?game=connect4")
    page.evaluate("localStorage.removeItem('flipdrop-puzzles')")
    for number in range(5):
        page.wait_for_selector(".fd-board.active", timeout=MAKING)
        page.click('[data-test="puzzle-answer"]')
        if number < 4:
            page.click('[data-test="puzzle-next"]')
    expect(page.locator('[data-test="puzzle-message"]')).to_contain_text("0 of 5 at the first try.")
    assert page.evaluate("localStorage.getItem('flipdrop-puzzles')") is None  # answers do not count
    choose(page, "puzzle-game", "othello")
    page.wait_for_url("**/puzzles?game=othello")
    page.wait_for_selector(".fd-board.othello.active", timeout=MAKING)

"""The analysis in a real browser: scores, proofs, reasons, the tree, reviews, and positions that come and go."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from flipdrop import Othello, game
from flipdrop.evaluation import evaluation
from flipdrop.games import write_transcript
from flipdrop.search import Solver
from tests.interface.web.browser.boards import choose, click_cell, legal_cells, wait_for_cells

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.interface.web.browser.conftest import Server

OPENING = "f5d6c3d3c4"


def late_othello(empties: int) -> Othello:
    """A position with at most `empties` empty squares and at least three legal moves."""
    for seed in range(1000):
        choice = random.Random(seed)
        position = Othello()
        while not position.is_over and position.cells.count("-") > empties:
            position = position.play(choice.choice(position.legal_moves))
        if len(position.legal_moves) > 2:
            return position
    raise AssertionError("no game gets there")


def test_scores_and_url(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello")
    wait_for_cells(page, Othello().cells)
    page.wait_for_selector(".fd-score")
    position = Othello()
    for name in ("f5", "d6", "c3", "d3", "c4"):
        click_cell(page, position.parse_move(name))
        position = position.play(name)
        wait_for_cells(page, position.cells)
    legal = {position.cell_of(move) for move in position.legal_moves}
    page.wait_for_function(f"document.querySelectorAll('.fd-score').length === {len(legal)}")
    assert legal_cells(page) == legal
    assert page.locator(".fd-best").count() == 1
    texts = page.locator(".fd-score text").all_text_contents()
    assert all(re.fullmatch(r"0|[+-]\d+", text) for text in texts)  # discs
    expect(page.locator('[data-test="ranked"] .move')).to_have_count(len(legal))
    # Deeper and deeper, live.
    page.wait_for_function(
        "/depth [89]|depth \\d\\d/.test(document.querySelector('[data-test=search-info]').textContent)"
    )
    page.wait_for_url(f"**/analyse/othello?position={OPENING}")

    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/analyse/othello?position={OPENING}&at=4")
    page.reload()
    wait_for_cells(page, Othello().play("f5").play("d6").play("c3").play("d3").cells)
    page.click('[data-test="step-last"]')
    wait_for_cells(page, position.cells)


def test_proven_values(open_page: Callable[..., Page]) -> None:
    position = late_othello(8)
    solution = Solver(moves=True).solve(position)
    page = open_page(f"/analyse/othello?position={position.board}")
    page.wait_for_function(f"document.querySelectorAll('.fd-proven').length === {len(position.legal_moves)}")
    expect(page.locator('[data-test="search-info"]')).to_contain_text("proven")
    shown = {
        row.get_attribute("data-move"): int(text.replace("−", "-").split()[0]) if text != "draw" else 0
        for row, text in zip(
            page.locator('[data-test="ranked"] .move').all(),
            page.locator('[data-test="ranked"] .value').all_inner_texts(),
            strict=True,
        )
    }
    assert shown == {position.move_name(move.move): move.lower for move in solution.moves}


def test_evaluation_terms(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={OPENING}")
    choose(page, "panels", "evaluation")
    position = game("othello").position(OPENING)
    terms = page.locator('[data-test="terms"]')
    expect(terms.locator(".sum.value")).to_have_text(f"{evaluation('D').explain(position).total:+.3g}")
    # After a move, for the side that makes it.
    move = position.move_name(position.legal_moves[0])
    page.click(f'[data-test="evaluated-moves"] [data-move="{move}"]')
    expect(terms.locator(".sum.value")).to_have_text(f"{-evaluation('D').explain(position.play(move)).total:+.3g}")
    page.select_option('[data-test="evaluation"]', "mobility")
    expect(terms.locator(".sum")).to_have_count(2)
    expect(terms).not_to_contain_text("corners")


def test_search_tree(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/connect4?position=44")
    choose(page, "panels", "tree")
    page.click('[data-test="tree-start"]')
    page.wait_for_selector('[data-test="tree"] rect')
    page.wait_for_function("document.querySelectorAll('.fd-score .fd-below').length === 7")
    page.wait_for_url("**method=mcts")
    first = page.text_content('[data-test="tree"] text.count >> nth=0')
    page.wait_for_function(f"document.querySelector('[data-test=tree] text.count').textContent !== '{first}'")


def test_review(open_page: Callable[..., Page]) -> None:
    # With its sixth move yellow lets red complete four in the bottom row.
    page = open_page("/analyse/connect4?position=1122334&review=1")
    page.wait_for_selector('[data-test="errors"] [data-ply="5"]')
    blunder = page.locator('[data-test="errors"] [data-ply="5"]')
    expect(blunder).to_contain_text("??")
    expect(blunder).to_contain_text("best was 4")
    expect(page.locator('[data-test="moves"] [data-ply="6"]')).to_contain_text("??")
    expect(page.locator('[data-test="accuracy-second"]')).to_contain_text("%")
    assert page.locator(".fd-line circle").count() == 4
    blunder.click()
    wait_for_cells(page, game("connect4").position("11223").cells)
    page.click('[data-test="graph"] [data-ply="2"]')
    wait_for_cells(page, game("connect4").position("11").cells)


def test_analysis_after_stopped_review(open_page: Callable[..., Page]) -> None:
    choice, position = random.Random(1), Othello()
    moves: list[int] = []
    while len(moves) < 50 and not position.is_over:
        moves.append(choice.choice(position.legal_moves))
        position = position.play(moves[-1])
    page = open_page(f"/analyse/othello?position={write_transcript(Othello(), moves)}&review=1")
    page.wait_for_selector('[data-test="graph"]:visible')  # of 50 moves, which takes a while
    page.click('[data-test="analysis-on"]')
    expect(page.locator('[data-test="analysis-on"]')).to_have_attribute("aria-checked", "false")
    page.click('[data-test="analysis-on"]')
    page.wait_for_selector(".fd-score")


def test_paste(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse")

    def paste(text: str) -> None:
        page.click('[data-test="tool-paste"]')
        page.fill('[data-test="paste-text"]', text)
        page.click('[data-test="paste-load"]')

    paste("F5 D6 C3\nD3 C4")
    position = game("othello").position(OPENING)
    wait_for_cells(page, position.cells)
    page.wait_for_selector(".q-dialog", state="detached")
    paste("f5f5")
    expect(page.locator(".q-dialog .fd-banner")).to_contain_text("Illegal move")
    expect(page.locator(".q-dialog .fd-error-detail")).to_contain_text("f5")
    page.keyboard.press("Escape")
    page.wait_for_selector(".q-dialog", state="detached")
    paste(Othello().play("e6").board)
    wait_for_cells(page, Othello().play("e6").cells)
    page.wait_for_selector(".q-dialog", state="detached")
    paste(
        "(;GM[Othello]PC[x]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[D3];)"
    )
    wait_for_cells(page, Othello().play("d3").cells)
    page.wait_for_selector(".q-dialog", state="detached")
    paste("4453")  # columns are of the other game
    page.wait_for_url("**/analyse/connect4?position=4453")
    wait_for_cells(page, game("connect4").position("4453").cells)


def test_set_up_and_export(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello")
    wait_for_cells(page, Othello().cells)
    page.click('[data-test="tool-set-up"]')
    page.wait_for_selector(".fd-board.editing")
    click_cell(page, 26)  # c4, next to the white disc on d4
    choose(page, "brush", "second")
    click_cell(page, 20)  # e3
    choose(page, "turn", "second")
    page.click('[data-test="editor-done"]')
    board = "--------------------O-----XOX------XO--------------------------- O"
    wait_for_cells(page, board[:64])
    page.wait_for_function(f"decodeURIComponent(location.search).includes('{board}')")
    page.wait_for_selector(".fd-score")
    page.reload()
    wait_for_cells(page, board[:64])
    page.click('[data-test="tool-export"]')
    expect(page.locator('[data-test="copy-board"]')).to_have_text(board)
    expect(page.locator('[data-test="copy-ggf"]')).to_contain_text("GM[Othello]")

    page.goto("/analyse/connect4")
    page.click('[data-test="tool-set-up"]')
    page.wait_for_selector(".fd-board.editing")
    click_cell(page, 3)
    click_cell(page, 3)
    page.click('[data-test="editor-done"]')
    expect(page.locator(".fd-banner.bad:visible")).to_contain_text("X moves first")  # two red discs and no yellow one
    choose(page, "brush", "second")
    click_cell(page, 0)
    page.click('[data-test="editor-done"]')
    page.wait_for_selector('.fd-board:not(.editing) [data-cell="35"][data-disc="second"]')
    expect(page.locator(".fd-score")).to_have_count(7)


def test_invalid_url_and_other_game(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello?position=a1")
    expect(page.locator(".fd-banner.bad:visible .fd-error-detail")).to_contain_text("a1")
    wait_for_cells(page, Othello().cells)
    page.click('[data-test="tool-game"]')
    choose(page, "game", "connect4")
    page.click('[data-test="forbid"]')
    page.click('.fd-picker [data-cell="38"]')  # the middle of the bottom row
    page.wait_for_selector('.fd-picker [data-cell="38"][data-disc="forbidden"]')
    page.click('[data-test="game-start"]')
    page.wait_for_url("**/analyse/connect4*forbid*d1*")
    wait_for_cells(page, game("connect4:7x6,forbid=d1").start().cells)


def test_game_from_set_up_position(open_page: Callable[..., Page], server: Server) -> None:
    start = late_othello(10)
    session = server.new_session(game="othello", position=start.board)
    page = open_page(f"/play/{session}")
    move = start.legal_moves[0]
    cell = start.cell_of(move)
    assert cell is not None
    page.wait_for_selector(".fd-board.active")
    click_cell(page, cell)
    wait_for_cells(page, start.play(move).cells)
    page.click('[data-test="analyse"]')
    page.wait_for_url("**/analyse/othello?position=*&moves=*")
    wait_for_cells(page, start.play(move).cells)
    page.click('[data-test="step-first"]')
    wait_for_cells(page, start.cells)

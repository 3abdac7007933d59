"""The analysis page in a real browser: scores, proofs, evaluation terms, tree, review, pasting and editing."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from flipdrop import Othello, game
from flipdrop.evaluation import evaluation
from flipdrop.games import write_transcript
from flipdrop.games.drawings import diagram
from flipdrop.search import Solver
from tests.interface.web.browser.boards import centres_of, choose, click_cell, legal_cells, wait_for_cells

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


def random_transcript(plies: int) -> str:
    """The moves of a game that is too long to be reviewed at once."""
    choice, position = random.Random(1), Othello()
    moves: list[int] = []
    while len(moves) < plies:
        moves.append(choice.choice(position.legal_moves))
        position = position.play(moves[-1])
    return write_transcript(Othello(), moves)


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
    assert all(re.fullmatch(r"0|[+−]\d+", text) for text in texts)  # discs
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


def test_discs_and_win_chance(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={OPENING}")
    page.wait_for_selector(".fd-score")
    expect(page.locator('[data-test="lead"]')).to_have_text(re.compile(r"(Black|White) \+\d+|Even"))
    expect(page.locator('[data-test="bar-text"]')).to_have_text(re.compile(r"\+\d+|0"))
    choose(page, "unit", "win")
    expect(page.locator('[data-test="lead"]')).to_have_text(re.compile(r"(Black|White) \d+%"))
    expect(page.locator(".fd-score text").first).to_have_text(re.compile(r"\d+%"))
    expect(page.locator('[data-test="ranked"] .value').first).to_have_text(re.compile(r"\d+%"))
    page.reload()  # the choice stays
    expect(page.locator(".fd-score text").first).to_have_text(re.compile(r"\d+%"))
    choose(page, "unit", "discs")
    expect(page.locator(".fd-score text").first).to_have_text(re.compile(r"0|[+−]\d+"))
    page.goto("/analyse/connect4")
    page.wait_for_selector(".fd-score")
    assert page.locator('[data-test="unit"]').count() == 0
    expect(page.locator('[data-test="lead"]')).to_have_text("Red wins in 21")


def test_review_graph_in_discs(open_page: Callable[..., Page]) -> None:
    position = late_othello(4)
    moves: list[int] = []
    at = position
    while not at.is_over:
        moves.append(at.legal_moves[-1])
        at = at.play(moves[-1])
    page = open_page(f"/analyse/othello?position={position.board}&moves={write_transcript(position, moves)}&review=1")
    page.wait_for_selector('[data-test="errors"]')
    title = page.locator(f'[data-test="graph"] [data-ply="{len(moves)}"] title')
    expect(title).to_have_text(f"{len(moves)}: {at.margin:+d}")
    choose(page, "unit", "win")
    expect(title).to_have_text(f"{len(moves)}: {'100%' if at.margin > 0 else '0%' if at.margin < 0 else '50%'}")


def test_equal_moves_are_equally_strong(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello?method=mcts")  # four moves that are the same but for symmetry
    page.wait_for_function("document.querySelectorAll('.fd-score').length === 4")
    equal = "[...document.querySelectorAll('.fd-score')].every((it, _, all) => all.every((other) =>"
    equal += " it.querySelector('text').textContent !== other.querySelector('text').textContent"
    equal += " || Math.abs(it.style.opacity - other.style.opacity) < 0.05))"
    for _ in range(20):
        assert page.evaluate(equal)
        page.wait_for_timeout(50)


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
    expect(terms.locator(".sum.value")).to_have_text(
        f"{-evaluation('D').explain(position.play(move)).total:+.3g}".replace("-", "−")
    )
    page.select_option('[data-test="evaluation"]', "mobility")
    expect(terms.locator(".sum")).to_have_count(2)
    expect(terms).not_to_contain_text("corners")


def test_board_after_chosen_move(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={OPENING}")
    choose(page, "panels", "evaluation")
    position = game("othello").position(OPENING)
    page.click('[data-test="evaluated-moves"] [data-move="f4"]')
    wait_for_cells(page, position.play("f4").cells)
    expect(page.locator('[data-test="changes"]')).to_contain_text("f4 against the average move")
    page.click('[data-test="evaluated-moves"] [data-move="f4"]')
    wait_for_cells(page, position.cells)


def test_lines(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={OPENING}")
    lines = page.locator('[data-test="lines"] [data-test="line"]')
    expect(lines).to_have_count(3)
    position = game("othello").position(OPENING)
    third = lines.nth(1).locator("button").nth(2)
    line = str(third.get_attribute("data-line")).split()
    after = position
    for name in line:
        after = after.play(name)
    third.hover()
    wait_for_cells(page, after.cells)
    assert sorted(page.locator(".fd-move-number").all_text_contents()) == ["1", "2", "3"]
    page.mouse.move(1, 1)
    wait_for_cells(page, position.cells)
    third.focus()  # by keyboard too
    wait_for_cells(page, after.cells)
    third.click()
    page.wait_for_url(f"**/analyse/othello?position={OPENING}{''.join(line)}")
    wait_for_cells(page, after.cells)
    page.keyboard.press("Control+z")  # the line at once
    wait_for_cells(page, position.cells)


def test_engine_options(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello?position=f5f4g3g4h3")  # outside the opening book
    page.click('[data-test="engine-options"]')
    page.select_option('[data-test="engine-lines"]', "1")
    expect(page.locator('[data-test="lines"] [data-test="line"]')).to_have_count(1)
    page.select_option('[data-test="engine-depth"]', "4")
    info, deeper = page.locator('[data-test="search-info"]'), page.locator('[data-test="deeper"]')
    expect(info).to_contain_text("depth 4")
    expect(info).not_to_contain_text("searching")
    page.reload()  # the options stay
    expect(info).to_contain_text("depth 4")
    expect(page.locator('[data-test="lines"] [data-test="line"]')).to_have_count(1)
    page.click('[data-test="engine-options"]')
    page.select_option('[data-test="engine-seconds"]', "2")
    page.select_option('[data-test="engine-depth"]', "0")
    deeper.click(timeout=60_000)
    expect(info).to_contain_text("searching")
    page.select_option('[data-test="engine-seconds"]', "0")  # until it is stopped
    expect(info).to_contain_text("searching")
    expect(deeper).to_be_hidden()
    page.click('[data-test="analysis-on"]')
    expect(info).to_have_text("Analysis is off.")


def test_search_tree(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/connect4?position=44")
    choose(page, "panels", "tree")
    page.click('[data-test="tree-start"]')
    page.wait_for_selector('[data-test="tree"] rect')
    page.wait_for_function("document.querySelectorAll('.fd-score .fd-below').length === 7")
    page.wait_for_url("**method=mcts")
    first = page.text_content('[data-test="tree"] text.count >> nth=0')
    page.wait_for_function(f"document.querySelector('[data-test=tree] text.count').textContent !== '{first}'")


def test_unit_of_tree_search(open_page: Callable[..., Page]) -> None:
    """A Monte Carlo search knows no discs, so they are not offered."""
    page = open_page("/analyse/othello?position=f5&method=mcts")
    page.wait_for_selector(".fd-score .fd-below")
    expect(page.locator('[data-test="unit"]')).to_be_hidden()
    expect(page.locator('[data-test="ranked"] .value').first).to_have_text(re.compile(r"\d+%"))
    choose(page, "method", "search")
    expect(page.locator('[data-test="unit"]')).to_be_visible()


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


def test_review_as_a_lesson(open_page: Callable[..., Page]) -> None:
    # With its first move yellow gives a win away, with its third it lets red complete four in the bottom row.
    page = open_page("/analyse/connect4?position=1122334&review=1")
    message = page.locator('[data-test="lesson-message"]')
    expect(page.locator('[data-test="blunders-second"]')).to_have_text("2")
    expect(page.locator('[data-test="legend"]')).to_contain_text("from 25% win chance")
    page.click('[data-test="mistake-previous"]')
    before = game("connect4").position("11223")
    wait_for_cells(page, before.cells)
    page.click('[data-test="learn-second"]')
    wait_for_cells(page, game("connect4").position("1").cells)
    expect(message).to_contain_text("Yellow played 2. 1")
    page.click('[data-test="lesson-solution"]')
    expect(message).to_contain_text("The best move is")
    page.click('[data-test="lesson-next"]')
    wait_for_cells(page, before.cells)
    expect(message).to_contain_text("Yellow played 6. 3")
    assert page.locator(".fd-score").count() == 0  # no hints
    expect(page.locator('[data-test="bar"]')).to_be_hidden()
    page.keyboard.press("ArrowLeft")  # the board stays
    page.keyboard.press("3")
    expect(message).to_contain_text("3 is the move of the game")
    wait_for_cells(page, before.cells)
    page.keyboard.press("7")
    expect(message).to_contain_text("7 loses")
    page.keyboard.press("4")
    expect(message).to_contain_text("Correct: 4 is the best move. That was the last one: you found 1 of 2.")
    wait_for_cells(page, before.play("4").cells)
    page.click('[data-test="lesson-end"]')
    wait_for_cells(page, before.cells)
    page.wait_for_selector(".fd-score")
    expect(page.locator('[data-test="bar"]')).to_be_visible()
    assert page.locator('[data-test="moves"] [data-ply]').count() == 7  # nothing was played


def test_board_stays_in_sight(open_page: Callable[..., Page]) -> None:
    """Beside a long review, the board and the buttons that step through the mistakes are seen together."""
    page = open_page(f"/analyse/othello?position={OPENING}&review=1")
    page.wait_for_selector('[data-test="review-start"]')
    page.add_style_tag(content=".fd-sidebar { padding-bottom: 1500px }")
    page.mouse.wheel(0, 500)
    page.wait_for_function("scrollY > 300")
    expect(page.locator('[data-cell="0"]')).to_be_in_viewport(ratio=0.99)


def test_cancelled_review(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={random_transcript(50)}")
    choose(page, "panels", "review")
    page.select_option('[data-test="review-seconds"]', "3")
    page.click('[data-test="review-start"]')
    expect(page.locator('[data-test="review-progress"]')).to_contain_text("of 50 moves")
    page.click('[data-test="review-cancel"]')
    expect(page.locator('[data-test="review-hint"]')).to_contain_text("Checks every move")
    page.wait_for_selector(".fd-score")  # the analysis is on again


def test_analysis_after_stopped_review(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={random_transcript(50)}&review=1")
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


def test_invalid_position_keeps_game_and_url(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/connect4?position=9")
    expect(page.locator(".fd-banner.bad:visible .fd-error-detail")).to_contain_text("9")
    wait_for_cells(page, game("connect4").start().cells)
    page.wait_for_selector(".fd-score")
    assert page.url.endswith("/analyse/connect4?position=9")
    click_cell(page, 3)
    page.wait_for_url("**/analyse/connect4?position=4")


def test_whole_game_is_exported(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={OPENING}&at=2")
    page.click('[data-test="tool-export"]')
    expect(page.locator('[data-test="copy-transcript"]')).to_have_text(OPENING)
    expect(page.locator('[data-test="copy-board"]')).to_have_text(game("othello").position("f5d6").board)
    expect(page.locator('[data-test="copy-ggf"]')).to_contain_text("B[C4]")


def test_no_review_without_moves(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/analyse/othello")
    choose(page, "panels", "review")
    expect(page.locator('[data-test="review-hint"]')).to_contain_text("Play or load a game")
    expect(page.locator('[data-test="review-start"]')).to_be_hidden()
    click_cell(page, 19)
    expect(page.locator('[data-test="review-start"]')).to_be_visible()
    page.goto(f"/play/{server.new_session(game='othello')}")
    page.wait_for_selector(".fd-board.active")
    expect(page.locator('[data-test="review"]')).to_be_hidden()
    click_cell(page, 19)
    expect(page.locator('[data-test="review"]')).to_be_visible()


def test_variations(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello?position=f5d6c3")
    moves = page.locator('[data-test="moves"]')
    expect(moves.locator("[data-ply]")).to_have_count(3)
    page.keyboard.press("Control+z")  # the game that the page was opened with stays
    moves.locator('[data-ply="1"]').click()
    wait_for_cells(page, game("othello").position("f5").cells)
    expect(page.locator('[data-test="variation-tools"]')).to_be_hidden()
    for name in ("f6", "e6"):
        page.keyboard.type(name)
        expect(moves.locator("button.selected")).to_contain_text(name)
    wait_for_cells(page, game("othello").position("f5f6e6").cells)
    expect(moves.locator("[data-ply]")).to_have_text(["f5", "d6", "c3"])  # the game stays
    expect(moves.locator('[data-test="variation"] button')).to_have_text(["2f6", "3e6"])
    page.reload()
    wait_for_cells(page, game("othello").position("f5f6e6").cells)
    page.click('[data-test="variation-back"]')
    wait_for_cells(page, game("othello").position("f5").cells)
    moves.locator('[data-path="f5 f6"]').click()
    wait_for_cells(page, game("othello").position("f5f6").cells)
    page.click('[data-test="variation-promote"]')
    expect(moves.locator("[data-ply]")).to_have_text(["f5", "f6", "e6"])
    moves.locator('[data-path="f5 d6 c3"]').click()
    wait_for_cells(page, game("othello").position("f5d6c3").cells)
    page.click('[data-test="variation-delete"]')
    expect(moves.locator('[data-test="variation"]')).to_have_count(0)
    wait_for_cells(page, game("othello").position("f5").cells)
    page.keyboard.press("Control+z")
    expect(moves.locator('[data-test="variation"] button')).to_have_text(["2d6", "3c3"])
    page.keyboard.press("Control+y")
    expect(moves.locator('[data-test="variation"]')).to_have_count(0)
    page.go_back()  # the browser's Back takes back a change, too
    expect(moves.locator('[data-test="variation"] button')).to_have_text(["2d6", "3c3"])


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


def test_pasted_links_and_lists(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse")
    opening = game("othello").position(OPENING)
    texts = {
        "1. F5 D6 2. C3 D3 3. C4": opening.cells,
        f"{opening.board}; F4:+2; % from a file": opening.cells,
        diagram(opening): opening.cells,
        "http://127.0.0.1:8080/analyse/othello?position=f5d6%28f6e6%29c3&line=f5f6e6": game("othello")
        .position("f5f6e6")
        .cells,
        "https://example.org/?pos=4453": game("connect4").position("4453").cells,
    }
    for text, cells in texts.items():
        page.click('[data-test="tool-paste"]')
        page.fill('[data-test="paste-text"]', text)
        page.click('[data-test="paste-load"]')
        wait_for_cells(page, cells)
        page.wait_for_selector(".q-dialog", state="detached")


def test_files(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page("/analyse")
    games = tmp_path / "games.txt"
    games.write_text("f5d6c3\nf5f6e6\n")

    def upload(path: Path) -> None:
        page.click('[data-test="tool-paste"]')
        page.set_input_files('[data-test="paste-file"]', path)

    upload(games)
    page.select_option('[data-test="paste-game"]', "1")
    wait_for_cells(page, game("othello").position("f5f6e6").cells)
    page.wait_for_selector(".q-dialog", state="detached")
    problems = tmp_path / "problems.obf"
    problems.write_text(f"% one position\n{game('othello').position(OPENING).board}; F4:+2;\n")
    upload(problems)
    wait_for_cells(page, game("othello").position(OPENING).cells)
    page.wait_for_selector(".q-dialog", state="detached")
    wrong = tmp_path / "wrong.wtb"
    wrong.write_bytes(b"nothing")
    upload(wrong)
    expect(page.locator(".q-dialog .fd-banner")).to_contain_text("malformed")


def test_pictures(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/analyse/othello?position={OPENING}")
    page.click('[data-test="tool-export"]')
    expect(page.locator('[data-test="copy-obf"]')).to_contain_text(game("othello").position(OPENING).board)
    beginnings = {"save-svg": b"<svg", "save-png": b"\x89PNG", "save-game-svg": b"<svg", "save-gif": b"GIF89a"}
    for test, beginning in beginnings.items():
        with page.expect_download() as saved:
            page.click(f'[data-test="{test}"]')
        content = saved.value.path().read_bytes()
        assert content.startswith(beginning)
        assert len(content) > 2000
    page.click('[data-test="print-game"]')
    page.wait_for_selector("iframe", state="attached")
    page.wait_for_function("document.querySelector('iframe')?.srcdoc.includes('<svg')")


def test_set_up_by_dragging(open_page: Callable[..., Page]) -> None:
    page = open_page("/analyse/othello")
    page.wait_for_selector(".fd-score")
    page.click('[data-test="tool-set-up"]')
    page.click('[data-test="editor-clear"]')
    wait_for_cells(page, "-" * 64)
    places = centres_of(page)
    page.mouse.move(*places[0])
    page.mouse.down()
    for cell in (1, 2, 3):
        page.mouse.move(*places[cell], steps=3)
    page.mouse.up()
    wait_for_cells(page, "XXXX" + "-" * 60)
    page.click('[data-test="editor-rotate"]')
    wait_for_cells(page, ("-" * 7 + "X") * 4 + "-" * 32)
    page.click('[data-test="editor-mirror"]')
    wait_for_cells(page, ("X" + "-" * 7) * 4 + "-" * 32)
    page.click('[data-test="editor-done"]')
    expect(page.locator(".fd-banner.bad")).to_contain_text("cannot occur")
    page.click('[data-test="editor-start"]')
    wait_for_cells(page, Othello().cells)
    page.click('[data-test="editor-done"]')
    page.wait_for_selector(".fd-score")

"""Playing in a real browser: whole games by clicks, each position compared with the rules written out."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from flipdrop import Othello, game
from tests.interface.web.browser.boards import (
    cells_of,
    centres_of,
    choose,
    click_cell,
    legal_cells,
    slide,
    wait_for_cells,
)
from tests.reference.connect_four import ReferenceConnectFour
from tests.reference.othello import ReferenceOthello

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.interface.web.browser.conftest import Server

START = "---------------------------OX------XO---------------------------"


def game_with_pass(size: int) -> list[int]:
    """The moves of a random game with a pass."""
    for seed in range(1000):
        choice = random.Random(seed)
        board, moves = ReferenceOthello.start(size), []
        while not board.is_over:
            moves.append(choice.choice(board.legal_moves()))
            board = board.play(moves[-1])
        if board.pass_move in moves and board.result:
            return moves
    raise AssertionError("no game has a pass")


def test_othello_by_clicks(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    choose(page, "size", "6")
    choose(page, "opponent", "person")
    page.click('[data-test="start"]')
    page.wait_for_url("**/play/*")
    board = ReferenceOthello.start(6)
    wait_for_cells(page, board.cells)
    centres = centres_of(page)
    for move in game_with_pass(6):
        if move == board.pass_move:
            expect(page.locator('[data-test="status"]')).to_contain_text("must pass")
            page.click('[data-test="pass"]')
            expect(page.locator('[data-test="status"]')).to_contain_text("passed")
        else:
            assert legal_cells(page) == set(board.placements())
            page.mouse.click(*centres[move])
        board = board.play(move)
        wait_for_cells(page, board.cells)
    first, second = board.discs
    winner = "Black" if first > second else "White"
    said = f"{winner} wins, {max(first, second)} to {min(first, second)}"
    expect(page.locator('[data-test="status"]')).to_have_text(re.compile(said))
    expect(page.locator('[data-test="player-first"]')).to_contain_text(str(first))
    expect(page.locator('[data-test="moves"]')).to_contain_text("pass")


def test_connect_four_by_clicks(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    choose(page, "game", "connect4")
    choose(page, "opponent", "person")
    board = ReferenceConnectFour.start(7, 6)
    wait_for_cells(page, board.cells)
    choice = random.Random(3)
    centres = centres_of(page)
    while not board.is_over:
        column = choice.choice(board.legal_moves())
        page.mouse.click(*centres[column])  # the top cell: a click anywhere in a column drops a disc
        if not any(board.discs):
            page.wait_for_url("**/play/*")  # the first move begins the game
        board = board.play(column)
        wait_for_cells(page, board.cells)
    assert board.result
    expect(page.locator('[data-test="status"]')).to_have_text(re.compile("(Red|Yellow) wins"))
    assert page.locator(".fd-line circle").count() == len(board.winning_cells)
    assert not legal_cells(page)


def test_undo_against_computer(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/")
    slide(page, "opponent-level", 1)
    click_cell(page, 44)  # e6
    page.wait_for_url("**/play/*")
    page.wait_for_selector(".fd-board.active")
    page.wait_for_function("document.querySelectorAll('[data-test=moves] button').length === 2")
    answered = cells_of(page)
    assert answered.count("X") + answered.count("O") == 6
    session = page.url.rsplit("/", 1)[1]
    assert server.view(session)["players"]["second"]["spec"] == "level:1"

    page.click('[data-test="undo"]')
    wait_for_cells(page, START)
    expect(page.locator('[data-test="undo"]')).to_be_disabled()
    page.keyboard.press("Control+y")
    wait_for_cells(page, answered)
    page.keyboard.press("Control+z")
    wait_for_cells(page, START)
    page.click('[data-test="redo"]')
    wait_for_cells(page, answered)

    page.reload()
    wait_for_cells(page, answered)
    page.click('[data-test="resign"]')
    page.click('[data-test="resign-yes"]')
    expect(page.locator('[data-test="status"]')).to_contain_text("You resigned")
    expect(page.locator('[data-test="resign"]')).to_be_disabled()
    assert server.view(session)["ending"]["reason"] == "resign"


def test_animations(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(f"/play/{server.new_session(game='othello')}")
    click_cell(page, 37)  # f5 turns e5
    page.wait_for_selector(".fd-flip")
    assert page.locator(".fd-flip").count() == 1
    assert page.locator(".fd-place").count() == 1
    page.goto(f"/play/{server.new_session(game='connect4')}")
    click_cell(page, 3)
    page.wait_for_selector(".fd-fall")
    assert page.locator(".fd-fall").count() == 1
    assert page.locator(".fd-last").count() == 1


def test_keyboard(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(f"/play/{server.new_session(game='connect4')}")
    board = ReferenceConnectFour.start(7, 6)
    page.wait_for_selector(".fd-board.active")
    for key in "4743":
        page.keyboard.press(key)
        board = board.play(int(key) - 1)
        wait_for_cells(page, board.cells)
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown"):  # the first arrow shows where one is: in the middle
        page.keyboard.press(key)
    wait_for_cells(page, board.play(2).cells)

    page.goto(f"/play/{server.new_session(game='othello')}")
    page.wait_for_selector(".fd-board.active")
    for key in "f5":
        page.keyboard.press(key)
    page.wait_for_selector('.fd-board [data-cell="37"][data-disc="first"]')
    # The first arrow shows where one is, e5; then over d5 to d6, where white can play.
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector('.fd-board [data-cell="43"][data-disc="second"]')


def test_custom_board(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/")
    choose(page, "game", "connect4")
    choose(page, "size", "custom")
    slide(page, "columns", 9)
    slide(page, "rows", 5)
    wait_for_cells(page, "-" * 45)
    page.click('[data-test="forbid"]')
    page.wait_for_selector(".fd-board.editing")
    click_cell(page, 40)  # the middle of the bottom row
    page.wait_for_selector('[data-cell="40"][data-disc="forbidden"]')
    choose(page, "opponent", "person")
    page.click('[data-test="start"]')
    page.wait_for_url("**/play/*")
    assert server.view(page.url.rsplit("/", 1)[1])["game"] == "connect4:9x5,forbid=e1"
    board = ReferenceConnectFour.start(9, 5, forbidden=40)
    wait_for_cells(page, board.cells)
    click_cell(page, 4)
    wait_for_cells(page, board.play(4).cells)


def test_clock_and_history(open_page: Callable[..., Page]) -> None:
    page = open_page("/?against=person&clock=60%2B1")
    for cell in (37, 43, 18):  # f5 d6 c3
        page.wait_for_selector(f'.fd-board.active [data-cell="{cell}"][data-move]')
        click_cell(page, cell)
        page.wait_for_url("**/play/*")
        page.wait_for_selector(f'[data-cell="{cell}"]:not([data-disc=""])')
    page.wait_for_function("document.querySelector('[data-test=player-second] .fd-clock').textContent < '1:00'")
    before = cells_of(page)
    page.click('[data-test="moves"] [data-ply="1"]')
    page.wait_for_selector('[data-cell="43"][data-disc=""]')
    expect(page.locator('[data-test="status"]')).to_contain_text("Move 1 of 3")
    page.click('[data-test="redo"]')
    page.click('[data-test="redo"]')
    wait_for_cells(page, before)


def test_computer_begins(open_page: Callable[..., Page]) -> None:
    page = open_page("/?game=connect4:8x8&against=level:2&side=second&clock=600%2B5")
    wait_for_cells(page, "-" * 64)
    assert not legal_cells(page)  # the first move is the computer's
    page.click('[data-test="start"]')
    page.wait_for_url("**/play/*")
    page.wait_for_selector('[data-disc="first"]')
    expect(page.locator('[data-test="player-first"]')).to_contain_text("Level 2")
    page.click('[data-test="new"]')
    page.wait_for_url("**/?game=*")
    wait_for_cells(page, "-" * 64)
    expect(page.locator('[data-test="side"] .selected')).to_have_text("Yellow")
    expect(page.locator('[data-test="clock"]')).to_have_value("600+5")
    expect(page.locator('[data-test="opponent-level"]')).to_have_value("2")


def test_search_depth(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/")
    choose(page, "opponent", "search")
    page.locator('[data-test="opponent-search"]').select_option("iterative")
    slide(page, "opponent-depth", 3)
    click_cell(page, 37)  # f5
    page.wait_for_url("**/play/*")
    page.wait_for_function("document.querySelectorAll('[data-test=moves] button').length === 2")
    assert server.view(page.url.rsplit("/", 1)[1])["players"]["second"]["spec"] == "iterative:depth=3"
    page.click('[data-test="new"]')
    expect(page.locator('[data-test="opponent"] .selected')).to_have_attribute("data-value", "search")
    expect(page.locator('[data-test="opponent-search"]')).to_have_value("iterative")
    expect(page.locator('[data-test="opponent-depth"]')).to_have_value("3")


def test_clock_by_the_move(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/")
    page.locator('[data-test="clock"]').select_option("60/move")
    slide(page, "opponent-level", 1)
    click_cell(page, 37)  # f5
    page.wait_for_url("**/play/*")
    page.wait_for_function("document.querySelectorAll('[data-test=moves] button').length === 2")
    clock = server.view(page.url.rsplit("/", 1)[1])["clock"]
    assert clock["control"] == "60/move"
    assert clock["remaining"]["second"] == 60  # a move gives the whole time again
    page.wait_for_function("document.querySelector('[data-test=player-first] .fd-clock').textContent < '1:00'")


def test_unknown_player(open_page: Callable[..., Page]) -> None:
    page = open_page("/", language="zh-CN")
    choose(page, "opponent", "spec")
    page.fill('[data-test="opponent-spec"]', "my_agent.py:Agent")
    page.click('[data-test="start"]')
    expect(page.locator(".q-notification__message")).to_contain_text("未知的棋手")
    expect(page.locator(".q-notification__caption")).to_contain_text("my_agent.py")  # in the words of the error
    page.fill('[data-test="opponent-spec"]', "mcts:iterations=20")
    page.click('[data-test="start"]')
    page.wait_for_url("**/play/*")
    expect(page.locator('[data-test="player-second"]')).to_contain_text("mcts")


def test_unknown_session(open_page: Callable[..., Page]) -> None:
    page = open_page("/play/nowhere")
    expect(page.locator(".fd-main")).to_contain_text("Game not found")


def test_empty_player(open_page: Callable[..., Page]) -> None:
    page = open_page(f"/?against=level:{'9' * 5000}")
    page.click('[data-test="start"]')
    expect(page.locator(".q-notification")).to_contain_text("level:999")
    page.fill('[data-test="opponent-spec"]', " ")
    page.click('[data-test="start"]')
    expect(page.locator(".q-notification", has_text="Enter a player")).to_be_visible()
    assert "/play/" not in page.url


def test_first_move_after_blocking_a_cell(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/?game=connect4:6x5&against=level:1")
    page.click('[data-test="forbid"]')
    page.wait_for_selector(".fd-board.editing")
    click_cell(page, 6 * 5 - 1)
    page.wait_for_selector('[data-cell="29"][data-disc="forbidden"]')
    expect(page.locator('[data-test="blocked-hint"]')).to_have_text("f1")
    page.wait_for_selector(".fd-board.active")
    click_cell(page, 0)  # a move
    page.wait_for_url("**/play/*")
    page.wait_for_selector('[data-disc="first"]')
    assert server.view(page.url.rsplit("/", 1)[1])["game"] == "connect4:6x5,forbid=f1"


def test_first_click_plays_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    page.wait_for_selector(".fd-board.active")
    page.evaluate("window.same = true")
    click_cell(page, Othello().parse_move("f5"))
    page.wait_for_url("**/play/*")
    expect(page.locator('[data-test="moves"]')).to_contain_text("f5")
    assert page.evaluate("window.same")  # no page was loaded
    page.go_back()
    expect(page.locator('[data-test="start"]')).to_be_visible()


def test_play_from_a_position(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/analyse/othello?position=f5d6c3")
    page.click('[data-test="tool-play"]')
    position = game("othello").position("f5d6c3")
    wait_for_cells(page, position.cells)
    expect(page.locator('[data-test="side"] [data-value="second"]')).to_have_class(re.compile("selected"))
    click_cell(page, position.parse_move("d3"))
    page.wait_for_url("**/play/*")
    view = server.view(page.url.rpartition("/")[2])
    assert [move["move"] for move in view["moves"][:4]] == ["f5", "d6", "c3", "d3"]
    assert view["players"]["second"]["spec"] is None
    # A set-up board, and another board instead of it.
    page.goto("/?game=othello6&position=" + game("othello6").start().board)
    wait_for_cells(page, game("othello6").start().cells)
    choose(page, "size", "4")
    wait_for_cells(page, game("othello4").start().cells)
    page.goto("/?game=othello&position=a1")
    expect(page.locator(".fd-banner.bad")).to_contain_text("Illegal move")


def test_hint(open_page: Callable[..., Page], server: Server) -> None:
    session = server.new_session(game="connect4", second="level:1", position="112233")
    page = open_page(f"/play/{session}")
    page.click('[data-test="hint"]')
    page.wait_for_selector(".fd-advice")
    box, hint = (page.locator(css).bounding_box() for css in ('[data-move="4"]', ".fd-advice"))
    assert box is not None
    assert hint is not None
    assert abs(box["x"] + box["width"] / 2 - hint["x"] - hint["width"] / 2) < 2
    page.keyboard.press("4")
    expect(page.locator('[data-test="status"]')).to_have_text("You win")
    assert page.locator(".fd-advice").count() == 0
    assert server.view(session)["analysis"] is None


def test_result_and_rematch(open_page: Callable[..., Page], server: Server) -> None:
    session = server.new_session(game="othello", second="level:1", clock="300+3")
    page = open_page(f"/play/{session}")
    page.click('[data-test="resign"]')
    page.click('[data-test="resign-yes"]')
    status = page.locator(".fd-status")
    expect(status).to_have_class(re.compile(r"\blost\b"))
    expect(status).not_to_have_class(re.compile(r"\bresult\b"))
    page.click('[data-test="rematch"]')
    page.wait_for_url(lambda url: session not in url and "/play/" in url)
    view = server.view(page.url.rpartition("/")[2])
    assert view["players"]["first"]["spec"] == "level:1"
    assert view["players"]["second"]["spec"] is None
    assert view["clock"]["control"] == "300+3"


def test_your_turn_after_undo(open_page: Callable[..., Page], server: Server) -> None:
    session = server.new_session(game="othello", second="level:1", position="f5d6c3d3")
    page = open_page(f"/play/{session}")
    page.click('[data-test="undo"]')
    expect(page.locator('[data-test="status"]')).to_have_text("Your turn (Move 2 of 4)")


def test_my_games(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page("/")
    page.evaluate("localStorage.removeItem('flipdrop-games')")
    ids = [server.new_session(game=name, second="level:1") for name in ("othello", "connect4")]
    for session in ids:
        page.goto(f"/play/{session}")
        page.wait_for_function(f"localStorage.getItem('flipdrop-games')?.includes('{session}')")
    page.click('[data-test="resign"]')
    page.click('[data-test="resign-yes"]')
    page.wait_for_selector(".fd-status.lost")
    page.goto("/")
    games = page.locator('[data-test="my-game"]')
    expect(games).to_have_count(2)
    expect(games.nth(0)).to_contain_text("Othello 8×8 · Level 1")  # unfinished games come first
    expect(games.nth(0)).to_contain_text("Continue")
    expect(games.nth(1)).to_contain_text("You resigned")
    games.nth(0).click()
    page.wait_for_url(f"**/play/{ids[0]}")
    page.evaluate("localStorage.setItem('flipdrop-games', '{')")  # damaged
    page.goto("/")
    page.wait_for_selector(".fd-board.active")
    page.evaluate("localStorage.removeItem('flipdrop-games')")


def test_sound_is_off_by_default(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(f"/play/{server.new_session(game='othello')}")
    assert page.evaluate("localStorage.getItem('flipdrop-sound')") is None
    sound = page.locator('[data-test="sound"]')
    expect(sound).to_have_attribute("aria-pressed", "false")
    off, on = sound.locator("svg").all()
    expect(off).to_be_visible()
    sound.click()
    expect(page.locator(".q-notification")).to_contain_text("Sound on")
    expect(sound).to_have_attribute("aria-pressed", "true")
    expect(on).to_be_visible()
    expect(off).to_be_hidden()
    page.keyboard.type("f5")  # plays it, without an error
    expect(page.locator('[data-test="moves"]')).to_contain_text("f5")
    page.evaluate("localStorage.removeItem('flipdrop-sound')")


def test_only_players_of_the_board_are_offered(open_page: Callable[..., Page]) -> None:
    page = open_page("/?game=othello&against=engine:depth=4")
    offered = page.locator('[data-test="opponent-search"]')
    expect(offered).to_have_value("engine")
    choose(page, "size", "4")
    expect(offered).to_have_value("alphabeta")
    expect(offered.locator("option[value=engine], option[value=pattern]")).to_have_count(0)

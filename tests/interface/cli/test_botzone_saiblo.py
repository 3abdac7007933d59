"""`flipdrop botzone` and `flipdrop saiblo`: whole games through the commands, as platforms play them."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from flipdrop.games import game as game_of
from flipdrop.interface.protocols.botzone import KEEP_RUNNING, NO_MOVE, move_json, read_move
from flipdrop.interface.protocols.saiblo import platform_game
from tests.interface.cli.support import check_usage_error, flipdrop, json_of, run_here, stdout_of

if TYPE_CHECKING:
    from pathlib import Path


class Bot:
    """A command that a platform has started."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "flipdrop", *arguments]
        self.process: subprocess.Popen[str] = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        status = self.process.wait(timeout=300)
        self.process.stdout.close()
        return status


@pytest.mark.parametrize(("game", "first"), [("othello", True), ("othello", False), ("connect4:9x9,forbid=e2", True)])
def test_whole_game_through_botzone(game: str, first: bool) -> None:
    random, position = Random(7), game_of(game).start()
    bot = Bot("botzone", "--game", game, "--player", "engine:depth=2", "--seed", "1")
    request = NO_MOVE
    if not first:
        move = random.choice(position.legal_moves)
        request, position = move_json(position, move), position.play(move)
    turns = 0
    while not position.is_over:
        bot.say(json.dumps(request if turns else {"requests": [request], "responses": []}))
        position = position.play(read_move(position, json.loads(bot.hear())["response"]))
        assert bot.hear() == KEEP_RUNNING
        turns += 1
        if not position.is_over:
            move = random.choice(position.legal_moves)
            request, position = move_json(position, move), position.play(move)
    assert turns >= 4
    assert bot.end() == 0


def test_botzone_once() -> None:
    turn = json.dumps({"requests": [NO_MOVE], "responses": []})
    answer = stdout_of("botzone", "--once", "--player", "random", "--seed", "1", stdin=f"{turn}\n")
    assert KEEP_RUNNING not in answer
    start = game_of("othello").start()
    assert read_move(start, json.loads(answer)["response"]) in start.legal_moves


def test_botzone_names_what_is_wrong() -> None:
    done = flipdrop("botzone", "--player", "random", stdin="hello\n")
    assert done.returncode != 0
    assert "hello" in done.stderr
    assert "Traceback" not in done.stderr


def test_whole_game_through_saiblo() -> None:
    random, position = Random(3), platform_game(10, 9, (4, 6)).start()
    bot = Bot("saiblo", "engine:depth=3", "--serve", "--seed", "1")
    bot.say("10 9 4 6")
    last = "-1 -1"
    while not position.is_over:
        bot.say(last)
        row, column = map(int, bot.hear().split())
        assert divmod(position.landing_cell(column), 9) == (row, column)
        position = position.play(column)
        if not position.is_over:
            move = random.choice(position.legal_moves)
            last = " ".join(map(str, divmod(position.landing_cell(move), 9)))
            position = position.play(move)
    assert position.result == 1  # random moves lose
    assert bot.end() == 0


@pytest.mark.slow
def test_batch(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store.db"), "--seed", "4", "--threads", "1")
    batch = ("saiblo", "engine:nodes=100", "--against", "random", "--against", "mcts:iterations=5", *store)
    result = json_of(*batch)
    assert result["won"] + result["drawn"] + result["lost"] == 4
    assert result["points"] == 2 * result["won"] + result["drawn"]
    assert result["forfeits"] == 0
    assert [board["opponent"] for board in result["boards"]] == ["random", "mcts:iterations=5"]
    again = flipdrop(*batch)
    assert "already has" in again.stderr
    assert f"{result['points']} of 8 points" in stdout_of(*batch, "--resume")


def test_batch_takes_one_list_of_opponents(tmp_path: Path) -> None:
    specs = tmp_path / "specs.txt"
    specs.write_text("random\n")
    done = flipdrop("saiblo", "random", "--against", "random", "--specs", str(specs), "--no-store")
    assert done.returncode != 0
    assert "--against and --specs" in done.stderr


def test_saiblo_has_no_game_to_choose(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = run_here(capsys, "saiblo", "random", "--against", "greedy", "--game", "othello", "--no-store")
    assert status == 2
    assert "No such option: --game" in error


def test_empty_file_of_opponents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "specs.txt").write_text("# nothing\n")
    arguments = ("saiblo", "random", "--specs", str(tmp_path / "specs.txt"), "--no-store")
    check_usage_error(capsys, arguments, "names no opponents")


def test_one_opponent(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, error = run_here(capsys, "saiblo", "greedy", "--against", "random", "--no-store", "--seed", "1")
    assert error.startswith("greedy against 1 opponent on random boards")


def test_saiblo_names_no_board_before_the_platform_does() -> None:
    shown = flipdrop("saiblo", "random", "--serve", "--seed", "1").stderr
    assert shown == "flipdrop saiblo: Connect Four, random, seed 1\n"

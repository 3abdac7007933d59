"""Our own servers as the engines of our own clients: whole games, move for move those of the player itself."""

from __future__ import annotations

import random
import shlex
import sys
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.players import Clock, GameClock, SpecPlayer, player
from flipdrop.players.player import HistoryAware, send_history
from tests.players.examples import PASSES
from tests.strategies import CONNECT_FOUR_GAMES, OTHELLO_GAMES, AnyGame, AnyPosition, random_line

if TYPE_CHECKING:
    from collections.abc import Iterator

THINKER = "mcts:iterations=40"
STRANGER = """
import sys
from flipdrop.games import game
from flipdrop.interface.protocols.gtp import GtpServer, serve_gtp
from flipdrop.players import player

class Stranger(GtpServer):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        for command in [name for name in self._commands if name.startswith("flipdrop") or name.endswith("game")]:
            del self._commands[command]

import flipdrop.interface.protocols.gtp as module
module.GtpServer = Stranger
serve_gtp(player(sys.argv[1]), game(sys.argv[2]), sys.stdin, sys.stdout)
"""


def own(kind: str, spec: str = THINKER, *, options: str = "", seed: int = 5) -> SpecPlayer:
    command = [sys.executable, "-m", "flipdrop", kind, "--player", spec, "--seed", str(seed), "--threads", "1"]
    return player(f"{kind}{options}:{shlex.join(command)}")


@pytest.fixture(scope="module")
def gtp() -> Iterator[SpecPlayer]:
    """One engine for many games, as in a match."""
    made = own("gtp")
    yield made
    made.close()


@pytest.fixture(scope="module")
def nboard() -> Iterator[SpecPlayer]:
    made = own("nboard")
    yield made
    made.close()


def play(
    external: SpecPlayer, start: AnyPosition, *, opening: int = 0, side: int | None = None, history_sent: bool = True
) -> None:
    """A game from a random opening, in which the external player, on one side or both, plays as the player it runs."""
    direct = player(THINKER, seed=5)
    source = random.Random(f"{start.board} {opening} {side}")
    position, moves = start, list[int]()
    while not position.is_over:
        if len(moves) < opening or (side is not None and position.to_move != side):
            move = source.choice(position.legal_moves)
        else:
            if history_sent:
                send_history(external, start, moves)
            move = external.choose(position, Clock(move_limit=30))
            assert move == direct.choose(position)
        moves.append(move)
        position = position.play(move)


@pytest.mark.slow
@pytest.mark.parametrize("game", [*OTHELLO_GAMES, *CONNECT_FOUR_GAMES], ids=lambda game: game.name)
def test_whole_games_by_gtp(gtp: SpecPlayer, game: AnyGame) -> None:
    play(gtp, game.start(), opening=3, side=game.start().to_move)
    play(gtp, game.start(), history_sent=False)


@pytest.mark.slow
def test_an_nboard_engine_plays_whole_games(nboard: SpecPlayer) -> None:
    for side in (0, 1):
        play(nboard, Othello(), opening=5, side=side)
    play(nboard, Othello(), history_sent=False)


@pytest.mark.parametrize("kind", ["gtp", "nboard"])
def test_games_begin_anywhere(kind: str, request: pytest.FixtureRequest) -> None:
    external = request.getfixturevalue(kind)
    middles = [random_line(OthelloGame(8), random.Random(seed), plies=40)[-1] for seed in range(3)]
    if kind == "gtp":
        middles += [ConnectFour("----/----/-#--/OX-- X"), *PASSES]
    for middle in middles:
        if not middle.is_over:
            play(external, middle, side=middle.to_move)
            play(external, middle, side=1 - middle.to_move, history_sent=False)


def test_positions_in_any_order(gtp: SpecPlayer) -> None:
    direct = player(THINKER, seed=5)
    lines = [random_line(game, random.Random(3)) for game in (OthelloGame(8), ConnectFourGame(), OthelloGame(6))]
    positions = [position for line in lines for position in line if not position.is_over]
    for position in random.Random(1).sample(positions, 25):
        assert gtp.choose(position) == direct.choose(position)


@pytest.mark.slow
@pytest.mark.parametrize("game", [OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(9, 10)])
def test_standard_gtp_commands(game: AnyGame) -> None:
    plain = OthelloGame() if isinstance(game, OthelloGame) else ConnectFourGame()
    command = [sys.executable, "-c", STRANGER, f"{THINKER},seed=5", plain.name]
    engine_player = player(f"gtp[name=engine_player]:{shlex.join(command)}")
    try:
        play(engine_player, game.start(), opening=4, side=1)
        play(
            engine_player, game.start(), opening=4, side=0, history_sent=False
        )  # it has to find out what the opening was
    finally:
        engine_player.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gtp", "nboard"])
def test_an_engine_keeps_to_its_time(kind: str) -> None:
    external = own(kind, "iterative:endgame=no")
    clock = GameClock(total=3.0)
    position, moves = Othello(), list[int]()
    try:
        used = 0.0
        for _ in range(12):
            if position.is_over:
                break
            if position.to_move == 0:
                send_history(external, Othello(), moves)
                move = external.choose(position, clock.start(position.to_move))
                used += clock.stop()
            else:
                move = position.legal_moves[0]
            moves.append(move)
            position = position.play(move)
    finally:
        external.close()
    assert clock.overrun is None
    assert used > 0.3  # it does use it


@pytest.mark.slow
def test_engine_that_is_a_client() -> None:
    inner = own("gtp").spec
    relay = own("nboard", inner)
    try:
        play(relay, Othello(), opening=46, side=0)
    finally:
        relay.close()


@pytest.mark.timing
def test_engine_starts_before_the_clock() -> None:
    external = own("gtp", "random")
    try:
        assert isinstance(external, HistoryAware)
        assert not isinstance(player("random"), HistoryAware)
        send_history(player("random"), Othello(), [])  # does nothing
        external.set_history(Othello(), [])
        began = time.perf_counter()
        external.choose(Othello(), Clock(move_limit=5))
        assert time.perf_counter() - began < 5
    finally:
        external.close()

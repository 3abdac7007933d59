"""External players: specs, whole games with our own servers as engines, and several games with one process."""

from __future__ import annotations

import random
import shlex
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello
from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.players import Clock, GameClock, SpecPlayer, player
from flipdrop.players.external.external_player import ExternalPlayer
from flipdrop.players.player import HistoryAware, send_history
from tests.players.examples import PASSES
from tests.players.external.engines import engine, processes
from tests.players.external.scripted_engine import check_message
from tests.strategies import (
    CONNECT_FOUR_GAMES,
    OTHELLO_GAMES,
    AnyGame,
    AnyPosition,
    any_text,
    random_line,
    surrogates,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


@pytest.mark.slow
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


BEGIN = {"gtp": "clear_board", "nboard": "set"}
"""The command that begins a game, and the number of its uses before a second game."""
FIRST_GAME = {"gtp": 1, "nboard": 2}
OBEY = {"gtp": "answer()", "nboard": "pass"}


def make(folder: Path, kind: str, fault: str = "", *, when: str = "", options: str = "startup=20") -> ExternalPlayer:
    """A player whose engine notes each of its starts and, with a fault, each use of a command."""
    log = str(folder / "starts")
    command = engine(folder, fault, when=when or BEGIN[kind], before=f"open({log!r}, 'a').write('x')", kind=kind)
    made = player(f"{kind}[name=Bad,{options}]:{command}")
    assert isinstance(made, ExternalPlayer)
    return made


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text())


def in_second_game(kind: str, fault: str) -> str:
    """Obeys the commands of a process's first game, and then does something else."""
    return f"""
misbehave.uses = getattr(misbehave, "uses", 0) + 1
if misbehave.uses <= {FIRST_GAME[kind]}:
    {OBEY[kind]}
else:
    {fault}
"""


def play_game(external: ExternalPlayer) -> None:
    external.set_history(Othello(), [])
    assert Othello().move_name(external.choose(Othello())) == "d3"
    external.new_game()


@pytest.mark.parametrize("kind", BEGIN)
def test_one_process_for_many_games(kind: str, tmp_path: Path) -> None:
    external = make(tmp_path, kind)
    for _ in range(4):
        play_game(external)
    assert starts(tmp_path) == 1
    external.close()
    assert processes(tmp_path) == []
    play_game(external)
    assert starts(tmp_path) == 2
    external.close()


def test_each_game_is_announced(tmp_path: Path) -> None:
    commands = str(tmp_path / "commands")
    note = f"open({commands!r}, 'a').write(line)\nanswer()"
    external = make(tmp_path, "gtp", note, when="clear_board")
    for _ in range(3):
        play_game(external)
    external.close()
    assert (tmp_path / "commands").read_text().split() == ["clear_board"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("kind", BEGIN)
@pytest.mark.parametrize("fault", ["os._exit(3)", "time.sleep(1000)", "print('? no\\n', flush=True)", "os.close(1)"])
def test_new_process_for_a_second_game(kind: str, fault: str, tmp_path: Path) -> None:
    external = make(tmp_path, kind, in_second_game(kind, fault), options="startup=2")
    refuses_only = kind == "nboard" and "?" in fault  # the protocol has no refusals: output of another kind is ignored
    for games in range(1, 4):
        play_game(external)
        assert starts(tmp_path) == (1 if refuses_only else games)
    external.close()
    assert processes(tmp_path) == []


def test_engine_that_ends_after_each_game(tmp_path: Path) -> None:
    external = make(tmp_path, "gtp", "answer('d3'); os._exit(0)", when="genmove")
    for games in range(1, 4):
        play_game(external)
        assert starts(tmp_path) == games
    assert processes(tmp_path) == []


@pytest.mark.slow
@pytest.mark.timing
def test_a_slow_refusal_is_waited_for_once(tmp_path: Path) -> None:
    external = make(tmp_path, "gtp", in_second_game("gtp", "time.sleep(1000)"), options="startup=3")
    play_game(external)
    play_game(external)
    began = time.monotonic()
    play_game(external)
    assert time.monotonic() - began < 3
    external.close()


def test_new_process_that_fails_too(tmp_path: Path) -> None:
    log = str(tmp_path / "starts")
    fault = f"if os.path.getsize({log!r}) == 1 and not os.path.exists({str(tmp_path / 'begun')!r}):\n"
    fault += f"    open({str(tmp_path / 'begun')!r}, 'w').close()\n    answer()\nelse:\n    os._exit(4)"
    external = make(tmp_path, "gtp", fault)
    play_game(external)
    with pytest.raises(PlayerError, match="Bad ended with exit status 4"):
        external.set_history(Othello(), [])
    assert starts(tmp_path) == 2
    assert processes(tmp_path) == []


@pytest.mark.parametrize("kind", BEGIN)
def test_failure_within_a_game_is_not_repeated(kind: str, tmp_path: Path) -> None:
    first = {"gtp": "answer('d3')", "nboard": "print('=== D3', flush=True)"}[kind]
    fault = f"""
misbehave.uses = getattr(misbehave, "uses", 0) + 1
if misbehave.uses == 1:
    {first}
else:
    os._exit(5)
"""
    external = make(tmp_path, kind, fault, when={"gtp": "genmove", "nboard": "go"}[kind])
    play_game(external)
    external.set_history(Othello(), [])
    with pytest.raises(PlayerError, match="Bad ended with exit status 5"):
        external.choose(Othello())
    assert starts(tmp_path) == 1
    external.new_game()
    play_game(external)  # with a new process
    assert starts(tmp_path) == 2
    external.close()


def test_a_game_that_continues_the_last_one_is_a_new_game(tmp_path: Path) -> None:
    commands = str(tmp_path / "commands")
    external = make(tmp_path, "gtp", f"open({commands!r}, 'a').write(line)\nanswer()", when="clear_board")
    external.set_history(Othello(), [])
    external.new_game()
    external.set_history(Othello(), [19, 18])
    external.close()
    assert (tmp_path / "commands").read_text().split() == ["clear_board"] * 2


@pytest.mark.parametrize(
    ("spec", "canonical", "name"),
    [
        ("gtp:edax -gtp", "gtp:edax -gtp", "edax -gtp"),
        (" GTP : /opt/edax/bin/edax  -gtp ", "gtp:/opt/edax/bin/edax -gtp", "edax -gtp"),
        ("nboard:'my engine' --name \"a b\"", "nboard:'my engine' --name 'a b'", "'my engine' --name 'a b'"),
        ("gtp[name=Edax 4.6, timeout=20]:edax", "gtp[name=Edax 4.6,timeout=20]:edax", "Edax 4.6"),
        ("nboard[depth=9,folder=/opt/x]:./x", "nboard[folder=/opt/x,depth=9]:./x", "x"),
        ("gtp[startup=30]:x", "gtp:x", "x"),
        ("gtp[passes=yes]:x", "gtp:x", "x"),
        ("gtp[passes=no,name=GRhino]:gtp-rhino", "gtp[name=GRhino,passes=no]:gtp-rhino", "GRhino"),
        ("gtp:x.py:Agent [a=b]", "gtp:x.py:Agent '[a=b]'", "x.py:Agent '[a=b]'"),
        ("gtp[]:python engine.py", "gtp:python engine.py", "python engine.py"),
    ],
)
def test_a_spec_and_its_canonical_form(spec: str, canonical: str, name: str) -> None:
    made = player(spec)
    assert isinstance(made, ExternalPlayer)
    assert (made.spec, made.name) == (canonical, name)
    assert player(made.spec).spec == made.spec
    assert repr(made) == f"player({canonical!r})"


@given(st.sampled_from(["gtp", "nboard"]), st.lists(st.text(min_size=1), min_size=1), st.floats(0.001, 1e6))
def test_command_lines_round_trip(kind: str, words: list[str], timeout: float) -> None:
    spec = f"{kind}[timeout={timeout!r},name=N]:{shlex.join(words)}"
    try:
        made = player(spec)
    except PlayerError as error:
        check_message(error, "null character|surrogates")
        return
    assert isinstance(made, ExternalPlayer)
    assert made.command == tuple(words)
    again = player(made.spec)
    assert again.spec == made.spec


@given(st.sampled_from(["gtp", "nboard"]), any_text() | surrogates(), any_text())
def test_arbitrary_command_lines(kind: str, text: str, options: str) -> None:
    for spec in (f"{kind}:{text}", f"{kind}[{options}]:{text}"):
        try:
            made = player(spec)
        except FlipdropError as error:
            check_message(error)
        else:
            assert player(made.spec).spec == made.spec


@pytest.mark.parametrize(
    ("spec", "expected_error"),
    [
        ("gtp:", "say which program to run"),
        ("gtp: ", "say which program to run"),
        ("nboard:''", "say which program to run"),
        ("gtp:edax 'x", "No closing quotation"),
        ("gtp:edax \0", "null character"),
        ("gtp[timeout=0]:x", "more than 0"),
        ("gtp[timeout=soon]:x", "expected a number"),
        ("gtp[depth=4]:x", "no option 'depth'"),
        ("nboard[depth=0]:x", "at least 1"),
        ("gtp[speed=4]:x", "options are name, timeout, startup, folder, passes"),
        ("gtp[passes=maybe]:x", "expected yes or no"),
        ("nboard[passes=no]:x", "no option 'passes'"),
        ("gtp[name=a\tb]:x", "printable text"),
        ("gtp", "players are"),
        ("gpt:x", "players are"),
    ],
)
def test_spec_errors(spec: str, expected_error: str) -> None:
    with pytest.raises(PlayerError, match=expected_error):
        player(spec)


def test_programs_that_are_not_allowed() -> None:
    for spec in ("gtp:edax", "nboard[name=x]:edax", "gtp:"):
        with pytest.raises(PlayerError, match="programs are not run here"):
            player(spec, allow_code=False)


def test_unsupported_games() -> None:
    with pytest.raises(PlayerError, match="cannot play Othello 6x6: the protocol of NBoard is for Othello 8x8"):
        player("nboard:cat", game="othello6")
    with pytest.raises(PlayerError, match="there is no program 'no-such-engine'"):
        player("gtp:no-such-engine", game="othello")
    assert player("gtp:cat", game="connect4").spec == "gtp:cat"
    with pytest.raises(PlayerError, match="cannot play Connect Four"):
        player("nboard:cat").choose(ConnectFour())

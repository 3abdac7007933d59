"""Agents and functions from files: loading, playing, and errors that name them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.errors import PlayerError
from flipdrop.players import Clock, FunctionPlayer, checked_move, player

if TYPE_CHECKING:
    from pathlib import Path

GOOD = '''
from dataclasses import dataclass
import helper_of_agent

class Plain:
    def choose(self, position):
        return position.legal_moves[helper_of_agent.first]

class Timed:
    def choose(self, position, clock=None):
        assert clock is None or clock.move_limit == 3
        return position.legal_moves[-1]

@dataclass
class Seeded:
    seed: int = 1
    def choose(self, position, clock):
        return position.legal_moves[self.seed % 2]

class Index:
    """A number of a type of its own, as numpy has them."""
    def __init__(self, number):
        self.number = number
    def __index__(self):
        return self.number

def by_name(position):
    return position.move_name(position.legal_moves[1])

def by_index(position):
    return Index(position.legal_moves[1])

async_like = lambda *arguments: arguments[0].legal_moves[0]
'''


@pytest.fixture
def good(tmp_path: Path) -> Path:
    (tmp_path / "helper_of_agent.py").write_text("first = 0\n")
    path = tmp_path / "my agent.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("name", "index"), [("Plain", 0), ("Timed", -1), ("Seeded", 1), ("by_name", 1), ("by_index", 1), ("async_like", 0)]
)
def test_a_good_agent_plays(good: Path, name: str, index: int) -> None:
    made = player(f"{good}:{name}", seed=1)
    assert made.name == f"{good}:{name}"
    for position in (Othello(), ConnectFour()):
        assert checked_move(made, position, Clock(move_limit=3)) == position.legal_moves[index]
        assert made.choose(position) == position.legal_moves[index]


def test_seed_of_an_agent(good: Path) -> None:
    assert player(f"{good}:Seeded", seed=6).choose(Othello()) == Othello().legal_moves[0]
    written = player(f"{good}:Seeded:seed=7", seed=6)
    assert written.choose(Othello()) == Othello().legal_moves[1]
    assert written.spec == f"{good}:Seeded:seed=7"
    assert player(f"{good}:Plain", seed=6).spec == f"{good}:Plain"


def test_a_changed_file_is_read_again(good: Path) -> None:
    assert player(f"{good}:Plain").choose(Othello()) == Othello().legal_moves[0]
    good.write_text("def Plain(position):\n    return position.legal_moves[3]\n")
    assert player(f"{good}:Plain").choose(Othello()) == Othello().legal_moves[3]


@pytest.mark.parametrize(
    ("source", "name", "expected_error"),
    [
        ("x = (\n", "Agent", "cannot be run: SyntaxError"),
        ("import no_such_module_anywhere\n", "Agent", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
        ("1 / 0\n", "Agent", "cannot be run: ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "Agent", "cannot be run: SystemExit: 3"),
        ("class Agents:\n    pass\ndef f():\n    pass\n", "Agent", "has no 'Agent'; it has Agents, f"),
        ("from math import sin\n", "Agent", "it defines no class or function"),
        ("class Agent:\n    pass\n", "", "say which class or function"),
        ("class Agent:\n    pass\n", "Agent", "has no method choose"),
        ("class Agent:\n    choose = 3\n", "Agent", "has no method choose"),
        ("Agent = 3\n", "Agent", "is 3; a player is a class or an object with choose, or a function"),
        ("class Agent:\n    def __init__(self, depth): pass\n", "Agent", "cannot be made without arguments: TypeError"),
        ("class Agent:\n    def __init__(self, seed): raise OSError('no')\n", "Agent", "with seed=: OSError: no"),
        ("class Agent:\n    def choose(self): pass\n", "Agent", "called with a position"),
        ("def Agent(a, b, c): pass\n", "Agent", "takes (a, b, c)"),
        ("class Agent:\n    def choose(self, position): pass\n", "Agent:depth=3", "takes seed=NUMBER alone"),
    ],
)
def test_an_agent_that_cannot_be_made(tmp_path: Path, source: str, name: str, expected_error: str) -> None:
    path = tmp_path / "agent.py"
    path.write_text(source)
    before = set(sys.modules)
    with pytest.raises(PlayerError) as caught:
        player(f"{path}:{name}")
    assert expected_error in str(caught.value)
    assert str(path) in str(caught.value)
    if "cannot be run" in expected_error:
        assert set(sys.modules) == before


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"nowhere\.py: No such file"):
        player(f"{tmp_path}/nowhere.py:Agent")
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(PlayerError, match="is not a file"):
        player(f"{tmp_path}/folder.py:Agent")


@pytest.mark.parametrize(
    ("body", "expected_error"),
    [
        ("return 0", "answered 0 in Othello("),
        ("return -1", "answered -1"),
        ("return 10**30", "answered 1000000000"),
        ("return 'a1'", "answered 'a1'"),
        ("return 'z9'", "answered 'z9'"),
        ("return 'pass'", "answered 'pass'"),
        ("return None", "answered None"),
        ("return True", "answered True"),
        ("return 19.0", "answered 19.0"),
        ("return [19]", "answered [19]"),
        ("return 'x' * 1000", "answered 'xxxx"),
        ("return Unprintable()", "answered a Unprintable"),
        ("raise KeyError('lost')", "failed in Othello("),
        ("raise KeyError('lost')", "KeyError: 'lost'"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("import sys; sys.exit('bye')", "SystemExit: bye"),
        ("return [][0]", "IndexError"),
        ("return choose_again(position)", "RecursionError"),
    ],
)
def test_illegal_answers_of_an_agent(tmp_path: Path, body: str, expected_error: str) -> None:
    path = tmp_path / "agent.py"
    path.write_text(
        "class Unprintable:\n    def __repr__(self): raise RuntimeError\n"
        "def choose_again(position): return choose_again(position)\n"
        f"def agent(position): {body}\n"
    )
    made = player(f"{path}:agent")
    for ask in (made.choose, lambda position: checked_move(made, position)):
        with pytest.raises(PlayerError) as caught:
            ask(Othello())
        message = str(caught.value)
        assert message.startswith(f"{path}:agent ")
        assert expected_error in message
        assert "\n" not in message
    if "answered" in expected_error:
        assert "legal: d3 c4 f5 e6" in message


class Raw:
    """A player that nothing protects."""

    name = "raw"

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def choose(self, position: object, clock: Clock | None = None) -> int:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "expected_error"),
    [
        (0, "raw answered 0 in Othello("),
        (None, "raw answered None"),
        (OSError("disk"), "raw failed in Othello(.*OSError: disk"),
        (SystemExit(1), "SystemExit: 1"),
    ],
)
def test_a_referee_names_the_culprit(answer: object, expected_error: str) -> None:
    with pytest.raises(PlayerError, match=expected_error.replace("(", r"\(")):
        checked_move(Raw(answer), Othello())


def test_a_referee_takes_a_name_for_a_move() -> None:
    assert checked_move(Raw("f5"), Othello()) == Othello().parse_move("f5")


def test_ctrl_c_is_not_the_player_s_fault() -> None:
    with pytest.raises(KeyboardInterrupt):
        checked_move(Raw(KeyboardInterrupt()), Othello())


def test_a_function_needs_to_be_one() -> None:
    with pytest.raises(PlayerError, match="3 cannot be called"):
        FunctionPlayer(3)  # type: ignore[arg-type]


def test_name_of_a_function() -> None:
    def lowest(position: Othello) -> int:
        return min(position.legal_moves)

    assert FunctionPlayer(lowest).name.endswith("lowest")
    assert FunctionPlayer(lowest, name="low").name == "low"

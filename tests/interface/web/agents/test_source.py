"""Finding the player of a file without running it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.interface.web.agents.source import MAX_BYTES, AgentRefused, player_in, players_in


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("class A:\n    def choose(self, p): ...\nclass B: ...\ndef f(p): ...", ["A"]),
        ("class _A:\n    def choose(self, p): ...\ndef best(position, clock): ...", ["best"]),
        ("def choose(position): ...\ndef helper(x): ...", ["choose"]),
        ("def a(p): ...\ndef b(p, c): ...\ndef c(p, c, d): ...\ndef d(): ...", ["a", "b"]),
        ("x = 1", []),
    ],
)
def test_players(code: str, found: list[str]) -> None:
    assert players_in(code.encode()) == found


def test_one_player() -> None:
    two = b"class A:\n    def choose(self, p): ...\nclass B:\n    def choose(self, p): ..."
    with pytest.raises(AgentRefused, match="several players: A, B"):
        player_in(two)
    assert player_in(two, "B") == "B"
    assert player_in(b"Agent = make_agent()", "Agent") == "Agent"  # only running it tells
    for name in ("a b", "x:y", "../x", "x" * 101):
        with pytest.raises(AgentRefused, match="not the name"):
            player_in(two, name)


@pytest.mark.parametrize(
    "code",
    [
        b"class A(:", b"\0", b"# coding: nonsense\n", b"\xff\xfe", b"(" * 30_000, b"-" * 60_000 + b"1",
        b"x" + b"+x" * 60_000, b"lambda:" * 30_000 + b"1",
    ],
)  # fmt: skip
def test_no_python(code: bytes) -> None:
    with pytest.raises(AgentRefused, match="not Python"):
        player_in(code)


def test_a_long_chain_of_attributes() -> None:
    with pytest.raises(AgentRefused, match=r"not Python|no player"):  # the parser of Python 3.14 can read it
        player_in(b"a" + b".b" * 60_000)


def test_too_large() -> None:
    with pytest.raises(AgentRefused, match="at most"):
        player_in(b"#" * (MAX_BYTES + 1))


@given(st.binary(max_size=60))
def test_any_bytes(code: bytes) -> None:
    with suppress(AgentRefused):
        assert player_in(code).isidentifier()

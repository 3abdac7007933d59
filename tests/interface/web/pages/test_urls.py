"""The URL of an analysis holds the whole game and the number of moves on the board."""

from __future__ import annotations

import random
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.games import game, read_transcript
from flipdrop.interface.web.pages.urls import analysis_start_url, analysis_url
from flipdrop.interface.web.sessions.session import Session


@given(
    st.sampled_from(["othello", "othello4", "connect4", "connect4:9x10,forbid=c3"]),
    st.integers(0, 3),
    st.integers(0, 70),
    st.integers(0, 70),
    st.integers(0, 2**32),
)
def test_url_round_trip(name: str, before: int, count: int, cursor: int, seed: int) -> None:
    """Passes included, and games that begin elsewhere than usual."""
    choice = random.Random(seed)
    start = game(name).start()
    for _ in range(before):
        start = start.play(choice.choice(start.legal_moves))
    position = start
    moves: list[int] = []
    while len(moves) < count and not position.is_over:
        moves.append(choice.choice(position.legal_moves))
        position = position.play(moves[-1])
    session = Session("x", start, moves, kept=False)
    session.jump(min(cursor, len(moves)))

    address = urlsplit(analysis_url(session, review="1", method=""))
    asked = {key: value for key, (value,) in parse_qs(address.query, strict_parsing=True).items()}
    assert unquote(address.path) == f"/analyse/{name}"
    assert asked.pop("review") == "1"
    assert int(asked.pop("at", len(moves))) == session.cursor
    usual = start == game(name).start()
    found = game(name).start() if usual else game(name).position(asked.pop("position"))
    assert found == start
    written = asked.pop("position" if usual else "moves", "")
    assert list(read_transcript(found, written)[0]) == moves
    assert asked == {}, "what is empty is left out"


@pytest.mark.parametrize("name", ["othello", "connect4:9x10,forbid=c3"])
def test_empty_game_url(name: str) -> None:
    start = game(name).start()
    assert analysis_url(Session("x", start, kept=False)) == analysis_start_url(start.game) == f"/analyse/{name}"

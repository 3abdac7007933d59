"""Files and texts of the dialogs that load and share games."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest

from flipdrop import Othello, game
from flipdrop.errors import FlipdropError
from flipdrop.games.history import GameHistory
from flipdrop.games.problems import read_problem
from flipdrop.games.records import GameRecord, decode_games, encode_games
from flipdrop.interface.web.pages.import_export import export_texts, games_of_file, proven_scores, record_title
from flipdrop.interface.web.schemas import AnalysisView
from flipdrop.interface.web.sessions.session import Session

RECORDS = [
    GameRecord.from_transcript(Othello(), "f5d6c3", first="Ada", second="Grace", event="Club"),
    GameRecord.from_transcript(Othello(), "f5f6e6"),
]


def sent(name: str, content: bytes) -> list[str]:
    return [name, base64.b64encode(content).decode()]


def test_files() -> None:
    for name in ("games.ggf", "GAMES.GGF"):
        found = games_of_file(sent(name, encode_games(RECORDS, "ggf")))
        assert [record.moves for record in found] == [record.moves for record in RECORDS]
    assert len(games_of_file(sent("games.txt", b"f5d6c3\nf5f6e6\n"))) == 2
    problems = games_of_file(sent("a.obf", f"# one\n{Othello().board}; F5:+0;\n".encode()))
    assert [record.start for record in problems] == [Othello()]


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        ["a.ggf"],
        ["a.ggf", None],
        ["a.ggf", "?"],
        ["a.ggf", 3],
        sent("a.pdf", b"x"),
        sent("a.txt", b""),
        sent("a.wtb", b"x"),
        sent("a.obf", b"\xff\xfe"),
    ],
)
def test_wrong_files(wrong: Any) -> None:
    with pytest.raises(FlipdropError):
        games_of_file(wrong)


def test_titles() -> None:
    assert record_title(0, RECORDS[0]) == "1. Ada – Grace · Club"
    assert record_title(1, RECORDS[1]).startswith("2.")


def test_texts() -> None:
    session = Session("a", Othello(), GameHistory.of(Othello(), ["f5", "d6", "c3"]).moves)
    session.jump(1)
    texts = export_texts(session, "http://here")
    assert texts["transcript"] == "f5d6c3"  # the whole game
    assert decode_games(texts["ggf"].encode(), "ggf")[0].moves == session.moves
    assert read_problem(texts["obf"]).position == session.position
    assert texts["url"] == "http://here"
    other = Session("b", game("connect4").start())
    assert export_texts(other, "").keys() == {"transcript", "board", "url"}


def test_proven_scores() -> None:
    session = Session("a", Othello())
    assert proven_scores(session) == {}
    common = {"value": 0.0, "win_probability": 0.5, "text": "", "best": False, "visits": 0, "depth": 1, "bound": False}
    moves = [
        {"move": "f5", "cell": 37, "proven": True, "outcome": "win", "margin": 4},
        {"move": "d3", "cell": 19, "proven": True, "outcome": "draw"},
        {"move": "c4", "cell": 26, "proven": False},
    ]
    view = {"method": "search", "position": Othello().board, "moves": [common | move for move in moves]}
    session.set_analysis(AnalysisView.model_validate(view))
    assert proven_scores(session) == {37: 4, 19: 0}
    assert re.search(r"F5:\+4; D3:\+0;", export_texts(session, "")["obf"])

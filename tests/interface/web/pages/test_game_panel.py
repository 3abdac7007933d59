"""Sentences about the state of a game."""

from __future__ import annotations

import pytest

from flipdrop.games import game
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.game_panel import player_name, status_text
from flipdrop.interface.web.schemas import PERSON, ErrorInfo, PlayerView
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.view import view_of
from flipdrop.kernel import Side

T = Translator("en")
LEVEL_2 = PlayerView(spec="level:2", name="level 2")


def session(*moves: str, name: str = "othello", players: tuple[PlayerView, PlayerView] = (PERSON, LEVEL_2)) -> Session:
    made = Session("test", game(name).start(), players=players)
    for move in moves:
        made.push(made.position.parse_move(move))
    return made


def test_turn_and_thinking() -> None:
    one = session()
    assert status_text(T, view_of(one)) == ("Your turn", "")
    one = session("f5")
    assert status_text(T, view_of(one)) == ("Level 2 to move", "")
    one.set_thinking(Side.SECOND)
    assert status_text(T, view_of(one)) == ("Level 2 is thinking", "")
    one.set_thinking(Side.SECOND, waiting=True)
    assert status_text(T, view_of(one)) == ("Level 2 is queued (server busy)", "")
    one.set_error(ErrorInfo(kind="PlayerError", message="no move"))
    assert status_text(T, view_of(one)) == ("The computer could not move.", "warning")


def test_two_people() -> None:
    one = session("f5", "d6", players=(PERSON, PERSON))
    assert [player_name(T, view_of(one), side) for side in ("first", "second")] == ["Black", "White"]
    one.jump(1)
    assert status_text(T, view_of(one)) == ("Move 1 of 2", "")


@pytest.mark.parametrize(
    ("players", "sentence", "tone"),
    [
        ((PERSON, LEVEL_2), "You win", "result"),
        ((LEVEL_2, PERSON), "Level 2 wins", "lost"),
        ((PERSON, PERSON), "Red wins", "result"),
    ],
)
def test_results(players: tuple[PlayerView, PlayerView], sentence: str, tone: str) -> None:
    won = session(*"1212121", name="connect4", players=players)
    assert status_text(T, view_of(won)) == (sentence, tone)


def test_resignation() -> None:
    one = session("f5", "d6")
    one.resign()
    assert status_text(T, view_of(one)) == ("You resigned, Level 2 wins", "lost")

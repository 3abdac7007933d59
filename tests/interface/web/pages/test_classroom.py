"""What the pages of a class read and show."""

from __future__ import annotations

import base64

import pytest

from flipdrop.interface.web.agents.source import AgentRefused
from flipdrop.interface.web.classroom.results import Standings, StandingsRow
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.classroom import agent_url, sent_code
from flipdrop.interface.web.pages.display_names import short_player_name
from flipdrop.interface.web.pages.result_texts import FORMATS
from flipdrop.interface.web.templating import render

T = Translator("en")


def test_sent_code() -> None:
    assert sent_code(base64.b64encode(b"x = 1").decode()) == b"x = 1"
    wrong: list[object] = ["", "no base64!", "é", 7, ["x"], {}]
    for sent in wrong:
        assert sent_code(sent) == b""
    with pytest.raises(AgentRefused, match="more than"):
        sent_code(None)


def test_names_and_urls() -> None:
    assert agent_url("小明 O'N") == "/class/agent/%E5%B0%8F%E6%98%8E%20O%27N"
    assert short_player_name(T, "agent:Ann@1") == "Ann"
    assert short_player_name(T, "agent:Ann@12") == "Ann v12"
    assert short_player_name(T, "agent:mine") == "mine"


def test_standings() -> None:
    rows = (
        StandingsRow("Ann", 2, 1, 50.0, (-10.0, 110.0), 3.5, 6, forfeits=1, trend=(0.0, 50.0), climbed=1, ladder=300.0),
        StandingsRow("Bob", 1, 2, -50.0, (float("-inf"), 10.0), 2.5, 6, climbed=-1),
        StandingsRow("Cy", 1, refused="it fails"),
    )
    standings = Standings("course", "othello", 1.0, "playing", 6, 60, rows)
    values = {"sparkline": charts.sparkline, "url": agent_url, "has_ladder": True}
    for large in (False, True):
        html = render("class_standings", t=T, standings=standings, large=large, mine={"Ann"}, **values, **FORMATS)
        for shown in ("+50", "3.5", "▲", "▼", "v2", "−∞", "Does not play", 'class="mine"', "<polyline"):
            assert shown in html
        assert ("1 forfeited" in html) != large


def test_sparkline() -> None:
    assert charts.sparkline(()) == charts.sparkline((1.0,)) == ""
    assert 'points="0.0,28.0 50.0,16.0 100.0,4.0"' in charts.sparkline((0.0, 5.0, 10.0))
    assert 'points="0.0,28.0 100.0,28.0"' in charts.sparkline((3.0, 3.0))

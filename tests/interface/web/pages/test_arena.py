"""Cards of events, rendered from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from flipdrop.arena.ladder import LadderPlacement, published_ladder
from flipdrop.arena.match import Match
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store
from flipdrop.arena.tournament import Tournament
from flipdrop.interface.web.i18n import LANGUAGES, Translator
from flipdrop.interface.web.pages.arena import CARDS, event_values, game_rows
from flipdrop.interface.web.pages.display_names import breakable_player_name
from flipdrop.interface.web.pages.result_texts import FORMATS
from flipdrop.interface.web.templating import render
from tests.interface.web.jobs.test_repository import job_of, repository

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.competition import Competition

COMPETITIONS: dict[str, Competition[Any]] = {
    "match": Match(players=("random", "greedy"), game="othello4", games=20, seed=3),
    "tournament": Tournament(players=("random", "greedy", "level:2"), game="othello4", games=4, seed=3),
    "ladder": LadderPlacement(player="random", ladder=published_ladder("connect4"), games=4, opponents=2, seed=6),
}


def cards_of(competition: Competition[Any], path: Path, language: str) -> dict[str, ElementTree.Element]:
    t, job = Translator(language), job_of(competition)
    results = repository(path, job)
    values = event_values(t, results, results.event(job.id))
    values |= game_rows(values)
    names = (*CARDS[job.spec.kind], "games")
    html = {name: render(f"event_{name}", t=t, **FORMATS, **values) for name in names}
    return {name: ElementTree.fromstring(f"<div>{text}</div>") for name, text in html.items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", COMPETITIONS)
def test_cards(tmp_path: Path, kind: str, language: str) -> None:
    competition, path = COMPETITIONS[kind], tmp_path / "games.db"
    for card in cards_of(competition, path, language).values():  # before the first game
        assert not card.findall(".//tbody/tr")
    with Store(path) as store:
        result = competition.run(store, runner_for(competition.specs, threads=1))
    cards = cards_of(competition, path, language)
    rows = {name: len(card.findall(".//tbody/tr")) for name, card in cards.items()}
    assert rows["games"] == competition.games_planned
    if kind == "tournament":
        assert (rows["standings"], rows["cross"]) == (3, 3)
        assert len(cards["cross"].findall(".//td[@data-pair]")) == 6
    elif kind == "ladder":
        assert rows["opponents"] == len(result.met)


def test_names_break_between_options() -> None:
    name = breakable_player_name(Translator("en"), "mcts:iterations=600,decisive=root")
    assert name == "mcts:<wbr/>iterations=600,<wbr/>decisive=root"
    assert breakable_player_name(Translator("en"), "level:3") == "Level 3"
    assert breakable_player_name(Translator("en"), "x<y:z") == "x&lt;y:<wbr/>z"

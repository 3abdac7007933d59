"""The arena: the list of all events, and the page of one with its result so far and its games."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.arena.statistics import Games
from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.display_names import game_title, short_player_name
from flipdrop.interface.web.pages.job_forms import JobForms, LadderForm, MatchForm, TournamentForm
from flipdrop.interface.web.pages.job_pages import JobPage, ListPage
from flipdrop.interface.web.pages.result_texts import FORMATS, ago, elo
from flipdrop.interface.web.pages.widgets import Button, card, clickable_html, data_clicked, notify, notify_error, text
from flipdrop.interface.web.templating import render
from flipdrop.reporting.formatting import share_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nicegui.element import Element

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import ExportForm, GameRow, ResultsRepository
    from flipdrop.interface.web.schemas import EventView

_MAX_GAMES = 200  # listed
OUTCOMES = ("first", "draw", "second")
CARDS = {
    "match": {"score": ("", "fd-field"), "strength": ("", "fd-field"), "elo_history": ("whole", "")},
    "tournament": {"standings": ("whole", "fd-scroll-x"), "cross": ("whole", "fd-scroll-x")},
    "ladder": {"place": ("whole", "fd-field"), "opponents": ("whole", "fd-scroll-x")},
}
"""The cards of each kind of event: the templates ``event_NAME``, with the classes of the card and of its content.

Other kinds are shown as tournaments.
"""

_COPY_LINK = "() => navigator.clipboard?.writeText(location.href)"


def title_of(t: Translator, event: EventView) -> str:
    if event.kind == "match":
        return " – ".join(short_player_name(t, spec) for spec in event.players)
    names = ", ".join(short_player_name(t, spec) for spec in event.players[:4])
    return names + (" …" if len(event.players) > 4 else "")


class EventList(ListPage):
    """All events, the newest first."""

    section = "arena"
    item = "event"
    hidden_states = ("ended", "elsewhere")

    def forms(self, game: Game) -> None:
        JobForms(self.jobs, self.t, (MatchForm, TournamentForm, LadderForm), "/arena", game=game)

    def items(self) -> Sequence[EventView]:
        return self.jobs.results.events()

    def row(self, event: Any) -> dict[str, Any]:
        t, results = self.t, self.jobs.results
        played = "arena.all_of_games" if event.state == "ended" else "arena.of_games"  # a test may have ended it early
        about = [
            t(f"kind.{event.kind}"),
            game_title(t, game_of(event.game)),
            t(played, games=event.games, planned=event.planned),
            ago(t, event.started),
        ]
        row = {"title": title_of(t, event), "about": about}
        if event.kind == "match":
            match = results.result(event)
            games = None if match is None else match.tally.games
            return row | {"games": games, "value": "" if games is None else share_text(games.score)}
        if event.kind == "ladder":
            placed = results.result(event)
            return row | {"value": "" if placed is None else elo(placed.rating).lstrip("+")}
        leader = results.leader(event)
        return row | {"caption": "" if leader is None else t("arena.leader", name=short_player_name(t, leader[0]))}


class EventPage(JobPage):
    """A page about one event: the cards of its kind, and its games."""

    section = "arena"

    def title(self, event: EventView) -> str:
        if event.kind in ("match", "ladder"):
            return title_of(self.t, event)
        return self.t("arena.of_players", kind=self.t(f"kind.{event.kind}"), players=len(event.players))

    def build(self, first: EventView) -> None:
        with self.buttons:
            t = self.t
            copied = partial(notify, t("copy.done"))
            Button(t("arena.link"), copied, icon="link", kind="subtle", js=_COPY_LINK, test="event-link")
            forms: tuple[ExportForm, ...] = (
                ("csv", "ggf") if game_of(first.game).family == "othello" else ("csv", "plain")
            )
            for form in forms:
                save = partial(self._export, form)
                Button(t(f"arena.export.{form}"), save, icon="download", kind="subtle", test=f"event-{form}")
        self._shown: tuple[int, str] | None = None
        self._values: dict[str, Any] = {}
        self._pair: tuple[str, str] | None = None
        self._outcome = ""
        self._counted: tuple[float, int] | None = None
        """When the page first saw the event running, and its games then."""
        self._repeated = text("", "fd-banner whole")
        self._cards: dict[str, tuple[Element, ui.html]] = {}
        cards = CARDS.get(first.kind, CARDS["tournament"]) | {"games": ("whole", "fd-games")}
        names = [short_player_name(self.t, spec) for spec in first.players]
        for name, (classes, content_classes) in cards.items():
            heading = self.t.get(f"arena.card.{name}", "").format(first=names[0], second=names[-1])
            with card(heading, classes) as made:
                content = clickable_html(data_clicked("pair"), self._on_pair, str, content_classes, test=name)
                self._cards[name] = made, content

    async def _export(self, form: ExportForm) -> None:
        """Saves the games so far as a file."""
        results = self.jobs.results
        try:
            content = await asyncio.to_thread(lambda: results.export(results.event(self.key), form))
        except FlipdropError as error:
            notify_error(self.t, error)
            return
        ui.download.content(content, f"{self.key}.{'txt' if form == 'plain' else form}")

    def load(self) -> tuple[EventView, dict[str, Any] | None]:
        """The event, and if more games have ended, the values of its templates."""
        event, results = self.jobs.results.event(self.key), self.jobs.results
        if (event.games, event.state) == self._shown:
            return event, None
        return event, event_values(self.t, results, event)

    def show(self, found: tuple[EventView, dict[str, Any] | None]) -> bool:
        (event, values), t = found, self.t
        about = [t(f"kind.{event.kind}"), game_title(t, self.game), t("arena.openings", source=event.openings)]
        if event.clock:
            about.append(t("arena.clock", clock=event.clock))
        about += [t("arena.seed", seed=event.seed), ago(t, event.started)]
        done = t("arena.of_games", games=event.games, planned=event.planned) if event.games else t("arena.begins")
        if values is not None:
            self._shown = event.games, event.state
            self._values = values
            self._show_cards()
        return self.show_job(event, about=about, progress=done, speed=self._speed(event))

    def _show_cards(self) -> None:
        values = self._values | game_rows(self._values, self._pair, self._outcome)
        for name, (made, content) in self._cards.items():
            html = render(f"event_{name}", t=self.t, **FORMATS, **values)
            content.set_content(html)
            made.set_visibility(bool(html.strip()))
        self._repeated.set_visibility(values["repeated"] is not None)
        self._repeated.set_text(self.t("arena.repeated", openings=values["repeated"]))

    def _on_pair(self, pair: str) -> None:
        """Lists the games of two players by their ranks, those of a match that one of them won, or all games."""
        if self._values["event"].kind == "match":
            self._outcome = pair if pair in OUTCOMES else ""
            self._show_cards()
            return
        entries = self._values["result"].entries if pair else ()
        ranks = [int(rank) for rank in pair.split(",") if rank.isdigit() and int(rank) < len(entries)]
        self._pair = (entries[ranks[0]].player, entries[ranks[1]].player) if len(ranks) == 2 else None
        self._show_cards()

    def _speed(self, event: EventView) -> str:
        """Games per second since the page saw the event running, and the time left; empty while unknown."""
        if not event.is_running or self._counted is None:
            self._counted = (monotonic(), event.games) if event.is_running else None
            return ""
        seconds, played = monotonic() - self._counted[0], event.games - self._counted[1]
        if seconds < 2 or not played:
            return ""
        left = charts.seconds_text(self.t, max(0, event.planned - event.games) * seconds / played)
        return self.t("arena.speed", speed=charts.number_text(played / seconds), left=left)


def event_values(t: Translator, results: ResultsRepository, event: EventView) -> dict[str, Any]:
    """The values of the templates ``event_NAME``, from the store."""
    result: Any = results.result(event)
    values = {
        "event": event,
        "players": event.players,
        "kind": game_of(event.game).family,
        "games": results.games(event),
        "repeated": None if event.is_running else results.repeated_openings(event),
        "result": result,
    }
    if event.kind == "match":
        points = [point for point in results.history(event) if math.isfinite(point.elo)]
        line = charts.Line("", [(point.pairs, point.elo) for point in points], [(p.low, p.high) for p in points])
        chart = charts.chart([line], level=0.0, y_text=elo, caption=t("arena.pairs")) if len(points) > 1 else ""
        ratings = [result.elo.elo, *result.elo.elo_interval] if result else []
        values |= {"score": result.tally.games if result else Games(), "chart": chart}
    elif event.kind == "ladder":
        ratings = [entry.rating for entry in result.ladder.entries] if result else []
        values |= {"ratings": ratings}
    else:
        ratings = [number for entry in result.entries for number in (entry.rating, *entry.interval)] if result else []
    return values | {"axis": charts.axis_ends(ratings), "outcomes": outcomes(t, event, results.games(event))}


def outcome_of(row: GameRow, players: Sequence[str]) -> str:
    """Who has won a game of a match: ``first`` is the player that is named first, whatever its colour."""
    winner = 0 if row.result == 0 else 1 if (row.result > 0) == (row.first == players[0]) else -1
    return {1: "first", 0: "draw", -1: "second"}[winner]


def outcomes(t: Translator, event: EventView, rows: Sequence[GameRow]) -> list[tuple[str, str, int]]:
    """The choices of games of a match, as far as there are such games: name, caption and number of games."""
    if event.kind != "match" or not rows:
        return []
    first, second = (short_player_name(t, spec) for spec in event.players)
    found = Counter(outcome_of(row, event.players) for row in rows)
    captions = {
        "first": t("arena.won_by", name=first),
        "draw": t("arena.drawn"),
        "second": t("arena.won_by", name=second),
    }
    each = [(name, caption, found[name]) for name, caption in captions.items() if found[name]]
    return [("", t("arena.all_games"), len(rows)), *each]


def game_rows(values: dict[str, Any], pair: tuple[str, str] | None = None, outcome: str = "") -> dict[str, Any]:
    """The values of ``event_games``: the newest games of two players, of a match with this outcome, or all."""
    event = values["event"]
    parts = event.parts
    games = [row for row in values["games"] if pair is None or {row.first, row.second} == set(pair)]
    if outcome:
        games = [row for row in games if outcome_of(row, event.players) == outcome]
    before = {part.id: sum(other.games for other in parts if other.id < part.id) for part in parts}
    return {"games": games[:_MAX_GAMES], "total": len(games), "pair": pair, "outcome": outcome, "before": before}

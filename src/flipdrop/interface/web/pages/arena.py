"""The arena: the list of all events, and the page of one with its result so far and its games."""

from __future__ import annotations

import math
from time import monotonic
from typing import TYPE_CHECKING, Any

from flipdrop.arena.statistics import Games
from flipdrop.games import game as game_of
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.job_forms import JobForms, LadderForm, MatchForm, TournamentForm
from flipdrop.interface.web.pages.job_ui import FORMATS, JobPage, ListPage, ago, elo, interval_text, short_player_name
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.widgets import card, div, note, raw_html, text, typed_handler
from flipdrop.interface.web.templating import render
from flipdrop.reporting.formatting import share_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.tournament import TournamentResult
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import GameRow, MatchPoint
    from flipdrop.interface.web.schemas import EventView, StoredPart

_MAX_GAMES = 200  # listed
_PAIR = "(event) => {const found = event.target.closest('[data-pair]'); if (found) emit(found.dataset.pair)}"


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
        JobForms(self.context, self.t, (MatchForm, TournamentForm, LadderForm), "/arena", game=game)

    def items(self) -> Sequence[EventView]:
        return self.context.results.events()

    def row(self, event: Any) -> dict[str, Any]:
        t, results = self.t, self.context.results
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
    """A page about one event; subclasses show the result of each kind."""

    section = "arena"

    def build(self, first: EventView) -> None:
        t = self.t
        self.players = first.players
        self._pair: tuple[str, str] | None = None
        self._rows: list[GameRow] = []
        self._parts: tuple[StoredPart, ...] = ()
        self._shown: tuple[int, str] | None = None
        self._counted: tuple[float, int] | None = None
        """When the page first saw the event running, and its games then."""
        self._repeated = note("", "whole")
        self.build_result()
        with card(t("arena.games"), "whole"):
            self._filter = div("fd-row wrap")
            self._games = raw_html("", "fd-games", tag="div", test="games")

    def title(self, event: EventView) -> str:
        return title_of(self.t, event)

    def build_result(self) -> None:
        """Makes the cards of this kind."""
        raise NotImplementedError

    def load_result(self, event: EventView) -> Any:
        """The result, off the event loop."""
        raise NotImplementedError

    def show_result(self, result: Any) -> None:
        raise NotImplementedError

    def load(self) -> tuple[EventView, tuple[Any, list[GameRow], int | None] | None]:
        """The event, and if more games have ended: the result, the games, and the number of repeated openings."""
        event = self.context.results.event(self.key)
        if (event.games, event.state) == self._shown:
            return event, None
        repeated = None if event.is_running else self.context.results.repeated_openings(event)
        return event, (self.load_result(event), self.context.results.games(event), repeated)

    def show(self, found: tuple[EventView, tuple[Any, list[GameRow], int | None] | None]) -> bool:
        (event, update), t = found, self.t
        about = [t(f"kind.{event.kind}"), game_title(t, self.game), t("arena.openings", source=event.openings)]
        if event.clock:
            about.append(t("arena.clock", clock=event.clock))
        about += [t("arena.seed", seed=event.seed), ago(t, event.started)]
        done = t("arena.of_games", games=event.games, planned=event.planned) if event.games else t("arena.begins")
        if update is not None:
            result, self._rows, repeated = update
            self._shown, self._parts = (event.games, event.state), event.parts
            self.show_result(result)
            self._repeated.set_visibility(repeated is not None)
            self._repeated.set_text(t("arena.repeated", openings=repeated))
            self._show_games()
        return self.show_job(event, about=about, progress=done, speed=self._speed(event))

    def empty_html(self) -> str:
        """The placeholder of a card before the first game has ended."""
        running = self._shown is not None and self._shown[1] == "running"
        return render("empty", message=self.t("arena.begins" if running else "arena.no_games"))

    def _speed(self, event: EventView) -> str:
        """Games per second since the page saw the event running, and the time left; empty while unknown."""
        if not event.is_running or self._counted is None:
            self._counted = (monotonic(), event.games) if event.is_running else None
            return ""
        seconds, played = monotonic() - self._counted[0], event.games - self._counted[1]
        if seconds < 2 or not played:
            return ""
        left = charts.seconds_text(max(0, event.planned - event.games) * seconds / played)
        return self.t("arena.speed", speed=charts.number_text(played / seconds), left=left)

    def select_pair(self, pair: tuple[str, str] | None) -> None:
        """Lists the games of two players, or all."""
        self._pair = pair
        self._filter.clear()
        if pair is not None:
            with self._filter:
                text(" – ".join(short_player_name(self.t, spec) for spec in pair), "fd-bold")
                every = text(self.t("arena.all_games"), "fd-link fd-small")
                every.on("click", lambda _: self.select_pair(None))
        self._show_games()

    def _show_games(self) -> None:
        rows = [row for row in self._rows if self._pair is None or {row.first, row.second} == set(self._pair)]
        before = {part.id: sum(other.games for other in self._parts if other.id < part.id) for part in self._parts}
        self._games.set_content(
            render(
                "games",
                t=self.t,
                rows=rows[:_MAX_GAMES],
                total=len(rows),
                before=before,  # games are counted through all events of a ladder
                kind=self.game.family,
                url=f"/arena/{self.key}",
                **FORMATS,
            )
        )


class MatchPage(EventPage):
    """A match: score, Elo with its interval, the sequential test, and the Elo difference over time."""

    def build_result(self) -> None:
        with card():
            self._score = raw_html("", "fd-field", tag="div")
        first, second = (short_player_name(self.t, spec) for spec in self.players)
        with card(self.t("arena.strength", first=first, second=second)):
            self._elo = raw_html("", "fd-field", tag="div")
        with card(self.t("arena.elo_history"), "whole") as self._history_card:
            self._history = raw_html("", tag="div")

    def load_result(self, event: EventView) -> tuple[MatchResult | None, list[MatchPoint]]:
        return self.context.results.result(event), self.context.results.history(event)

    def show_result(self, result: tuple[MatchResult | None, list[MatchPoint]]) -> None:
        now, history = result
        values = {"t": self.t, "players": self.players, "result": now, "kind": self.game.family, **FORMATS}
        self._score.set_content(render("match_score", games=now.tally.games if now else Games(), **values))
        if now is None:
            self._elo.set_content(self.empty_html())
        else:
            axis = charts.axis_ends([now.elo.elo, *now.elo.elo_interval])
            self._elo.set_content(render("match_elo", axis=axis, **values))
        points = [point for point in history if math.isfinite(point.elo)]
        self._history_card.set_visibility(len(points) > 1)
        if len(points) > 1:
            line = charts.Line("", [(point.pairs, point.elo) for point in points], [(p.low, p.high) for p in points])
            self._history.set_content(charts.chart([line], level=0.0, y_text=elo, caption=self.t("arena.pairs")))


class TournamentPage(EventPage):
    """A tournament: standings with rating bars, and the cross table."""

    def title(self, event: EventView) -> str:
        return self.t("arena.of_players", kind=self.t(f"kind.{event.kind}"), players=len(event.players))

    def build_result(self) -> None:
        self._ranking: list[str] = []
        with card(self.t("arena.standings"), "whole"):
            self._standings = raw_html("", "fd-scroll-x", tag="div", test="standings")
            self._remark = text("", "fd-muted fd-small")
        with card(self.t("arena.cross"), "whole"):
            self._cross = raw_html("", "fd-scroll-x", tag="div", test="cross")
            self._cross.on("click", typed_handler(self._on_pair, str), js_handler=_PAIR)
            text(self.t("arena.cross_hint"), "fd-muted fd-small")

    def load_result(self, event: EventView) -> Any:
        return self.context.results.result(event)

    def show_result(self, result: TournamentResult | None) -> None:
        t = self.t
        if result is None:
            self._standings.set_content(self.empty_html())
            return
        entries = result.entries
        self._ranking = [entry.player for entry in entries]
        axis = charts.axis_ends([number for entry in entries for number in (entry.rating, *entry.interval)])
        self._standings.set_content(render("standings", t=t, entries=entries, axis=axis, **FORMATS))
        self._cross.set_content(render("crosstable", t=t, result=result, **FORMATS))
        games = result.first_mover
        remark = t("arena.first_side", won=games.wins, drawn=games.draws, lost=games.losses)
        if result.advantage is not None:
            value, interval = elo(result.advantage.elo), interval_text(result.advantage.interval)
            remark += t("arena.advantage", elo=value, interval=interval)
        self._remark.set_text(remark)

    def _on_pair(self, pair: str) -> None:
        row, _, column = pair.partition(",")
        if row.isdigit() and column.isdigit() and max(int(row), int(column)) < len(self._ranking):
            self.select_pair((self._ranking[int(row)], self._ranking[int(column)]))


class LadderPage(EventPage):
    """A ladder placement: the rating so far, and the opponents around it."""

    def build_result(self) -> None:
        with card(self.t("arena.place"), "whole"):
            self._place = raw_html("", "fd-field", tag="div")
        with card(self.t("arena.opponents"), "whole"):
            self._met = raw_html("", "fd-scroll-x", tag="div", test="met")

    def load_result(self, event: EventView) -> Any:
        return self.context.results.result(event)

    def show_result(self, result: PlacementResult | None) -> None:
        if result is None:
            self._place.set_content(self.empty_html())
            return
        ratings = [entry.rating for entry in result.ladder.entries]
        axis = charts.axis_ends(ratings)
        self._place.set_content(render("placement", t=self.t, result=result, ratings=ratings, axis=axis, **FORMATS))
        self._met.set_content(render("opponents", t=self.t, result=result, **FORMATS))


PAGES: dict[str, type[EventPage]] = {"match": MatchPage, "tournament": TournamentPage, "ladder": LadderPage}
"""The page of each kind of event; others are shown as tournaments."""

"""The page of one match, tournament or ladder placement: its result so far, and its games."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from flipdrop.arena.statistics import Games
from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.repository import repeated_openings
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.job_ui import (
    PageHeader,
    Poller,
    ago,
    command_card,
    counts_text,
    elo,
    interval_text,
    properties,
    short_player_name,
    typographic_minus,
)
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.widgets import card, div, note, raw_html, text, typed_handler
from flipdrop.interface.web.templating import render
from flipdrop.reporting.formatting import share_text

if TYPE_CHECKING:
    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.store import StoredEvent
    from flipdrop.arena.tournament import TournamentResult
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import EventSummary, GameRow, MatchPoint
    from flipdrop.interface.web.pages.job_ui import JobContext

_MAX_GAMES = 200  # listed
_PAIR = "(event) => {const found = event.target.closest('[data-pair]'); if (found) emit(found.dataset.pair)}"
_FORMATS = {"elo": elo, "interval_text": interval_text, "share_text": share_text, "minus": typographic_minus}


def title_of(t: Translator, event: EventSummary) -> str:
    if event.kind == "match":
        return " – ".join(short_player_name(t, spec) for spec in event.players)
    names = ", ".join(short_player_name(t, spec) for spec in event.players[:4])
    return names + (" …" if len(event.players) > 4 else "")


@dataclass
class _Speed:
    """Games per second since the page was opened."""

    since: float = 0.0
    games: int = -1

    def describe(self, t: Translator, event: EventSummary) -> str:
        """The speed and the time left; empty while it is unknown."""
        if not event.is_running:
            self.games = -1
            return ""
        if self.games < 0:
            self.since, self.games = monotonic(), event.games
            return ""
        seconds, played = monotonic() - self.since, event.games - self.games
        if seconds < 2 or not played:
            return ""
        left = charts.seconds_text(max(0, event.planned - event.games) * seconds / played)
        return t("arena.speed", speed=charts.number_text(played / seconds), left=left)


@dataclass(frozen=True)
class _Update:
    """The result of a poll; without `changed`, only the speed is shown again."""

    event: EventSummary
    changed: bool = False
    result: Any = None
    rows: tuple[GameRow, ...] = ()
    repeated: int | None = None


class EventPage:
    """A page about one event; subclasses show the result of each kind."""

    def __init__(self, context: JobContext, t: Translator, first: EventSummary) -> None:
        self.context, self.t, self.key = context, t, first.key
        self.game, self.players = game_of(first.game), first.players
        self._speed = _Speed()
        self._pair: tuple[str, str] | None = None
        self._rows: tuple[GameRow, ...] = ()
        self._events: tuple[StoredEvent, ...] = ()
        self._shown: tuple[int, str] | None = None
        self._header = PageHeader(t, context, self.heading(first), "arena", lambda: self._poller.poll())
        self._repeated = note("")
        self._repeated.set_visibility(False)
        with div("fd-cards"):
            with card() as self._progress_card:
                self._progress_card.classes("whole")
                self._progress = raw_html("", tag="div")
            self.build()
            with card(t("arena.games")) as games:
                games.classes("whole")
                self._filter = div("fd-row wrap")
                self._games = raw_html("", "fd-games", tag="div", test="games")
            command_card(t, first.job)
        self._poller = Poller(t, self._poll, self._show, lambda found: found.event.is_running)

    def heading(self, event: EventSummary) -> str:
        return title_of(self.t, event)

    def build(self) -> None:
        """Makes the cards of this kind."""
        raise NotImplementedError

    def load(self, event: EventSummary) -> Any:
        """The result, off the event loop."""
        raise NotImplementedError

    def show(self, result: Any) -> None:
        raise NotImplementedError

    async def begin(self) -> None:
        await self._poller.begin()

    def empty_html(self) -> str:
        """The placeholder of a card before the first game has ended."""
        running = self._shown is None or self._shown[1] == "running"
        return render("empty", message=self.t("arena.begins" if running else "arena.no_games"))

    def _poll(self) -> _Update:
        event = self.context.results.event(self.key)
        if (event.games, event.state) == self._shown:
            return _Update(event)
        repeated = None
        if event.events and not event.is_running and event.kind != "ladder":
            repeated = repeated_openings(event.events[0].event, event.games)
        return _Update(event, True, self.load(event), tuple(self.context.results.games(event)), repeated)

    def _show(self, update: _Update) -> None:
        event, t = update.event, self.t
        about = [t(f"kind.{event.kind}"), game_title(t, self.game), t("arena.openings", source=event.openings)]
        if event.clock:
            about.append(t("arena.clock", clock=event.clock))
        about += [t("arena.seed", seed=event.seed), ago(t, event.started)]
        self._header.show(event.job, state=event.state, subtitle=" · ".join(about))
        self._show_progress(event)
        if update.changed:
            self._shown = event.games, event.state
            self._rows, self._events = update.rows, event.events
            self.show(update.result)
            self._repeated.set_visibility(update.repeated is not None)
            if update.repeated is not None:
                self._repeated.set_text(t("arena.repeated", openings=update.repeated))
            self._show_games()

    def _show_progress(self, event: EventSummary) -> None:
        self._progress_card.set_visibility(event.is_running)
        if event.is_running:
            t = self.t
            done = t("arena.of_games", games=event.games, planned=event.planned) if event.games else t("arena.begins")
            speed = self._speed.describe(t, event)
            self._progress.set_content(render("event_progress", done=done, speed=speed, share=event.share))

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
        rows = self._rows
        if self._pair is not None:
            rows = tuple(row for row in rows if {row.first, row.second} == set(self._pair))
        if not rows:
            self._games.set_content(render("empty", message=self.t("arena.no_games")))
            return
        shown = [self._game_row(row) for row in rows[:_MAX_GAMES]]
        kind = self.game.family
        self._games.set_content(render("games", t=self.t, rows=shown, kind=kind, total=len(rows)))

    def _game_row(self, row: GameRow) -> dict[str, Any]:
        before = sum(stored.games for stored in self._events if stored.id < row.event)
        discs = f" ({row.margin:+d})" if self.game.family == "othello" and row.margin else ""
        return {
            "url": f"/arena/{self.key}/{row.event}/{row.number}",
            "label": before + row.number + 1,  # counted through all events of a ladder
            "players": [
                ("first", short_player_name(self.t, row.first), row.result > 0),
                ("second", short_player_name(self.t, row.second), row.result < 0),
            ],
            "termination": row.termination,
            "result": ("0 – 1", "½ – ½", "1 – 0")[1 + row.result] + typographic_minus(discs),
        }


class MatchPage(EventPage):
    """A match: score, Elo with its interval, the sequential test, and the Elo difference over time."""

    def build(self) -> None:
        with card():
            self._score = raw_html("", "fd-field", tag="div")
        first, second = (short_player_name(self.t, spec) for spec in self.players)
        with card(self.t("arena.strength", first=first, second=second)):
            self._elo = raw_html("", "fd-field", tag="div")
        with card(self.t("arena.elo_history")) as self._history_card:
            self._history_card.classes("whole")
            self._history = raw_html("", tag="div")

    def load(self, event: EventSummary) -> tuple[MatchResult | None, list[MatchPoint]]:
        return self.context.results.match_result(event), self.context.results.history(event)

    def show(self, result: tuple[MatchResult | None, list[MatchPoint]]) -> None:
        now, history = result
        self._score.set_content(self._score_html(now))
        self._elo.set_content(self.empty_html() if now is None else self._elo_html(now))
        points = [point for point in history if math.isfinite(point.elo)]
        self._history_card.set_visibility(len(points) > 1)
        if len(points) > 1:
            line = charts.Line("", [(point.pairs, point.elo) for point in points], [(p.low, p.high) for p in points])
            self._history.set_content(charts.chart([line], level=0.0, y_text=elo, caption=self.t("arena.pairs")))

    def _score_html(self, now: MatchResult | None) -> str:
        t, kind = self.t, self.game.family
        games = now.tally.games if now else Games()
        pairs = []
        if now is not None:
            sides = [t(f"side.{kind}.{side}") for side in ("first", "second")]
            pairs = [
                (t("arena.as_side", side=side), counts_text(t, part))
                for side, part in zip(sides, now.by_side, strict=True)
            ]
            if kind == "othello":
                pairs.append((t("arena.margin"), typographic_minus(f"{now.margin:+.1f}")))
            if any(now.forfeits):
                pairs.append((t("arena.forfeits"), " / ".join(map(str, now.forfeits))))
        return render(
            "match_score",
            names=[short_player_name(t, spec) for spec in self.players],
            games=games,
            points=games.wins + games.draws / 2,
            bar=charts.score_bar(games, label=counts_text(t, games)),
            counts=counts_text(t, games),
            properties=properties(pairs),
            terminations=now.terminations if now else (),
        )

    def _elo_html(self, now: MatchResult) -> str:
        ends = charts.axis_ends([now.elo.elo, *now.elo.elo_interval])
        label = interval_text(now.elo.elo_interval)
        sprt_bar = ""
        if (test := now.sprt) is not None:
            room = 0.08 * (test.upper - test.lower)
            axis = (min(test.lower, test.llr) - room, max(test.upper, test.llr) + room)
            sprt_bar = charts.interval(test.llr, (min(0.0, test.llr), max(0.0, test.llr)), axis=axis)
        return render(
            "match_elo",
            t=self.t,
            result=now,
            first=short_player_name(self.t, self.players[0]),
            ends=ends,
            bar=charts.interval(now.elo.elo, now.elo.elo_interval, axis=ends, label=label),
            sprt_bar=sprt_bar,
            **_FORMATS,
        )


class TournamentPage(EventPage):
    """A tournament: standings with rating bars, and the cross table."""

    def heading(self, event: EventSummary) -> str:
        return self.t("arena.of_players", kind=self.t(f"kind.{event.kind}"), players=len(event.players))

    def build(self) -> None:
        self._ranking: list[str] = []
        with card(self.t("arena.standings")) as standings:
            standings.classes("whole")
            self._standings = raw_html("", "fd-scroll-x", tag="div", test="standings")
            self._remark = text("", "fd-muted fd-small")
        with card(self.t("arena.cross")) as cross:
            cross.classes("whole")
            self._cross = raw_html("", "fd-scroll-x", tag="div", test="cross")
            self._cross.on("click", typed_handler(self._on_pair, str), js_handler=_PAIR)
            text(self.t("arena.cross_hint"), "fd-muted fd-small")

    def load(self, event: EventSummary) -> TournamentResult | None:
        return self.context.results.tournament_result(event)

    def show(self, result: TournamentResult | None) -> None:
        t = self.t
        if result is None:
            self._standings.set_content(self.empty_html())
            return
        entries = result.entries
        self._ranking = [entry.player for entry in entries]
        names = [short_player_name(t, entry.player) for entry in entries]
        axis = charts.axis_ends([number for entry in entries for number in (entry.rating, *entry.interval)])
        bars = [
            charts.interval(entry.rating, entry.interval, axis=axis, label=interval_text(entry.interval))
            for entry in entries
        ]
        self._standings.set_content(render("standings", t=t, rows=zip(entries, names, bars, strict=True), **_FORMATS))
        rows = [
            {
                "index": i,
                "entry": entry,
                "name": names[i],
                "cells": [None if i == j else result.cross(i, j) for j in range(len(entries))],
            }
            for i, entry in enumerate(entries)
        ]
        self._cross.set_content(render("crosstable", corner=t("arena.score"), rows=rows, **_FORMATS))
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

    def build(self) -> None:
        with card(self.t("arena.place")) as place:
            place.classes("whole")
            self._place = raw_html("", "fd-field", tag="div")
        with card(self.t("arena.opponents")) as met:
            met.classes("whole")
            self._met = raw_html("", "fd-scroll-x", tag="div", test="met")

    def load(self, event: EventSummary) -> PlacementResult | None:
        return self.context.results.placement_result(event)

    def show(self, result: PlacementResult | None) -> None:
        t = self.t
        if result is None:
            self._place.set_content(self.empty_html())
            return
        ratings = [entry.rating for entry in result.ladder.entries]
        ends = charts.axis_ends(ratings)
        label = interval_text(result.interval)
        neighbours = [t("arena.stronger_than", count=result.place - 1, total=len(ratings))] + [
            t(f"arena.{where}", name=short_player_name(t, entry.spec), rating=round(entry.rating))
            for where, entry in (("above", result.below), ("below", result.above))
            if entry is not None
        ]
        self._place.set_content(
            render(
                "placement",
                t=t,
                result=result,
                ends=ends,
                bar=charts.interval(result.rating, result.interval, axis=ends, marks=ratings, label=label),
                neighbours=" · ".join(neighbours),
                **_FORMATS,
            )
        )
        rows = [
            (met, short_player_name(t, met.entry.spec), charts.score_bar(met.games, label=counts_text(t, met.games)))
            for met in reversed(result.met)
        ]
        self._met.set_content(render("opponents", t=t, rows=rows, **_FORMATS))


PAGES: dict[str, type[EventPage]] = {"match": MatchPage, "tournament": TournamentPage, "ladder": LadderPage}
"""The page of each kind of event; others are shown as tournaments."""

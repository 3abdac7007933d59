"""The page of one match, tournament or ladder: its standing as it grows, and its games.

What a page shows is read off the event loop (`Page.find`) and only if games have ended since it was read last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from time import monotonic
from typing import TYPE_CHECKING, Any

from flipdrop.arena.reports.tables import share_text
from flipdrop.arena.statistics import Games
from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.repository import repeated_openings
from flipdrop.interface.web.pages import plots
from flipdrop.interface.web.pages.job_ui import (
    PageHeader,
    Poller,
    ago,
    command_line,
    elo,
    interval_text,
    name_of,
    typographic_minus,
)
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.widgets import card, div, note, raw_html, text

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.statistics import SprtResult
    from flipdrop.arena.store import StoredEvent
    from flipdrop.arena.tournament import TournamentResult
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import EventSummary, GameRow, MatchPoint
    from flipdrop.interface.web.pages.job_ui import JobContext

_MOST_GAMES = 200
_PAIR = "(event) => {const found = event.target.closest('[data-pair]'); if (found) emit(found.dataset.pair)}"


def title_of(t: Translator, one: EventSummary) -> str:
    """What an event is called."""
    if one.kind == "match":
        return " – ".join(name_of(t, spec) for spec in one.players)
    if one.kind == "ladder":
        return name_of(t, one.players[0])
    names = ", ".join(name_of(t, spec) for spec in one.players[:4])
    return names + (" …" if len(one.players) > 4 else "")


@dataclass
class _Speed:
    """How fast games end, since the page looked first."""

    since: float = 0.0
    games: int = -1

    def tell(self, t: Translator, one: EventSummary) -> str:
        """The speed, and about how long it will take; nothing if it is not known."""
        if not one.is_running:
            self.games = -1
            return ""
        if self.games < 0:
            self.since, self.games = monotonic(), one.games
            return ""
        seconds, ended = monotonic() - self.since, one.games - self.games
        if seconds < 2 or not ended:
            return ""
        left = plots.seconds_text(max(0, one.planned - one.games) * seconds / ended)
        return t("arena.speed", speed=plots.number_text(ended / seconds), left=left)


class Page:
    """A page about one event; each kind shows its own standing."""

    def __init__(self, context: JobContext, t: Translator, first: EventSummary) -> None:
        self.context, self.t, self.key = context, t, first.key
        self.game, self.players = game_of(first.game), first.players
        self._speed = _Speed()
        self._pair: tuple[str, str] | None = None
        self._lines: list[GameRow] = []
        self._events: tuple[StoredEvent, ...] = ()
        self._shown: Any = None
        self._is_running = first.is_running
        self._header = PageHeader(
            t, context, self.heading(first), (t("nav.arena"), "/arena"), lambda: self._poller.poll()
        )
        self._repeated = note("")
        self._repeated.set_visibility(False)
        with div("fd-cards"):
            with card() as progress:
                progress.classes("whole")
                self._progress_card = progress
                self._progress = raw_html("", tag="div")
            self.build()
            with card(t("arena.games")) as games:
                games.classes("whole")
                self._filter = div("fd-row wrap")
                self._games = raw_html("", "fd-games", tag="div")
                self._games._props["data-test"] = "games"
            if first.job is not None:
                with card(t("job.command")) as command:
                    command.classes("whole")
                    command_line(t, first.job)
        self._poller = Poller(t, self._look, self._show, lambda found: found["one"].is_running)

    def heading(self, one: EventSummary) -> str:
        """The page's title."""
        return title_of(self.t, one)

    def build(self) -> None:
        """Makes the parts of this kind."""
        raise NotImplementedError

    def find(self, one: EventSummary) -> Any:
        """What this kind needs to know, off the event loop."""
        raise NotImplementedError

    def show(self, found: Any) -> None:
        """Shows it."""
        raise NotImplementedError

    @property
    def nothing_yet(self) -> str:
        """What stands where results are going to be, or would have been."""
        said = self.t("arena.begins" if self._is_running else "arena.no_games")
        return f'<div class="fd-empty-list">{escape(said)}</div>'

    async def begin(self) -> None:
        """Shows what there is."""
        await self._poller.begin()

    def _look(self) -> dict[str, Any]:
        one = self.context.results.event(self.key, self.context.jobs.all())
        now = (one.games, one.job.state if one.job else "")
        if now == self._shown:
            return {"one": one}
        again = {"one": one, "now": now, "found": self.find(one), "lines": self.context.results.games(one)}
        if one.events and not one.is_running and one.kind != "ladder":
            again["repeated"] = repeated_openings(one.events[0].event, one.games)
        return again

    def _show(self, found: dict[str, Any]) -> None:
        one: EventSummary = found["one"]
        t = self.t
        state = "running" if one.is_running else "elsewhere" if one.games < one.planned else "ended"
        setting = [
            t(f"kind.{one.kind}"),
            game_title(t, self.game),
            t("arena.openings", source=one.openings),
        ]
        if one.job and one.job.spec.metadata.get("clock"):
            setting.append(t("arena.clock", clock=one.job.spec.metadata["clock"]))
        setting += [t("arena.seed", seed=one.seed), ago(t, one.begun)]
        self._header.show(one.job, state=state, setting=" · ".join(setting))
        self._is_running = one.is_running
        self._show_progress(one)
        if "now" not in found:
            return
        self._shown = found["now"]
        self._lines, self._events = found["lines"], one.events
        self.show(found["found"])
        repeated = found.get("repeated")
        self._repeated.set_visibility(repeated is not None)
        self._repeated.set_text("" if repeated is None else t("arena.repeated", openings=repeated))
        self._show_games()

    def _show_progress(self, one: EventSummary) -> None:
        t = self.t
        self._progress_card.set_visibility(one.is_running)
        if not one.is_running:
            return
        share = 100 * min(1.0, one.games / max(one.planned, 1))
        counted = t("arena.of_games", games=one.games, planned=one.planned) if one.games else t("arena.begins")
        self._progress.set_content(
            f'<div class="fd-row apart fd-small fd-muted"><span data-test="progress">{escape(counted)}</span>'
            f"<span>{escape(self._speed.tell(t, one))}</span></div>"
            f'<div class="fd-meter" style="margin-top:8px"><i style="width:{share:.1f}%"></i></div>'
        )

    def choose_pair(self, pair: tuple[str, str] | None) -> None:
        """Lists the games of two players alone, or all."""
        self._pair = pair
        self._filter.clear()
        if pair is not None:
            with self._filter:
                text(" – ".join(name_of(self.t, spec) for spec in pair), "fd-bold")
                every = text(self.t("arena.all_games"), "fd-link fd-small")
                every.on("click", lambda _: self.choose_pair(None))
        self._show_games()

    def _show_games(self) -> None:
        lines = self._lines
        if self._pair is not None:
            lines = [line for line in lines if {line.first, line.second} == set(self._pair)]
        t = self.t
        if not lines:
            self._games.set_content(f'<div class="fd-empty-list">{escape(t("arena.no_games"))}</div>')
            return
        kind = self.game.family
        rows = "".join(self._game_row(line, self._label(line), kind) for line in lines[:_MOST_GAMES])
        heads = "".join(
            f'<th class="{css}">{escape(t(f"arena.head.{name}"))}</th>'
            for name, css in (("number", ""), ("first", "name"), ("second", "name"), ("result", ""))
        )
        more = (
            f'<div class="fd-small fd-muted">{escape(t("arena.newest", shown=_MOST_GAMES, games=len(lines)))}</div>'
            if len(lines) > _MOST_GAMES
            else ""
        )
        self._games.set_content(
            f'<table class="fd-standings"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}'
        )

    def _label(self, line: GameRow) -> int:
        """The number of a game: within its event, and if there are several within all of them."""
        before = sum(stored.games for stored in self._events if stored.id < line.event)
        return before + line.number + 1

    def _game_row(self, line: GameRow, label: int, kind: str) -> str:
        def player(spec: str, side: str, won: bool) -> str:
            return (
                f'<td class="name {"won" if won else ""}"><span class="fd-disc-icon {side} fd-{kind} little"></span>'
                f"{escape(name_of(self.t, spec))}</td>"
            )

        if line.ending:
            result = f'<span title="{escape(line.ending)}">{escape(self.t("arena.broken_off"))}</span>'
        else:
            discs = f" ({line.margin:+d})" if kind == "othello" and line.margin else ""
            result = ("0 – 1", "½ – ½", "1 – 0")[1 + line.result] + typographic_minus(discs)
        target = f"/arena/{self.key}/{line.event}/{line.number}"
        return (
            f'<tr class="link" data-test="game" onclick="location.href=\'{target}\'">'
            f'<td><a href="{target}">{label}</a></td>{player(line.first, "first", line.result > 0)}'
            f"{player(line.second, 'second', line.result < 0)}<td>{result}</td></tr>"
        )


class MatchPage(Page):
    """A match: score, Elo with its interval, the test, and how it went."""

    def build(self) -> None:
        """The parts."""
        with card():
            self._score = raw_html("", "fd-field", tag="div")
        first, second = (name_of(self.t, spec) for spec in self.players)
        with card(self.t("arena.strength", first=first, second=second)):
            self._elo = raw_html("", "fd-field", tag="div")
        with card(self.t("arena.course")) as course:
            course.classes("whole")
            self._course_card = course
            self._course = raw_html("", tag="div")

    def find(self, one: EventSummary) -> tuple[MatchResult | None, list[MatchPoint]]:
        """How it stands, and how it went."""
        return self.context.results.match_result(one), self.context.results.history(one)

    def show(self, found: tuple[MatchResult | None, list[MatchPoint]]) -> None:
        """Shows both."""
        now, course = found
        self._score.set_content(self._score_of(now))
        self._elo.set_content(self.nothing_yet if now is None else self._elo_of(now))
        points = [point for point in course if math.isfinite(point.elo)]
        self._course_card.set_visibility(len(points) > 1)
        if len(points) > 1:
            line = plots.Line("", [(point.pairs, point.elo) for point in points], [(p.low, p.high) for p in points])
            self._course.set_content(plots.chart([line], level=0.0, up=elo, caption=self.t("arena.pairs")))

    def _score_of(self, now: MatchResult | None) -> str:
        t = self.t
        games = now.tally.games if now else Games()
        first, second = (escape(name_of(t, spec)) for spec in self.players)
        points = games.wins + games.draws / 2
        label = t("arena.counts", won=games.wins, drawn=games.draws, lost=games.losses)
        html = (
            f'<div class="fd-versus"><span class="one">{first}</span><span class="points" data-test="points">'
            f'{points:g} : {games.total - points:g}</span><span class="two">{second}</span></div>'
            f"{plots.score_bar(games, label=label)}"
            f'<div class="fd-muted fd-small" data-test="counts">{escape(label)}</div>'
        )
        if now is None:
            return html
        sides = [t(f"side.{self.game.family}.{side}") for side in ("first", "second")]
        pairs = [
            (
                t("arena.as_side", side=side),
                t("arena.counts", won=part.wins, drawn=part.draws, lost=part.losses),
            )
            for side, part in zip(sides, now.by_side, strict=True)
        ]
        if self.game.family == "othello":
            pairs.append((t("arena.margin"), typographic_minus(f"{now.margin:+.1f}")))
        if any(now.forfeits):
            pairs.append((t("arena.broken"), " / ".join(map(str, now.forfeits))))
        endings = "".join(f'<div class="fd-mono fd-muted">{escape(ending)}</div>' for ending in now.terminations)
        return html + plots.properties(pairs) + endings

    def _elo_of(self, now: MatchResult) -> str:
        t = self.t
        low, high = now.elo.elo_interval
        first, last = plots.axis_ends([now.elo.elo, low, high])
        html = (
            '<div class="fd-stats">'
            f'<div class="fd-stat"><div class="big" data-test="elo">{elo(now.elo.elo)}</div>'
            f'<div class="name">{escape(t("arena.elo"))}</div></div>'
            f'<div class="fd-stat"><div class="big">{share_text(now.tally.games.score)}</div>'
            f'<div class="name">{escape(t("arena.score"))}</div></div>'
            f'<div class="fd-stat"><div class="big">{100 * now.elo.los:.1f}%</div>'
            f'<div class="name">{escape(t("arena.los", first=name_of(t, self.players[0])))}</div></div></div>'
            f"{plots.interval(now.elo.elo, low, high, ends=(first, last), label=interval_text((low, high)))}"
            f'<div class="fd-interval-ends"><span>{elo(first)}</span>'
            f"<span>{escape(t('arena.interval', reach=interval_text((low, high))))}</span>"
            f"<span>{elo(last)}</span></div>"
        )
        return html if now.sprt is None else html + self._test_of(now.sprt)

    def _test_of(self, test: SprtResult) -> str:
        t = self.t
        room = 0.08 * (test.upper - test.lower)
        ends = (min(test.lower, test.llr) - room, max(test.upper, test.llr) + room)
        low, high = min(0.0, test.llr), max(0.0, test.llr)
        verdict = escape(t(f"arena.sprt.{test.decision}"))
        return (
            f'<div class="fd-row apart"><b>{escape(t("arena.llr"))} '
            f'<span class="fd-number" data-test="llr">{typographic_minus(f"{test.llr:+.2f}")}</span></b>'
            f'<span class="fd-muted fd-small">{verdict}</span></div>'
            f"{plots.interval(test.llr, low, high, ends=ends)}"
            f'<div class="fd-interval-ends"><span>{typographic_minus(f"{test.lower:.2f}")} '
            f"{escape(t('arena.not_better'))}</span>"
            f"<span>{escape(t('arena.better'))} {test.upper:.2f}</span></div>"
        )


class TournamentPage(Page):
    """A tournament: standings with rating bars, and the cross table."""

    def heading(self, one: EventSummary) -> str:
        """The page's title."""
        return self.t("arena.of_players", kind=self.t(f"kind.{one.kind}"), players=len(one.players))

    def build(self) -> None:
        """The parts."""
        self._table: TournamentResult | None = None
        with card(self.t("arena.standings")) as standings:
            standings.classes("whole")
            self._standings = raw_html("", "fd-scroll-x", tag="div")
            self._standings._props["data-test"] = "standings"
            self._remark = text("", "fd-muted fd-small")
        with card(self.t("arena.cross")) as cross:
            cross.classes("whole")
            self._cross = raw_html("", tag="div")
            self._cross._props["data-test"] = "cross"
            self._cross.on("click", self._clicked, js_handler=_PAIR)
            text(self.t("arena.cross_hint"), "fd-muted fd-small")

    def find(self, one: EventSummary) -> TournamentResult | None:
        """The table."""
        return self.context.results.table(one)

    def show(self, found: TournamentResult | None) -> None:
        """Shows it."""
        t = self.t
        self._table = found
        if found is None:
            self._standings.set_content(self.nothing_yet)
            self._cross.set_content("")
            return
        self._standings.set_content(_standings(t, found))
        self._cross.set_content(plots.cross_table(found, lambda spec: name_of(t, spec), corner=t("arena.score")))
        games = found.first_mover
        remark = t("arena.first_side", won=games.wins, drawn=games.draws, lost=games.losses)
        if found.advantage is not None:
            remark += t("arena.advantage", elo=elo(found.advantage.elo), reach=interval_text(found.advantage.interval))
        self._remark.set_text(remark)

    def _clicked(self, event: GenericEventArguments) -> None:
        if self._table is None or not isinstance(event.args, str):
            return
        row, _, column = event.args.partition(",")
        entries = self._table.entries
        if row.isdigit() and column.isdigit() and max(int(row), int(column)) < len(entries):
            self.choose_pair((entries[int(row)].player, entries[int(column)].player))


def _standings(t: Translator, table: TournamentResult) -> str:
    ends = plots.axis_ends([number for entry in table.entries for number in (entry.rating, *entry.interval)])
    heads = "".join(
        f'<th class="{css}">{escape(t(f"arena.head.{name}"))}</th>'
        for name, css in (
            ("rank", ""),
            ("player", "name"),
            ("bar", "bar"),
            ("elo", ""),
            ("reach", ""),
            ("score", ""),
            ("counts", ""),
        )
    )
    rows = []
    for entry in table.entries:
        bar = plots.interval(entry.rating, *entry.interval, ends=ends, label=interval_text(entry.interval))
        games = entry.games
        rows.append(
            f'<tr><td>{entry.rank}</td><td class="name" title="{escape(entry.player)}">'
            f'{escape(name_of(t, entry.player))}</td><td class="bar">{bar}</td><td><b>{elo(entry.rating)}</b></td>'
            f"<td>{interval_text(entry.interval)}</td><td>{share_text(games.score)}</td>"
            f"<td>{games.wins} / {games.draws} / {games.losses}</td></tr>"
        )
    return f'<table class="fd-standings"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


class LadderPage(Page):
    """A climb: the rating so far, and the opponents around it."""

    def build(self) -> None:
        """The parts."""
        with card(self.t("arena.place")) as place:
            place.classes("whole")
            self._place = raw_html("", "fd-field", tag="div")
        with card(self.t("arena.met")) as met:
            met.classes("whole")
            self._met = raw_html("", "fd-scroll-x", tag="div")
            self._met._props["data-test"] = "met"

    def find(self, one: EventSummary) -> PlacementResult | None:
        """The place so far."""
        return self.context.results.climb(one)

    def show(self, found: PlacementResult | None) -> None:
        """Shows it."""
        t = self.t
        if found is None:
            self._place.set_content(self.nothing_yet)
            return
        rungs = found.ladder.entries
        low, high = found.interval
        first, last = plots.axis_ends([rung.rating for rung in rungs])
        places = [rung.rating for rung in rungs]
        bar = plots.interval(
            found.rating, low, high, ends=(first, last), rungs=places, label=interval_text((low, high))
        )
        standing = t("arena.stronger_than", count=found.place - 1, total=len(rungs))
        between = [
            t(f"arena.{where}", name=name_of(t, rung.spec), rating=round(rung.rating))
            for where, rung in (("above", found.below), ("below", found.above))
            if rung is not None
        ]
        self._place.set_content(
            '<div class="fd-stats">'
            f'<div class="fd-stat"><div class="big" data-test="rating">{elo(found.rating).lstrip("+")}</div>'
            f'<div class="name">{escape(t("arena.rating"))}</div></div></div>'
            f'{bar}<div class="fd-interval-ends"><span>{first:.0f}</span>'
            f"<span>{escape(t('arena.interval', reach=interval_text((low, high))))}</span><span>{last:.0f}</span></div>"
            f'<div class="fd-muted fd-small">{escape(" · ".join([standing, *between]))}</div>'
        )
        self._met.set_content(self._opponents(found))

    def _opponents(self, found: PlacementResult) -> str:
        t = self.t
        heads = "".join(
            f'<th class="{css}">{escape(t(f"arena.head.{name}"))}</th>'
            for name, css in (
                ("rank", ""),
                ("opponent", "name"),
                ("rating", ""),
                ("bar_score", "bar"),
                ("score", ""),
                ("expected", ""),
                ("counts", ""),
            )
        )
        rows = []
        for met in reversed(found.met):
            games = met.games
            label = t("arena.counts", won=games.wins, drawn=games.draws, lost=games.losses)
            rows.append(
                f'<tr><td>{met.place}</td><td class="name" title="{escape(met.entry.spec)}">'
                f"{escape(name_of(t, met.entry.spec))}</td><td>{met.entry.rating:.0f}</td>"
                f'<td class="bar">{plots.score_bar(games, label=label)}</td><td><b>{share_text(games.score)}</b></td>'
                f"<td>{share_text(met.expected)}</td><td>{games.wins} / {games.draws} / {games.losses}</td></tr>"
            )
        return f'<table class="fd-standings"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


PAGES: dict[str, type[Page]] = {"match": MatchPage, "tournament": TournamentPage, "ladder": LadderPage}
"""The page of each kind of event; others are shown as tournaments."""

"""The list of all matches, tournaments and ladders, and the forms that begin more."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from flipdrop.games import game as game_of
from flipdrop.interface.web.pages import plots
from flipdrop.interface.web.pages.event_page import title_of
from flipdrop.interface.web.pages.job_forms import Forms, LadderForm, MatchForm, TournamentForm
from flipdrop.interface.web.pages.job_ui import Poller, ago, elo, name_of, pill
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.widgets import card, div, raw_html, text
from flipdrop.reporting.formatting import share_text

if TYPE_CHECKING:
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import EventSummary
    from flipdrop.interface.web.pages.job_ui import JobContext

_MOST_LISTED = 60


class EventList:
    """Everything that was played, and the forms that begin more."""

    def __init__(self, context: JobContext, t: Translator, game: str) -> None:
        self._context, self._t = context, t
        with div("fd-list-layout"):
            with div("fd-list"):
                text(t("nav.arena"), "fd-title fd-no-margin", tag="h1")
                self._rows = raw_html("", "fd-list", tag="div")
                self._rows._props["data-test"] = "events"
            with div("fd-sidebar"), card():
                kinds = {"match": MatchForm, "tournament": TournamentForm, "ladder": LadderForm}
                Forms(context, t, kinds, "/arena", game=game)

    async def begin(self) -> None:
        """Shows what there is."""
        await Poller(self._t, self._look, self._show, lambda found: any(one.is_running for one, _ in found)).begin()

    def _look(self) -> list[tuple[EventSummary, str]]:
        found = self._context.results.events(self._context.jobs.all())
        found.sort(key=lambda one: not one.is_running)
        return [(one, self._told(one)) for one in found[:_MOST_LISTED]]

    def _told(self, one: EventSummary) -> str:
        """The result in short."""
        t, results = self._t, self._context.results
        if not one.games:
            return ""
        if one.kind == "match":
            games = results.score(one)
            label = t("arena.counts", won=games.wins, drawn=games.draws, lost=games.losses)
            return f'<span class="told">{share_text(games.score)}</span>{plots.score_bar(games, label=label)}'
        if one.kind == "ladder":
            climb = results.climb(one)
            return "" if climb is None else f'<span class="told">{elo(climb.rating).lstrip("+")}</span>'
        leader, _ = results.leader(one)
        return f'<span class="about">{escape(t("arena.leader", name=name_of(t, leader)))}</span>'

    def _show(self, found: list[tuple[EventSummary, str]]) -> None:
        if not found:
            self._rows.set_content(f'<div class="fd-empty-list">{escape(self._t("arena.none"))}</div>')
            return
        self._rows.set_content("".join(self._row(one, told) for one, told in found))

    def _row(self, one: EventSummary, told: str) -> str:
        t = self._t
        about = [t(f"kind.{one.kind}"), game_title(t, game_of(one.game))]
        ended = one.job is not None and one.job.state == "ended"  # a test may have decided it early
        about.append(t("arena.all_of_games" if ended else "arena.of_games", games=one.games, planned=one.planned))
        about.append(ago(t, one.begun))
        progress = ""
        if one.is_running:
            share = 100 * min(1.0, one.games / max(one.planned, 1))
            progress = f'<div class="progress fd-meter"><i style="width:{share:.1f}%"></i></div>'
        state = one.job.state if one.job else ""
        shown = pill(t, state) if state and state != "ended" else ""
        return (
            f'<a class="fd-item" href="/arena/{one.key}" data-test="event"><span class="title">'
            f'{escape(title_of(t, one))}</span><span class="right">{told}{shown}</span>'
            f'<span class="about">{escape(" · ".join(about))}</span>{progress}</a>'
        )

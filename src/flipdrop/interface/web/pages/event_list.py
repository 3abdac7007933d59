"""The list of all events, and the forms that start one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.games import game as game_of
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.event_page import title_of
from flipdrop.interface.web.pages.job_forms import JobForms, LadderForm, MatchForm, TournamentForm
from flipdrop.interface.web.pages.job_ui import ListPage, ago, counts_text, elo, short_player_name, state_badge
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.reporting.formatting import share_text

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.jobs.repository import EventSummary


class EventList(ListPage):
    """All events, the newest first."""

    section = "arena"
    empty_key = "arena.none"

    def forms(self, game: Game) -> None:
        kinds = {"match": MatchForm, "tournament": TournamentForm, "ladder": LadderForm}
        JobForms(self.context, self.t, kinds, "/arena", game=game)

    def load(self) -> list[EventSummary]:
        return self.context.results.events()

    def row(self, event: Any) -> dict[str, Any]:
        t = self.t
        games = "arena.all_of_games" if event.state == "ended" else "arena.of_games"  # a test may have ended it early
        about = [
            t(f"kind.{event.kind}"),
            game_title(t, game_of(event.game)),
            t(games, games=event.games, planned=event.planned),
            ago(t, event.started),
        ]
        shown = {"key": event.key, "test": "event", "title": title_of(t, event), "about": " · ".join(about)}
        share = event.share if event.is_running else None
        badge = "" if event.state == "elsewhere" else state_badge(t, event.state)
        return shown | {"share": share, "state": event.state, "badge": badge} | self._result(event)

    def _result(self, event: EventSummary) -> dict[str, Any]:
        """The result in short."""
        t, results = self.t, self.context.results
        shown: dict[str, Any] = {"caption": "", "value": "", "bar": ""}
        if event.kind == "match":
            if (match := results.match_result(event)) is not None:
                games = match.tally.games
                bar = charts.score_bar(games, label=counts_text(t, games))
                shown |= {"value": share_text(games.score), "bar": bar}
            return shown
        if event.kind == "ladder":
            placed = results.placement_result(event)
            return shown | {"value": "" if placed is None else elo(placed.rating).lstrip("+")}
        if (leader := results.leader(event)) is not None:
            return shown | {"caption": t("arena.leader", name=short_player_name(t, leader[0]))}
        return shown

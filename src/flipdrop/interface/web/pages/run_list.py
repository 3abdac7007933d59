"""The list of all learning runs, and the forms that start one."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from flipdrop.games import game as game_of
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.job_forms import EvolveForm, JobForms, LearnForm, TrainForm
from flipdrop.interface.web.pages.job_ui import ListPage, ago, state_badge
from flipdrop.interface.web.pages.pickers import game_title
from flipdrop.interface.web.pages.run_page import AGAINST, curve_name, title_of
from flipdrop.interface.web.pages.widgets import text

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.jobs.repository import RunSummary
    from flipdrop.interface.web.pages.job_forms import JobForm


class RunList(ListPage):
    """All runs, the newest first."""

    section = "learning"
    empty_key = "learn.none"

    def forms(self, game: Game) -> None:
        kinds: dict[str, type[JobForm]] = {"learn": LearnForm, "evolve": EvolveForm}
        if find_spec("torch") is not None:
            kinds["train"] = TrainForm
        JobForms(self.context, self.t, kinds, "/learning", game=game)
        if "train" not in kinds:
            text(self.t("learn.no_torch"), "fd-small fd-muted")

    def load(self) -> list[RunSummary]:
        return self.context.results.runs()

    def row(self, run: Any) -> dict[str, Any]:
        t = self.t
        points = self.context.results.curve(run)
        about = [game_title(t, game_of(run.game)), ago(t, run.started)]
        caption = value = ""
        if points:
            latest = points[-1]
            time = charts.seconds_text(latest.seconds)
            about.insert(1, t("learn.games_in", games=f"{latest.games:,}", time=time))
            scores = [name for name in latest.values if name.startswith(AGAINST)]
            if scores:
                caption, value = curve_name(t, scores[-1]), f"{latest.values[scores[-1]]:.3f}"
        return {
            "key": run.key,
            "test": "run",
            "title": title_of(t, run),
            "about": " · ".join(about),
            "caption": caption,
            "value": value,
            "bar": "",
            "share": run.share,
            "state": run.state,
            "badge": state_badge(t, run.state),
        }

"""The jobs of a server and their results, for the API and the pages."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from flipdrop.errors import FlipdropError, quoted
from flipdrop.interface.web.jobs.manager import MAX_JOBS, JobManager
from flipdrop.interface.web.jobs.requests import AnyJobRequest, JobRequest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from flipdrop.games import Game
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.jobs.manager import Job
    from flipdrop.interface.web.jobs.repository import ResultsRepository

_KINDS = {"int": "a whole number", "float": "a number"}
_REQUESTS: TypeAdapter[JobRequest] = TypeAdapter(AnyJobRequest)


class BadNumber(FlipdropError):
    """A number that is missing, malformed or out of range."""


def _requirement(wrong: ErrorDetails) -> str:
    """What a field takes, in the words of people instead of pydantic's."""
    limits = wrong.get("ctx", {})
    if wrong["type"] == "greater_than_equal":
        return f"at least {limits['ge']:g}"
    if wrong["type"] == "less_than_equal":
        return f"at most {limits['le']:g}"
    if (kind := _KINDS.get(wrong["type"].partition("_")[0])) is not None:
        written = wrong["input"]
        return f"enter {kind}" + (f", not {quoted(written, 20)}" if isinstance(written, str) else "")
    return wrong["msg"].removeprefix("Value error, ")


class JobService:
    """The jobs of a server and their results."""

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.manager = JobManager(config.jobs_folder, max_jobs=MAX_JOBS if config.classroom is None else 1)

    @cached_property
    def results(self) -> ResultsRepository:
        """Imported with its first use, since the statistics of the arena take half a second."""
        from flipdrop.interface.web.jobs.repository import ResultsRepository

        return ResultsRepository(self.config.store, self.manager)

    def start(self, request: JobRequest) -> Job:
        return request.start(self.manager, self.config)

    def start_form(self, kind: str, settings: dict[str, Any]) -> Job:
        """Starts a job from the settings of a form, by the names of the fields of its request."""
        try:
            request = _REQUESTS.validate_python({"kind": kind, **settings})
        except ValidationError as error:
            wrong = error.errors()[0]
            raise BadNumber(f"{wrong['loc'][-1]}: {_requirement(wrong)}") from None
        return self.start(request)

    def models(self, game: Game) -> dict[str, str]:
        """Models that can play a game, the newest first: ``learned:ID``, and the name to show."""
        found = {
            job.id: Path(job.spec.model).stem
            for job in self.manager.all()
            if job.spec.game == game.name and job.plays_as is not None
        }
        names = list(found.values())
        return {
            f"learned:{id_}": name if names.count(name) == 1 else f"{name} ({id_[-4:]})" for id_, name in found.items()
        }

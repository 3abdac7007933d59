"""The jobs of a server and their results, for the API and the pages."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.jobs.manager import JobManager
from flipdrop.interface.web.jobs.requests import AnyJobRequest, JobRequest

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.jobs.manager import Job
    from flipdrop.interface.web.jobs.repository import ResultsRepository

_REQUESTS: TypeAdapter[JobRequest] = TypeAdapter(AnyJobRequest)


class BadNumber(FlipdropError):
    """A number that is missing, malformed or out of range."""


class JobService:
    """The jobs of a server and their results."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self.jobs = JobManager(config.jobs_folder)

    @cached_property
    def results(self) -> ResultsRepository:
        """Imported with its first use, since the statistics of the arena take half a second."""
        from flipdrop.interface.web.jobs.repository import ResultsRepository

        return ResultsRepository(self._config.store, self.jobs)

    def start(self, request: JobRequest) -> Job:
        return request.start(self.jobs, self._config)

    def start_form(self, kind: str, settings: dict[str, Any]) -> Job:
        """Starts a job from the settings of a form, by the names of the fields of its request."""
        try:
            request = _REQUESTS.validate_python({"kind": kind, **settings})
        except ValidationError as error:
            wrong = error.errors()[0]
            raise BadNumber(f"{wrong['loc'][-1]}: {wrong['msg']}") from None
        return self.start(request)

    def models(self, game: Game) -> dict[str, str]:
        """Models that can play a game, the newest first: ``learned:ID``, and the name to show."""
        found = {
            job.id: Path(job.spec.model).stem
            for job in self.jobs.all()
            if job.spec.game == game.name and job.plays_as is not None
        }
        names = list(found.values())
        return {
            f"learned:{id_}": name if names.count(name) == 1 else f"{name} ({id_[-4:]})" for id_, name in found.items()
        }

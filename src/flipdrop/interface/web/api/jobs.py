"""Jobs: matches, tournaments, ladder placements and learners in processes of their own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Body, Path

from flipdrop.interface.web.api.common import Deleted, Jobs
from flipdrop.interface.web.jobs.manager import STOPPING, JobConflict
from flipdrop.interface.web.jobs.requests import AnyJobRequest  # noqa: TC001 - read at run time
from flipdrop.interface.web.schemas import EventView, JobView, RunView  # noqa: TC001 - read at run time

if TYPE_CHECKING:
    from flipdrop.interface.web.jobs.manager import Job

JobId = Annotated[str, Path(alias="id", max_length=40, description="The job's id.")]

router = APIRouter()

# Functions without ``async`` run on threads, since they read files.


@router.get("/jobs")
def jobs(service: Jobs) -> list[JobView]:
    """All jobs, the newest first."""
    return [job.view for job in service.manager.all()]


@router.post("/jobs", status_code=201)
def start(service: Jobs, request: Annotated[AnyJobRequest, Body()]) -> JobView:
    """Starts a job: `kind` decides which settings there are."""
    return service.start(request).view


@router.get("/jobs/{id}")
def job(service: Jobs, job_id: JobId) -> EventView | RunView:
    """A job with the games or the learning run that it has in the store."""
    found = service.manager.find(job_id)
    results = service.results
    return results.run(job_id) if found.spec.is_learner else results.event(job_id)


@router.post("/jobs/{id}/stop")
async def stop(service: Jobs, job_id: JobId) -> JobView:
    """Stops a job and waits for its end: a learner may take minutes to save its model."""
    stopped: Job = await asyncio.get_running_loop().run_in_executor(STOPPING, service.manager.stop, job_id)
    return stopped.view


@router.post("/jobs/{id}/resume")
def resume(service: Jobs, job_id: JobId) -> JobView:
    """Continues a job that was stopped or has failed: plays the missing games, or learns from its checkpoint."""
    found = service.manager.find(job_id)
    if not found.can_resume:
        raise JobConflict(f"job {job_id} cannot be resumed; it is {found.state}")
    return service.manager.resume(job_id).view


@router.delete("/jobs/{id}")
def delete(service: Jobs, job_id: JobId) -> Deleted:
    """Deletes a job that has ended, with its model. Its games stay in the store."""
    service.manager.delete(job_id)
    return Deleted(deleted=job_id)

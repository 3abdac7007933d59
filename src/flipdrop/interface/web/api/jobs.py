"""Jobs: matches, tournaments, ladder placements and learners in processes of their own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Body, Path

from flipdrop.interface.web.api.common import Deleted, Manager
from flipdrop.interface.web.jobs.manager import STOPPING, JobConflict
from flipdrop.interface.web.jobs.requests import AnyJobRequest  # noqa: TC001 - read at run time
from flipdrop.interface.web.schemas import EventView, JobView, RunView  # noqa: TC001 - read at run time

if TYPE_CHECKING:
    from flipdrop.interface.web.jobs.manager import Job

JobId = Annotated[str, Path(alias="id", max_length=40, description="The job's id.")]

router = APIRouter()

# Functions without ``async`` run on threads, since they read files.


@router.get("/jobs")
def jobs(manager: Manager) -> list[JobView]:
    """All jobs, the newest first."""
    return [job.view for job in manager.jobs.manager.all()]


@router.post("/jobs", status_code=201)
def start(manager: Manager, request: Annotated[AnyJobRequest, Body()]) -> JobView:
    """Starts a job: `kind` decides which settings there are."""
    return manager.jobs.start(request).view


@router.get("/jobs/{id}")
def job(manager: Manager, job_id: JobId) -> EventView | RunView:
    """A job with the games or the learning run that it has in the store."""
    found = manager.jobs.manager.find(job_id)
    results = manager.jobs.results
    return results.run(job_id) if found.spec.is_learner else results.event(job_id)


@router.post("/jobs/{id}/stop")
async def stop(manager: Manager, job_id: JobId) -> JobView:
    """Stops a job and waits for its end: a learner may take minutes to save its model."""
    stopped: Job = await asyncio.get_running_loop().run_in_executor(STOPPING, manager.jobs.manager.stop, job_id)
    return stopped.view


@router.post("/jobs/{id}/resume")
def resume(manager: Manager, job_id: JobId) -> JobView:
    """Continues a job that was stopped or has failed: plays the missing games, or learns from its checkpoint."""
    found = manager.jobs.manager.find(job_id)
    if not found.can_resume:
        raise JobConflict(f"job {job_id} cannot be resumed; it is {found.state}")
    return manager.jobs.manager.resume(job_id).view


@router.delete("/jobs/{id}")
def delete(manager: Manager, job_id: JobId) -> Deleted:
    """Deletes a job that has ended, with its model. Its games stay in the store."""
    manager.jobs.manager.delete(job_id)
    return Deleted(deleted=job_id)

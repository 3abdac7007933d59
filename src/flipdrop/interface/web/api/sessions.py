"""Sessions: create, play, analyse, review. Most responses are the view of the session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse
from pydantic import Field

from flipdrop.games.records import encode_games
from flipdrop.interface.web.api.common import JSON_ERRORS, Deleted, SessionById, Sessions, ShortText, Text
from flipdrop.interface.web.schemas import RequestModel, SessionSummary, SessionView, SideName
from flipdrop.interface.web.sessions.analysis import MAX_DEPTH, MAX_LINES
from flipdrop.interface.web.sessions.session import MAX_PACE, SIDES
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.session import Session

LONGEST_WAIT = 25.0  # s: proxies and clients abort longer requests
_MAX_SEED = 2**63 - 1

RecordFormat = Annotated[Literal["ggf", "plain"], Query(alias="format")]

router = APIRouter()


class NewSession(RequestModel):
    """A session to create."""

    game: ShortText = Field("othello", examples=["othello", "connect4:9x10,forbid=c3"])
    first: ShortText | None = Field(None, description="The spec of the first side's player; null for a person.")
    second: ShortText | None = Field(None, description="The second side's.", examples=["level:3"])
    position: Text = Field("", description="A transcript, a board string or a GGF game.")
    clock: ShortText | None = Field(None, description="The time control in seconds.", examples=["300+2", "60/move"])
    pace: float = Field(0.0, ge=0, le=MAX_PACE, description="The least seconds between two moves of computers.")
    paused: bool = Field(False, description="Whether computers wait for a step.")
    keep: bool = Field(True, description="Whether the session is saved.")
    seed: int | None = Field(None, ge=0, le=_MAX_SEED, description="Seed of the computers' random choices.")


class MoveRequest(RequestModel):
    """A person's move."""

    move: Annotated[str, Field(max_length=8, examples=["f5", "4", "pass"])]
    cursor: int | None = Field(None, ge=0, le=1000, description="The number of moves on the board that the client saw.")


class JumpRequest(RequestModel):
    """The number of moves of the record that the board is to show."""

    cursor: int = Field(ge=0, le=1000)


class ResignRequest(RequestModel):
    """The side that resigns; by default the only person's side, or the side to move."""

    side: SideName | None = None


class PaceRequest(RequestModel):
    """How computers move."""

    paused: bool | None = None
    pace: float | None = Field(None, ge=0, le=MAX_PACE)


class PlayersRequest(RequestModel):
    """New players; null is a person."""

    first: ShortText | None = None
    second: ShortText | None = None


class SetupRequest(RequestModel):
    """A position or a game that replaces the session's."""

    position: Text
    game: ShortText | None = None


class AnalysisRequest(RequestModel):
    """How to analyse."""

    method: ShortText = Field("search", description="search, mcts, or the spec of a player.")
    evaluation: ShortText | None = Field(None, description="The evaluation whose terms are shown.")
    seconds: float | None = Field(None, gt=0, description="Up to the limit of the server.")
    depth: int | None = Field(None, ge=1, le=MAX_DEPTH, description="The most plies; without opening book and proof.")
    threads: int = Field(1, ge=1, description="Up to the limit of the server.")
    lines: int = Field(1, ge=1, le=MAX_LINES, description="How many of the best moves get a line.")
    infinite: bool = Field(False, description="Whether the search goes on until the values are proven.")


class ReviewRequest(RequestModel):
    """How to review."""

    seconds: float | None = Field(None, gt=0, le=60, description="For each move.")


@router.post("/sessions", status_code=201)
async def create(sessions: Sessions, request: NewSession) -> SessionView:
    """Creates a session."""
    return view_of(sessions.new(**request.model_dump()))


@router.get("/sessions")
async def recent(sessions: Sessions, limit: Annotated[int, Query(ge=1, le=200)] = 20) -> list[SessionSummary]:
    """The sessions that changed last."""
    return sessions.recent(limit)


@router.get("/sessions/{id}")
async def view(
    session: SessionById,
    after: Annotated[int | None, Query(ge=0, le=2**53, description="Waits for another version than this.")] = None,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait at most.")] = LONGEST_WAIT,
) -> SessionView:
    """A session as it is now, or as soon as it has changed."""
    if after is not None and session.version == after:
        await _change(session, wait)
    return view_of(session)


@router.delete("/sessions/{id}")
async def delete(sessions: Sessions, session: SessionById) -> Deleted:
    """Deletes a session."""
    sessions.remove(session)
    return Deleted(deleted=session.id)


@router.post("/sessions/{id}/players")
async def set_players(sessions: Sessions, session: SessionById, request: PlayersRequest) -> SessionView:
    """Replaces the players."""
    sessions.set_players(session, request.first, request.second)
    return view_of(session)


@router.post("/sessions/{id}/position")
async def set_up(sessions: Sessions, session: SessionById, request: SetupRequest) -> SessionView:
    """Replaces the game."""
    sessions.set_up(session, request.position, request.game)
    return view_of(session)


@router.get("/sessions/{id}/record", response_class=PlainTextResponse, responses=JSON_ERRORS)
async def record(session: SessionById, form: RecordFormat = "plain") -> PlainTextResponse:
    """The record as a file."""
    return PlainTextResponse(encode_games([session.record], form))


@router.post("/sessions/{id}/moves")
async def play(session: SessionById, request: MoveRequest) -> SessionView:
    """Plays a person's move and saves it."""
    session.play(request.move, cursor=request.cursor)
    return view_of(session)


@router.post("/sessions/{id}/undo")
async def undo(session: SessionById) -> SessionView:
    """Takes moves back to the last choice of a person."""
    session.undo()
    return view_of(session)


@router.post("/sessions/{id}/redo")
async def redo(session: SessionById) -> SessionView:
    """Replays moves that were taken back."""
    session.redo()
    return view_of(session)


@router.post("/sessions/{id}/jump")
async def jump(session: SessionById, request: JumpRequest) -> SessionView:
    """Shows another position of the record."""
    session.jump(request.cursor)
    return view_of(session)


@router.post("/sessions/{id}/resign")
async def resign(session: SessionById, request: ResignRequest) -> SessionView:
    """Resigns the game."""
    session.resign(None if request.side is None else SIDES[request.side])
    return view_of(session)


@router.post("/sessions/{id}/pace")
async def pace(session: SessionById, request: PaceRequest) -> SessionView:
    """Pauses or resumes the computers, or changes their pace."""
    if request.pace is not None:
        session.set_pace(request.pace)
    if request.paused is not None:
        session.pause(request.paused)
    return view_of(session)


@router.post("/sessions/{id}/step")
async def step(session: SessionById) -> SessionView:
    """Lets a computer make one move."""
    session.step()
    return view_of(session)


@router.post("/sessions/{id}/analysis")
async def analyse(sessions: Sessions, session: SessionById, request: AnalysisRequest) -> SessionView:
    """Analyses the position on the board, now and after every change."""
    sessions.analysis.start(session, **request.model_dump())
    return view_of(session)


@router.delete("/sessions/{id}/analysis")
async def stop_analysis(sessions: Sessions, session: SessionById) -> SessionView:
    """Ends the analysis and a review."""
    sessions.analysis.stop(session)
    return view_of(session)


@router.post("/sessions/{id}/review")
async def review(sessions: Sessions, session: SessionById, request: ReviewRequest) -> SessionView:
    """Reviews all moves of the record."""
    sessions.analysis.review(session, seconds=request.seconds)
    return view_of(session)


async def _change(session: Session, seconds: float) -> None:
    """Waits until a session changes, at most for `seconds`."""
    changed = asyncio.Event()
    unsubscribe = session.subscribe(lambda _: changed.set())
    try:
        await asyncio.wait_for(changed.wait(), seconds)
    except TimeoutError:
        pass
    finally:
        unsubscribe()

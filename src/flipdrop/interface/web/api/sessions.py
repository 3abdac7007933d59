"""Sessions: create, play, analyse, review. The response is the session's view."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from flipdrop.games.records import GameRecord, encode_games
from flipdrop.interface.web.api.responses import RequestModel, ShortText, Text, json_response
from flipdrop.interface.web.sessions.session import SIDES
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

LONGEST_WAIT = 25.0  # s: proxies and clients give up on what takes longer
_MOST_SEED = 2**63 - 1

SideName = Literal["first", "second"]
RecordFormat = Annotated[Literal["ggf", "plain"], Query(alias="format")]
SessionId = Annotated[str, Path(alias="id", max_length=40, description="Of the session.")]


class NewSession(RequestModel):
    """A session to begin."""

    game: ShortText = Field("othello", examples=["othello", "connect4:9x10,forbid=c3"])
    first: ShortText | None = Field(None, description="The first side's player, as a spec; null for a person.")
    second: ShortText | None = Field(None, description="The second side's.", examples=["level:3"])
    position: Text = Field("", description="A transcript, a board string, a game in GGF.")
    clock: ShortText | None = Field(None, description="Seconds for each side, and for each move.", examples=["300+2"])
    pace: float = Field(0.0, ge=0, le=60, description="The least seconds between two moves of computers.")
    paused: bool = Field(False, description="Whether computers wait for a step.")
    keep: bool = Field(True, description="Whether it outlives the server.")
    seed: int | None = Field(None, ge=0, le=_MOST_SEED, description="Of the computers' random choices.")


class Move(RequestModel):
    """A move of a person."""

    move: Annotated[str, Field(max_length=8, examples=["f5", "4", "pass"])]
    cursor: int | None = Field(None, ge=0, le=1000, description="How many moves the board had when it was chosen.")


class Jump(RequestModel):
    """A place in the record."""

    cursor: int = Field(ge=0, le=1000)


class Resignation(RequestModel):
    """Who gives up: the only person, or the side to move, unless said."""

    side: SideName | None = None


class Pace(RequestModel):
    """How computers move."""

    paused: bool | None = None
    pace: float | None = Field(None, ge=0, le=60)


class Players(RequestModel):
    """Who plays on; null is a person."""

    first: ShortText | None = None
    second: ShortText | None = None


class Setup(RequestModel):
    """A position or a game that replaces what is there."""

    position: Text
    game: ShortText | None = None


class AnalysisRequest(RequestModel):
    """How to analyse."""

    method: ShortText = Field("search", description="search, mcts, or the spec of a player.")
    evaluation: ShortText | None = Field(None, description="The evaluation whose terms are shown.")
    seconds: float | None = Field(None, gt=0, le=600)


class ReviewRequest(RequestModel):
    """How to review."""

    seconds: float | None = Field(None, gt=0, le=60, description="For each move.")


class View(BaseModel):
    """A session as it is now; documented in flipdrop.interface.web.sessions.view."""

    model_config = ConfigDict(extra="allow")
    id: str
    version: int
    game: str
    cells: list[str]
    turn: SideName | None
    over: bool
    cursor: int


def add_routes(router: APIRouter, manager: SessionManager) -> None:
    _session_routes(router, manager)
    _play_routes(router, manager)
    _analysis_routes(router, manager)


def _shown(session: Session, status: int = 200) -> Response:
    return json_response(view_of(session), status)


def _session_routes(router: APIRouter, manager: SessionManager) -> None:
    @router.post("/sessions", status_code=201, responses={201: {"model": View}})
    async def begin(wanted: NewSession) -> Response:
        """Begins a session."""
        return _shown(manager.new(**wanted.model_dump()), 201)

    @router.get("/sessions")
    async def recent(limit: Annotated[int, Query(ge=1, le=200)] = 20) -> Response:
        """The sessions that were touched last."""
        return json_response(manager.recent(limit))

    @router.get("/sessions/{id}", responses={200: {"model": View}})
    async def view(
        session_id: SessionId,
        after: Annotated[int | None, Query(ge=0, le=2**53, description="Waits until the version is another.")] = None,
        wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="At most so many seconds.")] = LONGEST_WAIT,
    ) -> Response:
        """A session as it is now, or as soon as it has changed."""
        session = manager.find(session_id)
        if after is not None and session.version == after:
            await _change(session, wait)
        return _shown(session)

    @router.delete("/sessions/{id}")
    async def forget(session_id: SessionId) -> Response:
        """Forgets a session."""
        manager.remove(manager.find(session_id))
        return json_response({"deleted": session_id})

    @router.post("/sessions/{id}/players", responses={200: {"model": View}})
    async def slot(session_id: SessionId, players: Players) -> Response:
        """Lets others play on."""
        session = manager.find(session_id)
        manager.set_players(session, players.first, players.second)
        return _shown(session)

    @router.post("/sessions/{id}/position", responses={200: {"model": View}})
    async def set_up(session_id: SessionId, setup: Setup) -> Response:
        """Replaces the game."""
        session = manager.find(session_id)
        manager.set_up(session, setup.position, setup.game)
        return _shown(session)

    @router.get("/sessions/{id}/record")
    async def record(session_id: SessionId, form: RecordFormat = "plain") -> Response:
        """The game as a file."""
        session = manager.find(session_id)
        names = [slot.name for slot in session.players]
        written = GameRecord(
            session.positions[0], tuple(session.moves), first=names[0], second=names[1], place="flipdrop"
        )
        return Response(encode_games([written], form), media_type="text/plain; charset=utf-8")


def _play_routes(router: APIRouter, manager: SessionManager) -> None:
    @router.post("/sessions/{id}/moves", responses={200: {"model": View}})
    async def play(session_id: SessionId, move: Move) -> Response:
        """Plays a person's move. It is kept before this is answered."""
        session = manager.find(session_id)
        session.play(move.move, cursor=move.cursor)
        return _shown(session)

    @router.post("/sessions/{id}/undo", responses={200: {"model": View}})
    async def undo(session_id: SessionId) -> Response:
        """Takes back to the last time that a person had a choice."""
        session = manager.find(session_id)
        session.undo()
        return _shown(session)

    @router.post("/sessions/{id}/redo", responses={200: {"model": View}})
    async def redo(session_id: SessionId) -> Response:
        """Plays again what was taken back."""
        session = manager.find(session_id)
        session.redo()
        return _shown(session)

    @router.post("/sessions/{id}/jump", responses={200: {"model": View}})
    async def jump(session_id: SessionId, to: Jump) -> Response:
        """Shows another place of the record."""
        session = manager.find(session_id)
        session.jump(to.cursor)
        return _shown(session)

    @router.post("/sessions/{id}/resign", responses={200: {"model": View}})
    async def resign(session_id: SessionId, who: Resignation) -> Response:
        """Gives the game up."""
        session = manager.find(session_id)
        session.resign(None if who.side is None else SIDES[who.side])
        return _shown(session)

    @router.post("/sessions/{id}/pace", responses={200: {"model": View}})
    async def pace(session_id: SessionId, how: Pace) -> Response:
        """Pauses computers, lets them go on, makes them slower or faster."""
        session = manager.find(session_id)
        if how.pace is not None:
            session.set_pace(how.pace)
        if how.paused is not None:
            session.pause(how.paused)
        return _shown(session)

    @router.post("/sessions/{id}/step", responses={200: {"model": View}})
    async def step(session_id: SessionId) -> Response:
        """Lets a computer make one move."""
        session = manager.find(session_id)
        session.step()
        return _shown(session)


def _analysis_routes(router: APIRouter, manager: SessionManager) -> None:
    @router.post("/sessions/{id}/analysis", responses={200: {"model": View}})
    async def analyse(session_id: SessionId, request: AnalysisRequest) -> Response:
        """Analyses what is on the board, now and after every change; the view's ``analysis`` grows."""
        session = manager.find(session_id)
        manager.analyse(session, request.method, evaluation=request.evaluation, seconds=request.seconds)
        return _shown(session)

    @router.delete("/sessions/{id}/analysis", responses={200: {"model": View}})
    async def stop(session_id: SessionId) -> Response:
        """Ends the analysis, and a review."""
        session = manager.find(session_id)
        manager.stop_analysis(session)
        return _shown(session)

    @router.post("/sessions/{id}/review", responses={200: {"model": View}})
    async def review(session_id: SessionId, request: ReviewRequest) -> Response:
        """Reviews all moves; the view's ``review`` grows."""
        session = manager.find(session_id)
        manager.review(session, seconds=request.seconds)
        return _shown(session)


async def _change(session: Session, seconds: float) -> None:
    """Waits until a session changes, but not longer than so many seconds."""
    changed = asyncio.Event()
    stop = session.subscribe(lambda _: changed.set())
    try:
        await asyncio.wait_for(changed.wait(), seconds)
    except TimeoutError:
        pass
    finally:
        stop()

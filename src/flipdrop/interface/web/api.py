"""The JSON API: what the pages do, for programs. ``/openapi.json`` describes it.

Every answer about a session is its view (see `flipdrop.interface.web.sessions.view`). Errors are ``{"error": "..."}``
with the status 400 for what the caller got wrong, 404 for a session that is not there, 409 for what cannot be done now,
503 when too much is asked for at once.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from flipdrop.errors import FlipdropError
from flipdrop.evaluation.registry import DEFINITIONS, PRESETS
from flipdrop.games import game as game_of
from flipdrop.games.catalogue import EXAMPLES
from flipdrop.games.records import GameRecord, encode_games
from flipdrop.interface.web.sessions.analysis import breakdown
from flipdrop.interface.web.sessions.entrance import read_evaluation, read_game, read_position
from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.session import SIDES
from flipdrop.interface.web.sessions.view import board_view, view_of
from flipdrop.players import LEVELS, PLAYER_TYPES

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions import House, Session

LONGEST_WAIT = 25.0  # s: proxies and clients give up on what takes longer
_MOST_SEED = 2**63 - 1

Text = Annotated[str, Field(max_length=8000)]
Short = Annotated[str, Field(max_length=300)]
SideName = Literal["first", "second"]
RecordFormat = Annotated[Literal["ggf", "plain"], Query(alias="format")]
SessionId = Annotated[str, Path(alias="id", max_length=40, description="Of the session.")]


class _Model(BaseModel):
    """What a client sends: nothing that is not asked for, and no number that is none."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class NewSession(_Model):
    """A session to begin."""

    game: Short = Field("othello", examples=["othello", "connect4:9x10,forbid=c3"])
    first: Short | None = Field(None, description="The first side's player, as a spec; null for a person.")
    second: Short | None = Field(None, description="The second side's.", examples=["level:3"])
    position: Text = Field("", description="A transcript, a board string, a game in GGF.")
    clock: Short | None = Field(None, description="Seconds for each side, and for each move.", examples=["300+2"])
    pace: float = Field(0.0, ge=0, le=60, description="The least seconds between two moves of computers.")
    paused: bool = Field(False, description="Whether computers wait for a step.")
    keep: bool = Field(True, description="Whether it outlives the server.")
    seed: int | None = Field(None, ge=0, le=_MOST_SEED, description="Of the computers' random choices.")


class Move(_Model):
    """A move of a person."""

    move: Annotated[str, Field(max_length=8, examples=["f5", "4", "pass"])]
    cursor: int | None = Field(None, ge=0, le=1000, description="How many moves the board had when it was chosen.")


class Jump(_Model):
    """A place in the record."""

    cursor: int = Field(ge=0, le=1000)


class Resignation(_Model):
    """Who gives up: the only person, or the side to move, unless said."""

    side: SideName | None = None


class Pace(_Model):
    """How computers move."""

    paused: bool | None = None
    pace: float | None = Field(None, ge=0, le=60)


class Players(_Model):
    """Who plays on; null is a person."""

    first: Short | None = None
    second: Short | None = None


class Setup(_Model):
    """A position or a game that replaces what is there."""

    position: Text
    game: Short | None = None


class Study(_Model):
    """How to analyse."""

    method: Short = Field("search", description="search, mcts, or the spec of a player.")
    evaluation: Short | None = Field(None, description="The evaluation whose terms are shown.")
    seconds: float | None = Field(None, gt=0, le=600)


class ReviewOrder(_Model):
    """How to review."""

    seconds: float | None = Field(None, gt=0, le=60, description="For each move.")


class Pasted(_Model):
    """A position to be read."""

    position: Text
    game: Short = "othello"
    evaluation: Short | None = None


class Failure(BaseModel):
    """What was wrong."""

    error: str


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


def answer(value: Any, status: int = 200) -> Response:
    """JSON in plain ASCII: whatever characters a client sent, they can be written."""
    return Response(json.dumps(value, separators=(",", ":")), status_code=status, media_type="application/json")


def failure(error: FlipdropError) -> Response:
    """The answer to a request that could not be carried out."""
    status = 400
    if isinstance(error, UnknownSession):
        status = 404
    elif isinstance(error, TooBusy):
        status = 503
    elif isinstance(error, SessionError):
        status = 409
    return answer({"error": str(error)[:1000]}, status)


def routes(house: House) -> APIRouter:
    """The routes of the API."""
    router = APIRouter(
        prefix="/api",
        tags=["api"],
        responses={status: {"model": Failure} for status in (400, 404, 409, 413, 422, 503)},
    )
    _catalogue_routes(router)
    _position_routes(router, house)
    _session_routes(router, house)
    _play_routes(router, house)
    _study_routes(router, house)
    return router


def _shown(session: Session, status: int = 200) -> Response:
    return answer(view_of(session), status)


def _catalogue_routes(router: APIRouter) -> None:
    @router.get("/games")
    async def games() -> Response:
        """Examples of games; Connect Four is played on every board from 4x4 to 12x12."""
        found = [game_of(name) for name in EXAMPLES]
        return answer([{"name": game.name, "title": game.title, "sides": list(game.sides)} for game in found])

    @router.get("/players")
    async def players() -> Response:
        """Levels and kinds of players, with their options."""
        kinds = [
            {
                "name": kind.name,
                "meaning": kind.meaning,
                "options": [
                    {"name": option.name, "takes": option.takes, "meaning": option.meaning} for option in kind.options
                ],
            }
            for kind in PLAYER_TYPES.values()
        ]
        levels = [{"spec": f"level:{number}", "meaning": level.meaning} for number, level in LEVELS.items()]
        return answer({"levels": levels, "kinds": kinds})

    @router.get("/evaluations")
    async def evaluations() -> Response:
        """Evaluations by name."""
        named = [{"name": one.name, "game": one.game, "description": one.description} for one in DEFINITIONS]
        presets = [{"name": one.name, "evaluation": one.evaluation} for one in PRESETS.values()]
        return answer({"evaluations": named, "presets": presets})


def _position_routes(router: APIRouter, house: House) -> None:
    @router.post("/position")
    async def position(pasted: Pasted) -> Response:
        """Reads a transcript, a board, a game in GGF: the board, and why an evaluation likes it."""
        start, moves = read_position(pasted.position, read_game(pasted.game), house.limits)
        evaluation = read_evaluation(pasted.evaluation, start.game)
        final, names = start, []
        for move in moves:
            names.append(final.move_name(move))
            final = final.play(move)
        why = None if final.is_over else breakdown(final, evaluation)
        return answer(board_view(final) | {"start": start.board, "moves": names, "evaluation": why})


def _session_routes(router: APIRouter, house: House) -> None:
    @router.post("/sessions", status_code=201, responses={201: {"model": View}})
    async def begin(wanted: NewSession) -> Response:
        """Begins a session."""
        return _shown(house.new(**wanted.model_dump()), 201)

    @router.get("/sessions")
    async def recent(limit: Annotated[int, Query(ge=1, le=200)] = 20) -> Response:
        """The sessions that were touched last."""
        return answer(house.recent(limit))

    @router.get("/sessions/{id}", responses={200: {"model": View}})
    async def view(
        session_id: SessionId,
        after: Annotated[int | None, Query(ge=0, le=2**53, description="Waits until the version is another.")] = None,
        wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="At most so many seconds.")] = LONGEST_WAIT,
    ) -> Response:
        """A session as it is now, or as soon as it has changed."""
        session = house.find(session_id)
        if after is not None and session.version == after:
            await _change(session, wait)
        return _shown(session)

    @router.delete("/sessions/{id}")
    async def forget(session_id: SessionId) -> Response:
        """Forgets a session."""
        house.remove(house.find(session_id))
        return answer({"forgotten": session_id})

    @router.post("/sessions/{id}/players", responses={200: {"model": View}})
    async def seat(session_id: SessionId, players: Players) -> Response:
        """Lets others play on."""
        session = house.find(session_id)
        house.set_players(session, players.first, players.second)
        return _shown(session)

    @router.post("/sessions/{id}/position", responses={200: {"model": View}})
    async def set_up(session_id: SessionId, setup: Setup) -> Response:
        """Replaces the game."""
        session = house.find(session_id)
        house.set_up(session, setup.position, setup.game)
        return _shown(session)

    @router.get("/sessions/{id}/record")
    async def record(session_id: SessionId, form: RecordFormat = "plain") -> Response:
        """The game as a file."""
        session = house.find(session_id)
        names = [seat.name for seat in session.seats]
        written = GameRecord(session.line[0], tuple(session.moves), first=names[0], second=names[1], place="flipdrop")
        return Response(encode_games([written], form), media_type="text/plain; charset=utf-8")


def _play_routes(router: APIRouter, house: House) -> None:
    @router.post("/sessions/{id}/moves", responses={200: {"model": View}})
    async def play(session_id: SessionId, move: Move) -> Response:
        """Plays a person's move. It is kept before this is answered."""
        session = house.find(session_id)
        session.play(move.move, cursor=move.cursor)
        return _shown(session)

    @router.post("/sessions/{id}/undo", responses={200: {"model": View}})
    async def undo(session_id: SessionId) -> Response:
        """Takes back to the last time that a person had a choice."""
        session = house.find(session_id)
        session.undo()
        return _shown(session)

    @router.post("/sessions/{id}/redo", responses={200: {"model": View}})
    async def redo(session_id: SessionId) -> Response:
        """Plays again what was taken back."""
        session = house.find(session_id)
        session.redo()
        return _shown(session)

    @router.post("/sessions/{id}/jump", responses={200: {"model": View}})
    async def jump(session_id: SessionId, to: Jump) -> Response:
        """Shows another place of the record."""
        session = house.find(session_id)
        session.jump(to.cursor)
        return _shown(session)

    @router.post("/sessions/{id}/resign", responses={200: {"model": View}})
    async def resign(session_id: SessionId, who: Resignation) -> Response:
        """Gives the game up."""
        session = house.find(session_id)
        session.resign(None if who.side is None else SIDES[who.side])
        return _shown(session)

    @router.post("/sessions/{id}/pace", responses={200: {"model": View}})
    async def pace(session_id: SessionId, how: Pace) -> Response:
        """Pauses computers, lets them go on, makes them slower or faster."""
        session = house.find(session_id)
        if how.pace is not None:
            session.set_pace(how.pace)
        if how.paused is not None:
            session.pause(how.paused)
        return _shown(session)

    @router.post("/sessions/{id}/step", responses={200: {"model": View}})
    async def step(session_id: SessionId) -> Response:
        """Lets a computer make one move."""
        session = house.find(session_id)
        session.step()
        return _shown(session)


def _study_routes(router: APIRouter, house: House) -> None:
    @router.post("/sessions/{id}/analysis", responses={200: {"model": View}})
    async def analyse(session_id: SessionId, study: Study) -> Response:
        """Analyses what is on the board, now and after every change; the view's ``analysis`` grows."""
        session = house.find(session_id)
        house.analyse(session, study.method, evaluation=study.evaluation, seconds=study.seconds)
        return _shown(session)

    @router.delete("/sessions/{id}/analysis", responses={200: {"model": View}})
    async def stop(session_id: SessionId) -> Response:
        """Ends the analysis, and a review."""
        session = house.find(session_id)
        house.stop_analysis(session)
        return _shown(session)

    @router.post("/sessions/{id}/review", responses={200: {"model": View}})
    async def review(session_id: SessionId, order: ReviewOrder) -> Response:
        """Reviews all moves; the view's ``review`` grows."""
        session = house.find(session_id)
        house.review(session, seconds=order.seconds)
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


async def on_failure(_: Request, error: Exception) -> Response:
    """What FastAPI calls for any error of flipdrop's."""
    assert isinstance(error, FlipdropError)
    return failure(error)

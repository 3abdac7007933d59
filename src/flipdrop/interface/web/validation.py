"""Parses the input of clients: games, positions, players and evaluations within the limits of the server."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.arena.model import TimeControl
from flipdrop.errors import PlayerError, quoted
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.games import game as game_of
from flipdrop.games.pasted import read_pasted
from flipdrop.interface.web.agents.library import find_agent, pinned
from flipdrop.interface.web.clients import is_teacher
from flipdrop.interface.web.jobs.manager import find_learned
from flipdrop.interface.web.schemas import PERSON, PlayerView
from flipdrop.interface.web.sessions.errors import BeyondLimits, OutOfRange, SessionError, TooLong
from flipdrop.kernel import MctsTree
from flipdrop.players import LevelPlayer, NetworkPlayer, SearchPlayer, SolverPlayer, SpecPlayer
from flipdrop.players import player as player_of
from flipdrop.players.agent_process import AgentPlayer
from flipdrop.players.spec import file_in, runs_code
from flipdrop.search import GuidedSearch, Mcts

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.config import Limits, ServerConfig

_LONGEST_GAME_NAME = 40
_LONGEST_CLOCK = 40
_MAX_PLAYOUTS = 100  # for each leaf: a step of the search must not take long
_LARGEST_BATCH = 256
_BUILT_IN = re.compile(r"\w+\s*(?::.*)?", re.DOTALL)  # specs of built-in players


def parse_game(name: str) -> Game:
    return game_of(name[: _LONGEST_GAME_NAME + 1])


def parse_position(text: str, game: Game, limits: Limits) -> tuple[Position, list[int]]:
    """The start and the moves of a text that a client sends; see `read_pasted`."""
    if len(text) > limits.text:
        raise TooLong(f"{quoted(text)} has {len(text)} characters; the limit is {limits.text}")
    return read_pasted(text, game)


def parse_clock(text: str | None, limits: Limits) -> TimeControl | None:
    """The time control that a client names; None if there is no text."""
    if text is None or not text.strip():
        return None
    control = TimeControl.parse(text.strip()[:_LONGEST_CLOCK])
    if control.move is not None and control.move > limits.seconds:
        raise OutOfRange(f"clock {control}; the limit is {limits.seconds:g} s a move")
    return control


def parse_player(spec: str | None, game: Game, config: ServerConfig) -> PlayerView:
    """The player that a client names; a person if there is no spec."""
    limits = config.limits
    if spec is None or not spec.strip():
        return PERSON
    if len(spec) > limits.spec:
        raise BeyondLimits(f"player {quoted(spec)} has {len(spec)} characters; the limit is {limits.spec}")
    if (agent := find_agent(spec, config)) is not None:
        return PlayerView(spec=pinned(spec, config), name=agent.name)
    may_run_code = config.allow_code and (config.classroom is None or is_teacher())
    if not may_run_code and not _BUILT_IN.fullmatch(spec):
        how = "flipdrop serve --allow-code allows files"
        if config.allow_code:
            how = "in a class, only the teacher names files"
        raise PlayerError(f"player {quoted(spec)}; name a built-in player, such as level:4 ({how})")
    if (job := find_learned(spec, game, config.jobs_folder)) is not None:
        return PlayerView(spec=spec.strip(), name=Path(job.spec.model).stem)
    if may_run_code and runs_code(spec):  # the agent is loaded in its process, when it is to move
        if not Path(file := file_in(spec) or "").is_file():
            raise PlayerError(f"player {quoted(spec, 90)}: {quoted(file)} is not a file")
        return PlayerView(spec=spec.strip(), name=AgentPlayer(spec).name)
    try:
        player = player_of(spec, threads=1, allow_code=may_run_code)
        try:
            check_limits(player, limits)
        except BeyondLimits as error:
            raise BeyondLimits(f"player {quoted(spec, 90)}: {error}") from None
        if not isinstance(player, NetworkPlayer):  # reading a network takes longer than a request may
            player = player_of(spec, game=game, threads=1, allow_code=may_run_code)
    except (ArithmeticError, LookupError, MemoryError, TypeError) as error:  # numbers that the kernel cannot hold
        raise PlayerError(f"player {quoted(spec, 90)}: a number is out of range ({type(error).__name__})") from None
    player.close()
    return PlayerView(spec=spec.strip(), name=player.name)


def check_limits(player: SpecPlayer, limits: Limits) -> None:
    """Raises `BeyondLimits` if an option of a player exceeds the limits of one search."""
    search = player.search if isinstance(player, SearchPlayer | NetworkPlayer) else player
    asked = {
        "seconds": limits.seconds,
        "threads": limits.threads,
        "table": limits.megabytes,
        "playouts": _MAX_PLAYOUTS,
        "batch": _LARGEST_BATCH,
    }
    for name, most in asked.items():
        value = getattr(search, name, None)
        if isinstance(value, int | float) and value > most:
            raise BeyondLimits(f"{name}={value:g}; the limit is {most:g}")


def make_limited_player(spec: str, game: Game, config: ServerConfig, *, seed: int) -> tuple[SpecPlayer, float]:
    """A player that stays within the limits, and the seconds that it may take for a move."""
    limits, allow_code = config.limits, config.allow_code
    if (job := find_learned(spec, game, config.jobs_folder)) is not None and job.plays_as is not None:
        spec, allow_code = job.plays_as, True
    if (agent := find_agent(spec, config)) is not None:
        return agent.player(seed=seed, move_timeout=limits.seconds), limits.seconds
    if allow_code and runs_code(spec):
        return AgentPlayer(spec, seed=seed, move_timeout=limits.seconds), limits.seconds
    player = player_of(spec, game=game, seed=seed, threads=1, allow_code=allow_code)
    check_limits(player, limits)
    seconds = limits.seconds
    match player:
        case LevelPlayer() | SolverPlayer(kind="solver", seconds=None):
            seconds = limits.move_timeout
        case SearchPlayer(search=search) if search.is_timed and search.seconds is None:
            seconds = limits.move_timeout
    if isinstance(player, SearchPlayer) and isinstance(player.search, Mcts | GuidedSearch):
        limited = player.search.with_options(nodes=node_limit(player.search, limits))
        player = dataclasses.replace(player, search=limited, reuse=False)
    return player, seconds


def node_limit(search: Mcts | GuidedSearch, limits: Limits) -> int:
    """The nodes of a search whose tree stays within the memory limit."""
    most = limits.megabytes * 2**20 // MctsTree.node_bytes
    return min(search.nodes or most, most)


def parse_evaluation(name: str | None, game: Game) -> Evaluation | None:
    """The evaluation that a client names; never a file."""
    if name is None or not name.strip():
        return None
    if len(name) > 200 or not re.fullmatch(r"[\w.]+(@\w+)?(\([-+\d.,/ e]*\))?", name.strip()):
        raise SessionError(f"evaluation {quoted(name)}; write a name such as D, B@positive or D(15,6,-10,-4,8,8)")
    if name.strip().lower().endswith((".weights", ".pattern")):
        raise SessionError(f"evaluation {quoted(name)}: files are not read here")
    found = evaluation_of(name.strip().replace("/", ","))
    if not found.supports(game):
        raise SessionError(f"evaluation {quoted(name)} does not suit {game.title}")
    return found

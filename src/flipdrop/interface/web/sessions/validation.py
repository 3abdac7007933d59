"""The entrance: whatever comes from a client is read here, or turned away with a reason."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import NotationError, PlayerError, quoted
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.games import ConnectFour, Othello, OthelloGame, read_transcript
from flipdrop.games import game as game_of
from flipdrop.games.records import decode_games
from flipdrop.interface.web.jobs.manager import learned
from flipdrop.interface.web.sessions.errors import BeyondLimits, SessionError, TooLong
from flipdrop.interface.web.sessions.session import PlayerSlot
from flipdrop.kernel import MctsTree
from flipdrop.players import LevelPlayer, NetworkPlayer, SearchPlayer, SolverPlayer, SpecPlayer
from flipdrop.players import player as player_of
from flipdrop.search import Mcts

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.config import Limits
    from flipdrop.interface.web.jobs.manager import Job

_LONGEST_GAME_NAME = 40
_MOST_PLAYOUTS = 100  # for each leaf: a step of the search must not take long
_LARGEST_BATCH = 256
_GGF = re.compile(r"\s*(?:\d+\s*)?\(;.*GM\[", re.DOTALL)
_OWN = re.compile(r"\w+\s*(?::.*)?", re.DOTALL)  # how the spec of a player of flipdrop's own looks


def parse_game(name: str) -> Game:
    """The game that a client names."""
    return game_of(name[: _LONGEST_GAME_NAME + 1])


def parse_position(text: str, game: Game, limits: Limits) -> tuple[Position, list[int]]:
    """The start and the moves of what somebody has pasted: a transcript, a board string, a game in GGF, columns.

    A board string or a GGF game may be of another size than `game`: it says its own.
    """
    if len(text) > limits.text:
        raise TooLong(f"{quoted(text)} has {len(text)} characters; at most {limits.text} are read here")
    if _GGF.match(text):
        records = decode_games(text.encode("utf-8", "replace"), "ggf")
        if not records:
            raise NotationError(f"{quoted(text)} holds no game")
        return records[0].start, list(records[0].moves)
    if game.is_board(text):
        return (Othello(text) if isinstance(game, OthelloGame) else ConnectFour(text)), []
    start = game.start()
    return start, read_transcript(start, "".join(text.split()))[0]


def parse_player(spec: str | None, game: Game, limits: Limits, *, allow_code: bool) -> PlayerSlot:
    """Who a client wants to play: a person if there is no spec."""
    if spec is None or not spec.strip():
        return PlayerSlot()
    if len(spec) > limits.spec:
        raise BeyondLimits(f"player {quoted(spec)} has {len(spec)} characters; at most {limits.spec} are read here")
    if not allow_code and not _OWN.fullmatch(spec):
        raise PlayerError(f"player {quoted(spec)}; name one of flipdrop's own players, such as level:4")
    if (model := _learned(spec, game, limits)) is not None:
        return PlayerSlot(spec.strip(), Path(model.spec.metadata["model"]).stem)
    try:
        made = player_of(spec, threads=1, allow_code=allow_code)
        _check_named(spec, made, limits)
        if not isinstance(made, NetworkPlayer):  # reading a network takes longer than a client should wait here
            made = player_of(spec, game=game, threads=1, allow_code=allow_code)
    except (ArithmeticError, LookupError, MemoryError, TypeError) as error:  # numbers that the kernel cannot hold
        raise PlayerError(
            f"player {quoted(spec, 90)}: a number in it is out of range ({type(error).__name__})"
        ) from None
    slot = PlayerSlot(spec.strip(), made.name)
    made.close()
    return slot


def _learned(spec: str, game: Game, limits: Limits) -> Job | None:
    """The job whose model a spec ``learned:ID`` means: a file, but one that this server has made."""
    job = None if limits.models is None else learned(spec, limits.models)
    if job is not None and job.spec.game != game.name:
        raise PlayerError(f"player {quoted(spec)} has learned {job.spec.game}, and this is {game.name}")
    return job


def _check_named(spec: str, player: SpecPlayer, limits: Limits) -> None:
    try:
        check_limits(player, limits)
    except BeyondLimits as error:
        raise BeyondLimits(f"player {quoted(spec, 90)}: {error}") from None


def check_limits(player: SpecPlayer, limits: Limits) -> None:
    """Raises unless a player's options stay within what one search may take."""
    search = player.search if isinstance(player, SearchPlayer | NetworkPlayer) else player
    asked = {
        "seconds": (getattr(search, "seconds", None), limits.seconds),
        "threads": (getattr(search, "threads", None), limits.threads),
        "table": (getattr(search, "table", None), limits.megabytes),
        "playouts": (getattr(search, "playouts", None), _MOST_PLAYOUTS),
        "batch": (getattr(search, "batch", None), _LARGEST_BATCH),
    }
    for name, (value, most) in asked.items():
        if isinstance(value, int | float) and value > most:
            raise BeyondLimits(f"{name}={value:g}; here it can be at most {most:g}")


def make_limited_player(
    spec: str, game: Game, limits: Limits, *, seed: int, allow_code: bool
) -> tuple[SpecPlayer, float]:
    """The player that makes one move, held within the limits, and the seconds that it may take for it."""
    if (model := _learned(spec, game, limits)) is not None and model.plays_as is not None:
        spec, allow_code = model.plays_as, True
    made = player_of(spec, game=game, seed=seed, threads=1, allow_code=allow_code)
    check_limits(made, limits)
    seconds = limits.seconds
    match made:
        case LevelPlayer():
            seconds = limits.move_timeout
        case SolverPlayer(kind="solver", seconds=None):
            seconds = limits.move_timeout
        case SearchPlayer(is_timed=True, search=search) if search.seconds is None:
            seconds = limits.move_timeout
    if isinstance(made, SearchPlayer) and isinstance(made.search, Mcts):
        made = dataclasses.replace(made, search=with_node_limit(made.search, limits), reuse=False)
    return made, seconds


def with_node_limit(search: Mcts, limits: Limits) -> Mcts:
    """The same search, which ends when its tree has taken its memory."""
    most = limits.megabytes * 2**20 // MctsTree.node_bytes
    return search.with_options(nodes=min(search.nodes or most, most))


def parse_evaluation(name: str | None, game: Game) -> Evaluation | None:
    """The evaluation that a client names; no files, whoever asks."""
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

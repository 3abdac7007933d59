"""`AgentPlayer`: a player that runs Python code from a file, in a process of its own.

The agent gets positions and clocks, and answers with moves: it shares no memory with the referee and its opponent. It
is loaded in its process too. The process has a session of its own, and ends with everything that it has started
(`flipdrop.players.external.supervisor`); its memory and what is shown of its output are limited.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError, one_line
from flipdrop.players.clock import Clock
from flipdrop.players.external.process import EngineError, EngineProcess
from flipdrop.players.player import SpecPlayer
from flipdrop.players.spec import player, runs_code
from flipdrop.players.validation import legal_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game, Position

MOVE_TIMEOUT = 60.0  # s for a move without a clock, and for loading the agent
DEFAULT_MEGABYTES = 4096
START = 120.0  # s that a new process may take on a busy machine until it can load the agent
GRACE = 2.0  # s after the clock has run out until the process is ended; the referee decides what is too late
MAX_SHOWN = 64 * 1024  # bytes of a process's output
_LONGEST_ERROR = 1000  # characters

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from flipdrop.players.agent_worker import main; main()"
)
_SEED = re.compile(r":seed=[0-9]+$", re.ASCII)


class AgentPlayer(SpecPlayer):
    """Plays the moves of the agent that a spec names. Its process starts with the first call.

    Every fault of the agent is a PlayerError within its time plus `GRACE`; the process is then ended, and the next call
    starts a new one.

    :param seed: of the agent, unless the spec has one
    :param move_timeout: seconds for a move where there is no clock, and for loading
    :param megabytes: memory limit of the process; 0 for none
    :param processes: that it may start, threads included; 0 for no limit
    :param folder: the working directory of the process, from which the spec names its file; messages leave it out
    :param name: for tables and messages; the spec without its seed by default
    :param move_limit: seconds for a move that the agent's clock shows where the game has none
    :param threads: of a search with an evaluation from a file, unless the spec has them
    """

    is_reusable = True

    def __init__(
        self,
        spec: str,
        *,
        seed: int = 0,
        move_timeout: float | None = None,
        megabytes: int | None = None,
        processes: int = 0,
        folder: str = "",
        name: str = "",
        move_limit: float | None = None,
        threads: int | None = None,
    ) -> None:
        self._written = spec.strip()
        self._seed = seed
        self._threads = threads
        self._move_timeout = MOVE_TIMEOUT if move_timeout is None else move_timeout
        self._megabytes = DEFAULT_MEGABYTES if megabytes is None else megabytes
        self._processes, self._folder, self._name = processes, folder, name
        self._move_limit = move_limit
        self._process: EngineProcess | None = None
        self._loaded: str | None = None  # the game that the agent was loaded for
        self._requests = 0
        self._output_bytes = 0

    @property
    def spec(self) -> str:
        return self._written

    @property
    def name(self) -> str:
        return self._name or _SEED.sub("", self._written)

    def check_supported(self, game: Game) -> None:
        """Loads the agent, which raises PlayerError if it cannot be made or cannot play the game."""
        self._load(game)

    def set_history(self, start: Position, moves: Sequence[int]) -> None:  # noqa: ARG002 - positions are enough
        """Loads the agent, while no clock runs."""
        self._load(start.game)

    def reseed(self, seed: int) -> None:
        if seed != self._seed:
            self._seed, self._loaded = seed, None

    def new_game(self) -> None:
        """Drops the agent; the process stays, and loads it again for the next game."""
        self._loaded = None

    def interrupt(self) -> None:
        if self._process is not None:
            self._process.interrupt()

    def close(self) -> None:
        process, self._process, self._loaded = self._process, None, None
        if process is not None:
            process.end()

    def _choose(self, position: Position, clock: Clock | None) -> int:
        self._load(position.game)
        if clock is None and self._move_limit is not None:
            clock = Clock(move_limit=self._move_limit)
        limit = None if clock is None else clock.limit
        request = {
            "do": "choose",
            "game": position.game.name,
            "board": position.board,
            "clock": None if clock is None else dataclasses.asdict(clock),
        }
        answer = self._ask(request, self._move_timeout if limit is None else limit + GRACE)
        return legal_answer(self.name, position, answer.get("move"))

    def _load(self, game: Game) -> None:
        if self._loaded == game.name:
            return
        self._loaded = None
        request = {
            "do": "load",
            "spec": self._written,
            "game": game.name,
            "seed": self._seed,
            "threads": self._threads,
            "megabytes": self._megabytes,
            "processes": self._processes,
        }
        self._ask(request, self._move_timeout)
        self._loaded = game.name

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a request. Any fault ends the process, except an error that the worker has caught."""
        try:
            process = self._started()
            self._requests += 1
            deadline = time.monotonic() + seconds
            process.send(json.dumps(request | {"number": self._requests}), deadline)
            answer = _parsed(process.receive(deadline))
            if answer.get("number") != self._requests:
                raise EngineError("wrote to the pipe of its process")
        except EngineError as failure:
            self.close()
            raise PlayerError(f"{self.name} {failure}") from None
        except BaseException:  # Ctrl-C, for example: an answer may be on its way
            self.close()
            raise
        if "error" in answer:
            raise PlayerError(one_line(self._without_folder(str(answer["error"])), _LONGEST_ERROR))
        return answer

    def _without_folder(self, message: str) -> str:
        return message.replace(f"{self._folder}/", "").replace(self._folder, ".") if self._folder else message

    def _started(self) -> EngineProcess:
        if self._process is None:
            deadline = time.monotonic() + START
            command = [sys.executable or "python3", "-c", _BOOT, json.dumps(sys.path)]
            self._output_bytes = 0
            self._process = EngineProcess(command, folder=self._folder, deadline=deadline, show=self._show)
            if "ready" not in _parsed(self._process.receive(deadline)):
                raise EngineError("did not start")
        return self._process

    def _show(self, output: bytes) -> None:
        """Copies the agent's output to standard error, up to a limit."""
        before, self._output_bytes = self._output_bytes, self._output_bytes + len(output)
        sys.stderr.write(output[: max(0, MAX_SHOWN - before)].decode("utf-8", "replace"))
        if before <= MAX_SHOWN < self._output_bytes:
            sys.stderr.write(f"\n{self.name} has printed more than {MAX_SHOWN >> 10} KB; the rest is not shown\n")
        sys.stderr.flush()


@dataclass(frozen=True)
class AgentLimits:
    """Limits of agents from files.

    :param move_timeout: seconds for a move where there is no clock, and for loading the agent
    :param megabytes: memory of an agent's process; 0 for no limit
    """

    move_timeout: float | None = None
    megabytes: int | None = None

    def make(self, spec: str, *, seed: int = 0, threads: int | None = None) -> AgentPlayer:
        return AgentPlayer(spec, seed=seed, move_timeout=self.move_timeout, megabytes=self.megabytes, threads=threads)


def isolated_player(
    spec: str,
    *,
    game: Game,
    seed: int | None = None,
    threads: int | None = None,
    limits: AgentLimits | None = None,
) -> SpecPlayer:
    """`player`, except that Python code from a file runs in a process of its own. It is loaded before this returns."""
    if not runs_code(spec):
        return player(spec, game=game, seed=seed, threads=threads)
    made = (limits or AgentLimits()).make(spec, seed=seed or 0, threads=threads)
    try:
        made.check_supported(game)
    except BaseException:
        made.close()
        raise
    return made


def _parsed(line: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise EngineError("wrote to the pipe of its process")
    return answer

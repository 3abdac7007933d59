"""The process of an agent: loads the player of a spec that runs Python code, and answers with its moves.

`flipdrop.players.agent_process` starts it. Requests and answers are lines of JSON: the process that asks reads nothing
that could run code there. What the agent prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError, PlayerError, one_line
from flipdrop.games import game
from flipdrop.players.agent_loader import MODULE_PREFIX
from flipdrop.players.clock import Clock
from flipdrop.players.spec import player
from flipdrop.players.validation import checked_move

if TYPE_CHECKING:
    from flipdrop.players.player import SpecPlayer

LONGEST_ERROR = 1000  # characters


def main() -> None:
    """Answers requests until the input ends."""
    with os.fdopen(os.dup(0), encoding="utf-8") as requests, os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        made: SpecPlayer | None = None
        print(json.dumps({"ready": os.getpid()}), file=answers, flush=True)
        for line in requests:
            request = json.loads(line)
            answer: dict[str, Any] = {"number": request["number"]}
            try:
                if request["do"] == "load":
                    limit_memory(request["megabytes"])
                    if made is None:  # later ones count the processes of the agent
                        limit_processes(request["processes"])
                    made = None  # an agent's destructor runs before the next one is made
                    made = player(
                        request["spec"], game=request["game"], seed=request["seed"], threads=request["threads"]
                    )
                else:
                    assert made is not None
                    answer["move"] = _move(made, request)
            except FlipdropError as error:
                answer["error"] = one_line(error, LONGEST_ERROR) + _line_in_agent(error)
            print(json.dumps(answer), file=answers, flush=True)


def limit_memory(megabytes: int) -> None:
    """Limits the memory of this process and of those that it starts, where the system can; 0 for no limit."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = megabytes * 2**20 if megabytes else most
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))


def limit_processes(more: int) -> None:
    """Limits the processes and threads that this process and its children start, where the system can; 0 for no limit.

    The system counts all those of the user, and does not limit the superuser.

    :param more: than the user has now
    """
    if more and (tasks := _tasks_of_user()):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NPROC)
        wanted = tasks + more
        wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NPROC, (wanted, wanted))


def _tasks_of_user() -> int:
    """The number of processes and threads of this user; 0 where the system does not tell."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            if process.stat().st_uid == os.getuid():
                count += sum(1 for _ in (process / "task").iterdir())
    return count


def _line_in_agent(error: BaseException | None) -> str:
    """The line of the agent's own code at which an error was raised; empty if it was raised elsewhere."""
    place = ""
    while error is not None:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_globals.get("__name__", "").startswith(MODULE_PREFIX):
                place = f" (line {trace.tb_lineno})"
            trace = trace.tb_next
        error = error.__cause__ or error.__context__
    return place


def _move(made: SpecPlayer, request: dict[str, Any]) -> int:
    position = game(request["game"]).position(request["board"])
    clock = None if request["clock"] is None else Clock(**request["clock"])
    try:
        return checked_move(made, position, clock)
    except MemoryError as error:
        raise PlayerError(f"{made.name} failed in {position!r}: MemoryError: {one_line(error)}") from error

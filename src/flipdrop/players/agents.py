"""A user's own agent from a file: ``path/to/my_agent.py:MyAgent``.

It names a class with ``choose(position)`` or ``choose(position, clock)``, which is made without arguments or with
``seed=``, or a plain function of the same arguments. The answer is a move's number or its name. ``:seed=5`` may follow.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from flipdrop.errors import PlayerError, quoted
from flipdrop.players.checked import one_line, shown
from flipdrop.players.code import load
from flipdrop.players.function import FunctionPlayer


def agent(path: str, name: str, options: str | None = None, *, seed: int = 0) -> FunctionPlayer:
    """The player that a file holds. Its code is run.

    :param options: ``seed=NUMBER``, which goes before `seed`
    """
    if options is not None:
        match = re.fullmatch(r"seed=([0-9]{1,20})", options, re.ASCII)
        if match is None:
            raise PlayerError(f"{quoted(options)} after the name; an agent from a file takes seed=NUMBER alone")
        seed = int(match[1])
    found = load(path, name)
    called = f"{path}:{name}"
    if not inspect.isclass(found):
        if not callable(found):
            raise PlayerError(f"{called} is {shown(found)}; a player is a class with choose, or a function")
        return FunctionPlayer(found, name=called)
    made, seeded = _instance(found, called, seed)
    choose = getattr(made, "choose", None)
    if not callable(choose):
        raise PlayerError(f"{called} has no method choose; a player chooses by choose(position) -> move")
    return FunctionPlayer(choose, name=called, spec=f"{called}:seed={seed}" if seeded and seed else called)


def _instance(cls: type, called: str, seed: int) -> tuple[Any, bool]:
    """An agent, and whether it was given the seed."""
    try:
        takes_seed = "seed" in inspect.signature(cls).parameters
    except (TypeError, ValueError):  # some classes written in C do not tell
        takes_seed = False
    try:
        return cls(**({"seed": seed} if takes_seed else {})), takes_seed
    except (Exception, SystemExit) as error:
        how = "with seed=" if takes_seed else "without arguments"
        raise PlayerError(f"{called} cannot be made {how}: {type(error).__name__}: {one_line(error)}") from error

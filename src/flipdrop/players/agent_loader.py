"""Code of a user: functions as players, and agents from files, ``path/to/my_agent.py:MyAgent``.

`load_agent` makes a player of a class with ``choose(position)`` or ``choose(position, clock)``, constructed without
arguments or with ``seed=``, or of a plain function with the same arguments. The answer is a move's number or its name.
``:seed=5`` may follow. `load_object` gives any object of a file, such as an evaluation function.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError, one_line, quoted
from flipdrop.players.player import SpecPlayer
from flipdrop.players.validation import failure, legal_answer, short_repr

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from flipdrop.games import Position
    from flipdrop.players.clock import Clock

MODULE_PREFIX = "flipdrop_code_"
"""Begins the names of modules with code from files."""

_CODE = re.compile(r"(?!\w+:\w+=)(.+\.py)(?::([^:]*))?(?::(.*))?", re.IGNORECASE | re.DOTALL)


class FunctionPlayer(SpecPlayer):
    """Plays the answer of ``function(position)`` or ``function(position, clock)``: a move's number or name.

    The function is called only where there is a choice, never for a finished game, a pass or a forced move.

    >>> from flipdrop import Othello
    >>> first = FunctionPlayer(lambda position: position.legal_moves[0], name="first")
    >>> Othello().move_name(first.choose(Othello()))
    'd3'

    :param name: for tables and error messages
    :param spec: the spec that makes an equal player, if there is one
    """

    def __init__(self, function: Callable[..., Any], *, name: str = "", spec: str = "") -> None:
        if not callable(function):
            raise PlayerError(f"{short_repr(function)} cannot be called; a player is a function position -> move")
        self._function = function
        self._name = name or getattr(function, "__qualname__", type(function).__name__)
        self._own_spec = spec or self._name
        self._takes_clock = _takes_clock(function, self._name)

    @property
    def spec(self) -> str:
        return self._own_spec

    @property
    def name(self) -> str:
        return self._name

    def _choose(self, position: Position, clock: Clock | None) -> int:
        """The function's answer; PlayerError if it is no legal move or if the function fails."""
        try:
            answer = self._function(position, clock) if self._takes_clock else self._function(position)
        except (Exception, SystemExit) as error:
            raise failure(self._name, position, error) from error
        return legal_answer(self._name, position, answer)


def split_path(text: str) -> tuple[str, str, str | None] | None:
    """Path, name and rest of ``file.py:Name:rest``; None if the text does not name a Python file."""
    match = _CODE.fullmatch(text)
    return None if match is None else (match[1], match[2] or "", match[3])


def load_agent(path: str, name: str, options: str | None = None, *, seed: int = 0) -> FunctionPlayer:
    """The player that a file defines. Runs the file's code.

    :param options: ``seed=NUMBER``, which overrides `seed`
    """
    if options is not None:
        match = re.fullmatch(r"seed=([0-9]{1,20})", options, re.ASCII)
        if match is None:
            raise PlayerError(f"{quoted(options)} after the name; an agent from a file takes seed=NUMBER alone")
        seed = int(match[1])
    return agent_of(load_object(path, name), f"{path}:{name}", seed=seed)


def agent_of(found: Any, name: str, *, seed: int = 0) -> FunctionPlayer:
    """The player that a class, a function or an object with ``choose`` makes.

    :param name: for tables and error messages
    """
    seeded = False
    if inspect.isclass(found):
        found, seeded = _instance(found, name, seed)
        if not callable(getattr(found, "choose", None)):
            raise PlayerError(f"{name} has no method choose; a player chooses by choose(position) -> move")
    choose = getattr(found, "choose", found)
    if not callable(choose):
        raise PlayerError(f"{name} is {short_repr(found)}; a player is a class or an object with choose, or a function")
    return FunctionPlayer(choose, name=name, spec=f"{name}:seed={seed}" if seeded and seed else name)


def load_object(path: str, name: str) -> Any:
    """The object called `name` in a file. Runs the file's code."""
    if not name:
        raise PlayerError(f"{path}: say which class or function of the file, as in {Path(path).name}:MyAgent")
    module = _module(path)
    found = getattr(module, name, None)
    if found is not None:
        return found
    own = [n for n, value in vars(module).items() if not n.startswith("_") and _is_defined_in(module, value)]
    has = f"it has {', '.join(own)}" if own else "it defines no class or function"
    raise PlayerError(f"{path} has no {quoted(name)}; {has}")


def _module(path: str) -> ModuleType:
    """Runs the file as a module. It can import modules of its folder."""
    try:
        source = Path(path).resolve(strict=True)
        key = str(source).encode("utf-8", "surrogatepass")
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from None
    except (ValueError, RuntimeError) as error:  # a null character, circular links
        raise PlayerError(f"{quoted(path)}: {one_line(error)}") from None
    if not source.is_file():
        raise PlayerError(f"{path} is not a file")
    module_name = f"{MODULE_PREFIX}{sha256(key).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(module_name, source)
    if spec is None or spec.loader is None:
        raise PlayerError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # dataclasses look up a class's module there
    if str(source.parent) not in sys.path:
        sys.path.append(str(source.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[module_name]
        raise PlayerError(f"{path} cannot be run: {type(error).__name__}: {one_line(error)}") from error
    return module


def _is_defined_in(module: ModuleType, value: object) -> bool:
    return callable(value) and getattr(value, "__module__", None) == module.__name__


def _instance(cls: type, called: str, seed: int) -> tuple[Any, bool]:
    """An instance of the class, and whether it takes the seed."""
    try:
        takes_seed = "seed" in inspect.signature(cls).parameters
    except (TypeError, ValueError):  # some classes written in C have no signature
        takes_seed = False
    try:
        return cls(**({"seed": seed} if takes_seed else {})), takes_seed
    except (Exception, SystemExit) as error:
        how = "with seed=" if takes_seed else "without arguments"
        raise PlayerError(f"{called} cannot be made {how}: {type(error).__name__}: {one_line(error)}") from error


def _takes_clock(function: Callable[..., Any], name: str) -> bool:
    """Whether it takes a position and a clock, rather than a position; PlayerError if it takes neither."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions written in C have no signature
        return False
    for arguments in ((None, None), (None,)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return len(arguments) == 2
    raise PlayerError(f"{name} takes {signature}; a player is called with a position, or with a position and a clock")

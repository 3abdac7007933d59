"""`player`: players from spec strings such as ``mcts:iterations=800,c=1.2``, ``level:4`` or ``my_agent.py:MyAgent``.

`display_name`, `file_in`, `runs_code` and `is_agent` read a spec without making its player.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, PlayerError, did_you_mean, one_line, quoted
from flipdrop.games import game as game_of
from flipdrop.options import options_of, parse_options
from flipdrop.players.agent_loader import load_agent, split_path
from flipdrop.players.levels import LEVEL_NAMES, LEVELS, LevelPlayer
from flipdrop.players.objects import player_of_object
from flipdrop.players.plugins import plugin_type
from flipdrop.players.registry import PLAYER_TYPES

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.players.objects import PlayerLike
    from flipdrop.players.player import SpecPlayer

_LEVEL_OPTIONS = options_of(LevelPlayer, leave_out=("number",))
_NAMES = (*PLAYER_TYPES, "level", *LEVEL_NAMES)
_EXTERNAL = re.compile(r"\s*(gtp|nboard)\s*(?:\[([^\]]*)\]\s*)?:(.*)", re.IGNORECASE | re.DOTALL)
_NAMED = re.compile(r"(?:^|,)\s*(?:evaluation|model|book)\s*=\s*([^,()]+?)\s*(?=,|$)")
_FILE = re.compile(r".*(\.weights|\.pattern|\.table|\.linear|\.onnx|\.book|[/\\].*)", re.IGNORECASE | re.DOTALL)
_PROGRAM = "programs are gtp:COMMAND LINE or nboard:COMMAND LINE"
_OTHER_PREFIXES = {
    **dict.fromkeys(
        ("uci", "ucci", "usi", "ugi", "xboard", "winboard", "cecp"),
        f"flipdrop does not speak that protocol; {_PROGRAM}",
    ),
    **dict.fromkeys(("exe", "cmd", "exec", "program", "edax", "ntest"), f"say which protocol it speaks: {_PROGRAM}"),
    **dict.fromkeys(("http", "https", "ws"), f"players are not on the network; {_PROGRAM}"),
    "python": "python:NAME is how results call a Python object, which only its own process has; give the object "
    "itself, or write it to a file, my_agent.py:MyAgent",
}
"""Error messages for prefixes that other programs use."""


def display_name(spec: str) -> str:
    """The name of a player in tables: the name option of an external engine, else the spec.

    >>> display_name("gtp[name=GRhino,passes=no]:gtp-rhino -l 5")
    'GRhino'
    >>> display_name("mcts:iterations=100")
    'mcts:iterations=100'
    """
    external = _EXTERNAL.fullmatch(spec)
    entries = (external[2] or "").split(",") if external else []
    names = (entry.partition("=")[2].strip() for entry in entries if entry.partition("=")[0].strip() == "name")
    return next(names, "") or spec


def file_in(spec: str) -> str | None:
    """The path of the agent, evaluation, model or book in a spec, as written there; None if it needs no file.

    >>> file_in("agents/mine.py:Agent"), file_in("mcts:evaluation=own.py:score,c=2"), file_in("greedy:evaluation=B")
    ('agents/mine.py', 'own.py', None)
    >>> file_in("table:model=q.table"), file_in("linear:model=q.linear")
    ('q.table', 'q.linear')
    """
    named, code = _named_in(spec)
    if code is not None:
        return code
    return named if named is not None and _FILE.fullmatch(named) else None


def runs_code(spec: str) -> bool:
    """Whether a spec names a Python file: an agent, or an evaluation.

    >>> runs_code("agents/mine.py:Agent"), runs_code("mcts:evaluation=own.py:score,c=2"), runs_code("mcts:c=2")
    (True, True, False)
    """
    return _named_in(spec)[1] is not None


def is_agent(spec: str) -> bool:
    """Whether a spec names an agent in a Python file, which chooses its moves itself.

    >>> is_agent("agents/mine.py:Agent"), is_agent("mcts:evaluation=own.py:score")
    (True, False)
    """
    return runs_code(spec) and spec.partition(":")[0].strip().lower() not in PLAYER_TYPES


def check_analyses(spec: str) -> None:
    """Raises PlayerError if a spec names an agent: it reports no values, so its file need not be run."""
    if is_agent(spec):
        raise PlayerError(f"{one_line(spec)} chooses a move and cannot say how good moves are")


def _named_in(spec: str) -> tuple[str | None, str | None]:
    """The value of the option that may name a file, and the path of the Python file in the spec."""
    kind, _, options = (part.strip() for part in spec.partition(":"))
    if kind.lower() in PLAYER_TYPES:
        match = _NAMED.search(options)
        named = match[1] if match else None
        code = split_path(named) if named else None
    else:
        named = None
        code = None if _EXTERNAL.fullmatch(spec) else split_path(spec.strip())
    return named, code[0] if code else None


def player(
    spec: PlayerLike,
    *,
    game: Game | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    allow_code: bool = True,
) -> SpecPlayer:
    """The player that a spec describes, or that a Python object makes.

    >>> player("mcts: iterations=800, playout=depth, depth=25, evaluation=D(15/6/-8/-6/4/4)")
    player('mcts:iterations=800,playout=depth,depth=25,evaluation=D.baseline')
    >>> player("level:4", seed=7).spec
    'level:4,seed=7'

    :param spec: ``NAME``, ``NAME:option=value,option=value``, ``level:N``, ``path/to/my_agent.py:MyAgent``, or another
        program that speaks a protocol, ``gtp:COMMAND LINE`` or ``nboard[name=Edax,timeout=20]:COMMAND LINE``. Commas
        separate options, so the weights of an evaluation are separated by slashes. Or a search such as
        ``Minimax(depth=4)``, a function of a position, a class or an object with ``choose(position)``
    :param game: if given, a player that cannot play it is an error
    :param seed: for players that use one and whose spec has none
    :param threads: likewise
    :param allow_code: whether to read files, and run code and programs, that the spec names
    """
    if not isinstance(spec, str):
        made = player_of_object(spec, seed=seed or 0)
        if game is not None:
            made.check_supported(game_of(game))
        return made
    defaults = {name: value for name, value in (("seed", seed), ("threads", threads)) if value is not None}
    name, colon, options = (part.strip() for part in spec.partition(":"))
    name = name.lower()
    external = _EXTERNAL.fullmatch(spec)
    code = None if name in _NAMES or external else split_path(spec.strip())
    plugin = plugin_type(name) if allow_code and name not in _NAMES and code is None and external is None else None
    if name not in _NAMES and code is None and external is None and plugin is None:
        if name in _OTHER_PREFIXES:
            raise PlayerError(f"unknown player {quoted(spec)}; {_OTHER_PREFIXES[name]}")
        raise PlayerError(
            f"unknown player {quoted(spec)}; {did_you_mean(name, _NAMES)}players are {', '.join(PLAYER_TYPES)}, "
            f"level:1 to level:{max(LEVELS)}, {', '.join(LEVEL_NAMES)}, files such as my_agent.py:MyAgent, programs "
            "such as gtp:COMMAND LINE or nboard:COMMAND LINE"
        )
    try:
        if external is not None:
            made = _external(*external.groups(default=""), allow_code=allow_code)
        elif code is not None:
            if not allow_code:
                raise PlayerError("code from files is not run here; name one of flipdrop's own players")
            made = load_agent(*code, seed=0 if seed is None else seed)
        elif plugin is not None:
            made = plugin.make(options, defaults=defaults)
        elif colon and not options:
            raise PlayerError(f"nothing follows the colon; write {name} alone, or {name}:option=value")
        elif name in PLAYER_TYPES:
            made = PLAYER_TYPES[name].make(options, defaults=defaults, allow_files=allow_code)
        else:
            made = _level(name, options, defaults)
        if game is not None:
            made.check_supported(game_of(game))
    except FlipdropError as error:
        raise PlayerError(f"player {quoted(spec, 90)}: {error}") from error
    return made


def _external(kind: str, options: str, command_line: str, *, allow_code: bool) -> SpecPlayer:
    """``gtp[name=Edax]:edax -gtp``."""
    if not allow_code:
        raise PlayerError("other programs are not run here; name one of flipdrop's own players")
    from flipdrop.players.external.external_player import external_player  # most processes need no other programs

    return external_player(kind.lower(), options, command_line)


def _level(name: str, options: str, defaults: dict[str, int]) -> LevelPlayer:
    """``level:4``, ``level:4,seed=7``, ``expert``, ``expert:seed=7``."""
    if name in LEVEL_NAMES:
        number = LEVEL_NAMES[name]
    else:
        written, _, options = options.partition(",")
        if not (written.strip().isascii() and written.strip().isdigit() and int(written) in LEVELS):
            raise PlayerError(
                f"unknown level {quoted(written, 20)}; levels are {min(LEVELS)} to {max(LEVELS)}, as in level:4"
            )
        number = int(written)
    return LevelPlayer(number, **(defaults | parse_options(options, _LEVEL_OPTIONS)))

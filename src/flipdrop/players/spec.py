"""`player`: players from spec strings such as ``mcts:iterations=800,c=1.2``, ``level:4`` or ``my_agent.py:MyAgent``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, PlayerError, did_you_mean, quoted
from flipdrop.games import game as game_of
from flipdrop.options import options_of, parse_options
from flipdrop.players.agent_loader import load_agent, split_path
from flipdrop.players.levels import LEVEL_NAMES, LEVELS, LevelPlayer
from flipdrop.players.registry import PLAYER_TYPES
from flipdrop.players.validation import shown

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.players.player import SpecPlayer

_LEVEL_OPTIONS = options_of(LevelPlayer, leave_out=("number",))
_NAMES = (*PLAYER_TYPES, "level", *LEVEL_NAMES)
_EXTERNAL = re.compile(r"\s*(gtp|nboard)\s*(?:\[([^\]]*)\]\s*)?:(.*)", re.IGNORECASE | re.DOTALL)


def player(
    spec: str,
    *,
    game: Game | str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    allow_code: bool = True,
) -> SpecPlayer:
    """The player that a spec describes.

    >>> player("mcts: iterations=800, playout=depth, depth=25, evaluation=D(15/6/-8/-6/4/4)")
    player('mcts:iterations=800,playout=depth,depth=25,evaluation=D.baseline')
    >>> player("level:4", seed=7).spec
    'level:4,seed=7'

    :param spec: ``NAME``, ``NAME:option=value,option=value``, ``level:N``, ``path/to/my_agent.py:MyAgent``, or another
        program that speaks a protocol, ``gtp:COMMAND LINE`` or ``nboard[name=Edax,timeout=20]:COMMAND LINE``. Commas
        separate options, so the weights of an evaluation are separated by slashes
    :param game: if given, a player that cannot play it is an error
    :param seed: for players that use one and whose spec has none
    :param threads: likewise
    :param allow_code: whether to read files, and run code and programs, that the spec names
    """
    if not isinstance(spec, str):
        raise TypeError(f"a player's spec is a string such as 'mcts:iterations=800', not {shown(spec)}")
    defaults = {name: value for name, value in (("seed", seed), ("threads", threads)) if value is not None}
    name, colon, options = (part.strip() for part in spec.partition(":"))
    name = name.lower()
    external = _EXTERNAL.fullmatch(spec)
    code = None if name in _NAMES or external else split_path(spec.strip())
    if name not in _NAMES and code is None and external is None:
        raise PlayerError(
            f"unknown player {quoted(spec)}; {did_you_mean(name, _NAMES)}players are {', '.join(PLAYER_TYPES)}, "
            f"level:1 to level:{max(LEVELS)}, {', '.join(LEVEL_NAMES)}, files such as my_agent.py:MyAgent, programs "
            "such as gtp:COMMAND LINE or nboard:COMMAND LINE"
        )
    try:
        made: SpecPlayer
        if external is not None:
            made = _external(*external.groups(default=""), allow_code=allow_code)
        elif code is not None:
            if not allow_code:
                raise PlayerError("code from files is not run here; name one of flipdrop's own players")
            made = load_agent(*code, seed=0 if seed is None else seed)
        elif colon and not options:
            raise PlayerError(f"nothing follows the colon; write {name} alone, or {name}:option=value")
        elif name in PLAYER_TYPES:
            made = PLAYER_TYPES[name].make(options, defaults=defaults, allow_files=allow_code)
        else:
            made = _level(name, options, defaults)
        if game is not None:
            made.check_supported(game_of(game) if isinstance(game, str) else game)
    except FlipdropError as error:
        raise PlayerError(f"player {quoted(spec, 90)}: {error}") from error
    return made


def _external(kind: str, options: str, command_line: str, *, allow_code: bool) -> SpecPlayer:
    """``gtp[name=Edax]:edax -gtp``."""
    if not allow_code:
        raise PlayerError("other programs are not run here; name one of flipdrop's own players")
    from flipdrop.players.external.player import external_player  # most processes need no other programs

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

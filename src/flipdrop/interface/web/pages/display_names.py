"""How the pages call games, sides, players and clocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from flipdrop.games import ConnectFourGame
from flipdrop.interface.web.agents.library import agent_name
from flipdrop.players import LEVELS, display_name
from flipdrop.reporting.formatting import shortened

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator

_LEVEL = re.compile(r"level:(\d{1,3})(,.*)?", re.ASCII | re.DOTALL)
_LONGEST_NAME = 48
_BREAKS = re.compile("(?<=[:,])")
_MODEL = re.compile(r".*[=/]([^/=]+)\.(?:weights|pattern|table|onnx)")


def level_of(spec: str | None, *, plain: bool = False) -> int | None:
    """The level that a spec names; None for other players and for levels that do not exist.

    :param plain: None as well if the spec has further options
    """
    found = _LEVEL.fullmatch(spec or "")
    if found is None or int(found[1]) not in LEVELS or (plain and found[2]):
        return None
    return int(found[1])


def side_name(t: Translator, kind: str, side: str) -> str:
    """Black, White, Red or Yellow."""
    return t(f"side.{kind}.{side}")


def game_title(t: Translator, game: Game) -> str:
    """``Connect Four 9×10``, in the language of the page."""
    title = f"{t(f'game.{game.family}')} {game.columns}×{game.rows}"
    if isinstance(game, ConnectFourGame) and game.forbidden:
        return t("game.blocked", title=title, cell=game.forbidden)
    return title


def player_title(t: Translator, spec: str | None, name: str = "") -> str:
    """The title of a level, otherwise the player's name or spec."""
    if spec is None:
        return name or t("player.person")
    if (level := level_of(spec)) is not None:
        return t("player.level", number=level)
    return name or spec


def player_description(t: Translator, spec: str | None) -> str:
    """The description of a level; empty for other players."""
    level = level_of(spec)
    return "" if level is None else t(f"level.{level}")


def clock_title(t: Translator, control: str) -> str:
    """A time control that the page offers, in words; empty for none."""
    if control.endswith("/move"):
        return t("clock.move", seconds=control.removesuffix("/move"))
    return t(f"clock.{control or 'none'}")


def short_player_name(t: Translator, spec: str) -> str:
    """A level by its title, a model by its file, an engine or agent by its name, others by their shortened spec."""
    if (agent := agent_name(spec)) is not None:
        name, version = agent
        return name if version in (None, 1) else f"{name} v{version}"
    if model := _MODEL.fullmatch(spec):
        return model[1]
    return shortened(player_title(t, display_name(spec)), _LONGEST_NAME)


def breakable_player_name(t: Translator, spec: str) -> Markup:
    """A player's name that a narrow column breaks between its options."""
    parts = _BREAKS.split(short_player_name(t, spec))
    return Markup("<wbr/>").join(parts)

"""Matches, tournaments and ladder placements described by a TOML file."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.arena.ladder.placement import LadderPlacement
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import ArenaError, did_you_mean

if TYPE_CHECKING:
    import os

KINDS = {kind.kind: kind for kind in (Match, Tournament, LadderPlacement)}


def read_competition(path: str | os.PathLike[str], **changes: Any) -> Match | Tournament | LadderPlacement:
    """The competition that a file describes.

    :param changes: settings that replace those of the file
    """
    try:
        data: dict[str, Any] = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ArenaError(f"{path} is no TOML file: {error}") from None
    kind = data.pop("kind", None)
    if kind not in KINDS:
        raise ArenaError(f"{path}: kind = {kind!r}; it can be {', '.join(KINDS)}")
    made = KINDS[kind]
    known = [one.name for one in fields(made) if one.name not in ("time", "ladder")] + ["clock"]
    for name in data:
        if name not in known:
            raise ArenaError(
                f"{path}: {name} is no setting of a {kind}; {did_you_mean(name, known)}it has {', '.join(known)}"
            )
    needed = "player" if made is LadderPlacement else "players"
    if needed not in data:
        raise ArenaError(f"{path}: a {kind} needs {needed}")
    settings: dict[str, Any] = data | changes
    if "players" in settings:
        settings["players"] = tuple(settings["players"])
    if "clock" in settings:
        settings["time"] = TimeControl.parse(str(settings.pop("clock")))
    if "sprt" in settings:
        settings["sprt"] = Sprt.parse(settings["sprt"])
    return made(**settings)

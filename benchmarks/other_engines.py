"""Matches of the Othello engine against an engine by another author: Debian's GRhino, where it is installed.

apt-get install grhino
python -m benchmarks other_engines
"""

from __future__ import annotations

import shutil

from flipdrop.arena.match import match

LEVELS = (1, 3)
OURS = ("engine:depth=2", "engine:depth=6")
GAMES = 40


def run(scale: float) -> None:
    print("\nOthello engine against GRhino without its book, openings random:8, seed 1")
    program = shutil.which("gtp-rhino") or shutil.which("gtp-rhino", path="/usr/games")
    if program is None:
        print("  GRhino is not installed (Debian: apt-get install grhino)")
        return
    games = max(2, 2 * round(GAMES * scale / 2))
    for ours in OURS:
        for level in LEVELS:
            theirs = f"gtp[name=GRhino level {level},passes=no]:{program} -b 0 -l {level}"
            result = match(ours, theirs, game="othello", games=games, seed=1)
            print(
                f"  {ours:<16} against level {level}: {result.tally.games.score:.3f} of {games} games, {result.elo}",
                flush=True,
            )

"""A tournament that is killed again and again: ``python -m benchmarks.kill_tournament``.

Twenty times a tournament is begun or resumed, and ended by SIGKILL after a random time. After each kill the store must
hold every game that it held before, unchanged, and whole games only. In the end ``--resume`` completes the tournament,
and its table must equal that of an uninterrupted tournament.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from flipdrop.arena.store import Store

KILLS = 20
PLAYERS = ("random", "greedy", "mcts:iterations=100", "alphabeta:depth=3", "level:3")
GAMES = 600  # of each pairing: enough that the tournament is still going on at the last kill
LONGEST = 0.4  # s from the first game of a run to its kill
SEED = 11


def run(effort: float = 1.0, seed: int = 1) -> None:
    """Prints how many games each run added before it was killed; raises if a game is lost or the table differs."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "games.db"
        unbroken = _table(*_command(GAMES), "--no-store")
        seen: dict[int, tuple[Any, ...]] = {}
        grown = []
        for _ in range(max(2, round(KILLS * effort))):
            _run_and_kill(_command(GAMES), store, chance.random(), resume=bool(seen))
            games = _games(store)
            assert seen.items() <= games.items(), "a finished game is gone, or has changed"
            grown.append(len(games) - len(seen))
            seen = games
            _check_whole(store)
        final = _table(*_command(GAMES), "--store", str(store), "--resume")
        assert final == unbroken, "the table is not that of an unbroken tournament"
        kept = _games(store)
        assert seen.items() <= kept.items()
        print(
            f"{len(grown)} kills; games gained before each: {grown}\n"
            f"{len(kept)} games in the end, none lost, none half; the table is that of an unbroken tournament"
        )


def _command(games: int) -> tuple[str, ...]:
    return ("tournament", *PLAYERS, "--game", "othello6", "--games", str(games), "--seed", str(SEED), "--json")


def _start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "flipdrop", *arguments], stdout=subprocess.PIPE, text=True)


def _table(*arguments: str) -> dict[str, Any]:
    """A tournament's result without the time it took."""
    with _start(*arguments) as process:
        text, _ = process.communicate()
    found: dict[str, Any] = json.loads(text)
    return {name: value for name, value in found.items() if name not in ("seconds", "games_a_second")}


def _run_and_kill(command: tuple[str, ...], store: Path, instant: float, *, resume: bool) -> None:
    """Kills the tournament at a random instant: while it starts, or when it has played for a moment."""
    before = len(_games(store))
    process = _start(*command, "--store", str(store), *(["--resume"] if resume else []))
    try:
        if instant > 0.2:  # else it is killed while it starts
            while process.poll() is None and len(_games(store)) == before:
                time.sleep(0.001)
        time.sleep(LONGEST * instant**2)  # many soon after games begin to be written, some later
    finally:
        process.kill()
        process.communicate()


def _games(store: Path) -> dict[int, tuple[Any, ...]]:
    """The games in a store, as another program finds them."""
    if not store.exists():
        return {}
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30)
    try:
        rows = connection.execute(
            "SELECT number, moves, result, margin, termination, seed, ended FROM games"
        ).fetchall()
    except sqlite3.OperationalError:  # it was killed before it had made its tables
        return {}
    finally:
        connection.close()
    return {number: tuple(rest) for number, *rest in rows}


def _check_whole(store: Path) -> None:
    """Every game in a store can be played to its end."""
    with Store(store) as opened:
        for stored in opened.events():
            for played in opened.games(stored.id):
                position = played.task.opening.start
                for move in played.moves:
                    position = position.play(move)
                assert position.is_over, f"game {played.task.number} is half a game"


if __name__ == "__main__":
    run()

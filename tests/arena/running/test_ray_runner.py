"""Games on a Ray cluster: the same as anywhere else, also when a machine dies in the middle."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.model import Event
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.running.ray_runner import RayRunner
from flipdrop.arena.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.arena.running import Runner

    Outcome = tuple[int, tuple[int, ...], int, int, str]

pytestmark = pytest.mark.cluster


def event(*players: str, game: str = "othello", pairs: int = 20) -> Event:
    return Event(kind="match", game=game, players=players, pairings=((0, 1),), pairs=pairs, openings="random:6", seed=3)


def outcomes(runner: Runner, event: Event) -> list[Outcome]:
    games = [game for batch in runner.run(event.tasks()) for game in batch]
    return sorted((game.task.number, game.moves, game.result, game.margin, game.termination) for game in games)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of two machines, as far as Ray can tell: the head, on which nothing is played, and one with a core."""
    cluster_utils: Any = importlib.import_module("ray.cluster_utils")

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        quiet = {"include_dashboard": False, "object_store_memory": 100 * 2**20}
        made = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **quiet})
        try:
            yield made
        finally:
            made.shutdown()


def test_lost_machine(cluster: Any) -> None:
    match = event("mcts:iterations=400", "alphabeta:depth=3", pairs=40)
    embedded = outcomes(runner_for(match.players), match)
    node = cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    runner = RayRunner(cluster.address)
    with runner, Store(None) as store:
        killed_after = 0

        def kill_one(state: Any) -> None:
            nonlocal killed_after
            if not killed_after and state.played >= 4 and (worker := _caught_at_play(node)):
                killed_after = state.played
                cluster.remove_node(node, allow_graceful=False)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)  # a stopped process would not notice that its machine is gone

        state = run_event(match, store, runner, progress=kill_one)
        assert runner.cluster.lost
        assert 0 < killed_after < match.games
        assert len(state.results) == match.games
        (stored,) = store.events()
        kept = [
            (game.task.number, game.moves, game.result, game.margin, game.termination)
            for game in store.games(stored.id)
        ]
        assert kept == embedded


def _caught_at_play(node: Any) -> int | None:
    """Stops a process of a machine in the middle of a batch, if it is at one; Ray names processes by what they do."""
    raylet = node.all_processes["raylet"][0].process.pid
    listing = ["ps", "-o", "pid=,args=", "--ppid", str(raylet)]
    for line in subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines():
        pid = int(line.split()[0])
        if "play_remote" in line:
            os.kill(pid, signal.SIGSTOP)
            if "play_remote" in Path(f"/proc/{pid}/cmdline").read_text():
                return pid
            os.kill(pid, signal.SIGCONT)
    return None


AGENT = """
    import os
    from pathlib import Path

    from neighbour import favourite

    class Agent:
        def __init__(self, seed):
            self.seed = seed
            self.start = int((Path(__file__).parent / "data" / "start.txt").read_text())

        def choose(self, position):
            if len(position.legal_moves) > 8 and self.seed % 3 == 0:
                os._exit(7)
            return favourite(position.legal_moves, self.seed + self.start)
"""


@pytest.fixture
def agent(tmp_path: Path) -> str:
    """An agent with a neighbour and data, that takes its process down with it once in a while."""
    folder = tmp_path / "agents"
    (folder / "data").mkdir(parents=True)
    (folder / "mine.py").write_text(textwrap.dedent(AGENT))
    (folder / "neighbour.py").write_text("def favourite(moves, seed):\n    return moves[seed % len(moves)]\n")
    (folder / "data" / "start.txt").write_text("5")
    return f"{folder / 'mine.py'}:Agent"


def test_agents_on_the_cluster(cluster: Any, agent: str) -> None:
    match = event(agent, "random", pairs=4)
    embedded = outcomes(runner_for(match.players, threads=2), match)
    assert any("exit status 7" in termination and agent in termination for *_, termination in embedded)
    with RayRunner(cluster.address, specs=match.players) as runner:
        runner.connect()
        folder = Path(agent.rpartition(":")[0]).parent
        folder.rename(folder.with_name("elsewhere"))  # on another machine it would not be there either
        assert outcomes(runner, match) == embedded


@pytest.mark.timing
def test_close_cancels_batches(cluster: Any) -> None:
    ray: Any = importlib.import_module("ray")

    match = event("mcts:iterations=20000", "random")
    with RayRunner(cluster.address) as runner:
        games = runner.run(match.tasks())
        began = time.monotonic()
        next(games)
        games.close()
        deadline = time.monotonic() + 60
        while ray.available_resources().get("CPU", 0) < 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert ray.available_resources()["CPU"] == 1
        assert time.monotonic() - began < 120


@pytest.mark.timing
def test_local_cluster_ends_with_its_command(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-m", "flipdrop", "match", "mcts:iterations=2000", "random", "--games", "2000"]
    options = ["--cluster", "local", "--threads", "1", "--seed", "1", "--store", str(tmp_path / "games.db")]
    # A test runner in the background ignores Ctrl-C, and children inherit that: a person's shell does not.
    restore = (
        "import signal, sys, os; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", restore, *command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("RAY_")} | {"HOME": str(home)},
    )
    with started:
        deadline = time.monotonic() + 60
        while _stored_games(tmp_path / "games.db") == 0:
            assert started.poll() is None, started.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert len(_session(started.pid)) > 3  # Ray's
        os.killpg(started.pid, signal.SIGINT)  # as a terminal does: to everything in the foreground
        out, error = started.communicate(timeout=30)
    assert started.returncode in (130, -signal.SIGINT), error  # see STOPPED in tests/interface/cli/support.py
    assert "won" in out
    assert "stopped; --resume continues it" in error
    deadline = time.monotonic() + 10
    while (left := _session(started.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
    assert list(home.iterdir()) == []  # Ray would keep a token there


def _stored_games(path: Path) -> int:
    if not path.exists():
        return 0
    with Store(path) as store:
        return sum(stored.games for stored in store.events())


def _session(leader: int) -> list[str]:
    """The processes of a session."""
    listed = subprocess.run(["ps", "-eo", "sid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = (line.split(None, 2) for line in listed.splitlines())
    return [row[2] for row in rows if int(row[0]) == leader and not row[1].startswith("Z")]

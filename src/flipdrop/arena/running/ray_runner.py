"""Games on a Ray cluster: batches of games are the tasks of `flipdrop.cluster`.

The task determines the game, so the results are those of any other runner, also if a batch is played again because its
machine was lost.
"""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from flipdrop.arena.model import FinishedGame
from flipdrop.arena.running.agent_bundle import AgentBundle
from flipdrop.arena.running.batch import BatchPlayer
from flipdrop.cluster import LOCAL, RayCluster
from flipdrop.errors import ArenaError
from flipdrop.players.agent_process import AgentLimits
from flipdrop.players.spec import runs_code

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from flipdrop.arena.model import GameTask

BATCH_SECONDS = 1.0  # target duration of a batch; the round trip takes some milliseconds
PYTHON_BATCH_SECONDS = 5.0  # where a process is started for each batch
MAX_GAMES = 5000  # in a batch

Row: TypeAlias = "tuple[tuple[int, ...], int, int, str, tuple[float, float] | None]"
"""A game on its way back: all of `FinishedGame` but the task."""


def play_remote(agents: AgentLimits, tasks: list[GameTask]) -> tuple[list[Row], int]:
    """Runs on a node: plays games in their order, and returns them with the ideal size of a batch."""
    began = perf_counter()
    games, target = _play(tasks, agents)
    by_number = {played.task.number: played for played in games}
    ordered = [by_number[task.number] for task in tasks]
    rows: list[Row] = [(game.moves, game.result, game.margin, game.termination, game.seconds) for game in ordered]
    return rows, round(len(tasks) * target / max(perf_counter() - began, 1e-6))


_players: list[BatchPlayer] = []  # of this process, which plays many batches: it remembers what it has made


def _play(tasks: list[GameTask], agents: AgentLimits) -> tuple[list[FinishedGame], float]:
    if not _players:
        _players.append(BatchPlayer(agents=agents))
    has_agents = any(runs_code(spec) for task in tasks for spec in (task.first, task.second))
    try:
        games = _players[0].play(tasks, watch=lambda: None)  # Ctrl-C comes in while it watches
    finally:
        if has_agents:
            _players[0].close()  # this process stays, and the processes of agents would stay with it
    return games, PYTHON_BATCH_SECONDS if has_agents else BATCH_SECONDS


class RayRunner:
    """Plays games on a Ray cluster, as many at once as the cluster has cores.

    :param cluster: the cluster or its address, as `flipdrop.cluster.RayCluster` takes it
    :param specs: the players that will take part. Those from files are sent to the cluster with the folder they are in
    :param threads: how many games a local cluster plays at once; all cores if it is None
    :param agents: limits of agents from files
    """

    def __init__(
        self,
        cluster: RayCluster | str,
        *,
        specs: Iterable[str] = (),
        threads: int | None = None,
        agents: AgentLimits | None = None,
    ) -> None:
        self.agents = agents or AgentLimits()
        self._bundle = AgentBundle()
        if isinstance(cluster, str):
            self._bundle = AgentBundle() if cluster == LOCAL else AgentBundle.of(specs)
            pack = self._bundle.pack if self._bundle.folders else None
            cluster = RayCluster(cluster, threads=threads, pack=pack)
        self.cluster = cluster

    def __enter__(self) -> RayRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnects, and shuts a local cluster down. The runner can be used again."""
        self.cluster.close()

    def connect(self) -> Any:
        """Connects to the cluster, sends the files of agents to it, and returns Ray."""
        ray = self.cluster.connect()
        if not self.cluster.is_ours:
            self._bundle = AgentBundle()  # the process that connected has sent its files already
        return ray

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        self.connect()
        bundle, size = self._bundle, 1
        waiting = iter(tasks)
        playing: dict[int, GameTask] = {}  # by number, with the specs of this machine

        def batches() -> Iterator[list[GameTask]]:
            while batch := list(itertools.islice(waiting, size)):  # of the size at that moment
                playing.update({task.number: task for task in batch})
                yield [
                    replace(task, first=bundle.to_remote(task.first), second=bundle.to_remote(task.second))
                    for task in batch
                ]

        results = self.cluster.map(play_remote, self.agents, batches(), describe=_games)
        try:
            with closing(results):
                for batch, (rows, fitting) in results:
                    size = max(1, min(MAX_GAMES, fitting, 2 * size))
                    yield [
                        FinishedGame(playing.pop(task.number), *row[:3], bundle.to_local(row[3]), row[4])
                        for task, row in zip(batch, rows, strict=True)
                    ]
        except ArenaError as error:
            raise ArenaError(bundle.to_local(str(error))) from error


def _games(batch: list[GameTask]) -> str:
    return f"played game {batch[0].number} and the {len(batch) - 1} after it"

"""How throughput grows with the nodes of a cluster: real games, and tasks that only wait.

The nodes are Ray nodes of one core each on this machine, beside a head that does no tasks. Real games need a core for
each node, so they are played on as many nodes as the machine has cores. Tasks that sleep for the second that batches of
games aim at stand for games on more nodes: what is measured is the handing out.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from benchmarks.measure import seconds_of
from flipdrop.arena.model import Event
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import Runner
from flipdrop.arena.running.ray_runner import BATCH_SECONDS, RayRunner
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.store import Store
from flipdrop.cluster import RayCluster
from flipdrop.workers import core_count

PLAYERS = ("mcts:iterations=400", "alphabeta:depth=3")
TASKS_A_NODE = 10


@contextmanager
def nodes_of_one_core(count: int) -> Iterator[str]:
    """The address of a cluster of `count` nodes."""
    cluster_utils: Any = importlib.import_module("ray.cluster_utils")
    quiet = {"include_dashboard": False, "object_store_memory": 100 * 2**20}
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **quiet})
    try:
        for _ in range(count):
            cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
        cluster.wait_for_nodes()
        yield cluster.address
    finally:
        cluster.shutdown()


def match_of(pairs: int) -> Event:
    return Event(
        kind="match", game="othello", players=PLAYERS, pairings=((0, 1),), pairs=pairs, openings="random:8", seed=1
    )


def games_a_second(runner: Runner, event: Event) -> float:
    with Store(None) as store:
        return run_event(event, store, runner).games_a_second


def timed(shared: tuple[Callable[[Any, Any], Any], Any], task: Any) -> tuple[Any, float]:
    """Does a task on a node, and says how long it took there."""
    function, what_it_needs = shared
    began = time.perf_counter()
    return function(what_it_needs, task), time.perf_counter() - began


class TimedCluster(RayCluster):
    """Adds up the time that nodes spend on tasks."""

    busy = 0.0

    def map(
        self, function: Callable[[Any, Any], Any], shared: Any, tasks: Iterable[Any], **options: Any
    ) -> Generator[tuple[Any, Any], None, None]:
        for task, (result, seconds) in super().map(timed, (function, shared), tasks, **options):
            self.busy += seconds
            yield task, result


def play_on_nodes(count: int, event: Event) -> tuple[float, float]:
    """Games a second on a cluster of `count` nodes, and the share of their time in which they play."""
    with nodes_of_one_core(count) as address, RayRunner(cluster := TimedCluster(address)) as runner:
        games_a_second(runner, match_of(20))  # starts a process on each node
        cluster.busy = 0.0
        speed = games_a_second(runner, event)
        return speed, cluster.busy * speed / event.games / count


def sleep(seconds: float, _: int) -> None:
    """A task; a function of a module, so that it reaches the nodes."""
    time.sleep(seconds)


def waiting_at_once(address: str, nodes: int) -> float:
    """How many tasks wait at the same time, on average."""
    with RayCluster(address) as cluster:
        list(cluster.map(sleep, 0.0, range(4 * nodes)))  # starts a process on each node
        tasks = TASKS_A_NODE * nodes
        return BATCH_SECONDS * tasks / seconds_of(lambda: list(cluster.map(sleep, BATCH_SECONDS, range(tasks))))


def run(effort: float) -> None:
    """Prints games a second on threads and on nodes, then the efficiency of more nodes with tasks that wait."""
    pairs, turns = max(50, round(500 * effort)), 3
    event, counts = match_of(pairs), range(1, core_count() + 1)
    event.opening(pairs - 1)  # finding openings is not what is measured
    print(f"\n{event.games:,} games of {' against '.join(PLAYERS)}, games/s, medians of {turns} runs")
    threads: dict[int, list[float]] = {count: [] for count in counts}
    nodes: dict[int, list[tuple[float, float]]] = {count: [] for count in counts}
    for _ in range(turns):  # in turns: a machine that is busy with other work slows all of them
        for count in counts:
            threads[count].append(games_a_second(ThreadRunner(count), event))
            nodes[count].append(play_on_nodes(count, event))
    for count in counts:
        print(f"  {count} threads, no cluster  {median(threads[count]):7.1f}")
    one = median(speed for speed, _ in nodes[1])
    for count in counts:
        speed, busy = (median(values) for values in zip(*nodes[count], strict=True))
        print(f"  {count} nodes of one core   {speed:7.1f}, {speed / one:.2f} times one; busy {busy:.1%}")
    print(f"tasks that wait for {BATCH_SECONDS:g} s, {TASKS_A_NODE} for each node: how many wait at once")
    for count in (1, 2, 4, 8, 16) if effort >= 1 else (1, 4):
        with nodes_of_one_core(count) as address:
            at_once = waiting_at_once(address, count)
        print(f"  {count:2} nodes  {at_once:5.2f}   {at_once / count:.0%}")

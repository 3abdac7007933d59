"""How throughput grows with the nodes of a cluster: real games, and tasks that only wait.

The nodes are Ray nodes of one core each on this machine, beside a head that does no tasks. Real games need a core for
each node, so they are played on as many nodes as the machine has cores. Tasks that sleep for the second that batches of
games aim at stand for games on more nodes: what is measured is the handing out.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
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
    pairs, turns = max(20, round(500 * effort)), 3
    event, cores = match_of(pairs), core_count()
    event.opening(pairs - 1)  # finding openings is not what is measured
    print(f"\n{event.games:,} games of {' against '.join(PLAYERS)}, {cores} cores, games/s, medians of {turns} runs")
    for threads in range(1, cores + 1):
        speeds = [games_a_second(ThreadRunner(threads), event) for _ in range(turns)]
        print(f"  {threads} threads without a cluster  {median(speeds):7.1f}")
    alone = 0.0
    for nodes in range(1, cores + 1):
        with nodes_of_one_core(nodes) as address, RayRunner(address) as runner:
            games_a_second(runner, match_of(20))
            speed = median(games_a_second(runner, event) for _ in range(turns))
        alone = alone or speed
        print(f"  {nodes} nodes of one core           {speed:7.1f}   {speed / alone:.2f} times one node")
    print(f"tasks that wait for {BATCH_SECONDS:g} s, {TASKS_A_NODE} for each node: how many wait at once")
    for nodes in (1, 2, 4, 8, 16) if effort >= 1 else (1, 4):
        with nodes_of_one_core(nodes) as address:
            at_once = waiting_at_once(address, nodes)
        print(f"  {nodes:2} nodes  {at_once:5.2f}   {at_once / nodes:.0%}")

"""Runners: games in threads of this process, in separate processes, or on a Ray cluster."""

from flipdrop.arena.running.runner import Runner, make_players, runner_for

__all__ = ["Runner", "make_players", "runner_for"]

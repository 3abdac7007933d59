"""Runners: games in threads of this process, one after the other in the thread of the caller, or on a Ray cluster."""

from flipdrop.arena.running.runner import Runner, make_players, runner_for

__all__ = ["Runner", "make_players", "runner_for"]

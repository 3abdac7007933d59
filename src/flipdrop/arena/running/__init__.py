"""How games get played: in threads of this process, in processes of their own, or on a cluster."""

from flipdrop.arena.running.runner import Runner, make_players, runner_for

__all__ = ["Runner", "make_players", "runner_for"]

"""`analyse`: the value of every move of a position, by proof and search or by a player; `solve`: its exact score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.games import check_position
from flipdrop.games import game as game_of
from flipdrop.players.clock import Clock
from flipdrop.players.levels import LevelPlayer
from flipdrop.players.player import analyse_with
from flipdrop.players.search_player import SearchPlayer
from flipdrop.players.spec import player as player_of
from flipdrop.search import Engine, GuidedSearch, Mcts, Solver
from flipdrop.search.analyse import DEFAULT_SECONDS, Analysis

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation, EvaluationFunction
    from flipdrop.games import Game, Position
    from flipdrop.players.objects import PlayerLike
    from flipdrop.players.player import Player
    from flipdrop.search import SearchReport, Solution
    from flipdrop.search.report import Progress


def analyse(
    position: Position | str = "",
    *,
    game: Game | str = "othello",
    player: PlayerLike | None = None,
    evaluation: str | Evaluation | EvaluationFunction | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> SearchReport:
    """The value of every move of a position, for the side to move.

    >>> report = analyse("444", game="connect4")
    >>> report.position.move_name(report.best), report.proven
    ('4', True)

    :param position: a position, a transcript or a board string
    :param game: of a text
    :param player: that analyses, as `player` takes it; by default book, proof and the strongest search
    :param evaluation: that the default search uses
    :param seconds: time limit; 2 s without another limit
    :param depth: in plies; neither book nor proof is used then
    :param nodes: a limit, likewise
    :param progress: receives intermediate reports; an exception that it raises ends the analysis
    """
    given = _position(position, game)
    chosen = None if evaluation is None else evaluation_of(evaluation)
    default = Analysis(evaluation=chosen, seconds=seconds or DEFAULT_SECONDS, threads=threads)
    limits = {"seconds": seconds, "depth": depth, "nodes": nodes}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    if player is None and limits.keys() <= {"seconds"}:
        return default.search(given, progress=progress)
    if player is not None and evaluation is not None:
        raise PlayerError("a player has an evaluation of its own: give player or evaluation")
    by = SearchPlayer(default.search_settings(given.game)) if player is None else player_of(player, game=given.game)
    return report_within(by, given, limits, progress)


def solve(
    position: Position | str = "",
    *,
    game: Game | str = "othello",
    seconds: float | None = None,
    threads: int = 1,
    moves: bool = False,
    outcome_only: bool = False,
) -> Solution:
    """The exact score of a position under best play, and a move that keeps it.

    >>> solve("", game="connect4").score
    1

    :param position: a position, a transcript or a board string
    :param game: of a text
    :param seconds: time limit; `Solution.exact` says whether it sufficed
    :param moves: the score of every move, too
    :param outcome_only: prove who wins only, which is faster
    """
    solver = Solver(seconds=seconds, threads=threads, moves=moves, outcome_only=outcome_only)
    return solver.solve(_position(position, game))


def report_within(
    player: Player, position: Position, limits: dict[str, Any], progress: Progress | None = None
) -> SearchReport:
    """A player's report on a position within limits: ``seconds``, ``depth`` or ``nodes``."""
    if isinstance(player, LevelPlayer):
        player = player.player_of(position.game)
    if not isinstance(player, SearchPlayer):
        if "depth" in limits or "nodes" in limits:
            raise PlayerError(f"{player.name} does not search a tree: limits of depth and nodes do not apply")
        return analyse_with(player, position, Clock(move_limit=limits.get("seconds")))
    if player.book is not None and limits.keys() <= {"seconds"} and (found := player.book.report(position)):
        return found
    search = player.search
    if "depth" in limits and isinstance(search, Mcts | GuidedSearch):
        raise PlayerError("a depth limits minimax, alphabeta and iterative; limit mcts and puct by time or nodes")
    if not limits and not search.is_limited:
        limits = {"seconds": DEFAULT_SECONDS}
    if isinstance(search, Engine):
        search = search.with_all_moves()
    return search.with_options(**limits).search(position, progress=progress)


def _position(position: Position | str, game: Game | str) -> Position:
    if isinstance(position, str):
        return game_of(game).position(position)
    check_position(position)
    return position

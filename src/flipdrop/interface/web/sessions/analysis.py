"""The analysis of one position: the value of every move, refined while the search runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import default_evaluation
from flipdrop.evaluation.registry import definition_of
from flipdrop.interface.web.schemas import AnalysisView, EvaluationView, MoveAnalysis, ScoreView, TermView, TreeNode
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.value_display import WinProbabilityScale, describe_value, finite, scale_of
from flipdrop.interface.web.validation import make_limited_player, with_node_limit
from flipdrop.kernel import MctsTree, Proof, Side, tree_children
from flipdrop.players import Clock, LevelPlayer, SearchPlayer, analyse_with
from flipdrop.search import Mcts, Minimax
from flipdrop.search.analyse import Analysis, best_evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.schemas import Outcome
    from flipdrop.kernel import NodeView
    from flipdrop.search import SearchReport
    from flipdrop.search.values import Value

METHODS = ("search", "mcts")
DEFAULT_SECONDS = 8.0
_LONGEST_LINE = 16
_WIDEST, _DEEPEST, _MOST_NODES = 4, 5, 60  # of the part of a tree that is shown
_PROOFS: dict[Proof, Outcome | None] = {Proof.NONE: None, Proof.WIN: "win", Proof.DRAW: "draw", Proof.LOSS: "loss"}
_OUTCOMES = {"win": 1, "draw": 0, "loss": -1}


AnalysisFields = dict[str, Any]
"""Fields of an `AnalysisView` that a search has determined so far."""


@dataclass(frozen=True)
class AnalysisSettings:
    """How to analyse.

    :param method: ``search``, ``mcts`` or a player's spec
    :param evaluation: the evaluation whose terms are shown; searches use the strongest one
    """

    method: str = "search"
    evaluation: Evaluation | None = None
    seconds: float = DEFAULT_SECONDS


def analyse(
    position: Position, settings: AnalysisSettings, config: ServerConfig, show: Callable[[AnalysisView], object]
) -> AnalysisView:
    """Analyses a position. `show` receives intermediate results and may raise to end the analysis."""
    blank = AnalysisView(method=settings.method, position=position.board)
    if position.is_over:
        return blank.model_copy(update={"bar": float(position.result or 0), "proven": True, "done": True})
    blank = blank.model_copy(update={"evaluation": breakdown(position, settings.evaluation)})
    by = {"search": _by_search, "mcts": _by_tree}.get(settings.method, _by_player)
    found = by(position, settings, config, lambda fields: show(blank.model_copy(update=fields)))
    return blank.model_copy(update=found | {"done": True})


def report_fields(
    report: SearchReport, scale: WinProbabilityScale, *, proofs: dict[int, Outcome | None] | None = None
) -> AnalysisFields:
    """The fields of a view that a search's report determines.

    :param proofs: proven outcomes of moves in a search tree
    """
    position = report.position
    moves = [
        MoveAnalysis(
            **dict(describe_value(_with_proof(report.value_of(entry), (proofs or {}).get(entry.move)), scale)),
            move=position.move_name(entry.move),
            cell=position.cell_of(entry.move),
            best=entry.move == report.best,
            visits=entry.visits,
            depth=report.depth,
            bound=not entry.exact,
        )
        for entry in report.moves
    ]
    unit = scale.to_unit(report.position_value)
    return {
        "moves": moves,
        "best": position.move_name(report.best),
        "line": [position.move_name(move) for move in report.line[:_LONGEST_LINE]],
        "bar": round(unit if position.to_move == Side.FIRST else -unit, 4),
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 2),
        "proven": report.proven,
        "note": report.note,
    }


def _with_proof(value: Value, proof: Outcome | None) -> Value:
    """The value with an outcome that the search tree has proven."""
    return value if value.proven or proof is None else replace(value, outcome=_OUTCOMES[proof], bound=False)


def _by_search(
    position: Position, settings: AnalysisSettings, config: ServerConfig, show: Callable[[AnalysisFields], object]
) -> AnalysisFields:
    """Book, proof or search, as in ``flipdrop analyse``."""
    evaluation = best_evaluation(position.game)
    scale = scale_of(evaluation)
    search = Analysis(evaluation=evaluation, seconds=settings.seconds, table=config.limits.megabytes)
    return report_fields(search.search(position, progress=lambda report: show(report_fields(report, scale))), scale)


def _by_tree(
    position: Position, settings: AnalysisSettings, config: ServerConfig, show: Callable[[AnalysisFields], object]
) -> AnalysisFields:
    tree = MctsTree()
    search = with_node_limit(Mcts(seconds=settings.seconds), config.limits)

    def shown(report: SearchReport) -> AnalysisFields:
        proofs = {node.move: _PROOFS[node.proof] for node in tree_children(tree, position)}
        fields = report_fields(report, WinProbabilityScale(), proofs=proofs)
        return fields | {"tree": _most_visited(tree, position)}

    report = search.search(position, tree=tree, progress=lambda report: show(shown(report)))
    return shown(report)


def _most_visited(tree: MctsTree, position: Position) -> list[TreeNode]:
    """The most visited nodes of a tree, at most `_MOST_NODES`."""
    root: list[TreeNode] = []
    # Nodes whose children may be shown, and the lists for them; the most visited one is next.
    edge: list[tuple[int, int, int, list[TreeNode], Position]] = [(0, 0, 0, root, position)]
    left = _MOST_NODES
    while edge and left > 0:
        edge.sort(key=lambda entry: entry[0])
        _, depth, index, children, at = edge.pop()
        found = tree_children(tree, position, index) if depth else tree_children(tree, position)
        for node in sorted(found, key=lambda node: -node.visits)[:_WIDEST]:
            if node.visits == 0 or left == 0:
                break
            left -= 1
            shown = _node(node, at)
            children.append(shown)
            if depth + 1 < _DEEPEST:
                edge.append((node.visits, depth + 1, node.index, shown.children, at.play(node.move)))
    return root


def _node(node: NodeView, position: Position) -> TreeNode:
    return TreeNode(
        move=position.move_name(node.move),
        by=name_of_side(position.to_move),
        visits=node.visits,
        value=round(node.mean, 4),
        proof=_PROOFS[node.proof],
        children=[],
    )


def _by_player(
    position: Position, settings: AnalysisSettings, config: ServerConfig, show: Callable[[AnalysisFields], object]
) -> AnalysisFields:
    player, seconds = make_limited_player(settings.method, position.game, config, seed=0)
    try:
        seconds = min(seconds, settings.seconds)
        asked = player.player_of(position.game) if isinstance(player, LevelPlayer) else player
        if not isinstance(asked, SearchPlayer):
            return report_fields(analyse_with(asked, position, Clock(move_limit=seconds)), WinProbabilityScale())
        search, scale = asked.search, _scale_of(asked.search, position)
        if isinstance(search, Mcts):
            search = with_node_limit(search, config.limits)
        limited = search.with_options(seconds=min(search.seconds or seconds, seconds))
        report = limited.search(position, progress=lambda report: show(report_fields(report, scale)))
        return report_fields(report, scale)
    finally:
        player.close()


def _scale_of(search: Minimax | Mcts, position: Position) -> WinProbabilityScale:
    if isinstance(search, Minimax):
        return scale_of(search.evaluation or default_evaluation(position.game))
    plain = search.reward in ("win", "squashed") or not search.reward
    return WinProbabilityScale() if plain else WinProbabilityScale(half_point=60.0)


def breakdown(position: Position, evaluation: Evaluation | None = None) -> EvaluationView:
    """The terms of an evaluation for the side to move: of the position, and of the positions after each move."""
    used = evaluation or default_evaluation(position.game)
    after = {}
    for move in position.legal_moves:
        then = position.play(move)
        # A score is for the side to move, which after most moves is the opponent.
        after[position.move_name(move)] = _score(used, then, 1 if then.to_move == position.to_move else -1)
    meanings = {}
    if used.weights is not None:
        meanings = {kind.name: kind.description for kind in definition_of(used.weights.evaluation).kinds}
    return EvaluationView(**dict(_score(used, position, 1)), name=str(used), meanings=meanings, moves=after)


def _score(evaluation: Evaluation, position: Position, sign: int) -> ScoreView:
    found = evaluation.explain(position)
    terms = [
        TermView(
            name=term.name,
            feature=finite(term.feature),
            weight=finite(term.weight),
            contribution=finite(sign * term.contribution),
        )
        for term in found.terms
    ]
    return ScoreView(score=finite(sign * found.total), terms=terms)

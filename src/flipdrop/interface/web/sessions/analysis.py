"""The analysis of one position: the value of every move, refined while the search runs.

It is shown as a dictionary, which is the view's ``analysis``:

================  ======================================================================================================
``method``        ``search``, ``mcts`` or a player's spec
``position``      the board string that it is about
``moves``         for each legal move, best first: ``move``, ``cell``, ``best``, ``visits``, ``depth``, and
                  `value_display`'s ``value``, ``chance``, ``text``, ``proven``, ``outcome``
``best``          the best move, null before anything is known
``line``          the moves that both sides are expected to play
``bar``           -1 .. 1, for the first side
``depth``, ``nodes``, ``seconds``, ``proven``
``note``          how the values were found, if not by searching: ``solved``, ``from the opening book``, ``learned``
``evaluation``    ``name``, ``score``, ``terms`` of the position; ``moves``: the same after each move, for its mover
``tree``          of a tree search, the most visited moves: ``move``, ``visits``, ``value``, ``proof``, ``children``
``done``          whether it is not going to change any more
``error``       why there is none, or null; ``error_kind`` is the name of the error's class
================  ======================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import default_evaluation
from flipdrop.evaluation.registry import definition_of
from flipdrop.games import ConnectFour, native
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.validation import make_limited_player, with_node_limit
from flipdrop.interface.web.sessions.value_display import WinProbabilityScale, describe_value, finite, scale_of
from flipdrop.kernel import MctsTree, Proof, Side, tree_children
from flipdrop.players import Clock, LevelPlayer, SearchPlayer, analyse_with
from flipdrop.search import Mcts, Minimax
from flipdrop.search.analysis import Analysis, best_evaluation
from flipdrop.search.report import WIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.interface.web.config import Limits
    from flipdrop.kernel import NodeView
    from flipdrop.search import MoveReport, SearchReport

METHODS = ("search", "mcts")
DEFAULT_SECONDS = 8.0
_LONGEST_LINE = 16
_WIDEST, _DEEPEST, _MOST_NODES = 4, 5, 60  # of the part of a tree that is shown
_EXACT = ("solved", "from the opening book")
_PROOFS = {Proof.NONE: None, Proof.WIN: "win", Proof.DRAW: "draw", Proof.LOSS: "loss"}


@dataclass(frozen=True, kw_only=True)
class AnalysisRequest:
    """What is to be analysed, and how.

    :param evaluation: the one whose terms are shown; searches use the best that there is
    """

    position: Position
    method: str = "search"
    evaluation: Evaluation | None = None
    seconds: float = DEFAULT_SECONDS
    limits: Limits
    allow_code: bool = False


def analyse(request: AnalysisRequest, show: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The analysis; what is known so far is shown meanwhile, and `show` may raise to end it."""
    position = request.position
    base = {
        "method": request.method,
        "position": position.board,
        "evaluation": None if position.is_over else breakdown(position, request.evaluation),
    }
    if position.is_over:
        return base | nothing_known() | {"bar": _final_bar(position), "proven": True, "done": True}
    match request.method:
        case "search":
            found = _by_search(request, lambda known: show(base | known))
        case "mcts":
            found = _by_tree(request, lambda known: show(base | known))
        case _:
            found = _by_player(request, lambda known: show(base | known))
    return base | found | {"done": True}


def nothing_known() -> dict[str, Any]:
    """An analysis that has not found anything yet."""
    return {
        "moves": [],
        "best": None,
        "line": [],
        "bar": 0.0,
        "depth": 0,
        "nodes": 0,
        "seconds": 0.0,
        "proven": False,
        "note": "",
        "tree": None,
        "done": False,
        "error": None,
        "error_kind": None,
    }


def described(
    report: SearchReport, scale: WinProbabilityScale, *, proofs: dict[int, str | None] | None = None
) -> dict[str, Any]:
    """A search's report as an analysis shows it.

    :param proofs: what a tree search knows for certain of some moves
    """
    position = report.position
    moves = []
    for entry in report.moves:
        is_proven = (proofs or {}).get(entry.move) is not None
        moves.append(
            {
                "move": position.move_name(entry.move),
                "cell": position.cell_of(entry.move),
                "best": entry.move == report.best,
                "visits": entry.visits,
                "depth": report.depth,
                "bound": not entry.exact,
                **describe_move_value(report, entry, scale, is_proven=is_proven),
            }
        )
    place = scale.to_unit(position, report.value)
    return nothing_known() | {
        "moves": moves,
        "best": position.move_name(report.best),
        "line": [position.move_name(move) for move in report.line[:_LONGEST_LINE]],
        "bar": round(place if position.to_move == Side.FIRST else -place, 4),
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 2),
        "proven": report.proven,
        "note": report.note,
    }


def describe_move_value(
    report: SearchReport, entry: MoveReport, scale: WinProbabilityScale, *, is_proven: bool = False
) -> dict[str, Any]:
    """The value of a move, and whether it is proven.

    A solver is certain of everything. A search is of a win or a loss that it has seen, and in Connect Four, where it
    deepens ply by ply, of when that comes; but in Othello a deeper look may find a greater margin, until everything was
    seen. It is certain of a draw if it has looked at everything. Once it has proven a win, it has not looked at the
    other moves to the end.
    """
    is_solved = report.note in _EXACT
    decided = abs(entry.value) > WIN / 2
    drawn = entry.value == 0 and report.proven and (is_solved or report.value == 0)
    return describe_value(
        report.position,
        entry.value,
        scale,
        proven=is_proven or (entry.exact and (decided or drawn)),
        exact=is_solved or isinstance(report.position, ConnectFour) or report.verdict_of(entry).exact,
    )


def _by_search(request: AnalysisRequest, show: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Book, proof or a look as deep as time allows: what `flipdrop analyse` does."""
    evaluation = best_evaluation(request.position.game)
    scale = scale_of(evaluation)
    search = Analysis(evaluation=evaluation, seconds=request.seconds, table=request.limits.megabytes)
    return described(search.search(request.position, progress=lambda report: show(described(report, scale))), scale)


def _by_tree(request: AnalysisRequest, show: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    position = request.position
    tree = MctsTree()
    search = with_node_limit(Mcts(seconds=request.seconds), request.limits)

    def shown(report: SearchReport) -> dict[str, Any]:
        proofs = {node.move: _PROOFS[node.proof] for node in tree_children(tree, native(position))}
        known = described(report, WinProbabilityScale(), proofs=proofs)
        return known | {"tree": _most_visited(tree, position)}

    report = search.search(position, tree=tree, progress=lambda report: show(shown(report)))
    return shown(report)


def _most_visited(tree: MctsTree, position: Position) -> list[dict[str, Any]]:
    """The part of a tree that most simulations went through: so many nodes, the most visited ones first."""
    root: list[dict[str, Any]] = []
    # Nodes whose children may be shown, with the list they go to; the most visited is taken next.
    edge: list[tuple[int, int, int, list[dict[str, Any]], Position]] = [(0, 0, 0, root, position)]
    left = _MOST_NODES
    while edge and left > 0:
        edge.sort(key=lambda entry: entry[0])
        _, depth, index, children, at = edge.pop()
        found = tree_children(tree, native(position), index) if depth else tree_children(tree, native(position))
        for node in sorted(found, key=lambda node: -node.visits)[:_WIDEST]:
            if node.visits == 0 or left == 0:
                break
            left -= 1
            shown = _node(node, at)
            children.append(shown)
            if depth + 1 < _DEEPEST:
                edge.append((node.visits, depth + 1, node.index, shown["children"], at.play(node.move)))
    return root


def _node(node: NodeView, position: Position) -> dict[str, Any]:
    return {
        "move": position.move_name(node.move),
        "by": name_of_side(position.to_move),
        "visits": node.visits,
        "value": round(node.mean, 4),
        "proof": _PROOFS[node.proof],
        "children": [],
    }


def _by_player(request: AnalysisRequest, show: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    position, limits = request.position, request.limits
    player, seconds = make_limited_player(request.method, position.game, limits, seed=0, allow_code=request.allow_code)
    try:
        seconds = min(seconds, request.seconds)
        asked = player.player_of(position.game) if isinstance(player, LevelPlayer) else player
        if not isinstance(asked, SearchPlayer):
            return described(analyse_with(asked, position, Clock(move_limit=seconds)), WinProbabilityScale())
        search, scale = asked.search, _scale_of(asked.search, position)
        if isinstance(search, Mcts):
            search = with_node_limit(search, limits)
        limited = search.with_options(seconds=min(search.seconds or seconds, seconds))
        report = limited.search(position, progress=lambda report: show(described(report, scale)))
        return described(report, scale)
    finally:
        player.close()


def _scale_of(search: Minimax | Mcts, position: Position) -> WinProbabilityScale:
    if isinstance(search, Minimax):
        return scale_of(search.evaluation or default_evaluation(position.game))
    plain = search.reward in ("win", "squashed") or not search.reward
    return WinProbabilityScale() if plain else WinProbabilityScale(half_point=60.0)


def breakdown(position: Position, evaluation: Evaluation | None = None) -> dict[str, Any]:
    """Why an evaluation likes a position, and what comes after each move: for the side that moves, term by term."""
    used = evaluation or default_evaluation(position.game)
    after = {}
    for move in position.legal_moves:
        then = position.play(move)
        # A score is for the side that is to move then, which after most moves is the opponent.
        sign = 1 if then.to_move == position.to_move else -1
        after[position.move_name(move)] = _terms(used, then, sign)
    return {"name": str(used), "meanings": _meanings(used), **_terms(used, position, 1), "moves": after}


def _terms(evaluation: Evaluation, position: Position, sign: int) -> dict[str, Any]:
    found = evaluation.explain(position)
    terms = [
        {
            "name": term.name,
            "feature": finite(term.feature),
            "weight": finite(term.weight),
            "contribution": finite(sign * term.contribution),
        }
        for term in found.terms
    ]
    return {"score": finite(sign * found.total), "terms": terms}


def _meanings(evaluation: Evaluation) -> dict[str, str]:
    if evaluation.weights is None:
        return {}
    return {kind.name: kind.meaning for kind in definition_of(evaluation.weights.evaluation).kinds}


def _final_bar(position: Position) -> float:
    return float(position.result or 0)

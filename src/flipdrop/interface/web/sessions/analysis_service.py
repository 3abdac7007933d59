"""Live analyses of the boards of sessions, and reviews of their records.

An analysis values every move of one position, and refines the values while the search runs. A review computes the cost
of every move of a game, from the last to the first, since endings are proven soonest.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from flipdrop.errors import FlipdropError
from flipdrop.evaluation import default_evaluation
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.interface.web.schemas import AnalysisView, MoveAnalysis, ReviewedMove, ReviewView, TreeNode
from flipdrop.interface.web.sessions.errors import OutOfRange, SessionError, TooBusy, error_info
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.view import ENGINE_SCALE, WinProbabilityScale, breakdown, describe_value, scale_of
from flipdrop.interface.web.validation import make_limited_player, parse_evaluation, parse_player, with_node_limit
from flipdrop.kernel import MctsTree, Proof, Side, tree_children
from flipdrop.players import Clock, LevelPlayer, SearchPlayer, analyse_with
from flipdrop.search import Engine, Mcts, Minimax, SearchReport, Solver
from flipdrop.search.analyse import Analysis, prove
from flipdrop.search.book import shipped_book

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.games.history import GameHistory
    from flipdrop.interface.web.config import Limits, ServerConfig
    from flipdrop.interface.web.schemas import Outcome, SideName
    from flipdrop.interface.web.sessions.search_queue import SearchQueue, SearchTask
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.kernel import NodeView
    from flipdrop.search.values import Value

METHODS = ("search", "mcts")
DEFAULT_SECONDS = 8.0
_LONGEST_LINE = 16
_WIDEST, _DEEPEST, _MOST_NODES = 4, 5, 60  # of the part of a tree that is shown
_PROOFS: dict[Proof, Outcome | None] = {Proof.NONE: None, Proof.WIN: "win", Proof.DRAW: "draw", Proof.LOSS: "loss"}
_OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
REVIEW_SECONDS = 0.25  # for each move
MOST_REVIEW_SECONDS = 3.0
_MARKS = ((0.25, "??"), (0.12, "?"), (0.06, "?!"))
_SEVERITY = 5.0  # a move that loses a fifth of the win probability has an accuracy of 100 exp(-1) = 37%
_INTERVAL = 0.12  # s between two intermediate results
_log = logging.getLogger(__name__)


AnalysisFields = dict[str, Any]
"""Fields of an `AnalysisView` that a search has determined so far."""

_Show = Callable[[AnalysisFields], object]


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
        "selectivity": report.selectivity,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 2),
        "proven": report.proven,
        "note": report.note,
    }


def _with_proof(value: Value, proof: Outcome | None) -> Value:
    """The value with an outcome that the search tree has proven."""
    return value if value.proven or proof is None else replace(value, outcome=_OUTCOMES[proof], bound=False)


def _by_search(position: Position, settings: AnalysisSettings, config: ServerConfig, show: _Show) -> AnalysisFields:
    """Book, proof or search, as in ``flipdrop analyse``."""
    search = Analysis(seconds=settings.seconds, table=config.limits.megabytes)
    scale = _scale_of(search.search_settings(position.game), position)
    return report_fields(search.search(position, progress=lambda report: show(report_fields(report, scale))), scale)


def _by_tree(position: Position, settings: AnalysisSettings, config: ServerConfig, show: _Show) -> AnalysisFields:
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


def _by_player(position: Position, settings: AnalysisSettings, config: ServerConfig, show: _Show) -> AnalysisFields:
    player, seconds = make_limited_player(settings.method, position.game, config, seed=0)
    try:
        seconds = min(seconds, settings.seconds)
        asked = player.player_of(position.game) if isinstance(player, LevelPlayer) else player
        if not isinstance(asked, SearchPlayer):
            return report_fields(analyse_with(asked, position, Clock(move_limit=seconds)), WinProbabilityScale())
        search, scale = asked.search, _scale_of(asked.search, position)
        if isinstance(search, Mcts):
            search = with_node_limit(search, config.limits)
        elif isinstance(search, Engine):
            search = search.with_all_moves()
        limited = search.with_options(seconds=min(search.seconds or seconds, seconds))
        report = limited.search(position, progress=lambda report: show(report_fields(report, scale)))
        return report_fields(report, scale)
    finally:
        player.close()


def _scale_of(search: Engine | Minimax | Mcts, position: Position) -> WinProbabilityScale:
    if isinstance(search, Engine):
        return ENGINE_SCALE
    if isinstance(search, Minimax):
        return scale_of(search.evaluation or default_evaluation(position.game))
    plain = search.reward in ("win", "squashed") or not search.reward
    return WinProbabilityScale() if plain else WinProbabilityScale(half_point=60.0)


@dataclass
class Reviewer:
    """Reviews one game.

    :param seconds: for each move
    """

    history: GameHistory
    seconds: float
    limits: Limits

    def __post_init__(self) -> None:
        settings = Analysis(table=min(16, self.limits.megabytes)).search_settings(self.history.game)
        self._scale: WinProbabilityScale = _scale_of(settings, self.history.position)
        self._search = settings.with_options(seconds=self.seconds)
        self._solver = Solver(moves=True, line=False, seconds=self.seconds, table=self.limits.megabytes)
        self._entries: list[ReviewedMove | None] = [None] * len(self.history)
        self._graph: list[float | None] = [None] * (len(self.history) + 1)

    def run(self, show: Callable[[ReviewView], object]) -> ReviewView:
        """Reviews the game. `show` receives intermediate results and may raise to end the review."""
        if self.history.position.is_over:
            self._graph[-1] = float(self.history.position.result or 0)
        for number in range(len(self.history) - 1, -1, -1):
            show(self.shown())
            self._entries[number] = self._entry(number, lambda _: show(self.shown()))
        return self.shown().model_copy(update={"done": True})

    def shown(self) -> ReviewView:
        """The results so far."""
        return ReviewView(
            moves=list(self._entries),
            graph=list(self._graph),
            accuracy={"first": self._accuracy("first"), "second": self._accuracy("second")},
            reviewed=sum(entry is not None for entry in self._entries),
            total=len(self.history),
        )

    def _entry(self, number: int, watch: Callable[[object], object]) -> ReviewedMove:
        position, move = self.history.positions[number], self.history.moves[number]
        report = self._report(position, watch)
        values = {entry.move: entry for entry in report.moves}
        played, best = values[move], values[report.best]
        forced = len(position.legal_moves) == 1
        top, own = (describe_value(report.value_of(entry), self._scale) for entry in (best, played))
        loss = 0.0 if forced or move == report.best else max(0.0, top.win_probability - own.win_probability)
        sign = 1 if position.to_move == Side.FIRST else -1
        self._graph[number] = round(sign * (2 * top.win_probability - 1), 4)
        if self._graph[number + 1] is None:  # the last position of an unfinished game
            self._graph[number + 1] = round(sign * (2 * own.win_probability - 1), 4)
        return ReviewedMove(
            move=position.move_name(move),
            by=name_of_side(position.to_move),
            best=position.move_name(report.best),
            loss=round(loss, 4),
            mark=next((mark for least, mark in _MARKS if loss >= least), ""),
            forced=forced,
            played_value=own,
            best_value=top,
        )

    def _report(self, position: Position, watch: Callable[[object], object]) -> SearchReport:
        solution = prove(self._solver, position, budget=self.seconds / 2, progress=watch)
        if solution is not None and solution.proven and solution.exact:
            return SearchReport.from_solution(solution)
        return self._search.search(position, progress=watch)

    def _accuracy(self, side: SideName) -> float | None:
        shares = [
            math.exp(-_SEVERITY * entry.loss)
            for entry in self._entries
            if entry is not None and entry.by == side and not entry.forced
        ]
        return round(100 * sum(shares) / len(shares), 1) if shares else None


V = TypeVar("V", AnalysisView, ReviewView)


@dataclass
class _LiveAnalysis:
    """An analysis that is turned on, and the position that it is about now."""

    settings: AnalysisSettings
    position: Position | None = None
    task: SearchTask | None = None


def preload(_: object) -> None:
    """Reads the networks and the opening book, which then stay in memory."""
    evaluation_of("patterns")
    shipped_book()


class AnalysisService:
    """The analyses and reviews of all sessions."""

    def __init__(
        self, search_queue: SearchQueue, config: ServerConfig, *, post: Callable[[Callable[[], object]], object]
    ) -> None:
        self._queue = search_queue
        self._config = config
        self._limits = config.limits
        self._post = post
        self._live: dict[str, _LiveAnalysis] = {}
        self._reviews: dict[str, tuple[SearchTask, tuple[int, ...]]] = {}

    def start(
        self,
        session: Session,
        method: str = "search",
        *,
        evaluation: str | None = None,
        seconds: float | None = None,
    ) -> None:
        """Turns the analysis of a session on, or changes how it is done."""
        session.check_alive()
        if method not in METHODS:
            parse_player(method, session.game, self._config)
        if seconds is not None and not 0 < seconds <= self._limits.seconds:
            raise OutOfRange(f"{seconds!r} seconds; an analysis takes up to {self._limits.seconds:g}")
        shown = parse_evaluation(evaluation, session.game)
        self._cancel(session)
        self._live[session.id] = _LiveAnalysis(AnalysisSettings(method, shown, seconds or DEFAULT_SECONDS))
        self.sync(session)

    def stop(self, session: Session) -> None:
        """Turns the analysis off and ends a review. A complete review stays in view."""
        if session.id in self._live:
            self._cancel(session)
            session.set_analysis(None)
        review = self._reviews.pop(session.id, None)
        if review is not None:
            review[0].cancel()
            if session.review is not None and not session.review.done:
                session.set_review(None)

    def sync(self, session: Session) -> None:
        """Restarts the analysis if the board has changed, and ends the review if the record has."""
        review = self._reviews.get(session.id)
        if review is not None and review[1] != session.moves:
            review[0].cancel()
            del self._reviews[session.id]
            session.set_review(None)
        live = self._live.get(session.id)
        if live is None or live.position == session.position:
            return
        if live.task is not None:
            live.task.cancel()
        settings, position = live.settings, session.position
        if settings.evaluation is not None and not settings.evaluation.supports(session.game):
            live.settings = settings = replace(settings, evaluation=None)
        live.position = position
        live.task = self._submit(
            session,
            lambda show: analyse(position, settings, self._config, show),
            AnalysisView(method=settings.method, position=position.board),
            session.set_analysis,
        )

    def review(self, session: Session, *, seconds: float | None = None) -> None:
        """Reviews the record of a session."""
        session.check_alive()
        if not session.moves:
            raise SessionError("there is no move to review")
        if seconds is not None and not 0 < seconds <= MOST_REVIEW_SECONDS:
            raise OutOfRange(f"{seconds!r} seconds for each move; a review takes up to {MOST_REVIEW_SECONDS:g}")
        before = self._reviews.pop(session.id, None)
        if before is not None:
            before[0].cancel()
        reviewer = Reviewer(session.history, seconds or REVIEW_SECONDS, self._limits)
        task = self._submit(session, reviewer.run, reviewer.shown(), session.set_review)
        if task is not None:
            self._reviews[session.id] = task, session.moves

    def _cancel(self, session: Session) -> None:
        live = self._live.pop(session.id, None)
        if live is not None and live.task is not None:
            live.task.cancel()

    def _submit(
        self,
        session: Session,
        work: Callable[[Callable[[V], object]], V],
        blank: V,
        publish: Callable[[V], object],
    ) -> SearchTask | None:
        """Queues a search whose intermediate results are published at most every `_INTERVAL` seconds."""
        what = "analysis" if isinstance(blank, AnalysisView) else "review"

        def search(task: SearchTask) -> V:
            shown_at = 0.0

            def show(known: V) -> None:
                nonlocal shown_at
                task.check()
                now = time.monotonic()
                if now - shown_at >= _INTERVAL:
                    shown_at = now
                    self._post(lambda: None if task.is_cancelled else publish(known))

            return work(show)

        def failed(error: Exception) -> V:
            info = error_info(error, f"the {what} failed; see the log")
            return blank.model_copy(update={"done": True, "error": info})

        def done(result: V, error: Exception | None) -> None:
            if error is not None and not isinstance(error, FlipdropError):
                _log.error("the %s of session %s failed", what, session.id, exc_info=error)
            publish(result if error is None else failed(error))

        try:
            task = self._queue.submit(f"{session.id}/{what}", search, on_done=done, low_priority=True)
        except TooBusy as error:
            publish(failed(error))
            return None
        publish(blank)
        return task

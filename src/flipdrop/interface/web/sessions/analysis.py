"""The analysis of one position: values of all moves, lines of the best, refined while the search runs.

An analysis proceeds in rounds. The first looks into the opening book, tries a proof and searches, as ``flipdrop
analyse`` does; each further round goes deeper.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.schemas import AnalysisView, MoveAnalysis, TreeNode
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.view import breakdown, describe_value
from flipdrop.interface.web.validation import make_limited_player, node_limit
from flipdrop.kernel import MctsTree, Proof, Side, tree_children
from flipdrop.players import Clock, LevelPlayer, SearchPlayer, analyse_with
from flipdrop.search import Engine, GuidedSearch, Mcts, SearchReport, Solver
from flipdrop.search.analyse import Analysis
from flipdrop.search.book import report_from_book, shipped_book
from flipdrop.search.othello_book import OthelloBook
from flipdrop.search.win_probability import WinProbabilityScale

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.schemas import Outcome
    from flipdrop.kernel import NodeView
    from flipdrop.search.values import Value

METHODS = ("search", "mcts")
DEFAULT_SECONDS = 8.0
MAX_DEPTH = 60  # plies
MAX_LINES = 5
_LONGEST_LINE = 16
_LINE_SECONDS = 5.0  # for the line of a move whose search reports none
_MAX_CHILDREN, _MAX_TREE_DEPTH, _MAX_NODES = 4, 5, 60  # of the part of a tree that is shown
_PROOFS: dict[Proof, Outcome | None] = {Proof.NONE: None, Proof.WIN: "win", Proof.DRAW: "draw", Proof.LOSS: "loss"}
_OUTCOMES = {"win": 1, "draw": 0, "loss": -1}

AnalysisFields = dict[str, Any]
"""Fields of an `AnalysisView` that a search has determined so far."""

_Show = Callable[[AnalysisFields], object]


@dataclass(frozen=True)
class AnalysisSettings:
    """How to analyse.

    :param method: ``search``, ``mcts`` or a player's spec
    :param evaluation: the evaluation whose terms are shown; searches use the strongest one
    :param seconds: of the first round
    :param depth: the most plies of the method ``search``, which then uses neither book nor proof; None for no limit
    :param lines: how many of the best moves get a line
    :param infinite: whether rounds follow each other until the values are proven
    """

    method: str = "search"
    evaluation: Evaluation | None = None
    seconds: float = DEFAULT_SECONDS
    depth: int | None = None
    threads: int = 1
    lines: int = 1
    infinite: bool = False


@dataclass
class PositionAnalysis:
    """The analysis of one position.

    Every round takes twice as long as the one before, up to the server's limit. It keeps the table of the engine or
    the Monte Carlo tree, searches positions of the opening book, and shows nothing that is less deep than before.
    """

    position: Position
    settings: AnalysisSettings
    config: ServerConfig
    rounds: int = field(default=0, init=False)
    _limit: float | None = field(default=None, init=False)
    _engine: Engine | None = field(default=None, init=False)
    _tree: MctsTree | None = field(default=None, init=False)
    _latest: AnalysisView | None = field(default=None, init=False)

    @property
    def blank(self) -> AnalysisView:
        """The view before the first result."""
        return self._latest or AnalysisView(method=self.settings.method, position=self.position.board)

    @property
    def is_complete(self) -> bool:
        """Whether another round would find nothing more."""
        return self.position.is_over or (self._latest is not None and self._latest.proven)

    @property
    def goes_on(self) -> bool:
        """Whether another round follows without being asked for: not in the book, which is deeper than a round."""
        return (
            self.settings.infinite and not self.is_complete and self._latest is not None and not self._latest.from_book
        )

    def run(self, show: Callable[[AnalysisView], object], limit: float | None = None) -> AnalysisView:
        """Runs the next round.

        :param show: receives intermediate results and may raise to end the analysis
        :param limit: seconds, while other clients wait for a search
        """
        self._limit = limit
        position, settings = self.position, self.settings
        blank = AnalysisView(method=settings.method, position=position.board)
        if position.is_over:
            return blank.model_copy(update={"bar": float(position.result or 0), "proven": True, "done": True})
        blank = blank.model_copy(update={"evaluation": breakdown(position, settings.evaluation)})
        by = {"search": self._by_search, "mcts": self._by_tree}.get(settings.method, self._by_player)

        def show_deeper(fields: AnalysisFields) -> None:
            shown = blank.model_copy(update=fields)
            show(shown if self._is_deeper(shown) else self.blank.model_copy(update={"done": False}))

        found = blank.model_copy(update=by(show_deeper))
        if self._is_deeper(found):
            self._latest = found
        self.rounds += 1
        return self.blank.model_copy(update={"done": not self.goes_on})

    def forget(self) -> None:
        """Frees the table and the tree; the next round starts without them."""
        self._engine = self._tree = None

    def _is_deeper(self, found: AnalysisView) -> bool:
        before = self._latest
        if before is None or before.from_book or found.proven or self._tree is not None:  # a tree only grows
            return True
        return found.depth >= before.depth

    @property
    def _seconds(self) -> float:
        seconds = min(self.config.limits.seconds, self.settings.seconds * 2.0**self.rounds)
        return seconds if self._limit is None else min(seconds, self._limit)

    def _by_search(self, show: _Show) -> AnalysisFields:
        position, settings = self.position, self.settings
        analysis = Analysis(seconds=self._seconds, threads=settings.threads, table=self.config.limits.megabytes)
        search = analysis.search_settings(position.game)
        scale = search.value_scale(position.game)

        def progress(report: SearchReport) -> object:
            return show(report_fields(report, scale, lines=settings.lines))

        if self._engine is None and isinstance(search, Engine):
            self._engine = search
        if settings.depth is not None and not isinstance(search, Engine):
            report = search.with_options(seconds=self._seconds, depth=settings.depth).search(
                position, progress=progress
            )
        elif self._engine is None:
            report = analysis.search(position, progress=progress)
        elif not self.rounds and settings.depth is None and (found := report_from_book(position)) is not None:
            report = found
        else:
            report = self._engine.continued(seconds=self._seconds, depth=settings.depth).search(
                position, progress=progress
            )
        report = _with_lines(report, settings.lines, self.config.limits.megabytes, progress)
        return report_fields(report, scale, lines=settings.lines)

    def _by_tree(self, show: _Show) -> AnalysisFields:
        position = self.position
        tree = self._tree = self._tree or MctsTree()
        search = Mcts(seconds=self._seconds, threads=self.settings.threads)
        search = search.with_options(nodes=node_limit(search, self.config.limits))

        def shown(report: SearchReport) -> AnalysisFields:
            proofs = {node.move: _PROOFS[node.proof] for node in tree_children(tree, position)}
            lines = {node.move: _tree_line(tree, position, node) for node in tree_children(tree, position)}
            report = replace(report, moves=tuple(replace(m, line=lines.get(m.move, ())) for m in report.moves))
            fields = report_fields(report, WinProbabilityScale(), proofs=proofs, lines=self.settings.lines)
            return fields | {"tree": _most_visited(tree, position)}

        report = search.search(position, tree=tree, progress=lambda report: show(shown(report)))
        return shown(report)

    def _by_player(self, show: _Show) -> AnalysisFields:
        position, config = self.position, self.config
        player, seconds = make_limited_player(self.settings.method, position.game, config, seed=0)
        try:
            seconds = min(seconds, self._seconds)
            asked = player.player_of(position.game) if isinstance(player, LevelPlayer) else player
            if not isinstance(asked, SearchPlayer):
                return report_fields(analyse_with(asked, position, Clock(move_limit=seconds)), WinProbabilityScale())
            search, scale = asked.search, asked.search.value_scale(position.game)
            if asked.book is not None and not self.rounds and (found := asked.book.report(position)) is not None:
                return report_fields(found, scale)
            if isinstance(search, Mcts | GuidedSearch):
                search = search.with_options(nodes=node_limit(search, config.limits))
            elif isinstance(search, Engine):
                search = search.with_all_moves()
            limited = search.with_options(seconds=min(search.seconds or seconds, seconds))
            report = limited.search(position, progress=lambda report: show(report_fields(report, scale)))
            return report_fields(report, scale)
        finally:
            player.close()


class IdleAnalyses:
    """Analyses between their rounds. Only the latest keep their tables and trees, which take megabytes each.

    :param most: how many
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._idle: OrderedDict[int, weakref.ref[PositionAnalysis]] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def running(self, analysis: PositionAnalysis) -> Iterator[None]:
        """Inside, a round of this analysis runs."""
        with self._lock:
            self._idle.pop(id(analysis), None)
        try:
            yield
        finally:
            with self._lock:
                self._idle[id(analysis)] = weakref.ref(analysis)
                while len(self._idle) > self._most:
                    oldest = self._idle.popitem(last=False)[1]()
                    if oldest is not None:
                        oldest.forget()


def report_fields(
    report: SearchReport,
    scale: WinProbabilityScale,
    *,
    proofs: dict[int, Outcome | None] | None = None,
    lines: int = 1,
) -> AnalysisFields:
    """The fields of a view that a search's report determines.

    :param proofs: proven outcomes of moves in a search tree
    :param lines: how many of the best moves get a line
    """
    position = report.position
    book = shipped_book(position.game)
    in_book = book if isinstance(book, OthelloBook) else ()

    def names(line: tuple[int, ...]) -> list[str]:
        return [position.move_name(move) for move in line[:_LONGEST_LINE]]

    moves = [
        MoveAnalysis(
            **dict(describe_value(_with_proof(report.value_of(entry), (proofs or {}).get(entry.move)), scale)),
            move=position.move_name(entry.move),
            cell=position.cell_of(entry.move),
            best=entry.move == report.best,
            visits=entry.visits,
            depth=report.depth,
            bound=not entry.exact,
            line=names(report.line if entry.move == report.best else entry.line) if rank < lines else [],
            in_book=position.play(entry.move) in in_book,
        )
        for rank, entry in enumerate(report.moves)
    ]
    value = describe_value(report.position_value, scale)
    unit = 2 * value.win_probability - 1
    return {
        "moves": moves,
        "best": position.move_name(report.best),
        "line": names(report.line),
        "bar": round(unit if position.to_move == Side.FIRST else -unit, 4),
        "value": value,
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


def _with_lines(
    report: SearchReport, count: int, megabytes: int, show: Callable[[SearchReport], object]
) -> SearchReport:
    """The report with a line for each of its best moves: where the search gives none, as far as the solver proves it.

    :param show: receives the report while the solver works, and may raise to end the analysis
    """
    position = report.position
    solver = Solver(table=min(16, megabytes), seconds=_LINE_SECONDS)
    for rank, entry in enumerate(report.moves[:count]):
        is_best = entry.move == report.best
        if (is_best and (len(report.line) > 1 or not report.proven)) or (not is_best and entry.line):
            continue
        line: tuple[int, ...] = (entry.move,)
        if report.value_of(entry).proven:
            line = _solved_line(solver, position, entry.move, partial(show, report))
        if is_best:
            report = replace(report, line=line)
        else:
            moves = (*report.moves[:rank], replace(entry, line=line), *report.moves[rank + 1 :])
            report = replace(report, moves=moves)
    return report


def _solved_line(solver: Solver, position: Position, first: int, show: Callable[[], object]) -> tuple[int, ...]:
    """A move and what follows with best play of both, as far as the solver proves it in `_LINE_SECONDS`."""
    line, end = [first], time.monotonic() + _LINE_SECONDS
    position = position.play(first)
    while not position.is_over and len(line) < _LONGEST_LINE:
        solution = solver.solve(position, progress=lambda _: show())
        if not solution.proven or not solution.line:
            break
        for move in solution.line:  # the book's has one move
            line.append(move)
            position = position.play(move)
        if time.monotonic() > end:
            break
    return tuple(line)


def _tree_line(tree: MctsTree, position: Position, first: NodeView) -> tuple[int, ...]:
    """The most visited moves from a child of the root on."""
    line, node = [first.move], first
    while len(line) < _LONGEST_LINE:
        children = tree_children(tree, position, node.index)
        if not children:
            break
        node = max(children, key=lambda child: child.visits)
        if not node.visits:
            break
        line.append(node.move)
    return tuple(line)


def _most_visited(tree: MctsTree, position: Position) -> list[TreeNode]:
    """The most visited nodes of a tree, at most `_MAX_NODES`."""
    root: list[TreeNode] = []
    # Nodes whose children may be shown, and the lists for them; the most visited one is next.
    edge: list[tuple[int, int, int, list[TreeNode], Position]] = [(0, 0, 0, root, position)]
    left = _MAX_NODES
    while edge and left > 0:
        edge.sort(key=lambda entry: entry[0])
        _, depth, index, children, at = edge.pop()
        found = tree_children(tree, position, index) if depth else tree_children(tree, position)
        for node in sorted(found, key=lambda node: -node.visits)[:_MAX_CHILDREN]:
            if node.visits == 0 or left == 0:
                break
            left -= 1
            shown = _node(node, at)
            children.append(shown)
            if depth + 1 < _MAX_TREE_DEPTH:
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

"""`SearchPlayer`: plays the best move of a search."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError
from flipdrop.games import OthelloGame
from flipdrop.kernel import MctsTree, tree_below
from flipdrop.options import option
from flipdrop.players.clock import time_for_move
from flipdrop.players.player import AnalysingPlayer, forced_move
from flipdrop.search import Engine, GuidedSearch, Mcts, Minimax, SearchReport, Solver
from flipdrop.search.analyse import prove_or_search
from flipdrop.search.othello_book import OthelloBook  # noqa: TC001 - the types of options are read at run time
from flipdrop.search.report import FROM_BOOK
from flipdrop.search.search import NO_TIME

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock

_PROOF_SHARE = 0.4  # of the time for a move, at most, for a proof


@dataclass
class _KeptTree:
    """The search tree of the last move, the position at its root, and the moves since, including the player's own."""

    tree: MctsTree
    root: Position
    moves: list[int]
    now: Position

    def follow(self, position: Position) -> bool:
        """Advances to `position` if one reply leads there; whether it did."""
        for reply in self.now.legal_moves:
            if self.now.play(reply) == position:
                self.play(reply)
                return True
        return False

    def play(self, move: int) -> None:
        self.moves.append(move)
        self.now = self.now.play(move)


@dataclass(repr=False, eq=False)
class SearchPlayer(AnalysingPlayer):
    """Plays by a search.

    With a clock, a move takes the smaller of the search's own time and `time_for_move`; a search without limits takes
    all of `time_for_move`. A search that only time limits solves the rest of the game as soon as the proof is expected
    to fit into its time, unless `endgame` is off. With `reuse` a tree search keeps its tree from move to move; its
    moves then depend on the game so far as well as on the seed.

    With a `book` it plays one of the book's best moves where the best one leads to another position of the book: the
    seed and the position choose among those that are at most `variety` discs worse than the best.
    """

    search: Engine | Minimax | Mcts | GuidedSearch
    reuse: bool = option(False, "keep the tree from move to move")
    endgame: bool = option(True, "solve the rest of the game when time suffices, if only time limits the search")
    book: OthelloBook | None = option(None, "opening book: yes, no, or a file my.book")
    variety: int = option(0, "with a book: discs that a move may be worse than the best", minimum=0, maximum=64)
    seed: int = option(0, "with a book: of the choice among good moves", minimum=0, maximum=2**64 - 1)
    _kept_tree: _KeptTree | None = field(default=None, init=False)
    _solver: Solver | None = field(default=None, init=False)  # keeps its table from move to move

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.book is None:
            self.seed = self.variety = 0  # unused, so that equal players have equal specs
        if not self.reuse:
            return
        if not isinstance(self.search, Mcts):
            raise PlayerError(f"reuse keeps the tree of a tree search; {self.kind} has none")
        if self.search.decisive == "root":
            # A root has no nodes for moves that lose at once; inner nodes have one for every move.
            raise PlayerError(
                "reuse does not work with decisive=root, whose roots differ from inner nodes; use decisive=tree"
            )

    @property
    def kind(self) -> str:
        match self.search:
            case Minimax(algorithm=algorithm):
                return algorithm
            case Engine():
                return "engine"
            case GuidedSearch():
                return "puct"
        return "mcts"

    @property
    def _option_holders(self) -> tuple[Any, ...]:
        return self.search, self

    def _spec(self, *leave_out: str) -> str:
        return super()._spec("algorithm", *leave_out)

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        forced = forced_move(position)
        if forced is not None and self._kept_tree is not None:
            if self._kept_tree.follow(position):
                self._kept_tree.play(forced)
            else:
                self._kept_tree = None
        return super().choose(position, clock)

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        limit = time_for_move(position, clock, self.search.seconds)

        def search(seconds: float) -> SearchReport:
            limited = self.search
            if not math.isinf(seconds):
                limited = limited.continued(seconds=max(seconds, NO_TIME))
            if not isinstance(limited, Mcts) or not self.reuse:
                return limited.search(position)
            tree = self._tree(position)
            report = limited.search(position, tree=tree)
            self._kept_tree = _KeptTree(tree, position, [report.best], position.play(report.best))
            return report

        if not (self.endgame and self.search.is_timed) or math.isinf(limit) or isinstance(self.search, Engine):
            # The engine solves endgames itself.
            report = prove_or_search(None, position, search, seconds=limit, book=self.book)
            # The engine has a book of exact scores of its own; only among moves of this one the seed chooses.
            return self._varied(report) if self.book is not None and report.note == FROM_BOOK else report
        self._solver = self._solver or Solver(threads=self.search.threads)
        report = prove_or_search(
            self._solver,
            position,
            search,
            seconds=limit,
            share=_PROOF_SHARE,
            budget=_PROOF_SHARE * limit * self.search.threads,
            use_book=False,
            draw=self._draw,
        )
        if report.solved:
            self._kept_tree = None
        return report

    def _varied(self, report: SearchReport) -> SearchReport:
        """The report of the book with a good move that the seed chooses."""
        assert self.book is not None
        position = report.position
        move = Random(f"{self.seed}/{position.board}").choice(self.book.good_moves(position, margin=self.variety))
        if move == report.best:
            return report
        value = next(entry.value for entry in report.moves if entry.move == move)
        return replace(report, best=move, value=value, line=(move,))

    def check_supported(self, game: Game) -> None:
        self.search.check_supported(game)
        if self.book is not None and game != OthelloGame():
            raise PlayerError(f"the opening book is for Othello 8x8, not {game.title}")

    @property
    def _draw(self) -> float | None:
        """The value of a draw to a search whose values are expected results; None for other searches."""
        match self.search:
            case Mcts(draw=draw):
                return draw
            case GuidedSearch():
                return 0.0
        return None

    def _tree(self, position: Position) -> MctsTree:
        """The kept tree below a position that follows from the last one, else an empty tree."""
        kept = self._kept_tree
        if kept is None or not kept.follow(position):
            return MctsTree()
        return tree_below(kept.tree, kept.root, kept.moves)

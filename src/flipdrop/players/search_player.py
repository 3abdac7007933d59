"""`SearchPlayer`: plays the best move of a search."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.errors import PlayerError
from flipdrop.kernel import MctsTree, tree_below
from flipdrop.options import option
from flipdrop.players.clock import time_for_move
from flipdrop.players.player import AnalysingPlayer, forced_move
from flipdrop.search import Engine, Mcts, Minimax, SearchReport, Solver
from flipdrop.search.analyse import prove_or_search
from flipdrop.search.search import NO_TIME

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock

_PROOF_SHARE = 0.4  # of the time for a move, at most, for a proof


@dataclass
class _Kept:
    """A kept search tree, the position at its root, and the moves since, including the player's own."""

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
    """

    search: Engine | Minimax | Mcts
    reuse: bool = option(False, "keep the tree from move to move")
    endgame: bool = option(True, "solve the rest of the game when time suffices, if only time limits the search")
    _kept: _Kept | None = field(default=None, init=False)
    _solver: Solver | None = field(default=None, init=False)  # keeps its table from move to move

    def __post_init__(self) -> None:
        super().__post_init__()
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
        return "mcts"

    @property
    def _option_holders(self) -> tuple[Any, ...]:
        return self.search, self

    def _spec(self, *leave_out: str) -> str:
        return super()._spec("algorithm", *leave_out)

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        forced = forced_move(position)
        if forced is not None and self._kept is not None:
            if self._kept.follow(position):
                self._kept.play(forced)
            else:
                self._kept = None
        return super().choose(position, clock)

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        limit = time_for_move(position, clock, self.search.seconds)

        def search(seconds: float) -> SearchReport:
            limited = self.search if math.isinf(seconds) else self.search.with_options(seconds=max(seconds, NO_TIME))
            if not isinstance(limited, Mcts) or not self.reuse:
                return limited.search(position)
            tree = self._tree(position)
            report = limited.search(position, tree=tree)
            self._kept = _Kept(tree, position, [report.best], position.play(report.best))
            return report

        if not (self.endgame and self.is_timed) or math.isinf(limit) or isinstance(self.search, Engine):
            return search(limit)  # the engine solves endgames itself
        self._solver = self._solver or Solver(threads=self.search.threads)
        report = prove_or_search(
            self._solver,
            position,
            search,
            seconds=limit,
            share=_PROOF_SHARE,
            budget=_PROOF_SHARE * limit * self.search.threads,
            use_book=False,
            draw=self.search.draw if isinstance(self.search, Mcts) else None,
        )
        if report.solved:
            self._kept = None
        return report

    def check_supported(self, game: Game) -> None:
        self.search.check_supported(game)

    @property
    def is_timed(self) -> bool:
        """Whether only time limits the search."""
        if isinstance(self.search, Mcts):
            return not (self.search.iterations or self.search.schedule)
        return self.search.depth is None and self.search.nodes is None

    def _tree(self, position: Position) -> MctsTree:
        """The kept tree below a position that follows from the last one, else an empty tree."""
        kept = self._kept
        if kept is None or not kept.follow(position):
            return MctsTree()
        return tree_below(kept.tree, kept.root, kept.moves)

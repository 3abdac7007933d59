"""The review of a game: the value of every position along it, and what each move cost."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.errors import RecordError, counted, one_line
from flipdrop.games import GameHistory
from flipdrop.games import game as game_of
from flipdrop.kernel import Side
from flipdrop.notebook import html_table, line_chart
from flipdrop.search.analyse import Analysis, prove_or_search
from flipdrop.search.book import shipped_book
from flipdrop.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.games import Game, Position
    from flipdrop.games.records import GameRecord
    from flipdrop.search.report import SearchReport
    from flipdrop.search.values import Value

REVIEW_SECONDS = 0.25
"""Time for each move."""
_SEARCH_TABLE = 16  # MB
_PROOF_SHARE = 0.5  # of the time for a move, at most, for a proof
_MAX_MISTAKES = 5  # that a review lists
MARK_LIMITS = (("??", 0.25, 16), ("?", 0.12, 8), ("?!", 0.06, 4))
"""Marks of moves, and the lost win probability or lost discs from which a move gets them."""
_SEVERITY = 5.0  # a move that loses a fifth of the win probability has an accuracy of 100 exp(-1) = 37%


def mark_of(loss: float, lost_discs: float | None) -> str:
    """The mark of a move: empty, ``?!`` (inaccuracy), ``?`` (mistake) or ``??`` (blunder)."""
    return next((mark for mark, least, discs in MARK_LIMITS if loss >= least or (lost_discs or 0) >= discs), "")


@dataclass(frozen=True)
class ReviewedMove:
    """A move of the game against the best one.

    :param ply: from 1
    :param loss: lost win probability, 0 to 1
    :param lost_discs: in Othello, where the search counts discs
    :param mark: empty, ``?!``, ``?`` or ``??``
    :param forced: whether it was the only legal move
    :param losses: lost win probability of every legal move
    :param disc_losses: the same in discs
    """

    ply: int
    move: str
    side: str
    best: str
    loss: float
    lost_discs: float | None
    mark: str
    forced: bool
    value: Value
    best_value: Value
    losses: dict[str, float]
    disc_losses: dict[str, float]

    @property
    def cost(self) -> float:
        """Lost discs where the search counts them, else lost win probability."""
        return self.loss if self.lost_discs is None else self.lost_discs

    def to_json(self) -> dict[str, Any]:
        return {
            "ply": self.ply,
            "move": self.move,
            "side": self.side,
            "best": self.best,
            "loss": self.loss,
            "lost_discs": self.lost_discs,
            "mark": self.mark,
            "forced": self.forced,
            "value": self.value.to_json(),
            "best_value": self.best_value.to_json(),
        }


@dataclass(frozen=True)
class SideSummary:
    """How a side played.

    :param accuracy: 0 to 100, the mean over its moves with a choice; None without any
    :param lost_discs: of all its moves together, in Othello; None if the search does not count discs
    """

    accuracy: float | None
    inaccuracies: int
    mistakes: int
    blunders: int
    lost_discs: float | None

    @classmethod
    def of(cls, moves: Iterable[ReviewedMove]) -> SideSummary:
        """The summary of the moves of one side."""
        own = list(moves)
        marks = Counter(one.mark for one in own)
        shares = [math.exp(-_SEVERITY * one.loss) for one in own if not one.forced]
        lost = [one.lost_discs for one in own if one.lost_discs is not None]
        return cls(
            accuracy=round(100 * sum(shares) / len(shares), 1) if shares else None,
            inaccuracies=marks["?!"],
            mistakes=marks["?"],
            blunders=marks["??"],
            lost_discs=round(sum(lost), 1) if lost and len(lost) == len(own) else None,
        )


class ReviewSearch:
    """Values the positions of a game: by the opening book, by a proof where it fits into the time, else by a search.

    :param seconds: for each position
    :param table: megabytes
    """

    def __init__(self, game: Game, seconds: float = REVIEW_SECONDS, *, table: int = 64, threads: int = 1) -> None:
        self.seconds = seconds
        settings = Analysis(table=min(_SEARCH_TABLE, table), threads=threads).search_settings(game)
        self.scale = settings.value_scale(game)
        self._search = settings.with_options(seconds=seconds)
        self._solver = Solver(moves=True, line=False, seconds=seconds, table=table, threads=threads)
        self._book = shipped_book(game)

    def report(self, position: Position, *, progress: Callable[[object], object] | None = None) -> SearchReport:
        """The report on a position that is not over.

        :param progress: called while it searches; an exception that it raises ends the search
        """

        def search(seconds: float) -> SearchReport:
            # The same object, which keeps its table, unless a proof has used some of the time.
            same = seconds == self.seconds
            return (self._search if same else self._search.with_options(seconds=seconds)).search(
                position, progress=progress
            )

        return prove_or_search(
            self._solver,
            position,
            search,
            seconds=self.seconds,
            share=_PROOF_SHARE,
            budget=_PROOF_SHARE * self.seconds,
            book=self._book,
            all_moves=True,
            progress=progress,
        )

    def review_move(
        self, history: GameHistory, number: int, *, progress: Callable[[object], object] | None = None
    ) -> ReviewedMove:
        """Reviews one move of a game.

        :param number: from 0
        :param progress: called while it searches; an exception that it raises ends the search
        """
        position, move = history.positions[number], history.moves[number]
        report = self.report(position, progress=progress)
        values = {entry.move: report.value_of(entry) for entry in report.moves}
        best = report.best
        chances = {other: self.scale.win_probability(value) for other, value in values.items()}
        discs = {other: self.scale.expected_discs(value) for other, value in values.items()}
        losses, disc_losses = {}, {}
        for other in values:
            # Of moves with equal values the search names one as best; no other may seem to gain.
            losses[other] = 0.0 if other == best else round(max(0.0, chances[best] - chances[other]), 4)
            top, own = discs[best], discs[other]
            if top is not None and own is not None:
                disc_losses[other] = 0.0 if other == best else max(0.0, top - own)
        forced = len(position.legal_moves) == 1
        return ReviewedMove(
            ply=number + 1,
            move=position.move_name(move),
            side=history.game.sides[position.to_move],
            best=position.move_name(best),
            loss=losses[move],
            lost_discs=disc_losses.get(move),
            mark="" if forced else mark_of(losses[move], disc_losses.get(move)),
            forced=forced,
            value=values[move],
            best_value=values[best],
            losses={position.move_name(other): loss for other, loss in losses.items()},
            disc_losses={position.move_name(other): loss for other, loss in disc_losses.items()},
        )


@dataclass(frozen=True, repr=False)
class GameReview:
    """The values of a game's positions, which draw themselves as a graph in a notebook.

    >>> found = review("4444442", game="connect4", seconds=0.02)
    >>> found.moves[0].side, found.graph()[:4]
    ('red', '<svg')

    :param values: for the first side, of the position before each move and of the last one: discs in Othello, else
        from -1 (lost) to 1 (won)
    """

    history: GameHistory
    values: tuple[float, ...]
    moves: tuple[ReviewedMove, ...]

    @property
    def unit(self) -> str:
        return "discs" if self.history.game.score_unit == "discs" else "expected score"

    @property
    def summary(self) -> dict[str, SideSummary]:
        """How each side played, by its name."""
        return {side: SideSummary.of(one for one in self.moves if one.side == side) for side in self.history.game.sides}

    def mistakes(self, count: int = _MAX_MISTAKES) -> list[ReviewedMove]:
        """The moves with a mark that cost most, the worst first."""
        return sorted((one for one in self.moves if one.mark), key=lambda one: -one.cost)[:count]

    def graph(self) -> str:
        """The values as an SVG drawing, with a mark at each of the worst moves."""
        limit = 64.0 if self.unit == "discs" else 1.0
        if self.unit == "discs":
            limit = min(limit, max([8.0, *map(abs, self.values)]))
        points = list(enumerate(self.values))
        marks = [(one.ply, self.values[one.ply], self._text(one)) for one in self.mistakes()]
        first = self.history.game.sides[0]
        title = f"{self.unit} for {first}"
        lines = [(title, [(float(ply), value) for ply, value in points])]
        return line_chart(
            lines, title=title, across=f"move ({self.unit}, up: {first})", limits=(-limit, limit), marks=marks
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "game": str(self.history.game),
            "transcript": self.history.transcript,
            "unit": self.unit,
            "values": list(self.values),
            "moves": [one.to_json() for one in self.moves],
            "summary": {side: dataclasses.asdict(summary) for side, summary in self.summary.items()},
        }

    @staticmethod
    def loss_text(one: ReviewedMove) -> str:
        """What a move cost: ``4 discs``, or ``30%`` of win probability."""
        if one.lost_discs is None:
            return f"{100 * one.loss:.0f}%"
        return counted(round(one.lost_discs), "disc")

    def _text(self, one: ReviewedMove) -> str:
        return f"{one.ply}. {one.move} by {one.side} lost {self.loss_text(one)}; best was {one.best}"

    def __repr__(self) -> str:
        return f"<GameReview of {self.history.transcript}>"

    def __str__(self) -> str:
        return "\n".join([self.history.transcript, *map(self._text, self.mistakes())])

    def _repr_html_(self) -> str:
        rows = [(one.move + one.mark, one.ply, one.side, one.best, self.loss_text(one)) for one in self.mistakes()]
        heads = ("move", "ply", "side", "best", "loss")
        return f"<div>{self.graph()}</div>" + (html_table(heads, rows) if rows else "<div>No mistakes found.</div>")


def review(
    played: GameRecord | GameHistory | str,
    *,
    game: Game | str = "othello",
    seconds: float = REVIEW_SECONDS,
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> GameReview:
    """Reviews a game: the value of every position along it, and what each move cost.

    >>> found = review("4444443", game="connect4", seconds=0.02)
    >>> len(found.values), found.moves[0].move
    (8, '4')

    :param played: a record, a history, or a transcript
    :param game: of a transcript
    :param seconds: for each move
    :param progress: called with the number of reviewed and of all moves
    """
    history = _history(played, game)
    searches = ReviewSearch(history.game, seconds, threads=threads)
    moves: list[ReviewedMove] = []
    for number in range(len(history)):
        moves.append(searches.review_move(history, number))
        if progress is not None:
            progress(number + 1, len(history))

    def for_first_side(value: Value) -> float:
        sign = 1 if value.position.to_move == Side.FIRST else -1
        if history.game.score_unit == "discs":
            return sign * float(value.shown)
        return sign * (searches.scale.to_unit(value) if value.outcome is None else float(value.outcome))

    values = [for_first_side(one.best_value) for one in moves]
    last = history.position
    if last.is_over:
        values.append(float((last.result or 0) if last.margin is None else last.margin))
    elif moves:
        values.append(for_first_side(moves[-1].value))
    return GameReview(history, tuple(values), tuple(moves))


def _history(played: GameRecord | GameHistory | str, game: Game | str) -> GameHistory:
    if isinstance(played, GameHistory):
        return played
    if isinstance(played, str):
        return GameHistory.from_transcript(game_of(game).start(), played)
    if not hasattr(played, "moves"):
        shown = one_line(repr(played), 60)
        raise RecordError(f"{shown} is no game; give a transcript such as 'f5d6c3', a GameHistory or a GameRecord")
    return GameHistory.of(played.start, played.moves)

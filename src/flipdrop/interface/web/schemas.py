"""Views: what the pages show and the JSON API returns, typed once for both.

Cells are numbered from the top row, left to right. The sides are ``first`` and ``second``.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field

from flipdrop.search.report import FROM_BOOK

SideName = Literal["first", "second"]
SIDE_NAMES: tuple[SideName, SideName] = ("first", "second")
CellState = Literal["", "first", "second", "forbidden"]
Outcome = Literal["win", "draw", "loss"]
JobKind = Literal["match", "tournament", "ladder", "evolve", "learn", "train", "class"]
JobState = Literal["running", "ended", "stopped", "failed", "lost"]
"""Lost: the process ended without writing its exit status."""


class View(BaseModel):
    """An immutable view; `model_validate` reads the attributes of other objects, too."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class RequestModel(BaseModel):
    """The body of a request: no unknown fields, no infinite numbers."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ErrorInfo(View):
    """Why a computer, an analysis or a review failed; the pages translate `kind`, the name of the error's class."""

    kind: str
    message: str


class LegalMove(View):
    """A legal move, and the cell where its disc lands."""

    move: str
    cell: int | None


class RecordedMove(View):
    """A move of the record; a pass has no cell."""

    move: str
    by: SideName
    cell: int | None


class VariationView(View):
    """A variation of the record.

    :ivar after: the number of moves before its first, which replaces another move there
    :ivar variations: its own variations
    """

    after: int
    moves: list[RecordedMove]
    variations: list[VariationView]


class LastMove(RecordedMove):
    """The last move on the board, and the cells that it flipped."""

    flipped: list[int]
    passed: bool


class GameResult(View):
    """How a game ended.

    :ivar margin: discs by which the first side leads; null in Connect Four and if the board did not decide
    """

    winner: Literal["first", "second", "draw"]
    reason: Literal["board", "resign", "time"]
    margin: int | None = None


class PlayerView(View):
    """The player of a side; a person has no spec."""

    spec: str | None = None
    name: str = ""


PERSON = PlayerView()


class ClockView(View):
    """The clock.

    :ivar remaining: seconds of each side, for the game or for this move
    :ivar running: the side whose time runs
    :ivar increment: seconds that each move adds
    :ivar control: the time control, such as ``300+2`` or ``60/move``
    """

    remaining: dict[SideName, float]
    running: SideName | None
    increment: float
    control: str


class ValueView(View):
    """A value for the side to move.

    :ivar value: the search's own number
    :ivar win_probability: 0 to 1; a draw counts half; 0.01 to 0.99 unless proven
    :ivar discs: disc difference at the end, expected or proven, in Othello; null if the search does not count discs
    :ivar proven: whether the outcome is certain; `outcome` is set then
    :ivar margin: proven margin in discs, in Othello
    :ivar moves: moves of the winner until it wins, in Connect Four
    :ivar text: short and without words: ``+4`` discs or ``58%``; proven ``+12``, ``#4`` (wins with its fourth move),
        ``-#4``, ``=``
    :ivar percent: the win probability as text, ``58%``; 0% and 100% only if proven
    """

    value: float
    win_probability: float
    discs: float | None = None
    proven: bool
    outcome: Outcome | None = None
    margin: int | None = None
    moves: int | None = None
    text: str
    percent: str = ""


class MoveAnalysis(ValueView):
    """A legal move and its value.

    :ivar bound: whether the value is an upper bound only
    :ivar line: the principal variation that begins with it; empty if it is not among the lines asked for
    :ivar in_book: whether it leads to a position of Othello's opening book
    """

    move: str
    cell: int | None
    best: bool
    visits: int
    depth: int
    bound: bool
    line: list[str] = []
    in_book: bool = False


class TermView(View):
    """A term of an evaluation: feature times weight."""

    name: str
    feature: float
    weight: float
    contribution: float


class ScoreView(View):
    """The score of an evaluation for the side to move, term by term."""

    score: float
    terms: list[TermView]


class EvaluationView(ScoreView):
    """An evaluation of a position, and of the positions after each move (for the side that plays it).

    :ivar meanings: descriptions of the terms
    """

    name: str
    meanings: dict[str, str]
    moves: dict[str, ScoreView]


class TreeNode(View):
    """A node of a Monte Carlo search tree."""

    move: str
    by: SideName
    visits: int
    value: float
    proof: Outcome | None
    children: list[TreeNode]


class AnalysisView(View):
    """The analysis of a position; incomplete until `done`.

    :ivar method: ``search``, ``mcts`` or a player's spec
    :ivar position: the board string of the position
    :ivar moves: best first
    :ivar line: the principal variation
    :ivar bar: -1 .. 1 for the first side
    :ivar value: of the position, for the side to move
    :ivar selectivity: percent of ProbCut's cuts that are right, of a search that uses it
    :ivar note: the source of the values if not a search: ``solved``, ``from the opening book``, ``learned``
    :ivar tree: the most visited nodes of a Monte Carlo search
    """

    method: str
    position: str
    evaluation: EvaluationView | None = None
    moves: list[MoveAnalysis] = []
    best: str | None = None
    line: list[str] = []
    bar: float = 0.0
    value: ValueView | None = None
    depth: int = 0
    selectivity: int | None = None
    nodes: int = 0
    seconds: float = 0.0
    proven: bool = False
    note: str = ""
    tree: list[TreeNode] | None = None
    done: bool = False
    error: ErrorInfo | None = None

    @property
    def from_book(self) -> bool:
        return self.note == FROM_BOOK


class ReviewedMove(View):
    """A move of the record against the best one.

    :ivar loss: lost win probability, 0 to 1
    :ivar lost_discs: lost discs, in Othello; null if the search does not count discs
    :ivar mark: ``""``, ``?!``, ``?`` or ``??``
    :ivar forced: whether it was the only legal move
    :ivar losses: lost win probability of every legal move
    :ivar disc_losses: the same in discs, in Othello
    """

    move: str
    by: SideName
    best: str
    loss: float
    lost_discs: float | None = None
    mark: str
    forced: bool
    played_value: ValueView
    best_value: ValueView
    losses: dict[str, float] = {}
    disc_losses: dict[str, float] = {}


class ReviewSummary(View):
    """The marked moves of a side, by mark.

    :ivar lost_discs: of all its moves together, in Othello; null if the search does not count discs
    """

    doubtful: int
    mistakes: int
    blunders: int
    lost_discs: float | None


class ReviewView(View):
    """The review of a game; incomplete until `done`.

    :ivar moves: one for each move of the record, null if not reviewed yet
    :ivar graph: one for each position of the record, -1 .. 1 for the first side
    :ivar discs: the same in discs, in Othello
    :ivar accuracy: in percent; null for a side without a choice
    """

    moves: list[ReviewedMove | None]
    graph: list[float | None]
    discs: list[float | None] = []
    accuracy: dict[SideName, float | None]
    summary: dict[SideName, ReviewSummary]
    reviewed: int
    total: int
    done: bool = False
    error: ErrorInfo | None = None


class BoardView(View):
    """A position without a session.

    :ivar kind: ``othello`` or ``connect4``
    :ivar sides: the names of both sides, such as black and white
    :ivar legal: empty if the side to move must pass
    :ivar must_pass: whether ``pass`` is the only legal move
    :ivar counts: discs of each side
    :ivar board: the board string
    :ivar winning_line: the cells of the four, in Connect Four
    """

    game: str
    kind: Literal["othello", "connect4"]
    title: str
    sides: list[str]
    columns: int
    rows: int
    cells: list[CellState]
    legal: list[LegalMove]
    must_pass: bool
    counts: dict[SideName, int]
    board: str
    winning_line: list[int]


class DisplayedBoard(BoardView):
    """A position with the fields that drawing a board needs.

    :ivar turn: the side to move, null if the game is over
    """

    id: str = "new"
    version: int = 0
    turn: SideName | None = "first"
    over: bool = False
    last: LastMove | None = None
    analysis: AnalysisView | None = None


class SessionView(DisplayedBoard):
    """A session.

    :ivar version: grows with every change, across restarts of the server too
    :ivar over: whether no move can be played on this board
    :ivar result: how the game ended if the end of the record is on the board
    :ivar ending: how the game of the record ended
    :ivar human_to_move: whether a person may play on this board now
    :ivar moves: the whole record, with variations the line through the board; `cursor` of them are on the board
    :ivar game_moves: the moves of the game, without variations
    :ivar variations: of the game, in an analysis
    :ivar branch: the number of moves that the variation on the board shares with the game; null for the game itself
    :ivar thinking: the side whose computer searches, or waits for a search if `waiting`
    :ivar error: why a computer does not move
    :ivar pace: the least seconds between two moves of computers
    :ivar transcript: the moves on the board
    :ivar opening: the name of the opening that the moves on the board begin with, in Othello 8x8
    :ivar start: the board string before the first move, null for the game's own start
    """

    result: GameResult | None
    ending: GameResult | None
    human_to_move: bool
    moves: list[RecordedMove]
    game_moves: list[RecordedMove]
    variations: list[VariationView]
    branch: int | None
    cursor: int
    can_undo: bool
    can_redo: bool
    players: dict[SideName, PlayerView]
    clock: ClockView | None
    thinking: SideName | None
    waiting: bool
    error: ErrorInfo | None
    paused: bool
    pace: float
    transcript: str
    opening: str | None = None
    start: str | None
    review: ReviewView | None

    @property
    def game_cursor(self) -> int:
        """The number of moves of the game that are on the board, before a variation branches off."""
        return self.cursor if self.branch is None else self.branch


class SessionSummary(View):
    """A session in a list; `moves` is the length of its record."""

    id: str
    game: str
    moves: int
    players: dict[SideName, PlayerView]
    changed: float


class PositionView(BoardView):
    """A position that was read, the moves that led to it, and the terms of an evaluation."""

    start: str
    moves: list[str]
    evaluation: EvaluationView | None


class GameView(View):
    """A game, and the names of its sides."""

    name: str
    title: str
    sides: tuple[str, str]


class LevelView(View):
    """A level of strength."""

    spec: str
    description: str


class OptionView(View):
    """An option of a player; `expected` describes its values."""

    name: str
    expected: str
    description: str


class PlayerTypeView(View):
    """A type of players and its options, from which specs are made."""

    name: str
    description: str
    options: list[OptionView]


class PlayerCatalogue(View):
    """The players that a client can name."""

    levels: list[LevelView]
    types: list[PlayerTypeView]


class EvaluationType(View):
    """An evaluation function; `game` is the family of games that it evaluates."""

    name: str
    game: str
    description: str


class WeightSet(View):
    """A named set of weights of an evaluation."""

    name: str
    evaluation: str


class EvaluationCatalogue(View):
    """The evaluations that a client can name."""

    evaluations: list[EvaluationType]
    presets: list[WeightSet]


class JobView(View):
    """A match, tournament, ladder placement or learner in a process of its own.

    :ivar settings: of the competition or of the learner, with its game and seed
    :ivar started: when it was first started
    :ivar ended: null while it runs, and if its end was not recorded
    :ivar error: the last line that a failed job wrote
    :ivar command: the command line that does the same in a terminal
    :ivar player: the player that a learner has made, ``learned:ID``; null before its model is written
    """

    id: str
    kind: JobKind
    settings: dict[str, Any]
    state: JobState
    started: datetime
    ended: datetime | None
    error: str
    can_resume: bool
    command: str
    player: str | None

    @property
    def is_running(self) -> bool:
        return self.state == "running"

    @computed_field  # type: ignore[prop-decorator]
    @property
    def seconds(self) -> float:
        """From its first start to its end, or until now."""
        return ((self.ended or datetime.now(UTC)) - self.started).total_seconds()


class ResultView(View):
    """An event or a run of a learner.

    :ivar key: names it in URLs: the id of its job; for others, its id in the store
    :ivar started: ISO 8601
    :ivar state: of its job; ``elsewhere`` if it is incomplete, and the command line may be running it
    :ivar job: null if it was started on the command line
    """

    key: str
    game: str
    seed: int
    started: str
    state: JobState | Literal["elsewhere"]
    job: JobView | None

    @property
    def is_running(self) -> bool:
        return self.state == "running"


class EventGames(View):
    """An event in the store, and the number of its games."""

    id: int
    games: int


class EventView(ResultView):
    """A match, tournament or ladder placement.

    :ivar planned: the maximum number of games
    :ivar parts: its events in the store: several for a ladder, none before the first game has ended
    """

    kind: str
    players: tuple[str, ...]
    openings: str
    clock: str
    planned: int
    parts: tuple[EventGames, ...]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(part.games for part in self.parts)

    @property
    def share(self) -> float:
        """The share of planned games that were played, 0 to 1."""
        return min(1.0, self.games / max(self.planned, 1))


class RunView(ResultView):
    """A run of a learner.

    :ivar settings: all of them, with defaults
    :ivar file: of the model
    :ivar ended: when the model was written
    :ivar ids: of its parts in the store: one for each time that it was resumed
    """

    learner: str
    settings: dict[str, Any]
    file: str = Field(exclude=True)
    ended: str | None
    ids: tuple[int, ...]

    @property
    def time_limit(self) -> float | None:
        """The seconds that its job may take."""
        return self.job.settings["seconds"] if self.job else None

    @property
    def share(self) -> float | None:
        """The share of a running job's time limit that has passed, 0 to 1."""
        if self.job is None or not self.is_running or not self.time_limit:
            return None
        return min(1.0, self.job.seconds / self.time_limit)

"""Monte Carlo tree search: UCT with RAVE, progressive bias, decisive moves, proof backup and depth-limited playouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from flipdrop.errors import SearchError, quoted
from flipdrop.evaluation import TABLES, default_evaluation
from flipdrop.kernel import Corners, Decisive, FinalMove, MctsSettings, MctsTree, Playout, Reward, mcts_search
from flipdrop.options import LARGEST, option
from flipdrop.search.minimax import PERSPECTIVES, Minimax, check_perspective
from flipdrop.search.report import MoveReport, SearchReport
from flipdrop.search.search import EvaluationField, Search
from flipdrop.search.win_probability import DEFAULT_HALF_POINT, WinProbabilityScale

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.search.report import Progress

PLAYOUTS = {"end": Playout.END, "depth": Playout.DEPTH}
REWARDS = {"win": Reward.WIN, "margin": Reward.MARGIN, "evaluation": Reward.EVALUATION, "squashed": Reward.SQUASHED}
CORNERS = {"leaf": Corners.LEAF, "end": Corners.END}
DECISIVE = {"no": Decisive.NOWHERE, "root": Decisive.ROOT, "tree": Decisive.TREE}
FINAL = {"mean": FinalMove.MEAN, "visits": FinalMove.VISITS, "ucb": FinalMove.UCB}
DEFAULT_ITERATIONS = 1000
MAX_PLAYOUT = 200  # plies; more than any game has
DEFAULT_BATCH = 16  # simulations, for several threads


@dataclass(frozen=True)
class Stage:
    """The iterations and playout depth from `ply` on."""

    ply: int
    iterations: int
    depth: int


def parse_schedule(text: str) -> tuple[Stage, ...]:
    """Stages such as ``0:300/10;20:150/15;44:300/25``: ply, iterations, and optionally the playout depth."""
    stages = []
    for part in filter(None, text.split(";")):
        ply, colon, rest = part.partition(":")
        iterations, _, depth = rest.partition("/")
        try:
            stage = Stage(int(ply), int(iterations), int(depth or 0))
        except ValueError:
            stage = Stage(-1, 0, 0)
        in_range = stage.ply >= 0 and 1 <= stage.iterations <= LARGEST and 0 <= stage.depth <= MAX_PLAYOUT
        if not colon or not in_range:
            raise SearchError(f"schedule {quoted(text)}: {quoted(part)}; write PLY:ITERATIONS or PLY:ITERATIONS/DEPTH")
        stages.append(stage)
    return tuple(sorted(stages, key=lambda stage: stage.ply))


@dataclass(frozen=True, kw_only=True)
class Mcts(Search):
    """Monte Carlo tree search. A child's score is Q/N + c sqrt(2 ln N_parent / N).

    >>> from flipdrop import ConnectFour
    >>> report = Mcts(iterations=2000, seed=1).search(ConnectFour.from_transcript("445566"))
    >>> report.position.move_name(report.best), report.proven  # four in the bottom row
    ('3', True)

    Rewards count for the side that searches, and negated for its opponent: ``win`` is 1, `draw` or -1; ``margin`` is
    +-(`win_bonus` + disc margin), 0 for a draw, and `corner_bonus` for every corner it holds; ``evaluation`` is the
    evaluation's own number, and ``squashed`` its tanh, in -1..1. The constant `c` has to match their size. With `draw`
    and `opponent_draw` of -1, a draw counts as a loss for both sides.

    Guidance adds `guide_bonus` to the reward of every simulation through the guide's move at the root, in selection and
    in the final choice; reported values are without it.

    One thread runs plain UCT. Several threads, or one with `batch`, run several simulations in a row from one much
    visited node before they descend from the root again, which is faster and plays as well (figures:
    docs/figures/batching.md).
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("iterations", "schedule", "seconds", "nodes")
    WORK_LIMITS: ClassVar[tuple[str, ...]] = ("iterations", "schedule")  # nodes limit the memory of the tree

    iterations: int | None = option(None, "simulations for a move", minimum=1)
    seconds: float | None = option(None, "time for a move", above=0)
    nodes: int | None = option(None, "nodes of the tree", minimum=1)
    schedule: str = option("", "PLY:ITERATIONS/DEPTH;... by stage of the game")
    c: float = option(0.5**0.5, "weight of exploration", minimum=0)
    expand: float = option(1.0, "probability of expanding an untried move", above=0, maximum=1)
    playout: str = option("end", "end of the game, or at most `depth` plies and then the evaluation", choices=PLAYOUTS)
    depth: int = option(15, "plies of a playout", minimum=0, maximum=MAX_PLAYOUT)
    playouts: int = option(1, "random games for each leaf", minimum=1, maximum=10_000)
    reward: str = option("", "of a playout; win for playout=end, else squashed", choices=("", *REWARDS))
    draw: float = option(0.0, "reward of a draw", minimum=-1, maximum=1)
    opponent_draw: float | None = option(
        None, "reward of a draw for the opponent; the negative of `draw`", minimum=-1, maximum=1
    )
    win_bonus: float = option(50.0, "of reward=margin: added to the disc margin of a win", minimum=0, maximum=1e6)
    corner_bonus: float = option(10.0, "of reward=margin: for every corner", minimum=-1e6, maximum=1e6)
    corner_bonus_at: str = option("end", "whose corners count: the leaf's or the end's", choices=CORNERS)
    evaluation: EvaluationField = option(None, "for playouts, bias and guidance; D or lines")
    perspective: str = option("mover", "the side that the evaluation scores leaves for", choices=PERSPECTIVES)
    scale: float = option(100.0, "evaluation that counts as nearly won", above=0)
    decisive: str = option("no", "take wins, block losses, hand no win over (Connect Four)", choices=DECISIVE)
    decisive_playouts: bool = option(False, "decisive moves in playouts (Connect Four)")
    corners: bool = option(False, "take a corner at once (Othello)")
    guide: int = option(
        0, "depth of the alpha-beta search whose move gets a bonus in the opening; 0 for none", minimum=0, maximum=20
    )
    guide_discs: int = option(28, "most discs on the board for guidance", minimum=0, maximum=144)
    guide_bonus: float = option(0.2, "added to every reward of the guide's move", minimum=0, maximum=1e6)
    bias: float = option(0.0, "progressive bias: weight of a move's evaluation, fading with visits", minimum=0)
    rave: float = option(
        0.0, "visits at which all-moves-as-first and a move's own mean count the same; 0 for off", minimum=0
    )
    solver: bool = option(True, "back up proven wins, draws and losses")
    final: str = option("mean", "how the move is chosen in the end", choices=FINAL)
    tie_width: float = option(
        0.0, "of moves this close to the best in the end, the one on the heaviest square is played (Othello)", minimum=0
    )
    tie_table: str = option("positive", "weights of squares for `tie_width`", choices=TABLES)
    threads: int = option(1, "threads on the one tree", minimum=1, maximum=1024)
    batch: int | None = option(
        None, "simulations in a row from one much visited node; 1 with one thread, else 16", minimum=1, maximum=10_000
    )
    seed: int = option(0, "of every random choice", minimum=0, maximum=2**64 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_schedule(self.schedule)
        if self.playout == "depth" and self.reward in ("win", "margin"):
            raise SearchError(f"reward={self.reward} needs playout=end; a playout of limited depth has no result")

    def search(
        self, position: Position, *, tree: MctsTree | None = None, progress: Progress | None = None
    ) -> SearchReport:
        """Searches a position that is not over, in a new tree or in `tree`.

        `progress` receives intermediate reports about twenty times a second.
        """
        self.check_not_over(position)
        self._check_options_for(position.game)
        if self.corners and (corner := _corner(position)):
            return corner
        settings = self.kernel_settings(position)
        evaluation = self.evaluation or default_evaluation(position.game)
        kernel_evaluation = evaluation.kernel if self._uses_evaluation else None
        return self.run_kernel(
            mcts_search,
            position,
            kernel_evaluation,
            settings,
            tree or MctsTree(),
            progress=progress,
            seed=self.seed,
            expected_score=self._gives_expected_scores,
        )

    @property
    def _gives_expected_scores(self) -> bool:
        return self.reward in ("", "win", "squashed")

    def value_scale(self, game: Game) -> WinProbabilityScale:  # noqa: ARG002 - as its rewards, it needs no game
        return WinProbabilityScale(0.0 if self._gives_expected_scores else DEFAULT_HALF_POINT)

    def check_supported(self, game: Game) -> None:
        """Raises FlipdropError unless the options and the evaluation, if it is used, are for this game."""
        self._check_options_for(game)
        if self.evaluation is not None and (self._uses_evaluation or self.evaluation.networks is not None):
            self.evaluation.check_supported(game)

    def _check_options_for(self, game: Game) -> None:
        if game.family == "othello" and (self.decisive != "no" or self.decisive_playouts):
            raise SearchError("decisive moves belong to Connect Four: no single move wins or loses a game of Othello")
        if game.family == "connect4" and (self.corners or self.tie_width or self.reward == "margin"):
            name = "corners" if self.corners else "tie_width" if self.tie_width else "reward=margin"
            raise SearchError(f"{name} belongs to Othello and does not apply to Connect Four")
        check_perspective(self.perspective, game)

    @property
    def _uses_evaluation(self) -> bool:
        return self.playout == "depth" or self.bias > 0 or self.reward in ("evaluation", "squashed")

    @property
    def is_plain(self) -> bool:
        """Whether a move is exactly one single-threaded kernel search with constant settings."""
        by_time = self.seconds is not None
        return not (by_time or self.schedule or self.corners or self.guide or self.threads > 1)

    def kernel_settings(self, position: Position) -> MctsSettings:
        """The kernel's settings for a position."""
        stage = self._stage(position.ply)
        settings = MctsSettings()
        unlimited = not (self.iterations or self.seconds or self.nodes)
        settings.iterations = stage.iterations if stage else self.iterations or (DEFAULT_ITERATIONS if unlimited else 0)
        settings.seconds = self.seconds or 0.0
        settings.nodes = self.nodes or 0
        settings.playout = PLAYOUTS[self.playout]
        settings.playout_depth = stage.depth if stage and stage.depth else self.depth
        settings.reward = REWARDS[self.reward or ("win" if self.playout == "end" else "squashed")]
        settings.decisive = DECISIVE[self.decisive]
        settings.final = FINAL[self.final]
        settings.corners = CORNERS[self.corner_bonus_at]
        settings.perspective = PERSPECTIVES[self.perspective]
        settings.opponent_draw = -self.draw if self.opponent_draw is None else self.opponent_draw
        settings.tie_table = TABLES[self.tie_table]
        settings.batch = self.batch or (1 if self.threads == 1 else DEFAULT_BATCH)
        for name in (
            "c",
            "expand",
            "playouts",
            "draw",
            "win_bonus",
            "corner_bonus",
            "scale",
            "tie_width",
            "decisive_playouts",
            "bias",
            "rave",
            "solver",
            "threads",
            "seed",
        ):
            setattr(settings, name, getattr(self, name))
        if self.guide and sum(position.discs) <= self.guide_discs:
            # The guide may take half of the search's time.
            seconds = self.seconds and self.seconds / 2
            guide = Minimax(
                depth=self.guide,
                evaluation=self.evaluation,
                perspective=self.perspective,
                threads=self.threads,
                seconds=seconds,
            )
            report = guide.search(position)
            settings.root_bonus_move = report.best
            settings.root_bonus = self.guide_bonus
            settings.seconds = self.seconds - report.seconds if self.seconds else 0.0
        return settings

    def _stage(self, ply: int) -> Stage | None:
        begun = [stage for stage in parse_schedule(self.schedule) if stage.ply <= ply]
        return begun[-1] if begun else None


def _corner(position: Position) -> SearchReport | None:
    """The report that takes a corner at once; of several, the one that flips most discs."""
    size = position.game.columns
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    takable = [move for move in position.legal_moves if move in corners]
    if not takable:
        return None
    best = max(takable, key=lambda move: len(position.flipped_by(move)))
    moves = (MoveReport(best, 0.0, 0),)
    return SearchReport(position, best, 0.0, (best,), moves, 0, 1, 0.0, note="a corner is taken at once")

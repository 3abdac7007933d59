from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any, Final, Self, overload

import numpy
from numpy.typing import NDArray


class Algorithm(enum.Enum):
    MINIMAX = 0

    ALPHABETA = 1

    ITERATIVE = 2

class ConnectFourAnalysis:
    """The moves of a position, best first."""

    @property
    def moves(self) -> list[ConnectFourRankedMove]: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def depth(self) -> int: ...

    @property
    def proven(self) -> bool: ...

    @property
    def nodes(self) -> int: ...

    @property
    def proof_nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class ConnectFourEngine:
    """
    Searches and proves. The tables are kept between calls on boards of one shape.
    """

    def __init__(self, megabytes: int, weights: Sequence[float]) -> None: ...

    def analyse(self, position: ConnectFourPosition, settings: ConnectFourEngineSettings, progress: object | None = None) -> ConnectFourAnalysis:
        """
        `progress` is called about every 50 ms and after every depth with the analysis so far.
        """

    def clear(self) -> None:
        """Clears the tables."""

class ConnectFourEngineSettings:
    def __init__(self) -> None: ...

    @property
    def limits(self) -> SearchLimits: ...

    @limits.setter
    def limits(self, arg: SearchLimits, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def all_moves(self) -> bool: ...

    @all_moves.setter
    def all_moves(self, arg: bool, /) -> None: ...

    @property
    def proof_share(self) -> float: ...

    @proof_share.setter
    def proof_share(self, arg: float, /) -> None: ...

    @property
    def solve_share(self) -> float: ...

    @solve_share.setter
    def solve_share(self, arg: float, /) -> None: ...

class ConnectFourGames:
    """Many games from one start, stepped together."""

    def __init__(self, start: ConnectFourPosition, size: int, *, planes: int, auto_reset: bool, random_plies: int, seed: int, threads: int) -> None: ...

    def __len__(self) -> int: ...

    def reset(self, chosen: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu', writable=False)] | None) -> tuple[Annotated[NDArray[numpy.int8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
        """Observations and masks after all or the chosen games restarted."""

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
        """Observations, masks, rewards of the sides that moved, and ends."""

    def random_actions(self) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """A random legal action for each game."""

    @property
    def to_move(self) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
        """The sides to move: 0 for the first, 1 for the second."""

    def position(self, like: object, game: int) -> object:
        """One position, of the class of `like`."""

class ConnectFourPosition:
    """A Connect Four position: an immutable value."""

    def __init__(self, columns: int, rows: int, cells: str, to_move: Side) -> None: ...

    @property
    def columns(self) -> int:
        """Columns of the board."""

    @property
    def rows(self) -> int:
        """Rows of the board."""

    @property
    def forbidden(self) -> int | None:
        """The forbidden cell in reading order, or None."""

    @property
    def winning_cells(self) -> list[int]:
        """
        The cells of the winner's lines of four, in reading order; empty if neither side has won.
        """

    def landing_cell(self, move: int) -> int:
        """
        The cell, in reading order, in which the disc of a legal move comes to rest.
        """

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""

    @property
    def ply(self) -> int:
        """Discs placed since the start."""

    @property
    def discs(self) -> tuple[int, int]:
        """Discs of the first and of the second side."""

    @property
    def cells(self) -> str:
        """
        The board in reading order: 'X' and 'O' for the first and second side's discs, '-' for empty, '#' for forbidden.
        """

    @property
    def move_space(self) -> int:
        """Moves are numbers from 0 to one less than this."""

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """
        The moves of the side to move, ascending; empty exactly when the game is over.
        """

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def result(self) -> int | None:
        """
        1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on.
        """

    @overload
    def play(self, move: int) -> Self:
        """The position after a legal move, given by number or by name."""

    @overload
    def play(self, move: str) -> Self: ...

    def move_name(self, move: int) -> str:
        """The move in notation."""

    def parse_move(self, name: str) -> int:
        """The number of the move written as `name`; it need not be legal."""

    symmetries: Final[int] = ...
    """
    Symmetries are numbers from 0 (leave everything in place) to one less than this.
    """

    def transformed(self, symmetry: int) -> Self:
        """The position seen through one of the board's symmetries."""

    def transformed_move(self, move: int, symmetry: int) -> int:
        """Where a move goes under a symmetry."""

    def perft(self, depth: int, *, threads: int = 1, progress: Callable[[int, int], object] | None = None) -> int:
        """
        The number of move sequences of `depth` plies. `progress(finished, parts)` is called about 20 times a second.
        """

    def playouts(self, games: int, *, seed: int, threads: int = 1) -> tuple[int, int, int]:
        """
        Wins, draws and losses of the side to move in `games` games of random moves; the same for any number of threads.
        """

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def legal_mask(self) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
        """
        The legal moves as an array of `move_space` booleans; all false when the game is over.
        """

    def to_numpy(self, *, planes: int = 2) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
        """
        The board as planes of zeros and ones, `planes` x rows x columns, rows from the top: discs of the side to move, discs of its opponent (a forbidden cell is set in both); with 4 planes also the cells where the side to move, and where its opponent, could play (Othello) or would complete four (Connect Four).
        """

class ConnectFourRankedMove:
    """A move, proven bounds of its score, and the search's value."""

    @property
    def move(self) -> int: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def value(self) -> int: ...

    @property
    def exact(self) -> bool: ...

class ConnectFourSolver:
    """
    Solves positions. The transposition table is kept between calls on boards of one shape.
    """

    def __init__(self, megabytes: int) -> None: ...

    def solve(self, position: ConnectFourPosition, request: SolveRequest, progress: object | None = None) -> KernelSolution:
        """`progress` is called about every 50 ms with the solution so far."""

    def clear(self) -> None:
        """Clears the transposition table."""

class Corners(enum.Enum):
    LEAF = 0

    END = 1

class Decisive(enum.Enum):
    NOWHERE = 0

    ROOT = 1

    TREE = 2

class EngineAnalysis:
    """The best moves of a position."""

    @property
    def moves(self) -> list[RankedMove]: ...

    @property
    def depth(self) -> int: ...

    @property
    def selectivity(self) -> int: ...

    @property
    def exact(self) -> bool: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class EngineSettings:
    def __init__(self) -> None: ...

    @property
    def limits(self) -> SearchLimits: ...

    @limits.setter
    def limits(self, arg: SearchLimits, /) -> None: ...

    @property
    def selectivity(self) -> int: ...

    @selectivity.setter
    def selectivity(self, arg: int, /) -> None: ...

    @property
    def end_selectivity(self) -> int: ...

    @end_selectivity.setter
    def end_selectivity(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def lines(self) -> int: ...

    @lines.setter
    def lines(self, arg: int, /) -> None: ...

    @property
    def solve_from(self) -> int: ...

    @solve_from.setter
    def solve_from(self, arg: int, /) -> None: ...

class Evaluation:
    """A heuristic score of a position for the side to move."""

    def __init__(self, name: str, weights: Sequence[float], table: Sequence[float]) -> None: ...

    @staticmethod
    def from_function(function: Callable[[Any], float]) -> Evaluation:
        """The evaluation that calls a Python function of a position."""

    @property
    def name(self) -> str:
        """Which evaluation it is, or the name of the function."""

    @overload
    def score(self, position: OthelloPosition) -> float:
        """The higher, the better for the side to move."""

    @overload
    def score(self, position: ConnectFourPosition) -> float: ...

    @overload
    def terms(self, position: OthelloPosition) -> list[tuple[str, float, float]]:
        """
        The summands of the score: the name of each, its feature's value, and its weight.
        """

    @overload
    def terms(self, position: ConnectFourPosition) -> list[tuple[str, float, float]]: ...

class FinalMove(enum.Enum):
    MEAN = 0

    VISITS = 1

    UCB = 2

class FlipdropError(ValueError):
    pass

class IllegalMove(FlipdropError):
    pass

class IllegalPosition(FlipdropError):
    pass

class KernelReport:
    @property
    def best(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def moves(self) -> list[RootMove]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def proven(self) -> bool: ...

class KernelSolution:
    """Proven bounds of a position's score, for the side to move."""

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def guess(self) -> int: ...

    @property
    def proven(self) -> bool: ...

    @property
    def best(self) -> int: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def moves(self) -> list[SolvedMove]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class LearningRule(enum.Enum):
    TD = 0

    SARSA = 1

    Q = 2

class LearningSettings:
    def __init__(self) -> None: ...

    @property
    def rule(self) -> LearningRule: ...

    @rule.setter
    def rule(self, arg: LearningRule, /) -> None: ...

    @property
    def rate(self) -> float: ...

    @rate.setter
    def rate(self, arg: float, /) -> None: ...

    @property
    def trace(self) -> float: ...

    @trace.setter
    def trace(self, arg: float, /) -> None: ...

    @property
    def epsilon(self) -> float: ...

    @epsilon.setter
    def epsilon(self, arg: float, /) -> None: ...

    @property
    def opening(self) -> int: ...

    @opening.setter
    def opening(self, arg: int, /) -> None: ...

    @property
    def margin(self) -> float: ...

    @margin.setter
    def margin(self, arg: float, /) -> None: ...

    @property
    def coherent(self) -> bool: ...

    @coherent.setter
    def coherent(self, arg: bool, /) -> None: ...

    @property
    def opponent_epsilon(self) -> float: ...

    @opponent_epsilon.setter
    def opponent_epsilon(self, arg: float, /) -> None: ...

class MctsSettings:
    def __init__(self) -> None: ...

    @property
    def iterations(self) -> int: ...

    @iterations.setter
    def iterations(self, arg: int, /) -> None: ...

    @property
    def nodes(self) -> int: ...

    @nodes.setter
    def nodes(self, arg: int, /) -> None: ...

    @property
    def seconds(self) -> float: ...

    @seconds.setter
    def seconds(self, arg: float, /) -> None: ...

    @property
    def c(self) -> float: ...

    @c.setter
    def c(self, arg: float, /) -> None: ...

    @property
    def expand(self) -> float: ...

    @expand.setter
    def expand(self, arg: float, /) -> None: ...

    @property
    def bias(self) -> float: ...

    @bias.setter
    def bias(self, arg: float, /) -> None: ...

    @property
    def rave(self) -> float: ...

    @rave.setter
    def rave(self, arg: float, /) -> None: ...

    @property
    def solver(self) -> bool: ...

    @solver.setter
    def solver(self, arg: bool, /) -> None: ...

    @property
    def decisive(self) -> Decisive: ...

    @decisive.setter
    def decisive(self, arg: Decisive, /) -> None: ...

    @property
    def root_bonus_move(self) -> int: ...

    @root_bonus_move.setter
    def root_bonus_move(self, arg: int, /) -> None: ...

    @property
    def root_bonus(self) -> float: ...

    @root_bonus.setter
    def root_bonus(self, arg: float, /) -> None: ...

    @property
    def playout(self) -> Playout: ...

    @playout.setter
    def playout(self, arg: Playout, /) -> None: ...

    @property
    def playout_depth(self) -> int: ...

    @playout_depth.setter
    def playout_depth(self, arg: int, /) -> None: ...

    @property
    def playouts(self) -> int: ...

    @playouts.setter
    def playouts(self, arg: int, /) -> None: ...

    @property
    def decisive_playouts(self) -> bool: ...

    @decisive_playouts.setter
    def decisive_playouts(self, arg: bool, /) -> None: ...

    @property
    def reward(self) -> Reward: ...

    @reward.setter
    def reward(self, arg: Reward, /) -> None: ...

    @property
    def draw(self) -> float: ...

    @draw.setter
    def draw(self, arg: float, /) -> None: ...

    @property
    def opponent_draw(self) -> float: ...

    @opponent_draw.setter
    def opponent_draw(self, arg: float, /) -> None: ...

    @property
    def win_bonus(self) -> float: ...

    @win_bonus.setter
    def win_bonus(self, arg: float, /) -> None: ...

    @property
    def corner_bonus(self) -> float: ...

    @corner_bonus.setter
    def corner_bonus(self, arg: float, /) -> None: ...

    @property
    def corners(self) -> Corners: ...

    @corners.setter
    def corners(self, arg: Corners, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def perspective(self) -> Perspective: ...

    @perspective.setter
    def perspective(self, arg: Perspective, /) -> None: ...

    @property
    def final(self) -> FinalMove: ...

    @final.setter
    def final(self, arg: FinalMove, /) -> None: ...

    @property
    def tie_width(self) -> float: ...

    @tie_width.setter
    def tie_width(self, arg: float, /) -> None: ...

    @property
    def tie_table(self) -> list[float]: ...

    @tie_table.setter
    def tie_table(self, arg: Sequence[float], /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class MctsTree:
    """A search tree that can be kept from move to move."""

    def __init__(self) -> None: ...

    @property
    def size(self) -> int:
        """Nodes in the tree."""

    node_bytes: Final[int] = ...
    """Memory of one node."""

class MinimaxSettings:
    def __init__(self) -> None: ...

    @property
    def algorithm(self) -> Algorithm: ...

    @algorithm.setter
    def algorithm(self, arg: Algorithm, /) -> None: ...

    @property
    def limits(self) -> SearchLimits: ...

    @limits.setter
    def limits(self, arg: SearchLimits, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def all_moves(self) -> bool: ...

    @all_moves.setter
    def all_moves(self, arg: bool, /) -> None: ...

    @property
    def table_megabytes(self) -> int: ...

    @table_megabytes.setter
    def table_megabytes(self, arg: int, /) -> None: ...

    @property
    def perspective(self) -> Perspective: ...

    @perspective.setter
    def perspective(self, arg: Perspective, /) -> None: ...

class NativePlayer:
    """A player that plays whole games inside the kernel."""

    @staticmethod
    def random() -> NativePlayer: ...

    @staticmethod
    def minimax(settings: MinimaxSettings, evaluation: Evaluation) -> NativePlayer: ...

    @staticmethod
    def mcts(settings: MctsSettings, evaluation: Evaluation | None = None) -> NativePlayer: ...

    def epsilon_greedy(self, epsilon: float) -> NativePlayer:
        """The same player, with random moves at probability `epsilon`."""

class NodeView:
    @property
    def index(self) -> int: ...

    @property
    def move(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def mean(self) -> float: ...

    @property
    def proof(self) -> Proof: ...

class OthelloEngine:
    """
    Searches to a depth and to the end. The transposition table is kept between calls.
    """

    def __init__(self, megabytes: int, evaluator: OthelloEvaluator) -> None: ...

    def analyse(self, position: OthelloPosition, settings: EngineSettings, progress: object | None = None) -> EngineAnalysis:
        """
        `progress` is called about every 50 ms and after every depth with the analysis so far.
        """

    def clear(self) -> None:
        """Clears the transposition table."""

class OthelloEvaluator:
    """A pattern network for the Othello engine and solver on 8x8 or 6x6."""

    def __init__(self, network: PatternNetwork, *, probcut: Sequence[float]) -> None:
        """
        The network's unit is a disc; `probcut` are the six numbers of the ProbCut model for searches, and two for results.
        """

class OthelloGames:
    """Many games from one start, stepped together."""

    def __init__(self, start: OthelloPosition, size: int, *, planes: int, auto_reset: bool, random_plies: int, seed: int, threads: int) -> None: ...

    def __len__(self) -> int: ...

    def reset(self, chosen: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu', writable=False)] | None) -> tuple[Annotated[NDArray[numpy.int8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
        """Observations and masks after all or the chosen games restarted."""

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int8], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.bool_], dict(order='C')]]:
        """Observations, masks, rewards of the sides that moved, and ends."""

    def random_actions(self) -> Annotated[NDArray[numpy.int32], dict(order='C')]:
        """A random legal action for each game."""

    @property
    def to_move(self) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
        """The sides to move: 0 for the first, 1 for the second."""

    def position(self, like: object, game: int) -> object:
        """One position, of the class of `like`."""

class OthelloPosition:
    """An Othello position: an immutable value."""

    def __init__(self, size: int, cells: str, to_move: Side) -> None: ...

    @property
    def size(self) -> int:
        """Rows and columns of the board."""

    @property
    def margin(self) -> int:
        """
        The first side's discs minus the second's; once the game is over, the winner gets the empty squares.
        """

    def flipped_by(self, move: int) -> list[int]:
        """The squares whose discs turn when a legal move is played."""

    @property
    def to_move(self) -> Side:
        """The side whose turn it is."""

    @property
    def ply(self) -> int:
        """Discs placed since the start."""

    @property
    def discs(self) -> tuple[int, int]:
        """Discs of the first and of the second side."""

    @property
    def cells(self) -> str:
        """
        The board in reading order: 'X' and 'O' for the first and second side's discs, '-' for empty, '#' for forbidden.
        """

    @property
    def move_space(self) -> int:
        """Moves are numbers from 0 to one less than this."""

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """
        The moves of the side to move, ascending; empty exactly when the game is over.
        """

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def result(self) -> int | None:
        """
        1 if the first side has won, -1 if the second has, 0 for a draw, None while the game goes on.
        """

    @overload
    def play(self, move: int) -> Self:
        """The position after a legal move, given by number or by name."""

    @overload
    def play(self, move: str) -> Self: ...

    def move_name(self, move: int) -> str:
        """The move in notation."""

    def parse_move(self, name: str) -> int:
        """The number of the move written as `name`; it need not be legal."""

    symmetries: Final[int] = ...
    """
    Symmetries are numbers from 0 (leave everything in place) to one less than this.
    """

    def transformed(self, symmetry: int) -> Self:
        """The position seen through one of the board's symmetries."""

    def transformed_move(self, move: int, symmetry: int) -> int:
        """Where a move goes under a symmetry."""

    def perft(self, depth: int, *, threads: int = 1, progress: Callable[[int, int], object] | None = None) -> int:
        """
        The number of move sequences of `depth` plies. `progress(finished, parts)` is called about 20 times a second.
        """

    def playouts(self, games: int, *, seed: int, threads: int = 1) -> tuple[int, int, int]:
        """
        Wins, draws and losses of the side to move in `games` games of random moves; the same for any number of threads.
        """

    def __eq__(self, other: object) -> bool: ...

    def __hash__(self) -> int: ...

    @property
    def legal_mask(self) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
        """
        The legal moves as an array of `move_space` booleans; all false when the game is over.
        """

    def to_numpy(self, *, planes: int = 2) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
        """
        The board as planes of zeros and ones, `planes` x rows x columns, rows from the top: discs of the side to move, discs of its opponent (a forbidden cell is set in both); with 4 planes also the cells where the side to move, and where its opponent, could play (Othello) or would complete four (Connect Four).
        """

class OthelloSolver:
    """
    Solves positions. The transposition table is kept between calls on boards of one shape.
    """

    def __init__(self, megabytes: int, evaluator: OthelloEvaluator | None = None) -> None:
        """
        `evaluator` orders the moves on boards of its size; elsewhere a handcrafted evaluation does.
        """

    def solve(self, position: OthelloPosition, request: SolveRequest, progress: object | None = None) -> KernelSolution:
        """`progress` is called about every 50 ms with the solution so far."""

    def clear(self) -> None:
        """Clears the transposition table."""

class PatternNetwork:
    """
    Weights that patterns on the board pick from tables; their sum is the evaluation.
    """

    @property
    def patterns(self) -> list[list[int]]: ...

    @property
    def stages(self) -> list[int]: ...

    @property
    def unit(self) -> float: ...

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')]:
        """All weights, stage after stage, pattern after pattern; a copy."""

    @weights.setter
    def weights(self, arg: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

    @property
    def coherence(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')]]:
        """
        Sums of the errors of each weight, signed and absolute; empty before training.
        """

    @coherence.setter
    def coherence(self, arg: tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], /) -> None: ...

    @overload
    def learn(self, start: OthelloPosition, settings: LearningSettings, *, games: int, seed: int, first: int = 0, threads: int = 1, opponent: NativePlayer | None = None, progress: object | None = None) -> None: ...

    @overload
    def learn(self, start: ConnectFourPosition, settings: LearningSettings, *, games: int, seed: int, first: int = 0, threads: int = 1, opponent: NativePlayer | None = None, progress: object | None = None) -> None:
        """
        Plays games from `start`, against itself or an opponent, and learns from them.
        """

    @overload
    def fit(self, positions: list[OthelloPosition], targets: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], settings: LearningSettings, *, linear: bool = False, threads: int = 1) -> float: ...

    @overload
    def fit(self, positions: list[ConnectFourPosition], targets: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], settings: LearningSettings, *, linear: bool = False, threads: int = 1) -> float:
        """
        Moves the values of positions (their sums, if `linear`) towards targets. Returns the mean squared error.
        """

    def train_supervised(self, start: ConnectFourPosition, settings: LearningSettings, *, games: int, seed: int, first: int = 0, threads: int = 1, progress: object | None = None) -> None:
        """
        Plays games in which the exact solver scores every move, and corrects the moves that the network ranks wrongly.
        """

class Perspective(enum.Enum):
    SIDE_TO_MOVE = 0

    SEARCHER = 1

class Playout(enum.Enum):
    END = 0

    DEPTH = 1

class Proof(enum.Enum):
    """A proven result, for the side that made the move."""

    NONE = 0

    WIN = 1

    DRAW = 2

    LOSS = 3

class PuctSettings:
    def __init__(self) -> None: ...

    @property
    def simulations(self) -> int: ...

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def seconds(self) -> float: ...

    @seconds.setter
    def seconds(self, arg: float, /) -> None: ...

    @property
    def nodes(self) -> int: ...

    @nodes.setter
    def nodes(self, arg: int, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def c(self) -> float: ...

    @c.setter
    def c(self, arg: float, /) -> None: ...

    @property
    def fpu_reduction(self) -> float: ...

    @fpu_reduction.setter
    def fpu_reduction(self, arg: float, /) -> None: ...

    @property
    def noise(self) -> float: ...

    @noise.setter
    def noise(self, arg: float, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def symmetries(self) -> bool: ...

    @symmetries.setter
    def symmetries(self, arg: bool, /) -> None: ...

    @property
    def half_point(self) -> float: ...

    @half_point.setter
    def half_point(self, arg: float, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class RankedMove:
    """One of the best moves, its value in discs, and its line."""

    @property
    def move(self) -> int: ...

    @property
    def value(self) -> int: ...

    @property
    def line(self) -> list[int]: ...

class Reward(enum.Enum):
    WIN = 0

    MARGIN = 1

    EVALUATION = 2

    SQUASHED = 3

class RootMove:
    @property
    def move(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def visits(self) -> int: ...

    @property
    def exact(self) -> bool: ...

class Sampling:
    """How positions are drawn and valued."""

    def __init__(self) -> None: ...

    @property
    def min_empties(self) -> int: ...

    @min_empties.setter
    def min_empties(self, arg: int, /) -> None: ...

    @property
    def max_empties(self) -> int: ...

    @max_empties.setter
    def max_empties(self, arg: int, /) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def selectivity(self) -> int: ...

    @selectivity.setter
    def selectivity(self, arg: int, /) -> None: ...

    @property
    def epsilon(self) -> float: ...

    @epsilon.setter
    def epsilon(self, arg: float, /) -> None: ...

    @property
    def random_end(self) -> float: ...

    @random_end.setter
    def random_end(self, arg: float, /) -> None: ...

    @property
    def max_opening(self) -> int: ...

    @max_opening.setter
    def max_opening(self, arg: int, /) -> None: ...

class SearchLimits:
    def __init__(self) -> None: ...

    @property
    def depth(self) -> int: ...

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def nodes(self) -> int: ...

    @nodes.setter
    def nodes(self, arg: int, /) -> None: ...

    @property
    def seconds(self) -> float: ...

    @seconds.setter
    def seconds(self, arg: float, /) -> None: ...

class SelfPlaySettings:
    def __init__(self) -> None: ...

    @property
    def search(self) -> PuctSettings: ...

    @search.setter
    def search(self, arg: PuctSettings, /) -> None: ...

    @property
    def cheap_simulations(self) -> int: ...

    @cheap_simulations.setter
    def cheap_simulations(self, arg: int, /) -> None: ...

    @property
    def full_search_probability(self) -> float: ...

    @full_search_probability.setter
    def full_search_probability(self, arg: float, /) -> None: ...

    @property
    def random_plies(self) -> int: ...

    @random_plies.setter
    def random_plies(self, arg: int, /) -> None: ...

    @property
    def temperature_plies(self) -> int: ...

    @temperature_plies.setter
    def temperature_plies(self, arg: int, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

class Side(enum.IntEnum):
    """
    FIRST moves first: black in Othello, red in Connect Four, X in notation.
    """

    FIRST = 0

    SECOND = 1

class SolveRequest:
    """What to solve, and within which limits."""

    def __init__(self) -> None: ...

    @property
    def limits(self) -> SearchLimits: ...

    @limits.setter
    def limits(self, arg: SearchLimits, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def outcome_only(self) -> bool: ...

    @outcome_only.setter
    def outcome_only(self, arg: bool, /) -> None: ...

    @property
    def line(self) -> bool: ...

    @line.setter
    def line(self, arg: bool, /) -> None: ...

    @property
    def moves(self) -> bool: ...

    @moves.setter
    def moves(self, arg: bool, /) -> None: ...

class SolvedMove:
    """Bounds of a move's score, for the side that makes it."""

    @property
    def move(self) -> int: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

@overload
def batch_masks(positions: list[OthelloPosition]) -> Annotated[NDArray[numpy.bool_], dict(order='C')]: ...

@overload
def batch_masks(positions: list[ConnectFourPosition]) -> Annotated[NDArray[numpy.bool_], dict(order='C')]:
    """`legal_mask` of many positions."""

@overload
def batch_planes(positions: list[OthelloPosition], planes: int) -> Annotated[NDArray[numpy.int8], dict(order='C')]: ...

@overload
def batch_planes(positions: list[ConnectFourPosition], planes: int) -> Annotated[NDArray[numpy.int8], dict(order='C')]:
    """`to_numpy` of many positions."""

@overload
def batch_scores(positions: list[OthelloPosition], evaluation: Evaluation, threads: int) -> Annotated[NDArray[numpy.float64], dict(order='C')]: ...

@overload
def batch_scores(positions: list[ConnectFourPosition], evaluation: Evaluation, threads: int) -> Annotated[NDArray[numpy.float64], dict(order='C')]:
    """The scores of many positions."""

def call_interruptible(work: Callable[[], object], watch: Callable[[], object]) -> object:
    """
    Calls `work()`; while the kernel works for it, calls `watch()` about every 50 ms. An exception from `watch` ends the kernel's work.
    """

def end_calls() -> None:
    """
    Ends the kernel's work for all other threads; for the end of the program.
    """

def forget_calls() -> None:
    """For the child of a fork."""

@overload
def guided_search(position: OthelloPosition, evaluation: Evaluation, settings: PuctSettings, progress: object | None = None) -> KernelReport: ...

@overload
def guided_search(position: ConnectFourPosition, evaluation: Evaluation, settings: PuctSettings, progress: object | None = None) -> KernelReport:
    """PUCT with an evaluation instead of a network."""

@overload
def is_random_move(position: OthelloPosition, seed: int, epsilon: float) -> bool: ...

@overload
def is_random_move(position: ConnectFourPosition, seed: int, epsilon: float) -> bool:
    """Whether an epsilon-greedy player makes a random move here."""

@overload
def mcts_search(position: OthelloPosition, evaluation: Evaluation | None, settings: MctsSettings, tree: MctsTree, progress: object | None = None) -> KernelReport: ...

@overload
def mcts_search(position: ConnectFourPosition, evaluation: Evaluation | None, settings: MctsSettings, tree: MctsTree, progress: object | None = None) -> KernelReport:
    """`progress` is called with the report so far, about every 50 ms."""

@overload
def minimax_search(position: OthelloPosition, evaluation: Evaluation, settings: MinimaxSettings, progress: object | None = None) -> KernelReport: ...

@overload
def minimax_search(position: ConnectFourPosition, evaluation: Evaluation, settings: MinimaxSettings, progress: object | None = None) -> KernelReport:
    """`progress` is called with the report of every finished depth."""

def network_sums(network: PatternNetwork, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')]:
    """The network's sums for positions."""

@overload
def new_pattern_network(like: OthelloPosition, *, patterns: Sequence[Sequence[int]], stages: Sequence[int], unit: float = 1.0, by_parity: bool = False) -> PatternNetwork: ...

@overload
def new_pattern_network(like: ConnectFourPosition, *, patterns: Sequence[Sequence[int]], stages: Sequence[int], unit: float = 1.0, by_parity: bool = False) -> PatternNetwork:
    """A pattern network without knowledge, for boards like that of `like`."""

def pattern_evaluation(networks: Sequence[PatternNetwork], name: str) -> Evaluation:
    """
    The evaluation that networks make, each for boards of its own shape, with the weights of now.
    """

@overload
def play_games(starts: list[OthelloPosition], first: NativePlayer, second: NativePlayer, *, seeds: Sequence[Sequence[int]], threads: int = 1, progress: object | None = None) -> list[tuple[list[int], int, int]]: ...

@overload
def play_games(starts: list[ConnectFourPosition], first: NativePlayer, second: NativePlayer, *, seeds: Sequence[Sequence[int]], threads: int = 1, progress: object | None = None) -> list[tuple[list[int], int, int]]:
    """
    Plays one game from each start: its moves, its outcome (1, 0, -1) and margin for the side to move there.
    """

@overload
def puct_search(position: OthelloPosition, evaluator: object, settings: PuctSettings, progress: object | None = None) -> KernelReport: ...

@overload
def puct_search(position: ConnectFourPosition, evaluator: object, settings: PuctSettings, progress: object | None = None) -> KernelReport:
    """`progress` is called with the report so far, about every 50 ms."""

@overload
def random_move(position: OthelloPosition, seed: int) -> int: ...

@overload
def random_move(position: ConnectFourPosition, seed: int) -> int:
    """Any legal move; the same one for the same position and seed."""

def regress_network(network: PatternNetwork, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], other: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, rate: float, passes: int, seed: int) -> float:
    """
    Least squares. Returns the root mean square error during the last pass.
    """

@overload
def sample_cells(position: OthelloPosition) -> Annotated[NDArray[numpy.uint8], dict(order='C')]: ...

@overload
def sample_cells(position: ConnectFourPosition) -> Annotated[NDArray[numpy.uint8], dict(order='C')]:
    """
    A position as samples hold it: 0 empty, 1 the side to move's, 2 its opponent's, 3 forbidden.
    """

@overload
def sample_planes(like: OthelloPosition, cells: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]: ...

@overload
def sample_planes(like: ConnectFourPosition, cells: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """
    The input planes of samples of boards like `like`, each through a symmetry.
    """

@overload
def sample_policies(like: OthelloPosition, policies: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]: ...

@overload
def sample_policies(like: ConnectFourPosition, policies: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(order='C')]:
    """Policies for the same boards, each seen through a symmetry."""

def sample_positions(evaluator: OthelloEvaluator, settings: Sampling, *, count: int, seed: int, first: int = 0, threads: int = 1, progress: object | None = None) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu')], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')]]:
    """
    Positions of separate games with their values: discs of the side to move, of its opponent, values.
    """

@overload
def self_play(start: OthelloPosition, evaluator: object, settings: SelfPlaySettings, *, games: int, slots: int, threads: int = 1, progress: object | None = None) -> tuple[Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.int32], dict(order='C')], int, int]: ...

@overload
def self_play(start: ConnectFourPosition, evaluator: object, settings: SelfPlaySettings, *, games: int, slots: int, threads: int = 1, progress: object | None = None) -> tuple[Annotated[NDArray[numpy.uint8], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.float32], dict(order='C')], Annotated[NDArray[numpy.int32], dict(order='C')], int, int]:
    """
    Games of a network against itself, `slots` at a time on each thread. Rows of cells, policies, outcomes, values and game numbers; plies and evaluations in all.
    """

@overload
def tree_below(tree: MctsTree, position: OthelloPosition, moves: Sequence[int]) -> MctsTree: ...

@overload
def tree_below(tree: MctsTree, position: ConnectFourPosition, moves: Sequence[int]) -> MctsTree:
    """
    The subtree of the position that `moves` lead to from `position`, the tree's root.
    """

@overload
def tree_children(tree: MctsTree, position: OthelloPosition, index: int = 1024) -> list[NodeView]: ...

@overload
def tree_children(tree: MctsTree, position: ConnectFourPosition, index: int = 1024) -> list[NodeView]:
    """The children of a node of a tree that was grown from `position`."""

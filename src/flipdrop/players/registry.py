"""The types of players that a spec can name, with their options."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.evaluation.patterns import SHIPPED
from flipdrop.options import Option, options_of, parse_options
from flipdrop.players import option_types  # noqa: F401 - declares how specs write evaluations and books
from flipdrop.players.adaptive import AdaptivePlayer
from flipdrop.players.basic import FlatMonteCarlo, GreedyPlayer, RandomPlayer
from flipdrop.players.linear_values import LinearPlayer
from flipdrop.players.network_player import NetworkPlayer
from flipdrop.players.search_player import SearchPlayer
from flipdrop.players.solver_player import SolverPlayer
from flipdrop.players.value_table import TablePlayer
from flipdrop.search import Engine, GuidedSearch, Mcts, Minimax, Puct
from flipdrop.search.engine import DEFAULT_DEPTH as DEFAULT_ENGINE_DEPTH
from flipdrop.search.guided import DEFAULT_SIMULATIONS as DEFAULT_GUIDED_SIMULATIONS
from flipdrop.search.mcts import DEFAULT_ITERATIONS
from flipdrop.search.minimax import DEFAULT_DEPTH
from flipdrop.search.puct import DEFAULT_SIMULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from flipdrop.players.player import SpecPlayer


@dataclass(frozen=True)
class PlayerType:
    """A type of player: its name, description, options, and the function that makes one.

    :param build: takes the values of the options
    :param unlimited: values of options if no option limits the search
    """

    name: str
    description: str
    options: tuple[Option, ...]
    build: Callable[..., SpecPlayer]
    unlimited: Mapping[str, int] = field(default_factory=dict)

    def make(self, options: str, *, defaults: dict[str, int], allow_files: bool = True) -> SpecPlayer:
        """A player from the options of a spec.

        :param defaults: values for options that the spec does not set, such as a seed; ignored where there is no such
            option
        """
        values = parse_options(options, self.options, allow_files=allow_files)
        known = {option.name for option in self.options}
        return self.build(**{name: value for name, value in defaults.items() if name in known} | values)


def _search(
    name: str, description: str, search: Any, player_options: set[str], unlimited: dict[str, int], **fixed: Any
) -> PlayerType:
    """The type of a `SearchPlayer`.

    :param player_options: the options of `SearchPlayer` that it has beside those of the search
    :param fixed: options of the search that the type sets
    """
    of_player = tuple(option for option in options_of(SearchPlayer) if option.name in player_options)

    def build(**values: Any) -> SpecPlayer:
        own = {option.name: values.pop(option.name) for option in of_player if option.name in values}
        return SearchPlayer(search(**fixed, **values), **own)

    return PlayerType(name, description, options_of(search, leave_out=tuple(fixed)) + of_player, build, unlimited)


def _minimax(algorithm: str, description: str) -> PlayerType:
    return _search(algorithm, description, Minimax, {"endgame"}, {"depth": DEFAULT_DEPTH}, algorithm=algorithm)


def _pattern() -> PlayerType:
    """`iterative` with a pattern network, which its option `model` names, as the evaluation."""
    iterative = _minimax("iterative", "")
    model = Option("model", Evaluation, None, "a file my.pattern; the package's own networks by default")

    def build(*, model: Evaluation | None = None, **values: Any) -> SpecPlayer:
        return iterative.build(evaluation=model or evaluation(SHIPPED), **values)

    options = (model, *(option for option in iterative.options if option.name != "evaluation"))
    return PlayerType("pattern", "iterative with a pattern network", options, build, iterative.unlimited)


def _network(*, model: Path | None = None, **values: Any) -> SpecPlayer:
    return NetworkPlayer(Puct(**values), model)


PLAYER_TYPES = {
    kind.name: kind
    for kind in (
        PlayerType("random", "random legal moves", options_of(RandomPlayer), RandomPlayer),
        PlayerType("greedy", "the best evaluation after one move", options_of(GreedyPlayer), GreedyPlayer),
        PlayerType("flat", "the best mean result of random games; no tree", options_of(FlatMonteCarlo), FlatMonteCarlo),
        _minimax("minimax", "plain minimax, visits every node"),
        _minimax("alphabeta", "the same value with pruning"),
        _minimax("iterative", "the same by iterative deepening with a transposition table: the fastest of the three"),
        PlayerType(
            "adaptive",
            "alphabeta with weights that a genetic algorithm sets for each position",
            options_of(AdaptivePlayer),
            AdaptivePlayer,
        ),
        _search("mcts", "Monte Carlo tree search", Mcts, {"reuse", "endgame"}, {"iterations": DEFAULT_ITERATIONS}),
        _search(
            "engine",
            "the strongest search of both games, with proofs where they are in reach",
            Engine,
            {"book", "variety", "seed"},
            {"depth": DEFAULT_ENGINE_DEPTH},
            lines=1,
        ),
        _search(
            "puct",
            "PUCT: tree search that an evaluation guides",
            GuidedSearch,
            {"endgame"},
            {"simulations": DEFAULT_GUIDED_SIMULATIONS},
        ),
        PlayerType(
            "network",
            "PUCT: tree search with a policy and value network",
            options_of(NetworkPlayer) + options_of(Puct),
            _network,
            unlimited={"simulations": DEFAULT_SIMULATIONS},
        ),
        _pattern(),
        PlayerType("table", "the best move by a table of learned values", options_of(TablePlayer), TablePlayer),
        PlayerType("linear", "the best move by learned weights of features", options_of(LinearPlayer), LinearPlayer),
        PlayerType(
            "solver", "proven moves where time allows, else those of a search", options_of(SolverPlayer), SolverPlayer
        ),
        PlayerType(
            "perfect",
            "perfect play, however long the proof takes (Connect Four 7x6, small boards, endgames)",
            options_of(SolverPlayer, leave_out=("seconds",)),
            partial(SolverPlayer, kind="perfect"),
        ),
    )
}
"""The types of players by name."""

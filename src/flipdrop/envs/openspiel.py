"""OpenSpiel both ways: flipdrop's players and solver for OpenSpiel's states, OpenSpiel's bots as players.

OpenSpiel's ``othello`` and ``connect_four`` number actions as flipdrop numbers moves, so a history of one is a history
of the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError, PlayerError, UnknownGame
from flipdrop.games import GameHistory
from flipdrop.games import game as game_of
from flipdrop.players import checked_move, send_history
from flipdrop.players import player as player_of
from flipdrop.players.player import SpecPlayer
from flipdrop.search import Solver

try:
    import pyspiel
except ImportError:
    raise FlipdropError("flipdrop.envs.openspiel needs the package open_spiel, which is not installed") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.games import Game, Position
    from flipdrop.players import Clock, PlayerLike

GAMES = {"othello": "othello", "connect_four": "connect4"}
"""OpenSpiel's short names, and flipdrop's names."""


def position_of(state: Any) -> Position:
    """The position of a state of OpenSpiel."""
    return _history(state).position


def _history(state: Any) -> GameHistory:
    return GameHistory.of(_game(state.get_game()).start(), state.history())


def _game(game: Any) -> Game:
    """The game of OpenSpiel, with the board that both have."""
    short = game.get_type().short_name
    own = game_of(GAMES[short]) if short in GAMES else None
    if own is None or game.num_distinct_actions() != own.start().move_space:
        raise UnknownGame(f"OpenSpiel's {game}; {' and '.join(GAMES)} with the usual board have an equal here")
    return own


class PlayerBot(pyspiel.Bot):  # type: ignore[misc] # pyspiel has no types
    """A player of flipdrop as a bot of OpenSpiel.

    :param player: as `flipdrop.player` takes it
    """

    def __init__(self, game: Any, player: PlayerLike, *, seed: int = 0) -> None:
        super().__init__()
        self._player = player_of(player, game=_game(game), seed=seed)

    def step(self, state: Any) -> int:
        history = _history(state)
        send_history(self._player, history.start, history.moves)
        return checked_move(self._player, history.position)

    def restart(self) -> None:
        self._player.new_game()

    def restart_at(self, _state: Any) -> None:
        self._player.new_game()

    def provides_policy(self) -> bool:
        return False


class Oracle:
    """The exact value of OpenSpiel's states by the solver: 1, 0 or -1 for the player to move under best play.

    :param seconds: for a state; a longer proof raises PlayerError
    """

    def __init__(self, *, seconds: float | None = None, threads: int = 1) -> None:
        self._solver = Solver(seconds=seconds, threads=threads, outcome_only=True, line=False)

    def value(self, state: Any) -> int:
        position = position_of(state)
        outcome = self._solver.solve(position).outcome
        if outcome is None:
            raise PlayerError(f"{position!r}: the proof took longer than {self._solver.seconds} s")
        return outcome

    def best_action(self, state: Any) -> int:
        """An action that keeps the exact score."""
        best = Solver(seconds=self._solver.seconds, threads=self._solver.threads, line=False).solve(position_of(state))
        if best.best is None or not best.exact:
            raise PlayerError(f"{best.position!r}: no best move was proven")
        return best.best


class BotPlayer(SpecPlayer):
    """A bot of OpenSpiel as a player of flipdrop, for `flipdrop.match` and the environments.

    :param game: of OpenSpiel, which the bot plays
    :param make_bot: makes the bot of a player, 0 or 1, for most bots play for one of them only
    :param name: for tables; that of the function by default
    """

    def __init__(self, game: Any, make_bot: Callable[[int], Any], *, name: str = "") -> None:
        self._game, self._openspiel_game = _game(game), game
        self._bots = [make_bot(player) for player in (0, 1)]
        self._name = name or getattr(make_bot, "__name__", type(make_bot).__name__).strip("<>")
        self._state: Any = None

    @property
    def spec(self) -> str:
        return f"python:{self._name}"

    @property
    def name(self) -> str:
        return self._name

    def check_supported(self, game: Game) -> None:
        if game != self._game:
            raise PlayerError(f"{self._name} plays {self._game.title}, not {game.title}")

    def set_history(self, start: Position, moves: Sequence[int]) -> None:
        if start != self._game.start():
            raise PlayerError(f"{self._name} plays games from the start of {self._game.title} only")
        state = self._openspiel_game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        self._state = state

    def _choose(self, position: Position, clock: Clock | None) -> int:  # noqa: ARG002 - bots know no clock
        if self._state is None or position_of(self._state) != position:
            history = GameHistory.of(self._game.start()).extended_to(position)
            self.set_history(history.start, history.moves)
        return int(self._bots[position.to_move].step(self._state))

    def new_game(self) -> None:
        self._state = None
        for bot in self._bots:
            bot.restart()

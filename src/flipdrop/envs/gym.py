"""`GameEnv`: one side of a game against a player, as a Gymnasium environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsInt

import gymnasium
import numpy as np

from flipdrop.envs.views import mask_of, start_position, view_of
from flipdrop.errors import FlipdropError, OptionError
from flipdrop.games import game as game_of
from flipdrop.players import checked_move, send_history
from flipdrop.players import player as player_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.games import Game, Position
    from flipdrop.players import PlayerLike, SpecPlayer

SIDES = ("first", "second", "random")


class GameEnv(gymnasium.Env["NDArray[np.int8]", np.int64]):
    """One side of a game; the opponent is any player.

    An observation is two planes, the agent's discs and the opponent's. ``info["action_mask"]`` and `action_masks` say
    which actions are legal; an illegal one loses the game. The reward is 1 for a win, -1 for a loss, 0 for a draw and
    for every step before the end. In Othello the pass is an action: the last one.

    >>> env = GameEnv("connect4", opponent="random")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].sum()
    ((2, 6, 7), np.int64(7))
    >>> observation, reward, terminated, truncated, info = env.step(3)
    >>> reward, terminated
    (0.0, False)

    :param opponent: as `flipdrop.player` takes it
    :param side: the agent's: ``first``, ``second``, or ``random`` for each game
    :param random_plies: random moves of both sides at the start of every game
    :param render_mode: ``ansi`` for text
    """

    def __init__(
        self,
        game: Game | str = "othello",
        *,
        opponent: PlayerLike = "random",
        side: str = "random",
        random_plies: int = 0,
        render_mode: str | None = None,
    ) -> None:
        if side not in SIDES:
            raise OptionError(f"side={side!r}; it can be {', '.join(SIDES)}")
        if random_plies < 0:
            raise OptionError(f"random_plies={random_plies}; it has to be at least 0")
        self.game = game_of(game)
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = render_mode
        self._opponent, self._side, self._random_plies = opponent, side, random_plies
        self._player: SpecPlayer = player_of(opponent, game=self.game, seed=0)
        start = self.game.start()
        shape = (2, self.game.rows, self.game.columns)
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, np.int8)
        self.action_space = gymnasium.spaces.Discrete(start.move_space)
        self.position: Position = start
        """The current position."""
        self.agent_side = 0
        """0 if the agent is the first side, 1 if it is the second."""
        self._start, self._moves = start, list[int]()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Starts a game; ``options={"start": position}`` starts it from a position."""
        super().reset(seed=seed)
        self._start = self.position = start_position(self.game, options)
        self._moves = []
        self._player.close()
        self._player = player_of(self._opponent, game=self.game, seed=int(self.np_random.integers(2**63)))
        drawn = int(self.np_random.integers(2))
        self.agent_side = drawn if self._side == "random" else SIDES.index(self._side)
        for _ in range(self._random_plies):
            move = self.position.legal_moves[int(self.np_random.integers(len(self.position.legal_moves)))]
            if self.position.play(move).is_over:
                break
            self._play(move)
        self._play_opponent()
        return self._observation(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        if self.position.is_over:
            raise FlipdropError("the game is over: reset() starts another one")
        move = int(action)
        if move not in self.position.legal_moves:
            return self._observation(), -1.0, True, False, self._info() | {"illegal_action": move}
        self._play(move)
        self._play_opponent()
        over = self.position.is_over
        reward = 0.0
        if over:
            reward = float(self.position.result or 0) * (1 if self.agent_side == 0 else -1)
        return self._observation(), reward, over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as the masked algorithms of sb3-contrib ask for them."""
        return mask_of(self.position, self.agent_side).astype(np.bool_)

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._player.close()

    def _play(self, move: int) -> None:
        self._moves.append(move)
        self.position = self.position.play(move)

    def _play_opponent(self) -> None:
        """Plays the opponent's moves until it is the agent's turn or the game is over."""
        while not self.position.is_over and self.position.to_move != self.agent_side:
            send_history(self._player, self._start, self._moves)
            self._play(checked_move(self._player, self.position))

    def _observation(self) -> NDArray[np.int8]:
        return view_of(self.position, self.agent_side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": mask_of(self.position, self.agent_side), "agent_side": self.agent_side}

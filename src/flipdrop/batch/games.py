"""`Games`: many games stepped in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from flipdrop.errors import FlipdropError, IllegalMove
from flipdrop.games import ConnectFour
from flipdrop.games import game as game_of
from flipdrop.kernel import ConnectFourGames, OthelloGames
from flipdrop.options import check_whole_numbers
from flipdrop.workers import core_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from flipdrop.batch.arrays import Mask, Planes
    from flipdrop.games import Game, Position


class Step(NamedTuple):
    """What a step of all games gives: one row for each game.

    :ivar observation: the positions of the sides to move now, as planes
    :ivar mask: their legal actions
    :ivar reward: of the side that has just moved: 1 for a win, -1 for a loss, else 0
    :ivar done: whether the step ended the game
    """

    observation: Planes
    mask: Mask
    reward: NDArray[np.float32]
    done: Mask


class Games:
    """Many games of one board, played side by side: every call of `step` plays one action in each.

    >>> games = Games("connect4", 1000, seed=1)
    >>> observation, mask = games.reset()
    >>> observation.shape, mask.shape
    ((1000, 2, 6, 7), (1000, 7))
    >>> step = games.step(games.random_actions())
    >>> step.reward.sum(), step.done.any()
    (np.float32(0.0), np.False_)

    An action is a move's number; in Othello the last one is the pass, which is an action like any other. A finished
    game starts again within the step that ended it, so its row of `Step` holds the reward and the first observation of
    the next game. With ``auto_reset=False`` it keeps its last position and an empty mask, and its actions are ignored
    until `reset`.

    :param size: the number of games
    :param start: the position that games start from; the game's own by default
    :param planes: of an observation, 2 or 4 as in `Position.to_numpy`
    :param random_plies: random moves at the start of every game, so that games differ
    :param seed: of these moves and of `random_actions`
    :param threads: as many as there are cores by default; results do not depend on it
    """

    def __init__(
        self,
        game: Game | str = "othello",
        size: int = 1024,
        *,
        start: Position | None = None,
        planes: int = 2,
        auto_reset: bool = True,
        random_plies: int = 0,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.game = game_of(game)
        self.start: Position = self.game.start() if start is None else start
        if self.start.game != self.game:
            raise FlipdropError(f"a start of {self.start.game.title} for games of {self.game.title}")
        check_whole_numbers(size=size, planes=planes, random_plies=random_plies, seed=seed, threads=threads or 1)
        settings: dict[str, Any] = {
            "planes": planes,
            "auto_reset": auto_reset,
            "random_plies": random_plies,
            "seed": seed,
            "threads": core_count() if threads is None else threads,
        }
        self._kernel: OthelloGames | ConnectFourGames = (
            ConnectFourGames(self.start, size, **settings)
            if isinstance(self.start, ConnectFour)
            else OthelloGames(self.start, size, **settings)
        )

    def __len__(self) -> int:
        return len(self._kernel)

    def __repr__(self) -> str:
        return f"<Games {len(self):,} of {self.start.game.title}>"

    @property
    def actions(self) -> int:
        """Actions are numbers from 0 to one less than this."""
        return self.start.move_space

    @property
    def to_move(self) -> NDArray[np.int8]:
        """The side to move in each game: 0 for the first, 1 for the second."""
        return self._kernel.to_move

    def reset(self, rows: ArrayLike | None = None) -> tuple[Planes, Mask]:
        """Starts all games anew, or those whose entry of `rows` is true; gives all observations and masks."""
        chosen = None if rows is None else np.ascontiguousarray(rows, dtype=np.bool_)
        return self._kernel.reset(chosen)

    def step(self, actions: ArrayLike) -> Step:
        """Plays an action in each game. An illegal one raises IllegalMove, and then no game has moved."""
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {array.dtype}")
        if array.ndim != 1:
            raise FlipdropError(f"actions of shape {array.shape}; they are a row of {len(self)}, one for each game")
        narrow = np.ascontiguousarray(array, dtype=np.int32)
        if narrow is not array and (narrow != array).any():
            raise IllegalMove(f"an action has more than 32 bits; actions are 0 to {self.actions - 1}")
        return Step(*self._kernel.step(narrow))

    def random_actions(self) -> NDArray[np.int32]:
        """A random legal action for each game, 0 for a finished one."""
        return self._kernel.random_actions()

    def __getitem__(self, game: int) -> Position:
        """The position of a game."""
        return cast("Position", self._kernel.position(self.start, game))

    @property
    def positions(self) -> list[Position]:
        return [self[i] for i in range(len(self))]

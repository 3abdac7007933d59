"""Matches of two players, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from flipdrop.arena.competition import MAX_GAMES, Competition, pairs_of
from flipdrop.arena.model import TimeControl
from flipdrop.arena.participants import Participants
from flipdrop.arena.run_event import distinct_terminations
from flipdrop.arena.statistics import EloEstimate, Games, Sprt, SprtResult, Tally, estimate_after_sprt, estimate_elo
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.notebook import html_lines
from flipdrop.options import option
from flipdrop.players import display_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.model import Event
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.store import Store
    from flipdrop.games import Game
    from flipdrop.players import PlayerLike

_PLAYERS = 2


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match so far, from the view of its first player.

    >>> result = match("greedy", "random", games=20, seed=1)
    >>> result.wins, result.draws, result.losses, result.score
    (17, 0, 3, 0.85)
    >>> [round(end) for end in result.elo.elo_interval]
    [25, 695]

    :param tally: wins, draws and losses of games, and of pairs
    :param elo: from the pairs; with a sequential test, corrected for the bias of stopping
    :param margin: the mean margin, in discs
    :param by_side: its games as the first side and as the second
    :param forfeits: games lost by an error, an illegal move or on time, by the first player and by the second
    :param terminations: the reasons, at most 10
    :param seconds: of this run
    """

    event: Event
    tally: Tally
    elo: EloEstimate
    margin: float
    by_side: tuple[Games, ...]
    forfeits: tuple[int, int]
    terminations: tuple[str, ...]
    seconds: float
    games_a_second: float
    sprt: SprtResult | None = None

    @property
    def games(self) -> int:
        """The number of games that count."""
        return self.tally.games.total

    @property
    def wins(self) -> int:
        return self.tally.games.wins

    @property
    def draws(self) -> int:
        return self.tally.games.draws

    @property
    def losses(self) -> int:
        return self.tally.games.losses

    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1; a draw is half a point."""
        return self.tally.games.score

    def to_json(self) -> dict[str, Any]:
        elo = self.elo.to_json()
        return {
            "game": self.event.game,
            "players": list(self.event.players),
            **self.tally.games.summary(),
            "pairs": self.tally.pairs.to_json(),
            "margin": self.margin,
            "as_first": self.by_side[0].to_json(),
            "as_second": self.by_side[1].to_json(),
            "elo": elo["elo"],
            "elo_interval": elo["elo_interval"],
            "los": self.elo.los,
            "llr": None if self.sprt is None else self.sprt.llr,
            "sprt": None if self.sprt is None else self.sprt.to_json(),
            "forfeits": list(self.forfeits),
            "terminations": list(self.terminations),
            "openings": self.event.openings,
            "time": None if self.event.time is None else str(self.event.time),
            "seconds": self.seconds,
            "games_a_second": self.games_a_second,
            "seed": self.event.seed,
        }

    def describe(self, sprt: Sprt | None = None) -> list[str]:
        """The result in lines of text.

        :param sprt: the test of the match, if it had one
        """
        games = self.tally.games
        lines = [f"{games} of {games.total}: score {games.score:.3f}, mean margin {self.margin:+.1f}"]
        sides = game_of(self.event.game).sides
        lines += [f"  as {name}: {side}" for name, side in zip(sides, self.by_side, strict=True)]
        lines.append(str(self.elo))
        if self.sprt is not None:
            lines.append(f"SPRT{'' if sprt is None else f' {sprt}'}: {self.sprt}")
        if any(self.forfeits):
            by_first, by_second = self.forfeits
            first, second = map(display_name, self.event.players)
            lines.append(f"forfeited: {by_first} by {first}, {by_second} by {second}")
            lines += [f"  {termination}" for termination in self.terminations]
        distinct = self.event.distinct_openings(games.total // 2)
        if distinct < games.total // 2:
            lines.append(
                f"only {distinct} distinct openings: deterministic players repeat games, so the interval is too "
                "narrow; try longer openings"
            )
        return lines

    @property
    def title(self) -> str:
        first, second = map(display_name, self.event.players)
        return f"{first} against {second}, {game_of(self.event.game).title}"

    def __repr__(self) -> str:
        return f"<MatchResult {self.title}: {self.tally.games}; {self.elo}>"

    def __str__(self) -> str:
        return "\n".join([self.title, *self.describe()])

    def _repr_html_(self) -> str:
        return html_lines(self.title, self.describe())


def match_result(
    state: EventProgress, *, pairing: int = 0, sprt: Sprt | None = None, pairs: int | None = None
) -> MatchResult:
    """The result of one pairing of an event so far.

    :param pairs: counts the first `pairs` pairs only; None: all
    """
    event = state.event
    scores, margins = (table[pairing] for table in state.outcomes(pairs))
    tally = Tally.from_scores(scores)
    counted = [
        (player == event.pairings[pairing][1], reason)
        for number, player, reason in state.forfeits()
        if event.pairing_of(number) == pairing and number // (2 * len(event.pairings)) < len(scores)
    ]
    by_second = sum(second for second, _ in counted)
    return MatchResult(
        event=event,
        tally=tally,
        elo=estimate_elo(tally.pairs) if sprt is None else estimate_after_sprt(sprt, tally.pairs),
        margin=float(np.nanmean(margins)) if tally.games.total else 0.0,
        by_side=tuple(Games.from_scores(side) for side in scores.T),
        forfeits=(len(counted) - by_second, by_second),
        terminations=distinct_terminations(reason for _, reason in counted),
        seconds=state.seconds,
        games_a_second=state.games_a_second,
        sprt=None if sprt is None else sprt.test(tally.pairs),
    )


class SprtMonitor:
    """Applies a sequential test to the pairs of a match as they end.

    Games end in any order, but the test takes pairs in the order of their numbers: so the same pair decides the same
    match with any number of threads, and after any number of interruptions.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.decided_at_pair: int | None = None
        """The number of pairs that decided the test."""
        self._counts = np.zeros(5)
        self._next = 0

    def decided(self, state: EventProgress) -> bool:
        """Whether the complete pairs before the first incomplete one decide the test."""
        if self.decided_at_pair is not None:
            return True
        points = state.pairs_in_order(self._next)
        self._next += len(points)
        if not points:
            return False
        counts = self._counts + np.cumsum(np.eye(5)[points], axis=0)
        self._counts = counts[-1]
        crossed = np.flatnonzero(self.sprt.decisions(counts))
        if len(crossed):
            self.decided_at_pair = self._next - len(points) + int(crossed[0]) + 1
        return len(crossed) > 0


@dataclass(frozen=True, kw_only=True)
class Match(Competition[MatchResult]):
    """A match of two players.

    :param sprt: a test that ends the match as soon as it is decided
    """

    kind: ClassVar[str] = "match"
    readers: ClassVar = {"players": tuple, "sprt": lambda data: Sprt(**data)}

    players: tuple[str, ...]
    games: int = option(100, "maximum number of games; each opening is played twice", minimum=2, maximum=MAX_GAMES)
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs_of(self.games)
        if len(self.players) != _PLAYERS:
            raise ArenaError(f"a match has two players, not {len(self.players)}; flipdrop tournament takes more")
        _ = self.first_event  # validates the players

    @property
    def specs(self) -> tuple[str, ...]:
        return self.players

    @property
    def games_planned(self) -> int:
        return self.games

    @property
    def first_event(self) -> Event:
        return self.make_event(self.players, ((0, 1),), pairs=self.games // 2)

    def stop_when(self) -> Callable[[EventProgress], bool] | None:
        return None if self.sprt is None else SprtMonitor(self.sprt).decided

    def result(self, states: list[EventProgress]) -> MatchResult:
        (state,) = states
        if self.sprt is None:
            return match_result(state)
        monitor = SprtMonitor(self.sprt)
        monitor.decided(state)
        return match_result(state, sprt=self.sprt, pairs=monitor.decided_at_pair)


def match(
    first: PlayerLike,
    second: PlayerLike,
    *,
    game: Game | str = "othello",
    games: int = 100,
    openings: str = "",
    seed: int = 0,
    time: TimeControl | str | None = None,
    sprt: Sprt | str | None = None,
    store: Store | None = None,
    threads: int | None = None,
    progress: Callable[[EventProgress], object] | None = None,
) -> MatchResult:
    """Plays a match, and returns the result of the first player.

    >>> def first_legal(position):
    ...     return position.legal_moves[0]
    >>> result = match(first_legal, "random", game="connect4", games=20)
    >>> result.event.players, result.games
    (('python:first_legal', 'random'), 20)

    :param first: a spec, a search, a function, a class or an object (see `flipdrop.player`), as `second`
    :param games: at most, an even number; each opening is played twice
    :param openings: such as ``random:8``; empty for the default of the board
    :param time: such as ``60+0.5`` or ``1/move``; without one, time is unlimited
    :param sprt: a test that ends the match as soon as it is decided, such as ``0,20``
    :param store: keeps the games; games that it has are not played again
    :param threads: games at once; as many as there are cores by default. Functions and objects play one game at a time
    :param progress: called as games end
    """
    participants = Participants((first, second), game=game)
    made = Match(
        players=participants.specs,
        game=participants.game,
        games=games,
        openings=openings,
        seed=seed,
        time=TimeControl.parse(time) if isinstance(time, str) else time,
        sprt=Sprt.parse(sprt) if isinstance(sprt, str) else sprt,
    )
    return made.run(store, participants.runner(), threads=threads, progress=progress)

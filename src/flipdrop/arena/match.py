"""A match: which of two players is better, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.event import Event, pairs_of
from flipdrop.arena.openings import default_openings
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.statistics import EloEstimate, Games, Sprt, SprtResult, Tally, estimate_after_sprt, estimate_elo
from flipdrop.arena.store import Store
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.arena.model import TimeControl
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Result


@dataclass(frozen=True)
class MatchResult:
    """How a match stands, as the first of its two players sees it.

    :param tally: wins, draws and losses of games, and of pairs
    :param elo: from the pairs; where a test may end the match, corrected for matches being ended by lucky runs
    :param margin: the mean margin, in discs
    :param by_side: its games as the first side and as the second
    :param forfeits: games that a player lost by an error, an illegal move or on time: (by the first, by the second)
    :param terminations: the reasons, some of them
    :param seconds: of this run
    """

    event: Event
    tally: Tally
    elo: EloEstimate
    margin: float
    by_side: tuple[Games, Games]
    forfeits: tuple[int, int]
    terminations: tuple[str, ...]
    seconds: float
    games_a_second: float
    sprt: SprtResult | None = None

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        games = self.tally.games
        elo = self.elo.to_json()
        return {
            "game": self.event.game,
            "players": list(self.event.players),
            "games": games.total,
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "pairs": self.tally.pairs.to_json(),
            "score": games.score,
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


_MOST_TERMINATIONS = 10


def match_result(
    state: EventProgress, *, pairing: int = 0, sprt: Sprt | None = None, pairs: int | None = None
) -> MatchResult:
    """How one pairing of an event stands.

    :param pairs: count so many pairs alone; all if it is None
    """
    scores: list[tuple[float | None, float | None]] = []
    margins: list[int] = []
    by_side = [[0, 0, 0], [0, 0, 0]]
    forfeits = [0, 0]
    terminations: list[str] = []
    for number in _pairs_begun(state, pairing, pairs):
        one, two = state.results.get(number), state.results.get(number + 1)
        scores.append((_score(one, 1), _score(two, -1)))
        for side, (result, sign) in enumerate(((one, 1), (two, -1))):
            if result is None:
                continue
            by_side[side][1 + sign * result.result] += 1
            margins.append(sign * result.margin)
            if result.termination:
                forfeits[sign * result.result > 0] += 1
                terminations.append(result.termination)
    tally = Tally.from_scores(scores)
    return MatchResult(
        event=state.event,
        tally=tally,
        elo=estimate_elo(tally.pairs) if sprt is None else estimate_after_sprt(sprt, tally.pairs),
        margin=sum(margins) / len(margins) if margins else 0.0,
        by_side=(Games.from_counts(by_side[0]), Games.from_counts(by_side[1])),
        forfeits=(forfeits[0], forfeits[1]),
        terminations=tuple(dict.fromkeys(terminations))[:_MOST_TERMINATIONS],
        seconds=state.seconds,
        games_a_second=state.games_a_second,
        sprt=None if sprt is None else sprt.test(tally.pairs),
    )


def _pairs_begun(state: EventProgress, pairing: int, pairs: int | None) -> Iterable[int]:
    """The first games of a pairing's pairs; where many more are planned, of those that were begun."""
    event = state.event
    planned = range(2 * pairing, event.games, 2 * len(event.pairings))[:pairs]
    if len(planned) <= len(state.results):
        return planned
    return sorted({first for number in state.results if (first := number - number % 2) in planned})


def _score(result: Result | None, sign: int) -> float | None:
    return None if result is None else (1 + sign * result.result) / 2


class SprtMonitor:
    """Watches a test as the pairs of a match end, and finds the pair with which it is decided.

    Games end in any order, but the test looks at pairs in the order of their numbers: so the same match is decided by
    the same pair, however many games were played at once and however often it was stopped and resumed.
    """

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.decided_at_pair: int | None = None
        """So many pairs decide it."""
        self._counts = np.zeros(5)
        self._next = 0

    def decided(self, state: EventProgress) -> bool:
        """Whether the pairs that have ended one after the other decide the test."""
        if self.decided_at_pair is not None:
            return True
        points = []
        while (one := state.results.get(2 * self._next)) and (two := state.results.get(2 * self._next + 1)):
            points.append(2 + one.result - two.result)
            self._next += 1
        if not points:
            return False
        counts = self._counts + np.cumsum(np.eye(5)[points], axis=0)
        self._counts = counts[-1]
        crossed = np.flatnonzero(self.sprt.decisions(counts))
        if len(crossed):
            self.decided_at_pair = self._next - len(points) + int(crossed[0]) + 1
        return len(crossed) > 0


def play_match(
    event: Event,
    store: Store,
    runner: Runner,
    *,
    sprt: Sprt | None = None,
    progress: Callable[[EventProgress], object] | None = None,
) -> MatchResult:
    """Plays a match to its last game, or until the test is decided, and says how it ended."""
    monitor = None if sprt is None else SprtMonitor(sprt)
    enough = None if monitor is None else monitor.decided
    state = run_event(event, store, runner, stop_when=enough, progress=progress)
    return match_result(state, sprt=sprt, pairs=None if monitor is None else monitor.decided_at_pair)


def match(
    first: str,
    second: str,
    *,
    game: str = "othello",
    games: int = 100,
    openings: str | None = None,
    seed: int = 0,
    time: TimeControl | None = None,
    sprt: Sprt | None = None,
    store: Store | None = None,
    threads: int | None = None,
) -> MatchResult:
    """Plays a match between two specs, and says how it ended for the first of them.

    :param games: at most so many, an even number; each opening is played twice
    :param openings: such as ``random:8``; what suits the board if it is not given
    :param store: keeps the games, and those it has already are not played again; without one they are forgotten
    :param threads: games at once; as many as there are cores if it is not given
    """
    event = Event(
        kind="match",
        game=game_of(game).name,
        players=(first, second),
        pairings=((0, 1),),
        pairs=pairs_of(games),
        openings=openings or default_openings(game_of(game)),
        seed=seed,
        time=time,
    )
    event.check()
    runner = runner_for(event.players, threads=threads)
    if store is not None:
        return play_match(event, store, runner, sprt=sprt)
    with Store(None) as forgotten:
        return play_match(event, forgotten, runner, sprt=sprt)

"""Parts of experiments: what is run, one after the other, and kept.

`MatchPart` is a match between two specs; `MeasuredPart` is anything else: a learner's run, a timing. A part that needs
what another has found names it in `needs`::

    evolved = MeasuredPart("evolve p20/g80", seed=seed, asked={...}, measure=_evolve, estimate=8)
    MatchPart("p20/g80", first="alphabeta:depth=2,evaluation={ga[weights]}", second="...", needs={"ga": evolved}, ...)

Files, such as models, lie in the folder of the work. Their names hold a digest of what decides their content, so what
was learned with other settings is never mistaken for them; specs write ``{folder}`` for the folder.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.event import Event, pairs_of
from flipdrop.arena.match import match_result
from flipdrop.arena.openings import default_openings
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.store import RunWriter
from flipdrop.arena.sweep.result import Mean
from flipdrop.games import game as game_of
from flipdrop.learning import Pursuit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.store import Store
    from flipdrop.experiments.experiment import Values
    from flipdrop.learning import Budget, Learner

OPENINGS = "random:8"
"""Where Othello games begin unless a part says otherwise."""


@dataclass
class Work:
    """What a part works with.

    :param values: what the parts before it have measured, by their keys
    :param folder: for files such as models
    :param tell: told how much of the part is done, 0 to 1, and a few words
    :param event: set by the part, if it plays an event of the store
    :param run: set by the part, if it is a learner's run in the store
    :param seconds_before: added to by the part, if some of its work was done before, by an earlier run
    """

    store: Store
    folder: Path
    threads: int
    values: Mapping[str, Values]
    tell: Callable[[float, str], object] = lambda *_: None
    event: int | None = None
    run: int | None = None
    seconds_before: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Part(ABC):
    """A part of an experiment.

    :param key: tells it from the other parts, and stays the same from version to version
    :param estimate: about how many seconds it takes on two cores
    :param needs: parts that come before it and whose values it uses, by the names it has for them
    """

    key: str
    seed: int
    estimate: float = 1.0
    needs: Mapping[str, Part] = field(default_factory=dict)

    @property
    def settings(self) -> Values:
        """Everything beside the seed that decides the result; a part whose settings have changed is run again."""
        needed = {name: part.settings for name, part in self.needs.items()}
        read: Values = json.loads(json.dumps(self._settings() | ({"needs": needed} if needed else {})))
        return read

    @property
    def digest(self) -> str:
        """A short name for everything that decides the result."""
        text = json.dumps([self.key, self.seed, self.settings], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()

    @abstractmethod
    def _settings(self) -> Values:
        """The settings, without those of what it needs."""

    @abstractmethod
    def run(self, work: Work) -> Values:
        """Does it."""

    def needed(self, work: Work) -> dict[str, Values]:
        """The values of the parts that it needs, by its names for them."""
        return {name: work.values[part.key] for name, part in self.needs.items()}


@dataclass(frozen=True, kw_only=True)
class MatchPart(Part):
    """A match: pairs of games from the same openings, each side once.

    Specs may hold ``{name[value]}``, a value of a part that is needed, and ``{folder}``.

    :param first: the spec whose results these are
    :param second: its opponent
    :param games: an even number
    :param threads: games at once; as many as the run has if it is not given (1 where moves are timed)
    :param own_openings: whether no other part begins from the same openings, so that several matches can be pooled;
        without it, rows of a table begin from the same
    """

    first: str
    second: str
    games: int
    game: str = "othello"
    openings: str | None = None
    threads: int | None = None
    own_openings: bool = False

    def _settings(self) -> Values:
        return {
            "kind": "match",
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "openings": self._openings,
        } | ({"own_openings": True} if self.own_openings else {})

    @property
    def _openings(self) -> str:
        return self.openings or default_openings(game_of(self.game))

    def run(self, work: Work) -> Values:
        """Plays what is missing of the match."""
        needed = self.needed(work)
        first, second = (spec.format(**needed, folder=work.folder) for spec in (self.first, self.second))
        measured = played(
            work,
            first,
            second,
            game=self.game,
            games=self.games,
            openings=self._openings,
            seed=derive_seed(self.seed, self.key) if self.own_openings else self.seed,
            threads=self.threads,
            tell=work.tell,
        )
        return {"players": [spec.format(**needed, folder="models") for spec in (self.first, self.second)]} | measured


def played(
    work: Work,
    first: str,
    second: str,
    *,
    games: int,
    seed: int,
    game: str = "othello",
    openings: str = OPENINGS,
    threads: int | None = None,
    tell: Callable[[float, str], object] = lambda *_: None,
) -> Values:
    """Plays a match, as far as the store does not have it, and returns its `match_values`.

    :param tell: told how much of it is done
    """
    event = Event(
        kind="match",
        game=game_of(game).name,
        players=(first, second),
        pairings=((0, 1),),
        pairs=pairs_of(games),
        openings=openings,
        seed=seed,
    )
    event.check()
    work.event = work.store.event_id_for(event)
    runner = runner_for(event.players, threads=threads or work.threads)

    def show(state: EventProgress) -> None:
        tell(len(state.results) / event.games, f"{state.games_a_second:,.0f} games/s")

    state = run_event(event, work.store, runner, progress=show)
    state.results = {number: result for number, result in state.results.items() if number < event.games}
    if state.played > 0:
        work.seconds_before += state.seconds * state.before / state.played
    return match_values(state)


def match_values(state: EventProgress) -> Values:
    """What a match says of its first player: results, score, Elo and margins, with 95% intervals.

    ``as_first`` and ``as_second`` are its games with either side. Margins are discs in Othello; a mean of m says that
    of the 64 squares of 8x8 it has ``32 + m / 2`` on average. Intervals of what was always the same are a point.
    """
    result = match_result(state)
    elo, games = result.elo.to_json(), result.tally.games
    sides = [_margins(state, side) for side in (0, 1)]
    margin = Mean.of(np.mean(sides, axis=0))
    return {
        "games": games.total,
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "pairs": list(result.tally.pairs.counts),
        "score": elo["score"],
        "score_interval": elo["score_interval"],
        "elo": elo["elo"],
        "elo_interval": elo["elo_interval"],
        "los": elo["los"],
        "margin": margin.value,
        "margin_interval": margin.to_json(),
        **{
            name: by.to_json() | {"margin": Mean.of(margins).value, "margin_interval": Mean.of(margins).to_json()}
            for name, by, margins in zip(("as_first", "as_second"), result.by_side, sides, strict=True)
        },
        "broken_off": list(result.forfeits),
        "games_a_second": state.games_a_second,
    }


def _margins(state: EventProgress, side: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    sign = -1 if side else 1
    return np.array([sign * state.results[n].margin for n in range(side, state.event.games, 2)], dtype=np.float64)


@dataclass(frozen=True, kw_only=True)
class MeasuredPart(Part):
    """Anything that a function measures.

    :param asked: everything that decides what is measured, as JSON can hold it; with ``kind``, a word for what it is
    :param measure: given the part and what it works with, returns the values
    """

    asked: Mapping[str, Any]
    measure: Callable[[MeasuredPart, Work], Values]

    def _settings(self) -> Values:
        return {"kind": "measurement"} | dict(self.asked)

    def run(self, work: Work) -> Values:
        """Measures it."""
        return self.measure(self, work)


def learn(part: Part, work: Work, learner: Learner, budget: Budget, *, ending: str) -> Pursuit:
    """Runs a learner, noted in the store; one that was stopped goes on from its checkpoint.

    The model's name in the folder of the work is ``pursuit.model.name``: put it into the values, and specs can write
    ``{folder}/{name[model]}``.

    :param ending: of the model's file, such as ``.weights``
    """
    work.folder.mkdir(parents=True, exist_ok=True)
    pursuit = Pursuit(learner, work.folder / f"{learner.name}-{part.digest}{ending}")
    if pursuit.checkpoint.exists():
        pursuit.resume()
        work.seconds_before += pursuit.seconds
    pursuit.record = RunWriter.begin(
        work.store,
        learner=learner.name,
        game=learner.game.name,
        seed=learner.seed,
        settings=learner.settings,
        file=str(pursuit.model.resolve()),
    )
    work.run = pursuit.record.id

    def tell(of: Pursuit) -> None:
        work.tell(budget.share(of.steps, of.learner.games, of.seconds) or 0.0, of.learner.doing[:60])

    pursuit.run(budget, progress=tell)
    return pursuit

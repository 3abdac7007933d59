"""Validates the settings of a client and starts the job.

Everything that a client sent is validated here, before a process starts: player specs by the check for specs of
clients, the limits of the page, and the rest by the constructors of competitions and learners.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import ArenaError, FlipdropError, LearningError, quoted
from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.manager import find_learned
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.learning.genetic.methods import check_method, evolvable_evaluations, methods_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.arena.competition import Competition
    from flipdrop.games import Game
    from flipdrop.interface.web.jobs.manager import Job, JobManager
    from flipdrop.interface.web.jobs.spec import Kind

MAX_GAMES = 100_000
MAX_PLAYERS = 32
MAX_SECONDS = 24 * 3600.0
MAX_SEED = 2**63 - 1
RULES = ("td", "sarsa", "q")


class BadNumber(FlipdropError):
    """A number that is missing, malformed or out of range."""


@dataclass(frozen=True)
class JobFactory:
    """Starts jobs.

    :param store: where games and curves go
    :param check: takes a player spec and the game, and returns the spec; raises if clients may not name such a player
    """

    jobs: JobManager
    store: Path
    check: Callable[[str, Game], str]

    def match(
        self,
        first: str,
        second: str,
        *,
        game: str,
        games: int = 100,
        openings: str | None = None,
        sprt: str | None = None,
        clock: str | None = None,
        seed: int | None = None,
    ) -> Job:
        """Starts a match.

        :param sprt: ELO0,ELO1 of a test that ends the match as soon as it is decided
        """
        kind = game_of(game)
        match = Match(
            first=self.spec(first, kind),
            second=self.spec(second, kind),
            games=_whole("games", games, 2, MAX_GAMES),
            sprt=Sprt.parse(sprt) if sprt else None,
            **_arena_settings(kind, openings, clock, seed),
        )
        return self._compete("match", match)

    def tournament(
        self,
        players: Sequence[str],
        *,
        game: str,
        games: int = 20,
        gauntlet: int | None = None,
        openings: str | None = None,
        clock: str | None = None,
        seed: int | None = None,
    ) -> Job:
        """Starts a tournament.

        :param games: of each pairing
        :param gauntlet: the first `gauntlet` players meet all the others; None: a round robin
        """
        kind = game_of(game)
        if len(players) > MAX_PLAYERS:
            raise ArenaError(f"{len(players)} players; a tournament of the page takes up to {MAX_PLAYERS}")
        tournament = Tournament(
            entrants=tuple(self.spec(spec, kind) for spec in players),
            games=_whole("games", games, 2, MAX_GAMES),
            gauntlet=gauntlet,
            **_arena_settings(kind, openings, clock, seed),
        )
        if tournament.games_planned > MAX_GAMES:
            raise ArenaError(f"{tournament.games_planned:,} games in all; a tournament has up to {MAX_GAMES:,}")
        return self._compete("tournament", tournament)

    def ladder(self, player: str, *, game: str, games: int = 20, opponents: int = 12, seed: int | None = None) -> Job:
        """Starts to look for a player's place on the ladder."""
        placement = LadderPlacement(
            player=self.spec(player, game_of(game)),
            game=game,
            games=_whole("games", games, 2, 1000),
            opponents=_whole("opponents", opponents, 1, 1000),
            seed=_seed(seed) % (MAX_SEED // 8),  # its events have seeds of four times as much
        )
        return self._compete("ladder", placement)

    def evolve(
        self,
        *,
        game: str,
        method: str = "tournament-ga",
        evaluation: str,
        population: int = 50,
        generations: int | None = None,
        depth: int = 2,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> Job:
        """Starts to evolve the weights of an evaluation."""
        kind, chosen = game_of(game), check_method(method)
        known = evolvable_evaluations(kind)
        if evaluation not in known:
            raise LearningError(f"evaluation {quoted(evaluation, 20)}; for this game: {', '.join(known)}")
        settings: dict[str, Any] = {"method": chosen, "evaluation": evaluation, "depth": _whole("depth", depth, 1, 6)}
        if chosen in methods_with("population"):
            settings["population"] = _whole("population", population, 4, 500)
        if generations is not None:
            settings["generations"] = _whole("generations", generations, 1, 100_000)
        return self._learn(
            "evolve",
            kind,
            settings,
            f"{evaluation}-{chosen}",
            ".weights",
            f"alphabeta:depth={depth},evaluation=",
            seconds,
            seed,
        )

    def learn(
        self,
        *,
        game: str,
        rule: str = "td",
        rate: float | None = None,
        epsilon: float | None = None,
        lambda_: float | None = None,
        seconds: float | None = 60.0,
        seed: int | None = None,
    ) -> Job:
        """Starts to learn values by self-play: with a table on small boards, with patterns on others."""
        from flipdrop.learning.patterns import PatternSettings
        from flipdrop.learning.tables import fits_a_table
        from flipdrop.learning.tables.settings import Rule, settings_for

        kind = game_of(game)
        if rule not in get_args(Rule):
            raise LearningError(f"unknown rule {quoted(rule, 20)}; rules are {', '.join(RULES)}")
        given = {"rate": rate, "epsilon": epsilon, "lambda_": lambda_}
        numbers: dict[str, Any] = {name: float(value) for name, value in given.items() if value is not None}
        if fits_a_table(kind):
            settings_for(cast("Rule", rule), kind, **numbers)  # raises for a number out of range
            model, suffix, plays_as = "table", ".table", "table:model="
        else:
            PatternSettings(**numbers)
            model, suffix, plays_as = "patterns", ".pattern", "pattern:depth=3,model="
        settings = {"rule": rule, "with": model, **numbers}
        return self._learn("learn", kind, settings, rule, suffix, plays_as, seconds, seed)

    def train(
        self,
        *,
        game: str,
        body: str | None = None,
        simulations: int | None = None,
        seconds: float | None = 600.0,
        seed: int | None = None,
    ) -> Job:
        """Starts to train a network by self-play."""
        from flipdrop.learning.network import settings_for

        kind = game_of(game)
        settings: dict[str, Any] = {}
        if body:
            settings["body"] = body
        if simulations is not None:
            settings["simulations"] = _whole("simulations", simulations, 2, 10_000)
        layers, sizes = settings_for(kind, **settings).layers()
        if max((*layers, *sizes)) > 1024 or len(layers) + len(sizes) > 24:
            raise LearningError(f"body={quoted(body or '')}; up to 24 layers of up to 1024 units or channels")
        return self._learn("train", kind, settings, "network", ".onnx", "network:model=", seconds, seed)

    def spec(self, text: str, game: Game) -> str:
        """A validated player spec. ``learned:ID`` becomes the spec of the model of a job."""
        job = find_learned(text, game, self.jobs.folder)
        if job is None or job.plays_as is None:
            return self.check(text.strip(), game)
        return job.plays_as

    def models(self, game: Game) -> dict[str, str]:
        """Models that can play a game, the newest first: ``learned:ID``, and the name to show."""
        found = {
            job.id: Path(job.spec.model).stem
            for job in self.jobs.all()
            if job.spec.game == game.name and job.plays_as is not None
        }
        names = list(found.values())
        return {
            f"learned:{id_}": name if names.count(name) == 1 else f"{name} ({id_[-4:]})" for id_, name in found.items()
        }

    def _compete(self, kind: Kind, competition: Competition[Any]) -> Job:
        competition.check()
        return self.jobs.start(JobSpec(kind, competition.to_json(), str(self.store)))

    def _learn(
        self,
        kind: Kind,
        game: Game,
        settings: dict[str, Any],
        name: str,
        suffix: str,
        plays_as: str,
        seconds: float | None,
        seed: int | None,
    ) -> Job:
        """Starts a learner.

        :param name: of the model's file, up to the game
        :param plays_as: the spec of the player that the model is, up to the file
        """
        if seconds is not None and not 1 <= seconds <= MAX_SECONDS:
            raise BadNumber(f"{seconds:g} s; a run takes from 1 s to {MAX_SECONDS / 3600:g} hours")
        folder = self.jobs.new_folder(kind)
        model = (folder / f"{name}-{_file_name(game)}{suffix}").absolute()
        settings = {"game": game.name, **settings, "seconds": seconds, "seed": _seed(seed)}
        return self.jobs.start(JobSpec(kind, settings, str(self.store), str(model), f"{plays_as}{model}"), folder)


def has_ladder(game: Game) -> bool:
    return game.name in GAMES_WITH_LADDER


def _arena_settings(game: Game, openings: str | None, clock: str | None, seed: int | None) -> dict[str, Any]:
    source = (openings or "").strip()
    if source not in ("", "start") and source.partition(":")[0] not in ("random", "balanced"):  # no files
        raise ArenaError(f"openings {quoted(source, 30)}; write random:8 or balanced:8 (plies), or start")
    time = TimeControl.parse(clock.strip()) if clock and clock.strip() else None
    return {"game": game.name, "openings": source, "time": time, "seed": _seed(seed)}


def _whole(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadNumber(f"{name} {quoted(str(value), 20)}; a whole number from {least:,} to {most:,} is needed")
    return value


def _seed(seed: int | None) -> int:
    """The seed, or a random one that is short enough to be typed."""
    return secrets.randbelow(10**6) if seed is None else _whole("seed", seed, 0, MAX_SEED)


def _file_name(game: Game) -> str:
    return game.name.replace(":", "-").replace(",", "-").replace("=", "-")

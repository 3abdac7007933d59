"""What people may ask for: from what they filled in to the command that a job runs, or an error that says why not.

Everything that comes from a page is checked here, before a process begins: specs by the check that the server uses for
all specs of clients, numbers by their ranges, and all of it together by the rooms that are going to work with it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.ladder import ladder as ladder_of
from flipdrop.arena.match import Match
from flipdrop.arena.model import TimeControl
from flipdrop.arena.openings import default_openings
from flipdrop.arena.statistics import Sprt
from flipdrop.arena.tournament import Tournament
from flipdrop.errors import ArenaError, FlipdropError, LearningError, quoted
from flipdrop.evaluation import definitions_for_game
from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.manager import JobSpec, learned, resuming

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flipdrop.arena.model import Event
    from flipdrop.games import Game
    from flipdrop.interface.web.jobs.manager import Job, JobManager, Kind

MAX_GAMES = 100_000
MAX_PLAYERS = 32
MAX_SECONDS = 24 * 3600.0
MAX_SEED = 2**63 - 1
METHODS = ("tournament-ga", "online-ga", "position-ga", "cma")
RULES = ("td", "sarsa", "q")
_SAVE_ONLY = "0.001"  # s of a resumed run that has nothing to learn any more, and writes its model


class BadNumber(FlipdropError):
    """What was filled in is no number, or one that is too small or too large."""


@dataclass(frozen=True)
class JobFactory:
    """Takes orders.

    :param store: where games and curves go
    :param check: takes a spec and the game, and returns the spec; raises if clients may not name such a player
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
        """Begins a match.

        :param sprt: elo0,elo1 of a test that ends the match as soon as it is decided
        """
        kind = game_of(game)
        test = None if not sprt else Sprt.parse(sprt)
        made = Match(
            first=self.spec(first, kind),
            second=self.spec(second, kind),
            game=kind.name,
            games=_whole("games", games, 2, MAX_GAMES),
            sprt=test,
            openings=_openings(openings, kind),
            seed=_seed(seed),
            time=_clock(clock),
        )
        event = made.first_event
        made.check()
        options = ["--games", str(event.games)]
        if test is not None:
            options += ["--sprt", str(test)]
        return self._arena(event, options, {"sprt": None if test is None else str(test)})

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
        """Begins a tournament.

        :param games: of each pairing
        :param gauntlet: the first so many players meet all the others, and nobody else meets
        """
        kind = game_of(game)
        if len(players) > MAX_PLAYERS:
            raise ArenaError(f"{len(players)} players; a tournament of the page takes up to {MAX_PLAYERS}")
        made = Tournament(
            entrants=tuple(self.spec(spec, kind) for spec in players),
            game=kind.name,
            games=_whole("games", games, 2, MAX_GAMES),
            gauntlet=gauntlet,
            openings=_openings(openings, kind),
            seed=_seed(seed),
            time=_clock(clock),
        )
        event = made.first_event
        if event.games > MAX_GAMES:
            raise ArenaError(f"{event.games:,} games in all; up to {MAX_GAMES:,} are played in one go")
        made.check()
        options = ["--games", str(made.games)]
        if gauntlet is not None:
            options += ["--gauntlet", str(gauntlet)]
        return self._arena(event, options, {"gauntlet": gauntlet})

    def ladder(self, player: str, *, game: str, games: int = 20, opponents: int = 12, seed: int | None = None) -> Job:
        """Begins to look for a player's place on the ladder."""
        kind = game_of(game)
        rungs = ladder_of(kind.name)
        spec = self.spec(player, kind)
        placement = LadderPlacement(
            player=spec,
            ladder=rungs,
            games=_whole("games", games, 2, 1000),
            opponents=_whole("opponents", opponents, 1, len(rungs.entries)),
            seed=_seed(seed) % (MAX_SEED // 8),  # its steps have seeds of four times as much
        )
        options = ["--games", str(placement.games), "--opponents", str(placement.opponents)]
        metadata = {
            "players": [spec],
            "games": placement.games_planned,
            "against_each": placement.games,
            "opponents": placement.opponents,
            "seed": placement.seed,
            "openings": rungs.openings,
        }
        return self._start("ladder", kind, [*options, "--seed", str(placement.seed)], [spec], metadata)

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
        """Begins to evolve the weights of an evaluation."""
        kind = game_of(game)
        if method not in METHODS:
            raise LearningError(f"method {quoted(method, 20)}; there are {', '.join(METHODS)}")
        known = evolvable(kind)
        if evaluation not in known:
            raise LearningError(f"evaluation {quoted(evaluation, 20)}; what can evolve here is {', '.join(known)}")
        options = ["--method", method, "--evaluation", evaluation]
        options += ["--depth", str(_whole("depth", depth, 1, 6))]
        if method in ("tournament-ga", "cma"):
            options += ["--population", str(_whole("population", population, 4, 500))]
        if generations is not None:
            options += ["--generations", str(_whole("generations", generations, 1, 100_000))]
        metadata = {"method": method, "evaluation": evaluation, "population": population, "generations": generations}
        plays = f"alphabeta:depth={depth},evaluation="
        name = f"{evaluation}-{method}-{_as_file_name(kind)}.weights"
        return self._learner("evolve", kind, options, [kind.name], metadata, name, plays, seconds, seed)

    def learn(
        self,
        *,
        game: str,
        rule: str = "td",
        rate: float | None = None,
        epsilon: float | None = None,
        lambda_: float | None = None,
        seconds: float = 60.0,
        seed: int | None = None,
    ) -> Job:
        """Begins to learn values from games: with a table on small boards, with patterns on others."""
        from flipdrop.learning.tables import fits_a_table

        kind = game_of(game)
        if rule not in RULES:
            raise LearningError(f"rule {quoted(rule, 20)}; there are {', '.join(RULES)}")
        given = {"rate": rate, "epsilon": epsilon, "lambda_": lambda_}
        chosen = {name: float(value) for name, value in given.items() if value is not None}
        with_table = fits_a_table(kind)
        _check_rule(rule, kind, chosen, with_table=with_table)
        options = ["--with", "table" if with_table else "patterns"]
        for name, value in chosen.items():
            options += ["--learning-rate" if name == "rate" else f"--{name.rstrip('_')}", repr(value)]
        metadata = {"rule": rule, "with": options[1]} | {name.rstrip("_"): value for name, value in chosen.items()}
        ending, plays = ("table", "table:model=") if with_table else ("pattern", "pattern:depth=3,model=")
        name = f"{rule}-{_as_file_name(kind)}.{ending}"
        return self._learner("learn", kind, options, [rule, kind.name], metadata, name, plays, seconds, seed)

    def train(
        self,
        *,
        game: str,
        body: str | None = None,
        simulations: int | None = None,
        seconds: float = 600.0,
        seed: int | None = None,
    ) -> Job:
        """Begins to train a network by its own games."""
        from flipdrop.learning.network import settings_for

        kind = game_of(game)
        changes: dict[str, Any] = {}
        if body:
            changes["body"] = body
        if simulations is not None:
            changes["simulations"] = _whole("simulations", simulations, 2, 10_000)
        settings = settings_for(kind, **changes)
        layers, sizes = settings.layers()
        if max((*layers, *sizes)) > 1024 or len(layers) + len(sizes) > 24:
            raise LearningError(f"body={quoted(settings.body)}; layers have up to 1024 of everything, and there are 24")
        options = [part for name, value in changes.items() for part in (f"--{name}", str(value))]
        metadata = {"body": settings.body, "simulations": settings.simulations}
        name = f"network-{_as_file_name(kind)}.onnx"
        return self._learner("train", kind, options, [kind.name], metadata, name, "network:model=", seconds, seed)

    def spec(self, text: str, game: Game) -> str:
        """The spec that somebody has given, checked. ``learned:ID`` is the model of a job, which this server made."""
        job = learned(text, self.jobs.folder)
        if job is None or job.plays_as is None:
            return self.check(text.strip(), game)
        if job.spec.game != game.name:
            raise ArenaError(f"{quoted(text, 50)} has learned {job.spec.game}, and this is {game.name}")
        return job.plays_as

    def models(self, game: Game) -> dict[str, str]:
        """Models that can play a game, the newest first: ``learned:ID``, and a name for people."""
        found = {
            job.id: Path(job.spec.metadata["model"]).stem
            for job in self.jobs.all()
            if job.spec.game == game.name and job.plays_as is not None
        }
        names = list(found.values())
        return {
            f"learned:{id_}": name if names.count(name) == 1 else f"{name} ({id_[-4:]})" for id_, name in found.items()
        }

    def _arena(self, event: Event, options: list[str], metadata: dict[str, Any]) -> Job:
        options += ["--openings", event.openings, "--seed", str(event.seed)]
        if event.time is not None:
            options += ["--clock", str(event.time)]
        metadata |= {
            "players": list(event.players),
            "games": event.games,
            "seed": event.seed,
            "openings": event.openings,
            "clock": None if event.time is None else str(event.time),
        }
        kind: Kind = "match" if event.kind == "match" else "tournament"
        return self._start(kind, game_of(event.game), options, event.players, metadata)

    def _start(
        self, command: Kind, game: Game, options: Sequence[str], specs: Sequence[str], metadata: dict[str, Any]
    ) -> Job:
        arguments = (command, "--game", game.name, *options, "--store", str(self.store), "--json", "--", *specs)
        return self.jobs.start(JobSpec(command, game.name, arguments, metadata))

    def _learner(
        self,
        command: Kind,
        game: Game,
        options: list[str],
        what: list[str],
        metadata: dict[str, Any],
        name: str,
        plays: str,
        seconds: float | None,
        seed: int | None,
    ) -> Job:
        """Begins a run of a learner.

        :param what: the arguments that are no options
        :param name: of the model's file
        :param plays: the spec that it plays as, up to the name of the file
        """
        folder = self.jobs.new_folder(command)
        model = folder / name
        chosen = _seed(seed)
        options = [*options, "--seed", str(chosen), "--out", str(model), "--store", str(self.store), "--json"]
        budget: list[str] = []
        if seconds is not None:
            if not 1 <= seconds <= MAX_SECONDS:
                raise BadNumber(f"{seconds:g} s; a run takes from 1 s to {MAX_SECONDS / 3600:g} hours")
            budget = ["--seconds", f"{seconds:g}"]
        metadata |= {"seed": chosen, "seconds": seconds, "model": str(model), "plays_as": f"{plays}{model}"}
        arguments = (command, *budget, *options, "--", *what)
        saving = resuming((command, "--seconds", _SAVE_ONLY, *options, "--", *what))
        return self.jobs.start(JobSpec(command, game.name, arguments, metadata, saving), folder)


def can_resume(job: Job) -> bool:
    """Whether a job that is not running has left something to go on with."""
    if job.is_running or job.state == "ended":
        return False
    model = job.spec.metadata.get("model")
    return True if model is None else Path(model).with_suffix(".checkpoint").is_file()


def evolvable(game: Game) -> tuple[str, ...]:
    """The evaluations of a game that have something to evolve."""
    from flipdrop.learning.genetic import genome

    found = []
    for definition in definitions_for_game(game):
        try:
            genome(definition.name, game)
        except LearningError:
            continue
        found.append(definition.name)
    return tuple(found)


def has_ladder(game: Game) -> bool:
    """Whether there is a published ladder of it."""
    return game.name in GAMES_WITH_LADDER


def _check_rule(rule: str, game: Game, chosen: Mapping[str, Any], *, with_table: bool) -> None:
    """Raises unless these settings suit the learner."""
    if with_table:
        from flipdrop.learning.tables.settings import Rule, settings_for

        assert rule in get_args(Rule)
        settings_for(cast("Rule", rule), game, **chosen)
        return
    from flipdrop.learning.patterns.learner import PatternSettings

    PatternSettings(**chosen)


def _whole(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # forms send 20.0
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadNumber(f"{name} {quoted(str(value), 20)}; a whole number from {least:,} to {most:,} is needed")
    return value


def _seed(seed: int | None) -> int:
    """The seed given, or a fresh one that is short enough to be typed again."""
    return secrets.randbelow(10**6) if seed is None else _whole("seed", seed, 0, MAX_SEED)


def _openings(text: str | None, game: Game) -> str:
    """A source of openings that is no file."""
    source = (text or "").strip() or default_openings(game)
    if source != "start" and source.partition(":")[0] not in ("random", "balanced"):
        raise ArenaError(f"openings {quoted(source, 30)}; write random:8 or balanced:8 (plies), or start")
    return source


def _clock(text: str | None) -> TimeControl | None:
    return TimeControl.parse(text.strip()) if text and text.strip() else None


def _as_file_name(game: Game) -> str:
    return game.name.replace(":", "-").replace(",", "-").replace("=", "-")

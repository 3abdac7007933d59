"""Jobs that a client may start: request models that validate settings before a process starts.

Player specs are validated as those of sessions, numbers by the fields below, and the rest by the constructors of
competitions and learners. These are imported with the first job, since they take half a second.
"""

from __future__ import annotations

import secrets
from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field

from flipdrop.errors import ArenaError, LearningError, PlayerError, quoted
from flipdrop.interface.web.agents.code import makers_of
from flipdrop.interface.web.agents.library import agents_in
from flipdrop.interface.web.jobs.manager import find_learned
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.interface.web.schemas import RequestModel
from flipdrop.interface.web.validation import parse_clock, parse_game, parse_player

if TYPE_CHECKING:
    from flipdrop.arena.competition import Competition
    from flipdrop.games import Game
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.jobs.manager import Job, JobManager
    from flipdrop.interface.web.schemas import JobKind

MAX_GAMES = 100_000
MAX_PLAYERS = 32
MAX_SEED = 2**63 - 1
MAX_SECONDS = 24 * 3600.0

Games = Annotated[int, Field(ge=2, le=MAX_GAMES, description="An even number; each opening is played twice.")]
Seconds = Annotated[float | None, Field(ge=1, le=MAX_SECONDS, description="The time limit.")]


class JobRequest(RequestModel):
    """A job to start."""

    model_config = ConfigDict(strict=True, populate_by_name=True)

    kind: JobKind
    game: str = Field(examples=["othello", "connect4:5x4"])
    seed: int | None = Field(None, ge=0, le=MAX_SEED, description="Seed of every random choice; random by default.")

    @abstractmethod
    def start(self, jobs: JobManager, config: ServerConfig) -> Job:
        """Validates the settings and starts the job."""

    def seed_or_random(self) -> int:
        """The seed, or a random one that is short enough to be typed."""
        return secrets.randbelow(10**6) if self.seed is None else self.seed


class CompetitionRequest(JobRequest):
    """A match, tournament or ladder placement."""

    @abstractmethod
    def competition(self, game: Game, config: ServerConfig) -> Competition[Any]:
        """The competition, whose constructor validates the settings."""

    def start(self, jobs: JobManager, config: ServerConfig) -> Job:
        competition = self.competition(parse_game(self.game), config)
        agents = agents_in(competition.specs, config)
        competition.check(makers=makers_of(agents), load_code=False)  # the job's process loads agents, not this one
        return jobs.start(JobSpec(self.kind, competition.to_json(), str(config.store), agents=agents))


class TimedRequest(CompetitionRequest):
    """A competition with openings and a clock."""

    openings: str | None = Field(None, description="start, random:8 or balanced:8 (plies).")
    clock: str | None = Field(None, description="The time control in seconds.", examples=["60+0.5", "1/move"])

    def arena_settings(self, config: ServerConfig) -> dict[str, Any]:
        source = (self.openings or "").strip()
        if source not in ("", "start") and source.partition(":")[0] not in ("random", "balanced"):  # no files
            raise ArenaError(f"openings {quoted(source, 30)}; write random:8 or balanced:8 (plies), or start")
        return {"openings": source, "time": parse_clock(self.clock, config.limits), "seed": self.seed_or_random()}


class MatchRequest(TimedRequest):
    """A match of two players."""

    kind: Literal["match"] = "match"
    first: str = Field(examples=["level:3"])
    second: str = Field(examples=["mcts:iterations=800"])
    games: Games = 100
    sprt: str | None = Field(None, description="ELO0,ELO1 of a test that ends the match as soon as it is decided.")

    def competition(self, game: Game, config: ServerConfig) -> Competition[Any]:
        from flipdrop.arena.match import Match
        from flipdrop.arena.statistics import Sprt

        return Match(
            game=game.name,
            players=(player_spec(self.first, game, config), player_spec(self.second, game, config)),
            games=self.games,
            sprt=Sprt.parse(self.sprt) if self.sprt else None,
            **self.arena_settings(config),
        )


class TournamentRequest(TimedRequest):
    """A round robin, or a gauntlet."""

    kind: Literal["tournament"] = "tournament"
    players: list[str]
    games: Games = 20
    gauntlet: int | None = Field(None, description="This number of players meets all the others, who do not meet.")

    def competition(self, game: Game, config: ServerConfig) -> Competition[Any]:
        from flipdrop.arena.tournament import Tournament

        if len(self.players) > MAX_PLAYERS:
            raise ArenaError(f"{len(self.players)} players; a tournament of the page takes up to {MAX_PLAYERS}")
        tournament = Tournament(
            game=game.name,
            players=tuple(player_spec(spec, game, config) for spec in self.players),
            games=self.games,
            gauntlet=self.gauntlet,
            **self.arena_settings(config),
        )
        if tournament.games_planned > MAX_GAMES:
            raise ArenaError(f"{tournament.games_planned:,} games in all; a tournament has up to {MAX_GAMES:,}")
        return tournament


class LadderRequest(CompetitionRequest):
    """The search for a player's place on the ladder."""

    kind: Literal["ladder"] = "ladder"
    player: str
    games: int = Field(20, ge=2, le=1000, description="Against each opponent of the main rounds.")
    opponents: int = Field(12, ge=1, le=1000)

    def competition(self, game: Game, config: ServerConfig) -> Competition[Any]:
        from flipdrop.arena.ladder import LadderPlacement

        return LadderPlacement(
            player=player_spec(self.player, game, config),
            game=game.name,
            games=self.games,
            opponents=self.opponents,
            seed=self.seed_or_random() % (MAX_SEED // 8),  # its events have seeds of four times as much
        )


class LearnerPlan(NamedTuple):
    """What the job of a learner needs besides its game, seed and time limit."""

    settings: dict[str, Any]
    model: str
    """The name of the model's file, without the board."""
    suffix: str
    plays_as: str
    """The spec of the model's player, up to the file."""


class LearnerRequest(JobRequest):
    """A learner."""

    seconds: Seconds = None

    @abstractmethod
    def learner(self, game: Game) -> LearnerPlan:
        """The learner; raises for settings that it does not take."""

    def start(self, jobs: JobManager, config: ServerConfig) -> Job:
        game = parse_game(self.game)
        plan = self.learner(game)
        folder = jobs.new_folder(self.kind)
        board = game.name.replace(":", "-").replace(",", "-").replace("=", "-")
        model = (folder / f"{plan.model}-{board}{plan.suffix}").absolute()
        settings = {"game": game.name, **plan.settings, "seconds": self.seconds, "seed": self.seed_or_random()}
        spec = JobSpec(self.kind, settings, str(config.store), str(model), f"{plan.plays_as}{model}")
        return jobs.start(spec, folder)


class EvolveRequest(LearnerRequest):
    """Weights of an evaluation that evolve."""

    kind: Literal["evolve"] = "evolve"
    method: str = "tournament-ga"
    evaluation: str
    population: int = Field(50, ge=4, le=500)
    generations: int | None = Field(None, ge=1, le=100_000)
    depth: int = Field(2, ge=1, le=6, description="Of the search that plays with the weights.")

    def learner(self, game: Game) -> LearnerPlan:
        from flipdrop.learning.genetic.methods import check_method, evolvable_evaluations, methods_with

        method, known = check_method(self.method), evolvable_evaluations(game)
        if self.evaluation not in known:
            raise LearningError(f"evaluation {quoted(self.evaluation, 20)}; for this game: {', '.join(known)}")
        settings: dict[str, Any] = {"method": method, "evaluation": self.evaluation, "depth": self.depth}
        if method in methods_with("population"):
            settings["population"] = self.population
        if self.generations is not None:
            settings["generations"] = self.generations
        plays_as = f"alphabeta:depth={self.depth},evaluation="
        return LearnerPlan(settings, f"{self.evaluation}-{method}", ".weights", plays_as)


class LearnRequest(LearnerRequest):
    """Values that are learned by self-play: with a table on small boards, with patterns on others."""

    kind: Literal["learn"] = "learn"
    rule: Literal["td", "sarsa", "q"] = "td"
    rate: float | None = Field(None, description="The learning rate.")
    epsilon: float | None = None
    lambda_: float | None = Field(None, alias="lambda")
    seconds: Seconds = 60.0

    def learner(self, game: Game) -> LearnerPlan:
        from flipdrop.learning.patterns import PatternSettings
        from flipdrop.learning.tables import fits_a_table
        from flipdrop.learning.tables.settings import settings_for

        given = {"rate": self.rate, "epsilon": self.epsilon, "lambda_": self.lambda_}
        numbers: dict[str, Any] = {name: float(value) for name, value in given.items() if value is not None}
        if fits_a_table(game):
            settings_for(self.rule, game, **numbers)  # raises for a number out of range
            settings = {"rule": self.rule, "with": "table", **numbers}
            return LearnerPlan(settings, self.rule, ".table", "table:model=")
        PatternSettings(**numbers)
        settings = {"rule": self.rule, "with": "patterns", **numbers}
        return LearnerPlan(settings, self.rule, ".pattern", "pattern:depth=3,model=")


class TrainRequest(LearnerRequest):
    """A network that is trained by self-play."""

    kind: Literal["train"] = "train"
    body: str | None = Field(None, description="The layers.", examples=["conv:4x32"])
    simulations: int | None = Field(None, ge=2, le=10_000, description="For each move of self-play.")
    seconds: Seconds = 600.0

    def learner(self, game: Game) -> LearnerPlan:
        from flipdrop.learning.network import settings_for

        given = {"body": self.body, "simulations": self.simulations}
        settings = {name: value for name, value in given.items() if value}
        layers, sizes = settings_for(game, **settings).layers()
        if max((*layers, *sizes)) > 1024 or len(layers) + len(sizes) > 24:
            raise LearningError(f"body={quoted(self.body or '')}; up to 24 layers of up to 1024 units or channels")
        return LearnerPlan(settings, "network", ".onnx", "network:model=")


AnyJobRequest = Annotated[
    MatchRequest | TournamentRequest | LadderRequest | EvolveRequest | LearnRequest | TrainRequest,
    Field(discriminator="kind"),
]


def player_spec(text: str, game: Game, config: ServerConfig) -> str:
    """A validated player spec. ``learned:ID`` becomes the spec of the model of a job."""
    job = find_learned(text, game, config.jobs_folder)
    if job is not None and job.plays_as is not None:
        return job.plays_as
    player = parse_player(text, game, config)
    if player.spec is None:
        raise PlayerError(f"player {quoted(text, 20)}; enter one, such as level:4 or mcts:iterations=800")
    return player.spec

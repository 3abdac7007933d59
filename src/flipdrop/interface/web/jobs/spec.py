"""The specification of a job as JSON: settings of a competition (`flipdrop.arena.competition`) or of a learner."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.agents.code import AgentCode
from flipdrop.model_file import checkpoint_of

if TYPE_CHECKING:
    from flipdrop.arena.competition import Competition
    from flipdrop.interface.web.schemas import JobKind

COMPETITIONS = ("match", "tournament", "ladder")
LEARNERS = ("evolve", "learn", "train")

_ARGUMENTS = {"match": ("players",), "tournament": ("players",), "ladder": ("player",), "learn": ("rule", "game")}
_OPTIONS = {"time": "clock", "rate": "learning-rate", "lambda_": "lambda"}  # settings whose options have other names


@dataclass(frozen=True)
class JobSpec:
    """A job.

    :param settings: `Competition.to_json`, or a learner's settings; ``game`` and ``seed`` are in either
    :param store: the file that games and curves go to
    :param model: the file of a learner's model
    :param plays_as: the spec of the player that the model is
    :param agents: among the players, those from files that clients name without a path
    """

    kind: JobKind
    settings: dict[str, Any]
    store: str
    model: str = ""
    plays_as: str = ""
    agents: dict[str, AgentCode] = field(default_factory=dict)

    @property
    def game(self) -> str:
        return str(self.settings["game"])

    @property
    def seed(self) -> int:
        return int(self.settings["seed"])

    @property
    def is_learner(self) -> bool:
        return self.kind in LEARNERS

    @property
    def checkpoint(self) -> Path:
        """The file that a learner is resumed from."""
        return checkpoint_of(self.model)

    def competition(self) -> Competition[Any]:
        from flipdrop.arena.competition import from_json

        return from_json(self.settings)

    @property
    def command(self) -> str:
        """The command line that does the same in a terminal; empty if it would need the paths of agents."""
        if self.agents:
            return ""
        settings = {name: value for name, value in self.settings.items() if value is not None and name != "kind"}
        if self.kind == "ladder":
            del settings["openings"]  # those of the ladder
        if "sprt" in settings:
            settings["sprt"] = f"{settings['sprt']['elo0']:g},{settings['sprt']['elo1']:g}"
        words = ["flipdrop", self.kind]
        for name in _ARGUMENTS.get(self.kind, ("game",)):
            value = settings.pop(name)
            words += value if isinstance(value, list) else [value]
        for name, value in settings.items():
            words += [f"--{_OPTIONS.get(name, name)}", f"{value:g}" if isinstance(value, float) else str(value)]
        if self.model:
            words += ["--out", Path(self.model).name]
        return shlex.join(words)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> JobSpec:
        """The inverse of `to_json`; reads jobs of version 0.1.0, too."""
        if "facts" in data:
            return _read_version_0_1(data)
        agents = {spec: AgentCode(**agent) for spec, agent in data.get("agents", {}).items()}
        return cls(data["kind"], data["settings"], data["store"], data["model"], data["plays_as"], agents)


def _read_version_0_1(data: dict[str, Any]) -> JobSpec:
    """A job of version 0.1.0: a command line, and facts about it."""
    from flipdrop.arena.store.learner_names import upgrade_learner
    from flipdrop.players.upgrade import upgrade_spec

    kind: JobKind = data["kind"]
    facts, arguments = dict(data["facts"]), data["arguments"]
    store = arguments[arguments.index("--store") + 1]
    if kind in LEARNERS:
        model, plays_as = facts.pop("model"), facts.pop("plays_as")
        settings: dict[str, Any] = {name: value for name, value in facts.items() if value is not None}
        if "lambda" in settings:
            settings["lambda_"] = settings.pop("lambda")
        if "method" in settings:
            settings["method"] = upgrade_learner(f"ga-{settings['method']}").removeprefix("ga-")
            settings["depth"] = int(arguments[arguments.index("--depth") + 1])
            if "--population" not in arguments:
                settings.pop("population", None)
        return JobSpec(kind, {"game": data["game"], **settings}, store, model, upgrade_spec(plays_as))
    players = [upgrade_spec(player) for player in facts["players"]]
    games = int(arguments[arguments.index("--games") + 1])
    settings = {"kind": kind, "game": data["game"], "games": games}
    if kind == "ladder":
        settings |= {"player": players[0], "ladder": None, "opponents": facts["opponents"]}
    elif kind == "tournament":
        settings |= {"players": players, "gauntlet": facts["gauntlet"]}
    else:
        elo = facts["sprt"] and [float(bound) for bound in facts["sprt"].split(",")]
        settings |= {"players": players, "sprt": elo and {"elo0": elo[0], "elo1": elo[1]}}
    settings |= {"openings": facts["openings"], "seed": facts["seed"], "time": facts.get("clock")}
    return JobSpec(kind, settings, store)

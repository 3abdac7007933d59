"""What is fuzzed: every reader, by name. A target raises for a mistake of flipdrop, not for wrong input.

Wrong input is a `FlipdropError`. Readers of stored rows may also raise the errors of `DAMAGE`, which the store reports
with the file and the row. Files with a checksum are fuzzed inside: the target signs what the fuzzer makes.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from flipdrop.arena.competition import from_json as competition_of
from flipdrop.arena.ladder.published import read_ladder
from flipdrop.arena.model import Event, TimeControl
from flipdrop.arena.openings import Openings
from flipdrop.arena.option_values import Axis, Range
from flipdrop.errors import DAMAGE, FlipdropError
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.evaluation.network import network_file
from flipdrop.evaluation.patterns import PatternModel
from flipdrop.evaluation.weight_file import decode_weights
from flipdrop.experiments.results_io import read_results
from flipdrop.games import ConnectFourGame, Game, OthelloGame, read_transcript
from flipdrop.games import game as game_of
from flipdrop.games.problems import read_problem
from flipdrop.games.records import decode_games
from flipdrop.games.variations import MoveTree
from flipdrop.interface.protocols.gtp import serve_gtp
from flipdrop.interface.protocols.nboard import serve_nboard
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.validation import parse_clock, parse_evaluation, parse_player, parse_position
from flipdrop.model_file import read_model_file, write_model_file
from flipdrop.players import player as player_of
from flipdrop.players.linear_values import LinearValues
from flipdrop.players.upgrade import upgrade_spec
from flipdrop.players.value_table import ValueTable
from flipdrop.search.book import book_from_bytes
from flipdrop.search.book_builder import read_notes

Target = Callable[[bytes], object]
_GAMES: tuple[Game, ...] = (OthelloGame(), OthelloGame(4), ConnectFourGame(), ConnectFourGame(4, 4))
_LIMITS = Limits()


@cache
def _folder() -> Path:
    """A folder for files, in memory where the system has one there."""
    memory = Path("/dev/shm")
    made = tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape" if b"\xff" in data else "replace")


def _file(data: bytes, name: str = "file") -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _parts(data: bytes) -> tuple[Any, bytes]:
    """A value in JSON, a zero byte, then bytes."""
    text, _, rest = data.partition(b"\0")
    try:
        return json.loads(text), rest
    except (ValueError, RecursionError):
        return None, rest


def _games(data: bytes) -> None:
    game = game_of(_text(data))
    game_of(game.name).start()


def _positions(data: bytes) -> None:
    for game in _GAMES:
        with suppress(FlipdropError):
            position = game.position(_text(data))
            assert game.position(position.board) == position or position.game != game


def _transcripts(data: bytes) -> None:
    for game in _GAMES:
        with suppress(FlipdropError):
            read_transcript(game.start(), _text(data))


def _variations(data: bytes) -> None:
    for game in _GAMES:
        with suppress(FlipdropError):
            tree = MoveTree.from_text(game.start(), _text(data))
            assert MoveTree.from_text(game.start(), tree.text) == tree


def _specs(data: bytes) -> None:
    text = _text(data)
    upgrade_spec(text)
    for game in (None, *_GAMES[1:3]):
        with suppress(FlipdropError):
            player = player_of(text, game=game, seed=1, threads=1, allow_code=False)
            again = player_of(str(player), game=game, seed=1, threads=1, allow_code=False)
            assert str(again) == str(player), (str(player), str(again))
            player.close()


def _evaluations(data: bytes) -> None:
    with suppress(OSError):  # it may be the name of a file
        evaluation_of(_text(data))


def _option_values(data: bytes) -> None:
    for read in (Axis.parse, Range.parse):
        with suppress(FlipdropError):
            read(_text(data))


def _openings(data: bytes) -> None:
    Openings(_GAMES[1], _text(data), 1)


def _times(data: bytes) -> None:
    str(TimeControl.parse(_text(data)))


def _web(data: bytes) -> None:
    text, config = _text(data), ServerConfig(store=_folder() / "games.db")
    for game in _GAMES[1:3]:
        for parse in (
            lambda: parse_position(text, game, _LIMITS),  # noqa: B023 - called at once
            lambda: parse_player(text, game, config),  # noqa: B023
            lambda: parse_evaluation(text, game),  # noqa: B023
            lambda: parse_clock(text, _LIMITS),
        ):
            with suppress(FlipdropError):
                parse()


def _records(format_: str) -> Target:
    return lambda data: decode_games(data, format_)


def _problems(data: bytes) -> None:
    read_problem(_text(data))


def _book(data: bytes) -> None:
    """The first line and the positions of a book, with the right checksum."""
    head, body = _parts(data)
    packed = zlib.compress(body, 1)
    if isinstance(head, dict):
        head["sha256"] = hashlib.sha256(packed).hexdigest()
    book = book_from_bytes(json.dumps(head).encode() + b"\n" + packed)
    for game in (OthelloGame(), ConnectFourGame()):
        position: Any = game.start()
        with suppress(FlipdropError, AttributeError):
            book.report(position) if game.family == "othello" else book.move_scores(position)  # type: ignore[union-attr]


def _model(kind: str, read: Callable[[Path], object], names: tuple[str, ...]) -> Target:
    """A model with the right checksum: metadata in JSON, then arrays. Each begins with its type and its columns."""
    types = (np.uint8, np.int8, np.int64, np.float16, np.float32, np.float64, np.bool_)

    def run(data: bytes) -> None:
        metadata, rest = _parts(data)
        arrays: dict[str, Any] = {}
        parts = rest.split(b"\1\2", len(names) - 1)
        for name, part in zip(names, parts, strict=False):
            dtype = np.dtype(types[part[0] % len(types)] if part else np.uint8)
            columns, content = (part[1] if len(part) > 1 else 0), part[2:]
            flat = np.frombuffer(content[: len(content) // dtype.itemsize * dtype.itemsize], dtype)
            arrays[name] = flat.reshape(-1, columns) if columns and len(flat) % columns == 0 else flat
        path = _folder() / "model"
        if isinstance(metadata, dict):
            with suppress(ValueError):  # NaN in an array is refused when it is written
                write_model_file(path, kind, metadata, arrays)
                read(path)

    return run


def _network(data: bytes) -> None:
    """A graph with the right checksum."""
    from google.protobuf.message import DecodeError
    from onnx import ModelProto

    model = ModelProto()
    with suppress(DecodeError):
        model.ParseFromString(data)
        for prop in model.metadata_props:
            with suppress(ValueError, RecursionError):
                header = json.loads(prop.value)
                if isinstance(header, dict):
                    header.pop("checksum", None)
                    header["checksum"] = network_file._checksum(header, model.graph)
                    prop.value = json.dumps(header)
    network_file.validated_metadata("network", bytes(model.SerializeToString()))


def _rows(data: bytes) -> None:
    """Rows of stores."""
    value, _ = _parts(data)
    for read in (Event.from_json, Session.from_json, JobSpec.from_json, competition_of):
        with suppress(*DAMAGE):
            read(value)


def _protocol(serve: Callable[..., None], *arguments: Any) -> Target:
    def run(data: bytes) -> None:
        player = player_of("random", seed=1)
        serve(player, *arguments, io.StringIO(_text(data[:2000])), io.StringIO())

    return run


TARGETS: dict[str, Target] = {
    "games": _games,
    "positions": _positions,
    "transcripts": _transcripts,
    "variations": _variations,
    "specs": _specs,
    "evaluations": _evaluations,
    "option_values": _option_values,
    "openings": _openings,
    "times": _times,
    "web": _web,
    "ggf": _records("ggf"),
    "plain": _records("plain"),
    "wthor": _records("wthor"),
    "problems": _problems,
    "weights": decode_weights,
    "book_file": book_from_bytes,
    "book": _book,
    "model_file": lambda data: read_model_file(_file(data), "checkpoint", most=1 << 20),
    "patterns": _model("pattern network", PatternModel.read, ("weights",)),
    "table": _model("table of learned values", ValueTable.read, ("codes", "values", "lengths")),
    "linear": _model("linear value function", LinearValues.read, ("weights",)),
    "network": _network,
    "rows": _rows,
    "ladder": lambda data: read_ladder(_file(data)),
    "results": lambda data: read_results(_text(data)),
    "notes": lambda data: read_notes(_file(data)),
    "gtp": _protocol(serve_gtp, OthelloGame(4)),
    "nboard": _protocol(serve_nboard),
}


def run(entry: bytes) -> bool:
    """Runs an entry of the corpus: the name of a target, a line end, and its input. False for an unknown target."""
    name, _, data = entry.partition(b"\n")
    target = TARGETS.get(name.decode("latin-1"))
    if target is None:
        return False
    with suppress(FlipdropError):
        target(data)
    return True

"""Dialogs that load a game from a text or a file, and that share the one on the board."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from nicegui import ui

from flipdrop.errors import FlipdropError, RecordError
from flipdrop.games.drawings import game_svg, svg
from flipdrop.games.problems import Problem, read_problem, write_problem
from flipdrop.games.records import GameRecord, decode_games, encode_games, format_of
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    copy_button,
    dialog,
    div,
    field,
    group,
    select,
    text,
    text_input,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from flipdrop.games import Othello
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.sessions.session import Session

MAX_BYTES = 600_000
"""Size of a file that is loaded; a year of WTHOR has about 200,000 bytes."""
_MAX_GAMES = 2000  # of a file that are offered
_PICTURE_WIDTH = 800  # pixels
_FILE_TYPES = ".ggf,.wtb,.txt,.obf"
# Sends the name and the bytes of the file; of a file that is too large, no bytes.
_READ_FILE = (
    "async (event) => {const file = event.target.files[0]; if (!file) return;"
    f"if (file.size > {MAX_BYTES}) return emit([file.name, null]);"
    "const reader = new FileReader();"
    "reader.onload = () => emit([file.name, reader.result.split(',')[1] ?? '']);"
    "reader.readAsDataURL(file); event.target.value = ''}"
)
_SAVE_PNG = (
    "{const image = new Image(); image.onload = () => {const canvas = document.createElement('canvas');"
    "canvas.width = image.width; canvas.height = image.height; canvas.getContext('2d').drawImage(image, 0, 0);"
    "const link = document.createElement('a'); link.href = canvas.toDataURL('image/png'); link.download = NAME;"
    "link.click()}; image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(SVG)}"
)
_PRINT = (
    "{const frame = document.createElement('iframe'); frame.style.display = 'none';"
    "frame.onload = () => {frame.contentWindow.onafterprint = () => frame.remove(); frame.contentWindow.print()};"
    "frame.srcdoc = SVG; document.body.append(frame)}"
)


def import_dialog(t: Translator, on_text: Callable[[str], object], on_record: Callable[[GameRecord], object]) -> None:
    """Asks for a text or a file; an error of the callbacks is shown in the dialog.

    :param on_text: called with a pasted text
    :param on_record: called with a game of a file
    """
    pasted = {"text": ""}
    records: list[GameRecord] = []
    with dialog(t("paste.title")) as opened:
        text(t("paste.hint"), "fd-small fd-muted")
        text_input("", lambda value: pasted.update(text=value), lines=5, placeholder="f5d6c3d3c4", test="paste-text")
        with field(t("paste.file")):
            upload = div("fd-file", tag="input", type="file", accept=_FILE_TYPES, test="paste-file")
        games = div("fd-field")
        banner = ErrorBanner(t)

        def attempt(action: Callable[[], object]) -> None:
            try:
                action()
            except FlipdropError as error:
                banner.show(error)
            else:
                opened.close()

        async def on_file(event: GenericEventArguments) -> None:
            try:
                records[:] = await asyncio.to_thread(games_of_file, event.args)
            except FlipdropError as error:
                banner.show(error)
                return
            banner.write("")
            if len(records) == 1:
                attempt(lambda: on_record(records[0]))
                return
            games.clear()
            with games, field(t("paste.game", count=len(records))):
                names = {str(index): record_title(index, record) for index, record in enumerate(records)}

                def choose(index: str) -> None:
                    if index:
                        attempt(lambda: on_record(records[int(index)]))

                select({"": "–", **names}, "", choose, test="paste-game")

        upload.on("change", on_file, js_handler=_READ_FILE)
        with div("fd-row"):
            Button(t("paste.load"), lambda: attempt(lambda: on_text(pasted["text"])), kind="primary", test="paste-load")
            Button(t("editor.cancel"), opened.close, kind="subtle")


def games_of_file(sent: Any) -> list[GameRecord]:
    """The games of a file that a browser has sent: its name and its bytes in Base64; at most `_MAX_GAMES`."""
    match sent:
        case [str(name), str(data)] if len(data) <= 2 * MAX_BYTES:
            pass
        case [str(), None]:
            raise RecordError(f"the file has more than {MAX_BYTES:,} bytes; flipdrop convert splits it")
        case _:
            raise RecordError("the file could not be read")
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error:
        raise RecordError("the file could not be read") from None
    if PurePath(name).suffix.lower() == ".obf":
        lines = content.decode("utf-8", "replace").splitlines()[:_MAX_GAMES]
        found = [GameRecord(read_problem(line).position) for line in lines if line.strip() and line[0] not in "%#"]
    else:
        found = decode_games(content, format_of(name))[:_MAX_GAMES]
    if not found:
        raise RecordError("the file holds no game")
    return found


def record_title(index: int, record: GameRecord) -> str:
    """A game of a file in a list: its number, players, score and event."""
    players = " – ".join(name or "?" for name in (record.first, record.second))
    score = "" if record.score is None else f"{record.score:+g}"
    parts = (players if record.first or record.second else "", score, record.event, record.date)
    return f"{index + 1}. " + " · ".join(part for part in parts if part)


def export_dialog(t: Translator, session: Session, url: str) -> None:
    """Shows the whole game and the position on the board in all notations, and saves pictures.

    :param url: of the analysis
    """
    name = f"flipdrop-{session.game.name.partition(':')[0]}"
    last = session.moves[session.cursor - 1] if session.cursor else None
    board = svg(session.position, width=_PICTURE_WIDTH, last_move=last)
    with dialog(t("export.title")) as opened:
        for kind, content in export_texts(session, url).items():
            with group(t(f"export.{kind}")), div("fd-row"):
                text(content or "–", "fd-mono fd-grow fd-clip", test=f"copy-{kind}")
                copy_button(t, content, test=f"copy-{kind}-button")
        with group(t("export.picture")), div("fd-row wrap"):
            Button("SVG", partial(_save_svg, board, name), icon="download", test="save-svg")
            Button("PNG", lambda: _run(_SAVE_PNG, board, f"{name}.png"), icon="download", test="save-png")
            if session.moves:
                whole = game_svg(session.positions[0], session.moves, width=_PICTURE_WIDTH)
                Button(
                    t("export.game_svg"),
                    partial(_save_svg, whole, f"{name}-game"),
                    icon="download",
                    test="save-game-svg",
                )
                Button(t("export.gif"), partial(_save_gif, session, name), icon="download", test="save-gif")
                Button(t("export.print"), lambda: _run(_PRINT, whole, name), test="print-game")
        with div("fd-row"):
            Button(t("export.close"), opened.close, kind="primary")


def _save_svg(picture: str, name: str) -> None:
    ui.download.content(picture, f"{name}.svg", "image/svg+xml")


async def _save_gif(session: Session, name: str) -> None:
    from flipdrop.games.animation import animated_gif  # NumPy takes a while to load

    content = await asyncio.to_thread(animated_gif, session.positions[0], tuple(session.moves))
    ui.download.content(content, f"{name}.gif", "image/gif")


def _run(script: str, picture: str, name: str) -> None:
    ui.run_javascript(script.replace("NAME", json.dumps(name)).replace("SVG", json.dumps(picture), 1))


def export_texts(session: Session, url: str) -> dict[str, str]:
    """The game, the position and their link as texts, by the name of the format."""
    texts = {"transcript": session.history.transcript, "board": session.position.board, "url": url}
    if session.game.family == "othello":
        texts["ggf"] = encode_games([session.record], "ggf").decode().strip()
        texts["obf"] = write_problem(Problem(cast("Othello", session.position), proven_scores(session)))
    return texts


def proven_scores(session: Session) -> dict[int, int]:
    """The exact scores of the moves on the board, as far as the analysis has proven them."""
    analysis, position = session.analysis, session.position
    if analysis is None or analysis.position != position.board:
        return {}
    found = {entry.move: 0 if entry.outcome == "draw" else entry.margin for entry in analysis.moves if entry.proven}
    return {position.parse_move(move): score for move, score in found.items() if score is not None and move != "pass"}

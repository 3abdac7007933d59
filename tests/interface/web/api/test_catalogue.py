"""Games, players and evaluations by calls of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.games import Othello

if TYPE_CHECKING:
    import httpx

    from flipdrop.interface.web.services import Services
    from tests.interface.web.api.conftest import Service


def test_catalogue(service: Service) -> None:
    async def look(client: httpx.AsyncClient, _: Services) -> None:
        games = (await client.get("/api/games")).json()
        assert {"name": "connect4", "title": "Connect Four 7x6", "sides": ["red", "yellow"]} in games
        players = (await client.get("/api/players")).json()
        assert len(players["levels"]) == 10
        assert "mcts" in {kind["name"] for kind in players["types"]}
        names = {entry["name"] for entry in (await client.get("/api/evaluations")).json()["evaluations"]}
        assert {"D", "Seven", "lines"} <= names
        read = (await client.post("/api/position", json={"position": "f5d6", "evaluation": "Seven"})).json()
        assert read["moves"] == ["f5", "d6"]
        assert read["board"] == Othello.from_transcript("f5d6").board
        assert read["evaluation"]["name"] == "Seven"

    service.run(look)

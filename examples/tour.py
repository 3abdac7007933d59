"""Every function of the top level once, typed: ``mypy --strict`` and pyright accept it. It runs in some seconds."""

from __future__ import annotations

from flipdrop import (
    ConnectFour,
    FlipdropError,
    GameHistory,
    Mcts,
    Minimax,
    Othello,
    Position,
    Store,
    analyse,
    batch,
    evaluation,
    game,
    ladder,
    match,
    player,
    review,
    solve,
    tournament,
)


def first_legal(position: Position) -> int:
    """A player can be a function."""
    return position.legal_moves[0]


class LastLegal:
    """Or a class, made anew for each game."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, position: Position) -> int:
        return position.legal_moves[-1]


def measure() -> None:
    with Store(None) as store:  # in memory; a path keeps the games
        result = match(first_legal, LastLegal, games=20, seed=1, store=store)
    low, high = result.elo.elo_interval
    print(f"score {result.score:.2f}, Elo between {low:+.0f} and {high:+.0f}")
    searches = [Minimax(depth=2, evaluation="Seven"), Mcts(iterations=20)]
    standings = tournament([first_legal, *searches, "random"], game="othello6", games=4, seed=1)
    print("ranking:", ", ".join(entry.name for entry in standings.entries))
    placed = ladder(LastLegal, games=2, opponents=2, seed=1)
    print(f"rating {placed.rating:.0f}, stronger than {placed.place - 1} of {len(placed.ladder.entries)} opponents")


def look_closer() -> None:
    position = Othello().play("f5")
    report = analyse(position, depth=6)
    print("best:", position.move_name(report.best), report.position_value.format())
    print("exact:", solve("44444222", game="connect4"))
    for mistake in review("f5f6e6f4", seconds=0.02).mistakes(1):
        print(f"{mistake.move} by {mistake.side} was a mistake; best was {mistake.best}")
    print("static:", evaluation("D").score(position), batch.evaluate([Othello(), position], "D"))
    counting = Minimax(depth=2, evaluation=lambda after: float(len(after.legal_moves)))
    print("by a function:", position.move_name(counting.search(position).best))
    print("by a spec:", player("greedy", seed=1).choose(ConnectFour()))
    print(GameHistory.of(game("othello6").start()).play("c2"))


def main() -> None:
    measure()
    look_closer()
    try:
        player("alphabetta:depth=2")
    except FlipdropError as error:
        print("an error says what to do:", error)


if __name__ == "__main__":
    main()

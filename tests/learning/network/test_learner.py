"""Networks that learn: forward pass, progress, and resuming."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from flipdrop.arena.quick_match import results_against
from flipdrop.errors import LearningError, PlayerError
from flipdrop.evaluation.network import Network, read_metadata
from flipdrop.evaluation.network.network_file import network_bytes
from flipdrop.games import game
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.dataset import make_dataset, self_play_records
from flipdrop.learning.learner import OutOfTime
from flipdrop.learning.network import NetworkLearner, TrainingSettings
from flipdrop.learning.network.samples import Batch
from flipdrop.learning.network.training import Trainer
from flipdrop.players import player
from tests.networks import metadata_for

if TYPE_CHECKING:
    from pathlib import Path

TINY = TrainingSettings(
    body="conv:1x4+dense:16",
    games=16,
    slots=8,
    simulations=12,
    cheap_simulations=4,
    full_search_probability=0.5,
    batch=64,
    window=300,
    gate_every=2,
    gate_pairs=2,
    gate_simulations=4,
    opponent="random",
    opponent_pairs=2,
)


def trainer(**changes: Any) -> Trainer:
    settings: dict[str, Any] = {"body": "conv:2x3+dense:8", "average": 0.0}
    plan = TrainingSettings(**settings | changes)
    return Trainer(plan, rows=6, columns=7, moves=7, seed=3)


def batch_of(size: int, seed: int = 1) -> Batch:
    random = np.random.default_rng(seed)
    planes = (random.random((size, 4, 6, 7)) < 0.3).astype(np.float32)
    policies = np.zeros((size, 7), np.float32)
    policies[np.arange(size), planes[:, 0, 5].argmax(1)] = 1  # the first of one's own discs in the bottom row
    return Batch(planes, policies, np.where(planes[:, 1, 0, 3] > 0, 1, -1).astype(np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("body", ["conv:2x3+dense:8", "res:2x3+dense:8", "res:1x4"])
def test_onnx_equals_pytorch(body: str) -> None:
    made = trainer(body=body)
    for n in range(5):
        made.update(batch_of(32, n), 0.01)
    network = Network("test", network_bytes(made.layers(), metadata_for("connect4")))
    planes = batch_of(6).planes
    with torch.no_grad():
        logits, judgement = made._module(torch.from_numpy(planes))
    policy, value = network(planes)
    np.testing.assert_allclose(policy, logits.numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(value[:, 0], np.tanh(judgement.numpy()), rtol=1e-4, atol=1e-5)


def test_moving_average_of_an_initial_model() -> None:
    """A network that has learned is not forgotten faster at first."""
    made = trainer(average=0.99, initial_model="my.onnx")
    before = made.layers().policy.weight
    made.update(batch_of(32), 0.01)
    moved = np.abs(made.layers().policy.weight - before).max()
    assert 0 < moved < 0.011 * 0.01 * 1.1


def test_training_reduces_the_loss() -> None:
    made = trainer(body="dense:64")
    first = made.update(batch_of(256), 0.01)
    for n in range(150):
        last = made.update(batch_of(256, n), 0.01)
    assert last[0] < 0.4 * first[0]
    assert last[1] < 0.2 * first[1]


def test_rows_without_a_policy() -> None:
    made = trainer()
    batch = batch_of(32)
    batch.policies[:] = 0
    before = made.layers()
    assert made.update(batch, 0.01)[0] == 0
    after = made.layers()
    np.testing.assert_allclose(before.policy.weight, after.policy.weight, rtol=1e-4)  # but for its decay
    assert not np.allclose(before.value.weight, after.value.weight, rtol=1e-4)


def test_moving_average() -> None:
    slow, quick = trainer(average=0.9), trainer(average=0.0)
    for n in range(30):
        slow.update(batch_of(16, n), 0.01)
        quick.update(batch_of(16, n), 0.01)
    for mine, theirs in zip(slow._parameters, quick._parameters, strict=True):
        assert torch.equal(mine, theirs)  # it changes what plays, not what learns
    assert not np.array_equal(slow.layers().policy.weight, quick.layers().policy.weight)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_resuming(tmp_path: Path, threads: int) -> None:
    def learner() -> NetworkLearner:
        return NetworkLearner(game("othello4"), TINY, seed=5, threads=threads)

    TrainingRun(learner(), tmp_path / "whole.onnx").run(Budget(steps=5))
    TrainingRun(learner(), tmp_path / "parts.onnx").run(Budget(steps=3))
    resumed = TrainingRun(learner(), tmp_path / "parts.onnx")
    resumed.resume()
    curve = resumed.run(Budget(steps=5))
    assert (tmp_path / "whole.onnx").read_bytes() == (tmp_path / "parts.onnx").read_bytes()
    assert curve.points[-1].step == 5
    assert read_metadata(tmp_path / "whole.onnx").made["games"] == 80


@pytest.mark.parametrize(
    ("threads", "changes", "says"),
    [
        (1, {}, "on 1 thread,"),
        (2, {}, "on 2 threads,"),
        (8, {}, "on 2 of 8 threads (slots=2 uses all),"),
        (8, {"slots": 2}, "on 8 threads,"),
        (8, {"slots": 2, "actors": 2}, "on 4 of 8 threads (slots=1 uses all),"),
        (8, {"games": 10, "slots": 2}, "on 5 of 8 threads (slots=1 uses all),"),
        (8, {"games": 5}, "on 1 of 8 threads (slots=1 uses 5),"),
        (8, {"games": 5, "slots": 1}, "on 5 of 8 threads,"),
    ],
)
def test_plan_names_the_threads_that_play(threads: int, changes: dict[str, Any], says: str) -> None:
    """A group of `slots` games is on one thread."""
    assert says in NetworkLearner(game("othello4"), replace(TINY, **changes), seed=5, threads=threads).plan


def test_seed(tmp_path: Path) -> None:
    for seed in (1, 2):
        TrainingRun(NetworkLearner(game("othello4"), TINY, seed=seed), tmp_path / f"{seed}.onnx").run(Budget(steps=1))
    assert (tmp_path / "1.onnx").read_bytes() != (tmp_path / "2.onnx").read_bytes()


@pytest.mark.slow
def test_curve(tmp_path: Path) -> None:
    training_run = TrainingRun(NetworkLearner(game("connect4:4x4"), TINY, seed=1), tmp_path / "net.onnx")
    curve = training_run.run(Budget(steps=5))
    assert set(curve.names) == {
        "score against the champion",
        "score against random",
        "loss of the policy",
        "loss of the value",
    }
    assert (tmp_path / "net.onnx.png").exists()
    assert player(f"network:model={tmp_path}/net.onnx", game="connect4:4x4").spec.startswith("network:model=")


def test_gating(monkeypatch: pytest.MonkeyPatch) -> None:
    import flipdrop.learning.network.learner as module

    learner = NetworkLearner(game("othello4"), TINY, seed=1)
    for _ in range(2):
        learner.step()
    champion = learner._champion
    assert champion is not None
    real = results_against

    def beaten(one: Any, other: Any, *arguments: Any, **options: Any) -> Any:
        return real(player("random"), player("perfect"), *arguments, **options | {"pairs": 10})

    monkeypatch.setattr(module, "results_against", beaten)
    for _ in range(2):
        values = learner.step()
    assert values["score against the champion"] < 0.5
    assert learner._champion is champion

    def victorious(one: Any, other: Any, *arguments: Any, **options: Any) -> Any:
        return real(player("perfect"), player("random"), *arguments, **options | {"pairs": 10})

    monkeypatch.setattr(module, "results_against", victorious)
    for _ in range(2):
        learner.step()
    assert learner._champion is not champion


@pytest.mark.slow
def test_learns_a_small_game() -> None:
    """After forty steps of tiny games the policy alone plays better than at first."""
    plan = TrainingSettings(
        body="dense:64",
        games=32,
        slots=32,
        simulations=24,
        cheap_simulations=8,
        gate_every=10**6,
        opponent="",
        rate=0.005,
        batch=128,
    )
    learner = NetworkLearner(game("connect4:5x4"), plan, seed=1)

    def score() -> float:
        made = learner._player(learner._trainer.layers(), 1)
        return results_against(made, "mcts:iterations=20", learner.game, pairs=60, seed=4).games.score

    before = score()
    for _ in range(40):
        learner.step()
    assert score() > max(0.5, before + 0.1)


def test_step_cut_short(tmp_path: Path) -> None:
    """Out of time in self-play, in updates or in the gating match, the learner is as before the step."""
    learner, whole = (NetworkLearner(game("connect4:4x4"), TINY, seed=1, threads=2) for _ in range(2))
    learner.step()
    whole.step()
    for seconds in (0.0, 0.01, 0.05):
        before = learner.state()
        learner.deadline = perf_counter() + seconds
        try:
            learner.step()
        except OutOfTime:
            after = learner.state()
            assert after.metadata == before.metadata
            assert all(np.array_equal(after.arrays[name], before.arrays[name]) for name in before.arrays)
    learner.deadline = None
    while learner.steps < 3:
        learner.step()
    while whole.steps < 3:
        whole.step()
    state = whole.state()
    assert all(np.array_equal(array, state.arrays[name]) for name, array in learner.state().arrays.items())


@pytest.mark.timing
def test_run_ends_near_its_time(tmp_path: Path) -> None:
    long = replace(TINY, games=4000)
    run = TrainingRun(NetworkLearner(game("connect4"), long, seed=1), tmp_path / "my.onnx")
    run.run(Budget(seconds=1))
    assert run.seconds < 3
    assert (tmp_path / "my.onnx").exists()


def test_invalid_settings() -> None:
    with pytest.raises(PlayerError, match="nobody"):
        NetworkLearner(game("othello4"), TrainingSettings(opponent="nobody"), seed=1)


def test_without_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    import flipdrop.learning.network.learner as module

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(LearningError, match=r"pip install '\.\[train\]'"):
        NetworkLearner(game("othello4"), TINY, seed=1)


def labelled(tmp_path: Path, **changes: Any) -> str:
    """A dataset of Othello 4x4 with policies."""
    records = self_play_records("random", game("othello4"), 300, seed=2)
    made = make_dataset(records, label="alphabeta:depth=2,evaluation=A,all_moves=yes", policy=2.0, threads=1)
    replace(made, **changes).write(tmp_path / "labelled.npz")
    return str(tmp_path / "labelled.npz")


def warm_settings(file: str) -> TrainingSettings:
    return replace(TINY, warm_start=file, warm_updates=40, warm_rate=0.005, body="res:1x4+dense:16")


def test_warm_start(tmp_path: Path) -> None:
    plan = replace(warm_settings(labelled(tmp_path)), games=0, warm_updates=150, average=0.9)
    learner = NetworkLearner(game("othello4"), plan, seed=3)
    before = learner._trainer.errors(learner._warm.held_out)  # type: ignore[union-attr]
    curve = TrainingRun(learner, tmp_path / "warm.onnx").run(Budget(steps=1000))
    assert learner.finished
    assert learner.games == 0
    last = curve.points[-1].values
    policy_losses = [value for _, value in curve.of("loss of the policy")]
    assert policy_losses[-1] < policy_losses[0]
    assert 0 < last["divergence of the policy, held out"] < 1
    assert 0 < last["share of best moves, held out"] < 1
    assert last["loss of the value, held out"] < before[1]
    assert "score against random" in last
    made = read_metadata(tmp_path / "warm.onnx").made["warm_start"]
    assert made["positions"] > 100
    assert len(made["digest"]) == 32


@pytest.mark.slow
def test_resuming_a_warm_start(tmp_path: Path) -> None:
    """Before, at and after the end of the warm start."""
    plan = warm_settings(labelled(tmp_path))
    assert model_of_runs(plan, tmp_path / "whole.onnx", 6) == model_of_runs(plan, tmp_path / "parts.onnx", 2, 3, 4, 6)


def model_of_runs(plan: TrainingSettings, model: Path, *ends: int) -> bytes:
    """The model of a run that is stopped after these steps and resumed."""
    for number, end in enumerate(ends):
        training = TrainingRun(NetworkLearner(game("othello4"), plan, seed=5), model)
        if number:
            training.resume()
        training.run(Budget(steps=end))
    return model.read_bytes()


def test_warm_start_from_another_file(tmp_path: Path) -> None:
    file = labelled(tmp_path, policy=None)
    with pytest.raises(LearningError, match="has no policy"):
        NetworkLearner(game("othello4"), warm_settings(file), seed=1)
    other = tmp_path / "other.npz"
    np.savez(other, planes=np.zeros(3), policy=np.zeros(3))
    with pytest.raises(LearningError, match="is no dataset of positions"):
        NetworkLearner(game("othello4"), warm_settings(str(other)), seed=1)
    file = labelled(tmp_path)
    with pytest.raises(LearningError, match="othello4"):
        NetworkLearner(game("othello6"), warm_settings(file), seed=1)
    with pytest.raises(LearningError, match="No such file"):
        NetworkLearner(game("othello4"), warm_settings(str(tmp_path / "none.npz")), seed=1)
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(LearningError, match=r"no dataset"):
        NetworkLearner(game("othello4"), warm_settings(str(tmp_path / "text.npz")), seed=1)
    with pytest.raises(LearningError, match="needs a warm start"):
        TrainingSettings(games=0)


def initial_model(tmp_path: Path, body: str = "res:1x4+dense:16", name: str = "othello4") -> str:
    learner = NetworkLearner(game(name), replace(TINY, body=body), seed=9)
    learner.step()
    learner.step()
    learner.save_model(tmp_path / "initial.onnx")
    return str(tmp_path / "initial.onnx")


def test_initial_model(tmp_path: Path) -> None:
    """It is the first champion and is learned on from, with labelled positions among those of self-play."""
    initial = initial_model(tmp_path)
    plan = replace(TINY, body="res:1x4+dense:16", initial_model=initial, warm_start=labelled(tmp_path), warm_updates=0)
    learner = NetworkLearner(game("othello4"), plan, seed=3)
    assert "begins as" in learner.plan
    assert "50% of each batch out of" in learner.plan
    learner.save_model(tmp_path / "net.onnx")
    planes = np.random.default_rng(1).random((4, 4, 4, 4)).astype(np.float32)
    begun, first = Network.read(tmp_path / "net.onnx"), Network.read(initial)
    for one, other in zip(begun(planes), first(planes), strict=True):
        np.testing.assert_array_equal(one, other)
    assert "score against the champion" not in learner.step()
    assert "score against the champion" in learner.step()
    made = read_metadata(tmp_path / "net.onnx").made
    assert made["initial_model"]["made"] == read_metadata(initial).made
    assert made["games"] == 0
    assert learner.settings["initial_model"] == initial


@pytest.mark.slow
def test_resuming_from_an_initial_model(tmp_path: Path) -> None:
    plan = replace(TINY, body="res:1x4+dense:16", initial_model=initial_model(tmp_path))
    assert model_of_runs(plan, tmp_path / "whole.onnx", 4) == model_of_runs(plan, tmp_path / "parts.onnx", 1, 3, 4)


def test_initial_models_that_do_not_fit(tmp_path: Path) -> None:
    file = initial_model(tmp_path)
    with pytest.raises(LearningError, match=r"has other layers \(res:1x4\+dense:16\) than body=conv:3x4\+dense:16"):
        NetworkLearner(game("othello4"), replace(TINY, body="conv:3x4+dense:16", initial_model=file), seed=1)
    with pytest.raises(LearningError, match="is a network for othello4, not for othello6"):
        NetworkLearner(game("othello6"), replace(TINY, initial_model=file), seed=1)
    with pytest.raises(LearningError, match="No such file"):
        NetworkLearner(game("othello4"), replace(TINY, initial_model=str(tmp_path / "none.onnx")), seed=1)
    with pytest.raises(LearningError, match="needs a warm start"):
        TrainingSettings(games=0, warm_start=file, warm_updates=0)


def test_bfloat16_learns_nearly_the_same() -> None:
    plain, short = trainer(), trainer(bfloat16=True)
    losses = [(plain.update(batch_of(64, n), 0.01), short.update(batch_of(64, n), 0.01)) for n in range(20)]
    for one, other in losses:
        np.testing.assert_allclose(one, other, rtol=0.1)
    assert losses[-1][1] != losses[-1][0]

"""The compiled kernel: rules on bitboards, and everything that runs once for every node.

On x86-64 the sources are built for CPUs with AVX2 and BMI2 (``v3``) and for any CPU (``baseline``), or, with the CMake
option ``FLIPDROP_KERNELS=native``, for the building CPU only. The fastest build that this CPU can run is loaded as
``_core``; the environment variable ``FLIPDROP_KERNEL`` selects one.
"""

import atexit
import importlib
import os
import sys
from importlib.util import find_spec

from flipdrop.kernel import _cpu


def _choose_build() -> str:
    forced = os.environ.get("FLIPDROP_KERNEL")
    if forced not in (None, "", "v3", "baseline"):
        raise ImportError(f"FLIPDROP_KERNEL is {forced!r}; it can be 'v3' or 'baseline'")
    if forced == "v3" and not _cpu.has_v3():
        raise ImportError("FLIPDROP_KERNEL is 'v3', but this CPU lacks AVX2 or BMI2; use 'baseline'")
    built = [build for build in ("v3", "baseline") if find_spec(f"flipdrop.kernel._{build}")]
    if forced and forced not in built:
        raise ImportError(f"FLIPDROP_KERNEL is {forced!r}, but only {' and '.join(built) or 'nothing'} was built")
    for build in built:
        if build == forced or (not forced and (build != "v3" or _cpu.has_v3())):
            return build
    raise ImportError(f"no build of the kernel runs on this CPU (built: {', '.join(built) or 'none'}); install again")


BUILD: str = _choose_build()
"""Which build of the kernel was loaded: ``v3`` or ``baseline``."""

sys.modules["flipdrop.kernel._core"] = importlib.import_module(f"flipdrop.kernel._{BUILD}")

from flipdrop.kernel._core import (  # noqa: E402 - it exists only from here on
    Algorithm,
    ConnectFourAnalysis,
    ConnectFourEngine,
    ConnectFourEngineSettings,
    ConnectFourGames,
    ConnectFourPosition,
    ConnectFourRankedMove,
    ConnectFourSolver,
    Corners,
    Decisive,
    EngineAnalysis,
    EngineSettings,
    Evaluation,
    FinalMove,
    FlipdropError,
    IllegalMove,
    IllegalPosition,
    KernelReport,
    KernelSolution,
    LearningRule,
    LearningSettings,
    MctsSettings,
    MctsTree,
    MinimaxSettings,
    NativePlayer,
    NodeView,
    OthelloEngine,
    OthelloEvaluator,
    OthelloGames,
    OthelloPosition,
    OthelloSolver,
    PatternNetwork,
    Perspective,
    Playout,
    Proof,
    PuctSettings,
    RankedMove,
    Reward,
    RootMove,
    Sampling,
    SearchLimits,
    SelfPlaySettings,
    Side,
    SolvedMove,
    SolveRequest,
    batch_masks,
    batch_planes,
    batch_scores,
    call_interruptible,
    end_calls,
    forget_calls,
    guided_search,
    is_random_move,
    mcts_search,
    minimax_search,
    network_sums,
    new_pattern_network,
    pattern_evaluation,
    play_games,
    puct_search,
    random_move,
    regress_network,
    sample_cells,
    sample_planes,
    sample_policies,
    sample_positions,
    self_play,
    tree_below,
    tree_children,
)

# Daemon threads may still be searching when the program ends.
atexit.register(end_calls)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_calls)

__all__ = [
    "BUILD",
    "Algorithm",
    "ConnectFourAnalysis",
    "ConnectFourEngine",
    "ConnectFourEngineSettings",
    "ConnectFourGames",
    "ConnectFourPosition",
    "ConnectFourRankedMove",
    "ConnectFourSolver",
    "Corners",
    "Decisive",
    "EngineAnalysis",
    "EngineSettings",
    "Evaluation",
    "FinalMove",
    "FlipdropError",
    "IllegalMove",
    "IllegalPosition",
    "KernelReport",
    "KernelSolution",
    "LearningRule",
    "LearningSettings",
    "MctsSettings",
    "MctsTree",
    "MinimaxSettings",
    "NativePlayer",
    "NodeView",
    "OthelloEngine",
    "OthelloEvaluator",
    "OthelloGames",
    "OthelloPosition",
    "OthelloSolver",
    "PatternNetwork",
    "Perspective",
    "Playout",
    "Proof",
    "PuctSettings",
    "RankedMove",
    "Reward",
    "RootMove",
    "Sampling",
    "SearchLimits",
    "SelfPlaySettings",
    "Side",
    "SolveRequest",
    "SolvedMove",
    "batch_masks",
    "batch_planes",
    "batch_scores",
    "call_interruptible",
    "end_calls",
    "forget_calls",
    "guided_search",
    "is_random_move",
    "mcts_search",
    "minimax_search",
    "network_sums",
    "new_pattern_network",
    "pattern_evaluation",
    "play_games",
    "puct_search",
    "random_move",
    "regress_network",
    "sample_cells",
    "sample_planes",
    "sample_policies",
    "sample_positions",
    "self_play",
    "tree_below",
    "tree_children",
]

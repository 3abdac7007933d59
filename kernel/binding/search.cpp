// Settings and reports of the searches, for Python.
#include <optional>
#include <utility>

#include "kernel/binding/native_player.hpp"
#include "kernel/binding/report.hpp"

namespace flipdrop::binding {

void bind_othello_searches(nb::module_& module);
void bind_connect4_searches(nb::module_& module);

namespace {

void bind_search_settings(nb::module_& module) {
    nb::enum_<search::Algorithm>(module, "Algorithm")
        .value("MINIMAX", search::Algorithm::Minimax)
        .value("ALPHABETA", search::Algorithm::AlphaBeta)
        .value("ITERATIVE", search::Algorithm::Iterative);
    nb::class_<search::Limits>(module, "SearchLimits")
        .def(nb::init<>())
        .def_rw("depth", &search::Limits::depth)
        .def_rw("nodes", &search::Limits::nodes)
        .def_rw("seconds", &search::Limits::seconds);
    nb::enum_<search::Perspective>(module, "Perspective")
        .value("SIDE_TO_MOVE", search::Perspective::SideToMove)
        .value("SEARCHER", search::Perspective::Searcher);
    nb::class_<search::Settings>(module, "MinimaxSettings")
        .def(nb::init<>())
        .def_rw("algorithm", &search::Settings::algorithm)
        .def_rw("limits", &search::Settings::limits)
        .def_rw("threads", &search::Settings::threads)
        .def_rw("all_moves", &search::Settings::all_moves)
        .def_rw("table_megabytes", &search::Settings::table_megabytes)
        .def_rw("perspective", &search::Settings::perspective);

    nb::enum_<mcts::Playout>(module, "Playout").value("END", mcts::Playout::End).value("DEPTH", mcts::Playout::Depth);
    nb::enum_<mcts::Reward>(module, "Reward")
        .value("WIN", mcts::Reward::Win)
        .value("MARGIN", mcts::Reward::Margin)
        .value("EVALUATION", mcts::Reward::Evaluation)
        .value("SQUASHED", mcts::Reward::Squashed);
    nb::enum_<mcts::Corners>(module, "Corners").value("LEAF", mcts::Corners::Leaf).value("END", mcts::Corners::End);
    nb::enum_<mcts::Decisive>(module, "Decisive")
        .value("NOWHERE", mcts::Decisive::Nowhere)
        .value("ROOT", mcts::Decisive::Root)
        .value("TREE", mcts::Decisive::Tree);
    nb::enum_<mcts::Final>(module, "FinalMove")
        .value("MEAN", mcts::Final::Mean)
        .value("VISITS", mcts::Final::Visits)
        .value("UCB", mcts::Final::Ucb);
    using mcts::Settings;
    nb::class_<Settings>(module, "MctsSettings")
        .def(nb::init<>())
        .def_rw("iterations", &Settings::iterations)
        .def_rw("nodes", &Settings::nodes)
        .def_rw("seconds", &Settings::seconds)
        .def_rw("c", &Settings::c)
        .def_rw("expand", &Settings::expand)
        .def_rw("bias", &Settings::bias)
        .def_rw("rave", &Settings::rave)
        .def_rw("solver", &Settings::solver)
        .def_rw("decisive", &Settings::decisive)
        .def_rw("root_bonus_move", &Settings::root_bonus_move)
        .def_rw("root_bonus", &Settings::root_bonus)
        .def_rw("playout", &Settings::playout)
        .def_rw("playout_depth", &Settings::playout_depth)
        .def_rw("playouts", &Settings::playouts)
        .def_rw("decisive_playouts", &Settings::decisive_playouts)
        .def_rw("reward", &Settings::reward)
        .def_rw("draw", &Settings::draw)
        .def_rw("opponent_draw", &Settings::opponent_draw)
        .def_rw("win_bonus", &Settings::win_bonus)
        .def_rw("corner_bonus", &Settings::corner_bonus)
        .def_rw("corners", &Settings::corners)
        .def_rw("scale", &Settings::scale)
        .def_rw("perspective", &Settings::perspective)
        .def_rw("final", &Settings::final)
        .def_rw("tie_width", &Settings::tie_width)
        .def_rw("tie_table", &Settings::tie_table)
        .def_rw("threads", &Settings::threads)
        .def_rw("batch", &Settings::batch)
        .def_rw("seed", &Settings::seed);
    nb::class_<mcts::Tree>(module, "MctsTree", "A search tree that can be kept from move to move.")
        .def(nb::init<>())
        .def_prop_ro("size", &mcts::Tree::size, "Nodes in the tree.")
        .def_prop_ro_static("node_bytes", [](nb::handle) { return sizeof(mcts::Node); }, "Memory of one node.");
}

void bind_report(nb::module_& module) {
    nb::enum_<mcts::Proof>(module, "Proof", "A proven result, for the side that made the move.")
        .value("NONE", mcts::Proof::None)
        .value("WIN", mcts::Proof::Win)
        .value("DRAW", mcts::Proof::Draw)
        .value("LOSS", mcts::Proof::Loss);
    nb::class_<NodeView>(module, "NodeView")
        .def_ro("index", &NodeView::index)
        .def_ro("move", &NodeView::move)
        .def_ro("visits", &NodeView::visits)
        .def_ro("mean", &NodeView::mean)
        .def_ro("proof", &NodeView::proof);
    nb::class_<search::RootMove>(module, "RootMove")
        .def_ro("move", &search::RootMove::move)
        .def_ro("value", &search::RootMove::value)
        .def_ro("visits", &search::RootMove::visits)
        .def_ro("exact", &search::RootMove::exact);
    nb::class_<search::Report>(module, "KernelReport")
        .def_ro("best", &search::Report::best)
        .def_ro("value", &search::Report::value)
        .def_ro("line", &search::Report::line)
        .def_ro("moves", &search::Report::moves)
        .def_ro("nodes", &search::Report::nodes)
        .def_ro("depth", &search::Report::depth)
        .def_ro("seconds", &search::Report::seconds)
        .def_ro("proven", &search::Report::proven);
}

}  // namespace

void bind_search(nb::module_& module) {
    bind_search_settings(module);
    bind_report(module);
    nb::class_<NativePlayer>(module, "NativePlayer", "A player that plays whole games inside the kernel.")
        .def_static("random", [] { return NativePlayer{}; })
        .def_static(
            "minimax",
            [](const search::Settings& settings, const AnyEvaluation& evaluation) {
                if (settings.limits.depth < 1 && settings.limits.nodes == 0)
                    throw Error("a native player searches to a depth or a number of nodes");
                search::check(settings);
                return NativePlayer{settings, evaluation};
            },
            "settings"_a, "evaluation"_a)
        .def_static(
            "mcts",
            [](const mcts::Settings& settings, std::optional<AnyEvaluation> evaluation) {
                mcts::check(settings);
                return NativePlayer{settings, std::move(evaluation)};
            },
            "settings"_a, "evaluation"_a.none() = nb::none())
        .def("epsilon_greedy", &NativePlayer::epsilon_greedy, "epsilon"_a,
             "The same player, with random moves at probability `epsilon`.");
    module.def(
        "call_interruptible", &call_interruptible, "work"_a, "watch"_a,
        nb::sig("def call_interruptible(work: collections.abc.Callable[[], object], "
                "watch: collections.abc.Callable[[], object]) -> object"),
        "Calls `work()`; while the kernel works for it, calls `watch()` about every 50 ms. An exception from `watch` "
        "ends the kernel's work.");
    bind_othello_searches(module);
    bind_connect4_searches(module);
}

}  // namespace flipdrop::binding

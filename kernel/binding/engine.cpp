// The Othello engine for Python, and what makes its evaluation: sampled positions and regression.
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>
#include <variant>

#include "kernel/binding/othello_evaluator.hpp"
#include "kernel/engine/engine.hpp"
#include "kernel/engine/sampling.hpp"
#include "kernel/othello/position.hpp"
#include "kernel/parallel.hpp"
#include "kernel/pattern/regression.hpp"

namespace flipdrop::binding {

void bind_engine(nb::module_& module);

namespace {

using othello::engine::Analysis;
using othello::engine::RankedMove;
using othello::engine::Sampling;
using othello::engine::Settings;

using Words = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using GivenWords = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Number>
auto owned_array(std::vector<Number> numbers) {
    auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
    Number* data = owned->data();
    const std::size_t size = owned->size();
    const nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>(data, {size}, owner);
}

Analysis translated(const othello::Position& position, Analysis analysis) {
    for (RankedMove& entry : analysis.moves) {
        entry.move = position.outer_move(entry.move);
        for (int& move : entry.line) move = position.outer_move(move);
    }
    return analysis;
}

/// The class `OthelloEngine` of Python.
class PythonEngine {
public:
    PythonEngine(std::size_t megabytes, const OthelloEvaluator& evaluator) {
        check_range("megabytes", megabytes, std::size_t{0}, search::kMaxMegabytes);
        std::visit(
            [&]<int Size>(const othello::endgame::PatternEvaluator<Size>& of_size) {
                engine_ = std::make_unique<Of<Size>>(megabytes, of_size);
            },
            evaluator.of_board);
    }

    Analysis analyse(const othello::Position& position, const Settings& settings, nb::object progress) {
        const auto watch = [&](const Analysis& so_far) {
            const Locked locked;
            watch_from_python(nb::handle(Py_None), 0, 0);
            if (!progress.is_none()) call_python(progress, translated(position, so_far));
        };
        const auto board = position.board();
        return std::visit(
            [&]<int Size>(const othello::Board<Size>& b) -> Analysis {
                if constexpr (Size != 4) {
                    auto* engine = std::get_if<std::unique_ptr<Of<Size>>>(&engine_);
                    if (engine != nullptr) {
                        if (b.moves().size() == 0) throw Error("the game is over, there is no move to search");
                        const Unlocked unlocked;
                        const std::lock_guard alone(mutex_);  // one table, one search
                        return translated(position, (*engine)->analyse(b, settings, watch));
                    }
                }
                throw Error("the engine's evaluation is for a board of another size");
            },
            board);
    }

    void clear() {
        const Unlocked unlocked;
        const std::lock_guard alone(mutex_);
        std::visit([](auto& engine) { engine->clear(); }, engine_);
    }

private:
    template <int Size>
    using Of = othello::engine::Engine<Size, othello::endgame::PatternEvaluator<Size>>;

    OneCallMutex mutex_;
    std::variant<std::unique_ptr<Of<8>>, std::unique_ptr<Of<6>>> engine_;
};

/// Samples `first` to `first` + `count` - 1 of the sequence that a seed determines: discs of the side to move, of its
/// opponent, and values.
std::tuple<Words, Words, Floats> sample_positions(const OthelloEvaluator& evaluator, const Sampling& settings,
                                                  std::size_t count, std::uint64_t seed, std::size_t first, int threads,
                                                  nb::object progress) {
    threads = checked_threads(threads);
    check_range("count", count, std::size_t{0}, std::size_t{1'000'000'000});
    std::vector<std::uint64_t> own(count), other(count);
    std::vector<float> values(count);
    std::visit(
        [&]<int Size>(const othello::endgame::PatternEvaluator<Size>& of_size) {
            const Unlocked unlocked;
            constexpr std::size_t kBatch = 256;
            parallel_for((count + kBatch - 1) / kBatch, threads,
                         [&](std::size_t batch, const StopFlag& stop) {
                             othello::engine::Sampler<Size, othello::endgame::PatternEvaluator<Size>> sampler(of_size,
                                                                                                              settings);
                             for (std::size_t i = batch * kBatch; i < std::min(count, (batch + 1) * kBatch); ++i) {
                                 if (stop.requested()) return;
                                 const auto sample = sampler(hash_mix(seed, first + i));
                                 own[i] = sample.board.own;
                                 other[i] = sample.board.other;
                                 values[i] = sample.value;
                             }
                         },
                         [&](std::size_t finished) {
                             return watch_from_python(progress, std::min(count, finished * kBatch), count);
                         });
        },
        evaluator.of_board);
    return {owned_array(std::move(own)), owned_array(std::move(other)), owned_array(std::move(values))};
}

template <class Use>
auto with_boards(const TrainedNetwork& network, const GivenWords& own, const GivenWords& other, Use&& use) {
    if (own.shape(0) != other.shape(0))
        throw Error(std::to_string(own.shape(0)) + " and " + std::to_string(other.shape(0)) + " bitboards");
    const auto boards = [&]<int Size>(std::integral_constant<int, Size>) {
        std::vector<othello::Board<Size>> all(own.shape(0));
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (((own(i) | other(i)) & ~othello::all_squares(Size)) != 0 || (own(i) & other(i)) != 0)
                throw Error("bitboards " + std::to_string(i) + " are no position on this board");
            all[i] = {own(i), other(i)};
        }
        network.check_supports(othello::Board<Size>{});
        const Unlocked unlocked;
        return use(all);
    };
    if (network.model.rows == 6) return boards(std::integral_constant<int, 6>{});
    return boards(std::integral_constant<int, 8>{});
}

/// Least squares by passes over the positions, each in another order. Returns the root mean square of the errors before
/// each correction of the last pass.
double regress(TrainedNetwork& self, const GivenWords& own, const GivenWords& other, const GivenFloats& values,
               double rate, int passes, std::uint64_t seed) {
    if (own.shape(0) != values.shape(0)) throw Error("a value for each position is needed");
    check_range("rate", rate, 0.0, 1e30);
    const TrainedNetwork::Training alone(self);
    return with_boards(self, own, other, [&]<int Size>(const std::vector<othello::Board<Size>>& boards) {
        pattern::Regression<othello::Board<Size>> regression(self.model, {}, rate);
        std::vector<std::uint32_t> order(boards.size());
        std::iota(order.begin(), order.end(), 0);
        Random random(seed);
        double sum = 0;
        for (int pass = 0; pass < passes; ++pass) {
            for (std::size_t i = order.size(); i > 1; --i)
                std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
            sum = 0;
            for (const std::uint32_t i : order) {
                const double error = static_cast<double>(regression.learn(boards[i], values(i)));
                sum += error * error;
            }
        }
        return boards.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(boards.size()));
    });
}

auto sums_of(const TrainedNetwork& self, const GivenWords& own, const GivenWords& other) {
    std::vector<float> sums;
    with_boards(self, own, other, [&]<int Size>(const std::vector<othello::Board<Size>>& boards) {
        const pattern::Network<othello::Board<Size>> network(self.model, {});
        for (const auto& board : boards) sums.push_back(network.sum(board));
        return 0;
    });
    return owned_array(std::move(sums));
}

}  // namespace

void bind_engine(nb::module_& module) {
    nb::class_<Settings>(module, "EngineSettings")
        .def(nb::init<>())
        .def_rw("limits", &Settings::limits)
        .def_rw("selectivity", &Settings::selectivity)
        .def_rw("end_selectivity", &Settings::end_selectivity)
        .def_rw("threads", &Settings::threads)
        .def_rw("lines", &Settings::lines)
        .def_rw("solve_from", &Settings::solve_from);
    nb::class_<RankedMove>(module, "RankedMove", "One of the best moves, its value in discs, and its line.")
        .def_ro("move", &RankedMove::move)
        .def_ro("value", &RankedMove::value)
        .def_ro("line", &RankedMove::line);
    nb::class_<Analysis>(module, "EngineAnalysis", "The best moves of a position.")
        .def_ro("moves", &Analysis::moves)
        .def_ro("depth", &Analysis::depth)
        .def_ro("selectivity", &Analysis::selectivity)
        .def_ro("exact", &Analysis::exact)
        .def_ro("nodes", &Analysis::nodes)
        .def_ro("seconds", &Analysis::seconds);
    nb::class_<PythonEngine>(module, "OthelloEngine",
                             "Searches to a depth and to the end. The transposition table is kept between calls.")
        .def(nb::init<std::size_t, const OthelloEvaluator&>(), "megabytes"_a, "evaluator"_a)
        .def("analyse", &PythonEngine::analyse, "position"_a, "settings"_a, "progress"_a = nb::none(),
             "`progress` is called about every 50 ms and after every depth with the analysis so far.")
        .def("clear", &PythonEngine::clear, "Clears the transposition table.");
    nb::class_<Sampling>(module, "Sampling", "How positions are drawn and valued.")
        .def(nb::init<>())
        .def_rw("min_empties", &Sampling::min_empties)
        .def_rw("max_empties", &Sampling::max_empties)
        .def_rw("depth", &Sampling::depth)
        .def_rw("selectivity", &Sampling::selectivity)
        .def_rw("epsilon", &Sampling::epsilon)
        .def_rw("random_end", &Sampling::random_end)
        .def_rw("max_opening", &Sampling::max_opening);
    module.def("sample_positions", &sample_positions, "evaluator"_a, "settings"_a, nb::kw_only(), "count"_a, "seed"_a,
               "first"_a = 0, "threads"_a = 1, "progress"_a = nb::none(),
               "Positions of separate games with their values: discs of the side to move, of its opponent, values.");
    module.def("regress_network", &regress, "network"_a, "own"_a, "other"_a, "values"_a, nb::kw_only(), "rate"_a,
               "passes"_a, "seed"_a, "Least squares. Returns the root mean square error during the last pass.");
    module.def("network_sums", &sums_of, "network"_a, "own"_a, "other"_a, "The network's sums for positions.");
}

}  // namespace flipdrop::binding

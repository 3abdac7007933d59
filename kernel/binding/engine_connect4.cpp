// The Connect Four engine for Python.
#include <memory>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/binding/position.hpp"
#include "kernel/connect4/position.hpp"
#include "kernel/engine/connect4/engine.hpp"

namespace flipdrop::binding {

void bind_connect4_engine(nb::module_& module);

namespace {

using connect4::engine::Analysis;
using connect4::engine::Engine;
using connect4::engine::RankedMove;
using connect4::engine::Settings;

/// The class `ConnectFourEngine` of Python: keeps an engine for the latest shape of board.
class PythonConnectFourEngine {
public:
    PythonConnectFourEngine(std::size_t megabytes, std::vector<double> weights)
        : megabytes_(megabytes), weights_(std::move(weights)) {
        check_range("megabytes", megabytes, std::size_t{0}, search::kMaxMegabytes);
        for (const double weight : weights_) check_range("weight", weight, -search::kMaxNumber, search::kMaxNumber);
        if (weights_.size() != kTerms)
            throw Error(std::to_string(weights_.size()) + " weights for evaluation parity; it takes " +
                        std::to_string(kTerms));
    }

    Analysis analyse(const connect4::Position& position, const Settings& settings, nb::object progress) {
        const auto watch = [&](const Analysis& so_far) {
            const Locked locked;
            watch_from_python(nb::handle(Py_None), 0, 0);
            if (!progress.is_none()) call_python(progress, so_far);
        };
        const auto board = position.board();
        return std::visit(
            [&]<class Shape>(const connect4::Board<Shape>& b) {
                if (b.moves().size() == 0) throw Error("the game is over, there is no move to search");
                const Unlocked unlocked;
                const std::lock_guard alone(mutex_);  // one table, one search
                return engine_for(b.shape).analyse(b, settings, watch);
            },
            board);
    }

    void clear() {
        const Unlocked unlocked;
        const std::lock_guard alone(mutex_);
        std::visit(
            []<class Made>(Made& engine) {
                if constexpr (!std::is_same_v<Made, std::monostate>) engine->clear();
            },
            engine_);
    }

private:
    template <class Shape>
    using Of = std::unique_ptr<Engine<Shape>>;
    static constexpr std::size_t kTerms = connect4::ParityFeatures<connect4::FixedShape<7, 6>>::names.size();

    template <class Shape>
    Engine<Shape>& engine_for(const Shape& shape) {
        auto* made = std::get_if<Of<Shape>>(&engine_);
        if (made == nullptr || !((*made)->shape() == shape)) {
            engine_ = std::monostate{};  // frees its memory first
            typename Engine<Shape>::Weights weights;
            std::copy(weights_.begin(), weights_.end(), weights.begin());
            made = &engine_.template emplace<Of<Shape>>(std::make_unique<Engine<Shape>>(shape, megabytes_, weights));
        }
        return **made;
    }

    std::size_t megabytes_;
    std::vector<double> weights_;
    OneCallMutex mutex_;
    std::variant<std::monostate, Of<connect4::FixedShape<7, 6>>, Of<connect4::AnyShape<Bits>>,
                 Of<connect4::AnyShape<UInt<2>>>, Of<connect4::AnyShape<UInt<3>>>>
        engine_;
};

}  // namespace

void bind_connect4_engine(nb::module_& module) {
    nb::class_<Settings>(module, "ConnectFourEngineSettings")
        .def(nb::init<>())
        .def_rw("limits", &Settings::limits)
        .def_rw("threads", &Settings::threads)
        .def_rw("all_moves", &Settings::all_moves)
        .def_rw("proof_share", &Settings::proof_share)
        .def_rw("solve_share", &Settings::solve_share);
    nb::class_<RankedMove>(module, "ConnectFourRankedMove",
                           "A move, proven bounds of its score, and the search's value.")
        .def_ro("move", &RankedMove::move)
        .def_ro("lower", &RankedMove::lower)
        .def_ro("upper", &RankedMove::upper)
        .def_ro("value", &RankedMove::value)
        .def_ro("exact", &RankedMove::exact);
    nb::class_<Analysis>(module, "ConnectFourAnalysis", "The moves of a position, best first.")
        .def_ro("moves", &Analysis::moves)
        .def_ro("line", &Analysis::line)
        .def_ro("depth", &Analysis::depth)
        .def_ro("proven", &Analysis::proven)
        .def_ro("nodes", &Analysis::nodes)
        .def_ro("proof_nodes", &Analysis::proof_nodes)
        .def_ro("seconds", &Analysis::seconds);
    nb::class_<PythonConnectFourEngine>(
        module, "ConnectFourEngine", "Searches and proves. The tables are kept between calls on boards of one shape.")
        .def(nb::init<std::size_t, std::vector<double>>(), "megabytes"_a, "weights"_a)
        .def("analyse", &PythonConnectFourEngine::analyse, "position"_a, "settings"_a, "progress"_a = nb::none(),
             "`progress` is called about every 50 ms and after every depth with the analysis so far.")
        .def("clear", &PythonConnectFourEngine::clear, "Clears the tables.");
}

}  // namespace flipdrop::binding

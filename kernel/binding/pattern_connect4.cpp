#include "kernel/binding/pattern.hpp"
#include "kernel/pattern/teacher.hpp"

namespace flipdrop::binding {
namespace {

/// The network's teacher for boards of a shape, with all that it knows from earlier lessons.
template <class Shape>
pattern::Teacher<Shape>& teacher_of(TrainedNetwork& network, const Shape& shape, int threads) {
    using Teacher = pattern::Teacher<Shape>;
    auto* known = std::any_cast<std::shared_ptr<Teacher>>(&network.teacher);
    if (known == nullptr || !((*known)->shape() == shape))
        known = &network.teacher.emplace<std::shared_ptr<Teacher>>(std::make_shared<Teacher>(shape, threads));
    return **known;
}

/// Plays lessons from `start`. A lesson's number, counted from `first`, and the seed decide its random choices.
void study_games(TrainedNetwork& self, const connect4::Position& start, const pattern::Settings& settings,
                 std::size_t games, std::uint64_t seed, std::uint64_t first, int threads, nb::object progress) {
    threads = checked_threads(threads);
    const auto begin = start.board();
    std::visit(
        [&]<class Shape>(const connect4::Board<Shape>& board) {
            self.check_suits(board);
            const nb::gil_scoped_release unlocked;
            auto& teacher = teacher_of(self, board.shape, threads);
            pattern::Learner<connect4::Board<Shape>> learner(self.model, settings, self.coherence, board);
            run_jobs(
                games, threads,
                [&](std::size_t game, const Stop& stop) {
                    try {
                        learner.study(
                            board, [&](const auto& b) { return teacher.scores(b, stop); },
                            mixed(mixed(0, seed), first + game));
                    } catch (const Interrupted&) {
                        // What was corrected before stays.
                    }
                },
                [&](std::size_t finished) { return watch_from_python(progress, finished, games); });
        },
        begin);
}

}  // namespace

void bind_connect4_patterns(nb::module_& module, nb::class_<TrainedNetwork>& cls) {
    bind_pattern_of<connect4::Position>(module, cls);
    cls.def("study", &study_games, "start"_a, "settings"_a, nb::kw_only(), "games"_a, "seed"_a, "first"_a = 0,
            "threads"_a = 1, "progress"_a = nb::none(),
            "Plays games in which the exact solver corrects every move, and learns from the corrections.");
}

}  // namespace flipdrop::binding

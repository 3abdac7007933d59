// PUCT searches: what a network is shown, what the tree counts, what it proves, and games against itself.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "kernel/connect4/board.hpp"
#include "kernel/othello/board.hpp"
#include "kernel/puct/guide.hpp"
#include "kernel/puct/search.hpp"
#include "kernel/puct/self_play.hpp"
#include "kernel/puct/shared_search.hpp"
#include "tests/kernel/helpers.hpp"

namespace flipdrop::tests {
namespace {

using puct::Batch, puct::Encoding, puct::Proof, puct::SelfPlaySettings, puct::Settings;

/// A network without any sense, whose answer depends on nothing but the planes of the row.
template <class Board>
puct::Evaluator hasher(const Board& like) {
    const Encoding<Board> encoding(like);
    const auto cells = static_cast<std::size_t>(puct::kPlanes * encoding.rows() * encoding.columns());
    const auto moves = static_cast<std::size_t>(encoding.moves());
    return [=](Batch& batch) {
        batch.policy.clear();
        batch.values.clear();
        CHECK(batch.planes.size() == static_cast<std::size_t>(batch.size) * cells);
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch.size); ++row) {
            std::uint64_t hash = 17;
            for (std::size_t i = 0; i < cells; ++i)
                hash = hash * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(batch.planes[row * cells + i]) + 1;
            Random random(hash);
            const auto number = [&] { return static_cast<float>(2 * random.uniform_open() - 1); };
            for (std::size_t i = 0; i < moves; ++i) batch.policy.push_back(number());
            batch.values.push_back(number());
        }
    };
}

template <class Board>
void think(puct::Search<Board>& search, int leaves, const puct::Evaluator& evaluate) {
    Batch batch;
    while (search.gather(leaves, batch) > 0) {
        CHECK(batch.size <= leaves);
        evaluate(batch);
        search.take(batch);
        batch.clear();
    }
    CHECK(search.done());
}

template <class Board>
void test_encoding(const Board& start) {
    const Encoding<Board> encoding(start);
    const auto cells = static_cast<std::size_t>(encoding.rows() * encoding.columns());
    std::vector<std::uint8_t> kept(cells);
    std::vector<float> planes(puct::kPlanes * cells), turned(planes.size());
    Random random(3);
    for (int round = 0; round < 50; ++round) {
        const Board board = after_random_moves(start, random.below(80), random);
        encoding.write_cells(board, kept.data());
        CHECK(encoding.read_cells(kept.data()) == board);
        encoding.write_planes(board, 0, planes.data());
        for (int symmetry = 0; symmetry < Encoding<Board>::kSymmetries; ++symmetry) {
            encoding.write_planes(board, symmetry, turned.data());
            for (std::size_t plane = 0; plane < puct::kPlanes; ++plane) {  // no cell is lost or seen twice
                const auto at = static_cast<std::ptrdiff_t>(plane * cells),
                           end = at + static_cast<std::ptrdiff_t>(cells);
                CHECK(std::accumulate(planes.begin() + at, planes.begin() + end, 0.0f) ==
                      std::accumulate(turned.begin() + at, turned.begin() + end, 0.0f));
            }
            std::vector<int> numbers;
            for (int number = 0; number < encoding.moves(); ++number)
                numbers.push_back(encoding.transformed_number(number, symmetry));
            std::sort(numbers.begin(), numbers.end());
            for (int number = 0; number < encoding.moves(); ++number)
                CHECK(numbers[static_cast<std::size_t>(number)] == number);
        }
        board.moves().for_each([&](int move) { CHECK(encoding.move_number(move, 0) < encoding.moves()); });
    }
    kept[0] = 9;
    CHECK(throws<Error>([&] { encoding.read_cells(kept.data()); }));
}

/// Every visit of a node whose value is not proven went to one of its children, but for the one that expanded it.
template <class Board>
void check_counts(const puct::Search<Board>& search) {
    const puct::Tree& tree = search.tree();
    for (puct::Index i = 0; i < tree.size(); ++i) {
        const puct::Node& node = tree[i];
        CHECK(!node.pending);
        CHECK(std::abs(node.mean()) <= 1.0001);
        CHECK((node.prior >= 0 && node.prior <= 1.0001f));
        if (node.size == 0 || node.proof != Proof::None) continue;
        std::uint32_t below = 1;
        float priors = 0;
        for (puct::Index child = node.children; child < node.children + node.size; ++child) {
            below += tree[child].visits;
            priors += tree[child].prior;
        }
        CHECK(below == node.visits);
        CHECK(std::abs(priors - 1) < 1e-4f);
    }
}

template <class Board>
void test_counts(const Board& start) {
    Random random(5);
    for (int round = 0; round < 6; ++round) {
        const Board board = after_random_moves(start, 2 * round, random);
        if (board.moves().size() == 0) continue;
        for (const int leaves : {1, 7}) {
            Settings settings;
            settings.noise = round % 2 == 0 ? 0 : 0.25;
            settings.seed = static_cast<std::uint64_t>(round);
            puct::Search<Board> search(board, settings);
            search.begin(150, settings.noise);
            think(search, leaves, hasher(board));
            check_counts(search);
            const auto report = search.report(0);
            CHECK((is_legal(board, report.best) && begins_with(report.line, report.best)));
            CHECK(static_cast<int>(report.moves.size()) == board.moves().size());
            CHECK((report.proven || report.nodes == 150));
            CHECK(search.choose(0, random) == report.best);
            const std::vector<double> shares = search.shares();
            CHECK(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) < 1e-9);
            if (report.proven) continue;
            search.play(report.best);  // what is known of the position after it stays known
            const auto kept = search.tree()[puct::Tree::root()].visits;
            CHECK(kept == report.moves.front().visits);
            search.begin(kept + 20, 0.25);
            if (search.board().moves().size() == 0) continue;
            think(search, leaves, hasher(board));
        }
    }
}

int outcome_of(const othello::Board<4>& board) {
    return board.outcome();
}
template <class Shape>
int outcome_of(const connect4::Board<Shape>& board) {
    return board.outcome();
}

/// What a search says is proven is so, and towards the end of a game most things can be.
template <class Board>
void test_proofs(const Board& start, int plies) {
    PerfectPlay<Board> perfect(&outcome_of);
    Random random(11);
    int searched = 0, proven = 0;
    for (int round = 0; round < 40; ++round) {
        const Board board = after_random_moves(start, plies, random);
        if (board.moves().size() == 0) continue;
        ++searched;
        Settings settings;
        settings.seed = static_cast<std::uint64_t>(round);
        puct::Search<Board> search(board, settings);
        search.begin(20'000, 0);
        think(search, 1 + round % 4, hasher(board));
        const puct::Node& root = search.tree()[puct::Tree::root()];
        for (puct::Index i = root.children; i < root.children + root.size; ++i) {
            const puct::Node& child = search.tree()[i];
            if (child.proof != Proof::None)
                CHECK(static_cast<int>(puct::proven_value(child.proof)) == perfect.score_of(board, child.move));
        }
        if (search.proof() == Proof::None) continue;
        ++proven;
        const auto report = search.report(0);
        CHECK(static_cast<int>(search.value()) == perfect.score(board));
        CHECK(perfect.score_of(board, report.best) == perfect.score(board));
        CHECK(static_cast<int>(report.value) == perfect.score(board));
        const std::vector<double> shares = search.shares();
        for (puct::Index i = 0; i < root.size; ++i)
            if (shares[i] > 0)
                CHECK(perfect.score_of(board, search.tree()[root.children + i].move) == perfect.score(board));
    }
    CHECK((searched > 20 && proven > searched / 4));
}

template <class Board>
bool same(const puct::Samples& a, const puct::Samples& b, const Board&) {
    return a.cells == b.cells && a.policy == b.policy && a.outcomes == b.outcomes && a.values == b.values &&
           a.games == b.games && a.plies == b.plies && a.evaluations == b.evaluations;
}

template <class Board>
void test_self_play(const Board& start) {
    SelfPlaySettings settings;
    settings.search.simulations = 24;
    settings.search.noise = 0.25;
    settings.search.seed = 7;
    settings.cheap_simulations = 6;
    settings.full_search_probability = 0.5;
    settings.random_plies = 3;
    settings.temperature_plies = 6;
    const StopFlag stop;
    const auto evaluate = hasher(start);
    const puct::Samples all = puct::play_group(start, settings, 0, 12, 12, evaluate, stop);
    for (const int slots : {1, 5})
        CHECK(same(all, puct::play_group(start, settings, 0, 12, slots, evaluate, stop), start));
    CHECK(same(puct::Samples{}, puct::play_group(start, settings, 0, 0, 5, evaluate, stop), start));

    const Encoding<Board> encoding(start);
    const auto cells = static_cast<std::size_t>(encoding.rows() * encoding.columns());
    const auto moves = static_cast<std::size_t>(encoding.moves());
    const std::size_t rows = all.outcomes.size();
    CHECK((all.games.back() == 11 && std::is_sorted(all.games.begin(), all.games.end())));
    CHECK((all.cells.size() == rows * cells && all.policy.size() == rows * moves && all.values.size() == rows));
    int taught = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const Board board = encoding.read_cells(all.cells.data() + row * cells);
        CHECK((board.moves().size() > 1 || row == 0 || all.games[row] != all.games[row - 1]));
        CHECK((std::abs(all.values[row]) <= 1 && std::abs(all.outcomes[row]) <= 1));
        double sum = 0, legal = 0;
        for (std::size_t i = 0; i < moves; ++i) sum += static_cast<double>(all.policy[row * moves + i]);
        board.moves().for_each([&](int move) {
            legal +=
                static_cast<double>(all.policy[row * moves + static_cast<std::size_t>(encoding.move_number(move, 0))]);
        });
        CHECK((std::abs(sum - legal) < 1e-6 && (sum == 0 || std::abs(sum - 1) < 1e-5)));
        taught += sum > 0;
    }
    CHECK((taught > 0 && taught < static_cast<int>(rows)));
}

/// The last sample of a game knows how it ended better than any search: where that was proven, it was proven right.
TEST_CASE("PUCT: outcomes of self-play") {
    using Board = othello::Board<4>;
    PerfectPlay<Board> perfect(&outcome_of);
    SelfPlaySettings settings;
    settings.search.simulations = 400;
    settings.random_plies = 6;
    const StopFlag stop;
    const puct::Samples all = puct::play_group(Board{}, settings, 0, 30, 10, hasher(Board{}), stop);
    const Encoding<Board> encoding{Board{}};
    for (std::size_t row = 0; row < all.outcomes.size(); ++row) {
        if (std::abs(all.values[row]) != 1) continue;
        const Board board = encoding.read_cells(all.cells.data() + row * 16);
        CHECK(static_cast<int>(all.outcomes[row]) == perfect.score(board));
    }
}

TEST_CASE("PUCT: Dirichlet noise") {
    Random random(1);
    for (const double alpha : {0.03, 0.3, 1.0, 10.0}) {
        double first = 0, squares = 0;
        constexpr int kRounds = 4000;
        for (int round = 0; round < kRounds; ++round) {
            const std::vector<double> shares = puct::dirichlet(5, alpha, random);
            CHECK(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) < 1e-9);
            first += shares[0] / kRounds;
            squares += shares[0] * shares[0] / kRounds;
        }
        const double variance = 0.2 * 0.8 / (5 * alpha + 1);  // what the distribution's formula says
        CHECK(std::abs(first - 0.2) < 4 * std::sqrt(variance / kRounds));
        CHECK(std::abs(squares - first * first - variance) < 0.15 * variance);
    }
}

const connect4::Board<connect4::FixedShape<7, 6>> kUsual;
const connect4::Board<connect4::AnyShape<Bits>> kSmall{{4, 4, connect4::kNoCell}};
const connect4::Board<connect4::AnyShape<UInt<2>>> kForbidden{{9, 10, 4}};
const connect4::Board<connect4::AnyShape<UInt<3>>> kLarge{{12, 12, connect4::kNoCell}};

TEST_CASE("PUCT: encoding") {
    test_encoding(othello::Board<4>{});
    test_encoding(othello::Board<6>{});
    test_encoding(othello::Board<8>{});
    test_encoding(kUsual);
    test_encoding(kForbidden);
    test_encoding(kLarge);
}

TEST_CASE("PUCT: visit counts") {
    test_counts(othello::Board<6>{});
    test_counts(othello::Board<8>{});
    test_counts(kUsual);
    test_counts(kForbidden);
}

/// Values a board by its own disc difference.
template <class Board>
class Discs final : public Evaluation<Board> {
public:
    double score(const Board& board, Side) const override { return count(board.own) - count(board.other); }
    std::vector<Term> terms(const Board&, Side) const override { return {}; }
};

TEST_CASE("PUCT: an evaluation as the guide") {
    using Board = othello::Board<6>;
    Random random(8);
    for (int round = 0; round < 12; ++round) {
        const Board board = after_random_moves(Board{}, 2 * round, random);
        if (board.moves().size() == 0) continue;
        Settings settings;
        settings.half_point = round % 2 == 0 ? 4 : 0;
        puct::Search<Board> search(board, settings);
        const Discs<Board> evaluation;
        const puct::Guide<Board> guide(evaluation, settings, Side::First);
        search.begin(200, 0);
        while (!search.done()) search.simulate_with(guide);
        check_counts(search);
        CHECK((search.proof() != Proof::None || search.tree()[0].visits == 200));
    }
}

TEST_CASE("PUCT: leaves that wait for an evaluation") {
    using Board = othello::Board<6>;
    Random random(9);
    for (int round = 0; round < 12; ++round) {
        const Board board = after_random_moves(Board{}, 2 * round, random);
        if (board.moves().size() == 0) continue;
        Settings settings;
        settings.half_point = 4;
        puct::SharedSearch<Board> search(board, settings);
        const Discs<Board> evaluation;
        const puct::Guide<Board> guide(evaluation, settings, Side::First);
        search.begin(200, 0);
        // Two threads that take turns: each goes down while the leaves of the other are pending.
        puct::SharedSearch<Board>::Leaves leaves[2];
        for (std::size_t turn = 0; !search.done() || leaves[0].pending + leaves[1].pending > 0; turn = 1 - turn) {
            for (std::size_t i = 0; i < leaves[turn].pending; ++i)
                puct::SharedSearch<Board>::value(leaves[turn].all[i], guide, settings.temperature);
            search.try_exchange(leaves[turn], 1 + turn);
        }
        check_counts(search);
        CHECK((search.proof() != Proof::None || search.tree()[0].visits == 200));
    }
}

TEST_CASE("PUCT: proofs") {
    test_proofs(othello::Board<4>{}, 5);
    test_proofs(kSmall, 8);
}

TEST_CASE("PUCT: forced moves") {
    PerfectPlay<connect4::Board<connect4::AnyShape<Bits>>> perfect(&outcome_of);
    Random random(12);
    int proven = 0, turned = 0;
    for (int round = 0; round < 300; ++round) {
        const auto board = after_random_moves(kSmall, 4 + random.below(9), random);
        const auto found = puct::after_forced_moves(board);
        const int score = board.moves().size() == 0 ? board.outcome() : perfect.score(board);
        if (found.proof != Proof::None) {
            CHECK(static_cast<int>(puct::proven_value(found.proof)) == -score);
            ++proven;
            continue;
        }
        CHECK((!found.board.wins_at_once() && found.board.safe_moves().size() > 1));
        CHECK(perfect.score(found.board) == (found.turned ? -score : score));
        CHECK(found.turned == (found.board.to_move() != board.to_move()));
        turned += found.turned;
    }
    CHECK((proven > 20 && turned > 10));
    const auto othello = after_random_moves(othello::Board<6>{}, 9, random);
    CHECK((puct::after_forced_moves(othello).board == othello && !puct::after_forced_moves(othello).turned));
}

/// Values a board by the discs of the first side, whichever side is to move.
class FirstSide final : public Evaluation<connect4::Board<connect4::FixedShape<7, 6>>> {
public:
    double score(const connect4::Board<connect4::FixedShape<7, 6>>& board, Side to_move) const override {
        CHECK(to_move == board.to_move());
        return to_move == Side::First ? 1 : -1;
    }
    std::vector<Term> terms(const connect4::Board<connect4::FixedShape<7, 6>>&, Side) const override { return {}; }
};

TEST_CASE("PUCT: an evaluation after forced moves is for the side that is to move then") {
    Random random(13);
    int turned = 0, unturned = 0;
    for (int round = 0; round < 100; ++round) {
        const auto board = after_random_moves(kUsual, 4 + random.below(20), random);
        if (board.moves().size() == 0) continue;
        const FirstSide evaluation;
        const puct::Guide<connect4::Board<connect4::FixedShape<7, 6>>> guide(evaluation, {}, board.to_move());
        board.moves().for_each([&](int move) {
            const auto after = puct::after_forced_moves(played(board, move));
            if (after.proof != Proof::None) return;
            CHECK(guide.move_score(after, true) == (board.to_move() == Side::First ? 1 : -1));
            (after.turned ? turned : unturned) += 1;
        });
    }
    CHECK((turned > 20 && unturned > 20));
}

/// Of several moves that win by force the first wins, of several that lose the last loses.
TEST_CASE("PUCT: early wins and late losses") {
    using Usual = connect4::Board<connect4::FixedShape<7, 6>>;
    const FirstSide evaluation;
    Random random(15);
    int won = 0, lost = 0;
    for (int round = 0; round < 2000; ++round) {
        const Usual board = after_random_moves(kUsual, 8 + random.below(20), random);
        if (board.moves().size() == 0) continue;
        int earliest = 100, latest = -1;
        const auto length = [&](int move) { return puct::after_forced_moves(played(board, move)).plies; };
        board.moves().for_each([&](int move) {
            const auto after = puct::after_forced_moves(played(board, move));
            if (after.proof == Proof::Win) earliest = std::min(earliest, after.plies);
            if (after.proof == Proof::Loss) latest = std::max(latest, after.plies);
        });
        puct::Search<Usual> network(board, {}), alone(board, {});
        network.begin(1, 0);
        think(network, 1, hasher(board));
        if (network.proof() == Proof::None || network.proof() == Proof::Draw) continue;
        const puct::Guide<Usual> guide(evaluation, {}, board.to_move());
        alone.begin(1, 0);
        alone.simulate_with(guide);
        puct::SharedSearch<Usual> shared(board, {});
        typename puct::SharedSearch<Usual>::Leaves leaves;
        shared.begin(1, 0);
        CHECK(shared.try_exchange(leaves, 1) == 1);
        puct::SharedSearch<Usual>::value(leaves.all[0], guide, 1);
        CHECK(shared.try_exchange(leaves, 1) == 0);
        const bool wins = network.proof() == Proof::Loss;  // for the side that moved into the root
        for (const int best : {network.report(0).best, alone.report(0).best, shared.report(0).best})
            CHECK(length(best) == (wins ? earliest : latest));
        CHECK((earliest == 0) == board.wins_at_once());
        (wins ? won : lost) += 1;
    }
    CHECK((won > 100 && lost > 20));
}

TEST_CASE("PUCT: a search from a position that was proven by its parent") {
    Random random(14);
    int searched = 0;
    for (int round = 0; round < 200; ++round) {
        const auto board = after_random_moves(kUsual, 8 + random.below(20), random);
        if (board.moves().size() == 0) continue;
        puct::Search<connect4::Board<connect4::FixedShape<7, 6>>> search(board, {});
        search.begin(5, 0);
        think(search, 1, hasher(board));
        const puct::Node& root = search.tree()[puct::Tree::root()];
        for (puct::Index i = root.children; i < root.children + root.size; ++i) {
            const puct::Node child = search.tree()[i];
            if (child.proof == Proof::None || child.size > 0) continue;
            auto next = search;
            next.play(child.move);
            CHECK(next.proof() == child.proof);
            if (next.board().moves().size() == 0) continue;
            next.begin(500, 0);
            think(next, 1, hasher(board));
            CHECK(next.report(0).moves.size() == static_cast<std::size_t>(next.board().moves().size()));
            if (next.proof() != Proof::None) CHECK(next.proof() == child.proof);
            ++searched;
        }
    }
    CHECK(searched > 50);
}

TEST_CASE("PUCT: self-play") {
    test_self_play(othello::Board<4>{});
    test_self_play(othello::Board<6>{});
    test_self_play(kUsual);
    test_self_play(kForbidden);
}

TEST_CASE("PUCT: a finished game is refused") {
    auto over = kUsual;
    for (int move : {0, 1, 0, 1, 0, 1, 0}) over.play(move);
    CHECK_THROWS_AS(puct::Search(over, {}), Error);
}

}  // namespace
}  // namespace flipdrop::tests

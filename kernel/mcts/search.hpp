// Monte Carlo tree search, for every game: select, expand, simulate, back up.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/evaluation/square_table.hpp"
#include "kernel/mcts/rollout.hpp"
#include "kernel/mcts/settings.hpp"
#include "kernel/mcts/tree.hpp"
#include "kernel/mcts/ucb_tables.hpp"
#include "kernel/parallel.hpp"
#include "kernel/search/control.hpp"
#include "kernel/search/perspective.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::mcts {

/// Adds to a number that other threads may be adding to, or, where there are none, at half the price.
template <bool Shared, class Number>
void add(std::atomic<Number>& total, Number amount) {
    if constexpr (Shared)
        total.fetch_add(amount, std::memory_order_relaxed);
    else
        total.store(static_cast<Number>(total.load(std::memory_order_relaxed) + amount), std::memory_order_relaxed);
}

/// The weight of a move's square; the same for all moves of Connect Four.
template <int Size>
double move_weight(const othello::Board<Size>&, const std::vector<double>& table, int move) {
    return move == othello::kPass ? 0 : othello::square_weight<Size>(table, move);
}
template <class Shape>
double move_weight(const connect4::Board<Shape>&, const std::vector<double>&, int) {
    return 0;
}

/// Throws Error if the final choice needs a table of squares that does not fit the board.
template <int Size>
void check_tie_table(const othello::Board<Size>&, const Settings& settings) {
    if (settings.tie_width > 0 && !othello::is_table_size<Size>(settings.tie_table.size()))
        throw Error("a tie_table of " + std::to_string(settings.tie_table.size()) + " weights does not fit this board");
}
template <class Shape>
void check_tie_table(const connect4::Board<Shape>&, const Settings&) {}

template <GameBoard Board>
class Search {
public:
    Search(const Board& board, Side to_move, const Evaluation<Board>* evaluation, const Settings& settings, Tree& tree,
           search::Observer observer)
        : board_(board),
          to_move_(to_move),
          evaluation_(evaluation, settings.perspective, to_move),
          settings_(settings),
          tree_(tree),
          rollout_(settings_, evaluation_.get(), to_move),
          observer_(std::move(observer)),
          control_({0, 0, settings.seconds}, [this] { observe(); }) {
        check(settings);
        if (board.moves().size() == 0) throw Error("the game is over: there is no move to search");
        check_tie_table(board, settings);
        if (needs_evaluation(settings) && evaluation == nullptr)
            throw Error("these settings ask an evaluation, and none is given");
    }

    search::Report run() {
        Worker root_worker{Random(settings_.seed ^ kRootStream), search::NodeCounter(control_, true), NodePool(0)};
        if (tree_[tree_.root()].children.load() == kUnexpanded)
            expand(tree_.root(), board_, to_move_, root_worker, true);
        if (settings_.threads > 1)
            run_threads();
        else
            work<false>(0);
        return report();
    }

private:
    static constexpr Index kPoolNodes = 512;  // nodes
    static constexpr std::uint64_t kQuota = 32;
    static constexpr int kMaxPathLength = 200;  // plies of a simulation in the tree
    static constexpr std::uint64_t kRootStream = 0x5851f42d4c957f2dULL;

    static bool needs_evaluation(const Settings& settings) {
        return settings.bias > 0 || settings.playout == Playout::Depth || settings.reward == Reward::Evaluation;
    }
    /// Proofs give the outcome, not the margin: useless where rewards depend on the margin.
    bool proves() const {
        return settings_.solver && (settings_.reward == Reward::Win || settings_.reward == Reward::Squashed);
    }

    void observe() {
        if (observer_.watch) observer_.watch();
        if (observer_.progress) observer_.progress(report());
    }

    void run_threads() {
        ThreadTeam team(settings_.threads);
        team.run([this](int member) { work<true>(member); }, [this] { control_.stop(); });
    }

    /// What belongs to one thread.
    struct Worker {
        Random random;
        search::NodeCounter counter;
        NodePool pool;
    };

    using Path = std::array<Index, kMaxPathLength>;

    /// A batch of simulations from one node: the root, or a much visited node below it.
    ///
    /// Every simulation passes through the same few nodes near the root, and then through others that are far away in
    /// memory. So with `batch` > 1, a thread descends to a much visited node, makes that many simulations from there,
    /// and backs them up to the root together. The nodes above have enough visits that the delay hardly changes their
    /// choices; paths are shorter, the subtree stays in the thread's cache, and threads contend less for cache lines.
    /// In Connect Four this made one thread 1.4 to 2.2 times as fast, the more the larger the tree, and two threads
    /// that were hardly faster than one made twice its simulations.
    struct Batch {
        Board board;
        Side to_move;
        Path path;  ///< from the root to it
        int length = 1;
        Played played{};
    };
    /// A batch's node has at least this many times as many visits as the batch has simulations. Ratio 8 with batches of
    /// 32 was a little faster, but weaker (docs/figures/batching.md).
    static constexpr std::uint32_t kBatchMinVisitRatio = 16;

    /// Calls a function at the end of a scope, also when an exception leaves it, unless `release` was called.
    template <class Function>
    class OnExit {
    public:
        explicit OnExit(Function function) : function_(std::move(function)) {}
        OnExit(const OnExit&) = delete;
        OnExit& operator=(const OnExit&) = delete;
        ~OnExit() {
            if (!released_) function_();
        }
        void release() { released_ = true; }

    private:
        Function function_;
        bool released_ = false;
    };

    template <bool Shared>
    void work(int thread) {
        // Threads draw from streams of their own; the first one's is the seed's own stream.
        Worker worker{Random(settings_.seed + static_cast<std::uint64_t>(thread) * 0x9e3779b97f4a7c15ULL),
                      search::NodeCounter(control_, thread == 0),
                      NodePool(Shared && settings_.nodes == 0 ? kPoolNodes : 0)};
        Batch batch = root_batch();
        for (std::uint64_t taken = 1; taken > 0 && !control_.stopped();) {
            taken = take_quota<Shared>();
            if (settings_.batch > 1) batch = descend_to_batch_root<Shared>(worker, static_cast<std::uint32_t>(taken));
            std::uint64_t done = 0;
            Rewards rewards;
            // An evaluation or a callback may throw: the tree, which may be kept, holds whole simulations only.
            const OnExit whole([&] {
                back_up_batch<Shared>(batch, static_cast<std::uint32_t>(taken - done), rewards);
                add<Shared>(done_, done);
            });
            while (done < taken && !control_.stopped()) {
                rewards += simulate<Shared>(worker, batch);
                ++done;
                if (settings_.nodes > 0 && tree_.size() >= settings_.nodes) control_.stop();
                if (tree_[tree_.root()].proof.load(std::memory_order_relaxed) != Proof::None) control_.stop();
                worker.counter.tick();
            }
        }
    }

    Batch root_batch() const {
        Batch batch{board_, to_move_, {}};
        batch.path[0] = tree_.root();
        return batch;
    }

    /// Selects the node of a batch. Its simulations count as visits of the nodes above from now on.
    template <bool Shared>
    Batch descend_to_batch_root(Worker& worker, std::uint32_t simulations) {
        Batch batch = root_batch();
        Index at = tree_.root();
        while (batch.length < kMaxPathLength / 2) {
            Node& node = tree_[at];
            if (node.tried.load(std::memory_order_relaxed) < node.size) break;
            const Index child = select(at, node.children.load(std::memory_order_acquire), worker);
            const Node& next = tree_[child];
            const Index children = next.children.load(std::memory_order_acquire);
            if (next.visits.load(std::memory_order_relaxed) < kBatchMinVisitRatio * settings_.batch ||
                !has_children(children) || next.proof.load(std::memory_order_relaxed) != Proof::None)
                break;
            add<Shared>(node.visits, simulations);
            if (settings_.rave > 0) note(batch.played, batch.to_move == to_move_, next.move);
            batch.board.play(next.move);
            batch.to_move = other(batch.to_move);
            at = child;
            batch.path[static_cast<unsigned>(batch.length++)] = at;
        }
        return batch;
    }

    /// Adds a batch's rewards to the nodes above it, and removes the visits of simulations that were not made.
    template <bool Shared>
    void back_up_batch(const Batch& batch, std::uint32_t not_made, const Rewards& rewards) {
        for (int i = batch.length - 2; i >= 0; --i) {
            Node& node = tree_[batch.path[static_cast<unsigned>(i)]];
            if (not_made > 0) add<Shared>(node.visits, 0u - not_made);
            add<Shared>(node.sum, rewards.of(i % 2 == 1));
        }
    }

    /// How many simulations a thread may make next. The quotas add up to exactly the number of iterations on any number
    /// of threads; they shrink towards the end, so that all threads end together.
    template <bool Shared>
    std::uint64_t take_quota() {
        const std::uint64_t limit = settings_.iterations == 0 ? ~std::uint64_t{0} : settings_.iterations;
        const std::uint64_t begun = begun_.load(std::memory_order_relaxed);
        if (begun >= limit) return 0;
        const auto threads = static_cast<std::uint64_t>(settings_.threads);
        const std::uint64_t most = settings_.batch > 1 ? settings_.batch : kQuota;
        const std::uint64_t wanted = std::clamp<std::uint64_t>((limit - begun) / (4 * threads), 1, most);
        const std::uint64_t first = begun_.fetch_add(wanted, std::memory_order_relaxed);
        return first >= limit ? 0 : std::min(wanted, limit - first);
    }

    template <bool Shared>
    Rewards simulate(Worker& worker, const Batch& batch) {
        Random& random = worker.random;
        Board board = batch.board;
        Side to_move = batch.to_move;
        Path path;
        int length = batch.length;
        std::copy_n(batch.path.begin(), length, path.begin());
        Played played = batch.played;
        Played* const record = settings_.rave > 0 ? &played : nullptr;

        // Step 1. Select: down the tree by score, until a node that has not been visited or cannot be left.
        Index at = path[static_cast<unsigned>(length - 1)];
        add<Shared>(tree_[at].visits, 1u);
        OnExit undo([&] {
            for (int i = batch.length - 1; i < length; ++i)
                add<Shared>(tree_[path[static_cast<unsigned>(i)]].visits, 0u - 1u);
        });
        bool solved = false;
        while (length < kMaxPathLength) {
            Node& node = tree_[at];
            Index children = node.children.load(std::memory_order_acquire);
            if (children == kUnexpanded) {
                // Step 2. Expand: a leaf gets its children when it is visited for the second time.
                if (node.visits.load(std::memory_order_relaxed) < 2 || !expand(at, board, to_move, worker, false))
                    break;
                children = node.children.load(std::memory_order_acquire);
            }
            if (!has_children(children)) break;  // terminal, or another thread is expanding it
            if (length > 1 && node.proof.load(std::memory_order_relaxed) != Proof::None) {
                solved = true;
                break;
            }
            const Index child = select(at, children, worker);
            const int move = tree_[child].move;
            if (record != nullptr) note(played, to_move == to_move_, move);
            board.play(move);
            to_move = other(to_move);
            at = child;
            path[static_cast<unsigned>(length++)] = at;
            add<Shared>(tree_[at].visits, 1u);
        }

        // Step 3. Simulate, unless the result is proven or the game is over.
        Rewards rewards;
        const Node& leaf = tree_[at];
        const bool terminal = leaf.children.load(std::memory_order_relaxed) == kTerminal;
        if (solved)
            rewards = proven_rewards(leaf.proof.load(std::memory_order_relaxed), length % 2 == 0);
        else if (terminal)
            rewards = rollout_.final_rewards(board, to_move, board, to_move);
        else
            rewards = rollout_.rewards(board, to_move, random, record, worker.counter);

        // Step 4. Back up. The side that searches moved into the second node of the path, the fourth, ...
        undo.release();
        for (int i = length - 1; i >= 0; --i) {
            const bool searcher_moved_here = i % 2 == 1;
            Node& node = tree_[path[static_cast<unsigned>(i)]];
            if (i >= batch.length - 1) add<Shared>(node.sum, rewards.of(searcher_moved_here));
            if (record != nullptr) back_up_rave<Shared>(node, i % 2 == 0, played, rewards);
        }
        if ((terminal || solved) && proves()) back_up_proof(path, length);
        return rewards;
    }

    /// Gives a node its children. False: another thread is expanding it, time is up or memory is full; it stays a leaf.
    bool expand(Index at, const Board& board, Side to_move, Worker& worker, bool at_root) {
        Random& random = worker.random;
        Index expected = kUnexpanded;
        if (!tree_[at].children.compare_exchange_strong(expected, kBeingExpanded, std::memory_order_acquire))
            return false;
        OnExit stay_leaf([&] { tree_[at].children.store(kUnexpanded, std::memory_order_release); });
        std::array<std::uint8_t, 64> moves;
        int size = 0;
        auto set = board.moves();
        const bool over = set.size() == 0;
        if constexpr (HasDecisiveMoves<Board>)
            if (!over && (settings_.decisive == Decisive::Tree || (settings_.decisive == Decisive::Root && at_root)))
                set = board.decisive_moves();
        set.for_each([&](int move) { moves[static_cast<unsigned>(size++)] = static_cast<std::uint8_t>(move); });
        for (int i = size - 1; i > 0; --i)
            std::swap(moves[static_cast<unsigned>(i)], moves[static_cast<unsigned>(random.below(i + 1))]);
        if (at_root && settings_.root_bonus > 0) {
            // Visited first, so that even a search of few simulations can choose it.
            const auto guided = std::find(moves.begin(), moves.begin() + size, settings_.root_bonus_move);
            std::rotate(moves.begin(), guided, guided == moves.begin() + size ? guided : guided + 1);
        }

        std::array<float, 64> prior_values{};
        if (settings_.bias > 0)
            for (int i = 0; i < size; ++i) {
                prior_values[static_cast<unsigned>(i)] = prior_value(board, to_move, moves[static_cast<unsigned>(i)]);
                // Evaluations can be slow: time may be up here.
                if (!at_root && worker.counter.tick()) return false;
            }

        const Index first = size == 0 ? kTerminal : tree_.allocate(static_cast<Index>(size), worker.pool);
        Node& node = tree_[at];
        if (first == kNone) return false;
        stay_leaf.release();
        for (int i = 0; i < size; ++i) {
            Node& child = tree_[first + static_cast<Index>(i)];
            child.move = moves[static_cast<unsigned>(i)];
            child.bias = prior_values[static_cast<unsigned>(i)];
        }
        node.size = static_cast<std::uint8_t>(size);
        if (over && proves()) node.proof.store(proof_of_end(board), std::memory_order_relaxed);
        node.children.store(first, std::memory_order_release);
        return true;
    }

    /// The evaluation after a move, squashed to -1..1, for the side that makes it.
    float prior_value(const Board& board, Side to_move, int move) const {
        Board child = board;
        child.play(move);
        if (child.moves().size() == 0) return static_cast<float>(-child.outcome());
        return static_cast<float>(
            std::tanh(-search::leaf_value(*evaluation_.get(), child, other(to_move)) / settings_.scale));
    }

    static Proof proof_of_end(const Board& board) {
        const int for_mover = -board.outcome();  // the side that moved into the node is not the one to move
        return for_mover > 0 ? Proof::Win : for_mover < 0 ? Proof::Loss : Proof::Draw;
    }

    Rewards proven_rewards(Proof proof, bool searcher_moved_here) const {
        if (proof == Proof::Draw) return rollout_.draw();
        return rollout_.zero_sum((proof == Proof::Win) == searcher_moved_here ? 1 : -1);
    }

    Index select(Index at, Index children, Worker& worker) {
        Node& node = tree_[at];
        const bool at_root = at == tree_.root();
        // An untried child first, or only with some probability.
        const std::uint8_t tried = node.tried.load(std::memory_order_relaxed);
        if (tried < node.size && (tried == 0 || settings_.expand >= 1 || worker.random.uniform() < settings_.expand)) {
            const std::uint8_t mine = node.tried.fetch_add(1, std::memory_order_relaxed);
            if (mine < node.size) return children + mine;
            node.tried.store(node.size, std::memory_order_relaxed);
        }
        const int known = std::min<int>(node.tried.load(std::memory_order_relaxed), node.size);
        const std::uint32_t parent_visits = node.visits.load(std::memory_order_relaxed);
        const double exploration = settings_.c * UcbTables::exploration(parent_visits);
        Index best = children;
        double best_score = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < known; ++i) {
            const Index index = children + static_cast<Index>(i);
            const Node& child = tree_[index];
            const std::uint32_t visits = child.visits.load(std::memory_order_relaxed);
            const double sum = child.sum.load(std::memory_order_relaxed);
            double score = child_score(child, std::max(1u, visits), sum, exploration);
            if (at_root) score += root_bonus(child);
            if (score > best_score) {
                best_score = score;
                best = index;
            }
        }
        return best;
    }

    /// What every simulation through this child of the root gets on top of its reward. It is kept out of the sums, so
    /// that values stay those of the rewards.
    double root_bonus(const Node& child) const {
        return child.move == settings_.root_bonus_move ? settings_.root_bonus : 0;
    }

    double child_score(const Node& child, std::uint32_t visits, double sum, double exploration) const {
        const Proof proof = child.proof.load(std::memory_order_relaxed);
        if (proof == Proof::Win) return kProvenScore;
        if (proof == Proof::Loss) return -kProvenScore;
        const UcbTables::Child at = UcbTables::child(visits);
        double mean = sum * at.inverse;
        if (settings_.rave > 0) mean = with_rave(child, mean, visits);
        double score = mean + exploration * at.root;
        if (settings_.bias > 0) score += settings_.bias * child.bias / (visits + 1);
        return score;
    }

    /// All moves as first: the mean of simulations that played the move at any later time counts while its own has few
    /// visits.
    double with_rave(const Node& child, double mean, double visits) const {
        const std::uint32_t rave_visits = child.rave_visits.load(std::memory_order_relaxed);
        if (rave_visits == 0) return mean;
        const double share = std::sqrt(settings_.rave / (3 * visits + settings_.rave));
        return (1 - share) * mean +
               share * static_cast<double>(child.rave_sum.load(std::memory_order_relaxed)) / rave_visits;
    }

    template <bool Shared>
    void back_up_rave(Node& node, bool searcher_to_move, const Played& played, const Rewards& rewards) {
        const Index children = node.children.load(std::memory_order_acquire);
        if (!has_children(children)) return;
        const Bits moves = played[searcher_to_move ? 0 : 1];
        for (Index i = 0; i < node.size; ++i) {
            Node& child = tree_[children + i];
            if (child.move >= 64 || (moves >> child.move & 1) == 0) continue;
            add<Shared>(child.rave_visits, 1u);
            add<Shared>(child.rave_sum, static_cast<float>(rewards.of(searcher_to_move)));
        }
    }

    /// A node is won by its mover when the opponent's every reply loses, lost when one reply wins.
    void back_up_proof(const Path& path, int length) {
        for (int i = length - 2; i >= 0; --i) {
            Node& node = tree_[path[static_cast<unsigned>(i)]];
            const Index children = node.children.load(std::memory_order_acquire);
            Proof worst = Proof::Win;  // for the mover into `node`, if every reply is proven
            for (Index c = 0; c < node.size; ++c) {
                const Proof reply = tree_[children + c].proof.load(std::memory_order_relaxed);
                if (reply == Proof::Win) {
                    worst = Proof::Loss;
                    break;
                }
                if (reply == Proof::None) worst = Proof::None;
                if (reply == Proof::Draw && worst == Proof::Win) worst = Proof::Draw;
            }
            if (worst == Proof::None) return;
            node.proof.store(worst, std::memory_order_relaxed);
        }
    }

    /// Orders root moves for the final choice: proofs first, then the settings' criterion, then the bonus.
    struct FinalScore {
        int proof = 0;
        double score = 0, bonus = 0;
        auto operator<=>(const FinalScore&) const = default;
    };
    FinalScore final_score(const Node& child) const {
        enum { NotVisited, Lost, Open, Won };
        const Proof proof = child.proof.load();
        const std::uint32_t visits = child.visits.load();
        const double bonus = root_bonus(child);
        if (proof == Proof::Win) return {Won};
        if (visits == 0) return {NotVisited};
        FinalScore final{proof == Proof::Loss ? Lost : Open, child.mean() + bonus, bonus};
        if (settings_.final == Final::Visits) final.score = visits;
        if (settings_.final == Final::Ucb && proof != Proof::Loss) {
            const double exploration = UcbTables::exploration(tree_[tree_.root()].visits.load());
            final.score = child_score(child, visits, child.sum.load(), settings_.c * exploration) + bonus;
        }
        return final;
    }

    /// The root move of the final choice: of those nearly as good as the first of `order`, the one on the heaviest
    /// square.
    std::vector<Index>::iterator chosen(std::vector<Index>& order) const {
        auto best = order.begin();
        if (settings_.tie_width <= 0) return best;
        const auto weight = [&](Index index) { return move_weight(board_, settings_.tie_table, tree_[index].move); };
        const FinalScore first = final_score(tree_[order.front()]);
        for (auto at = order.begin(); at != order.end(); ++at) {
            const FinalScore other = final_score(tree_[*at]);
            if (other.proof != first.proof || other.score < first.score - settings_.tie_width) break;
            if (weight(*at) > weight(*best)) best = at;
        }
        return best;
    }

    double root_value(const Node& child) const {
        switch (child.proof.load()) {
            case Proof::Win: return 1;
            case Proof::Loss: return -1;
            case Proof::Draw: return settings_.draw;
            case Proof::None: break;
        }
        return child.mean();
    }

    search::Report report() const {
        search::Report report;
        const Node& root = tree_[tree_.root()];
        const Index children = root.children.load();
        std::vector<Index> order;
        for (Index i = 0; i < root.size; ++i) order.push_back(children + i);
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return tree_[a].move < tree_[b].move; });
        std::stable_sort(order.begin(), order.end(),
                         [&](Index a, Index b) { return final_score(tree_[a]) > final_score(tree_[b]); });
        const auto best = chosen(order);
        std::rotate(order.begin(), best, best + 1);
        for (Index index : order) {
            const Node& child = tree_[index];
            report.moves.push_back({child.move, root_value(child), child.visits.load(), true});
        }
        report.best = report.moves.front().move;
        report.value = report.moves.front().value;
        report.proven = root.proof.load() != Proof::None || tree_[order.front()].proof.load() == Proof::Win;
        report.line = line_from(order.front());
        report.depth = static_cast<int>(report.line.size());
        report.nodes = done_.load(std::memory_order_relaxed);
        report.seconds = control_.seconds();
        return report;
    }

    /// The most visited replies, one after the other.
    std::vector<int> line_from(Index at) const {
        std::vector<int> line{tree_[at].move};
        for (;;) {
            const Node& node = tree_[at];
            const Index children = node.children.load();
            if (!has_children(children)) return line;
            Index best = children;
            for (Index i = 1; i < node.size; ++i)
                if (tree_[children + i].visits.load() > tree_[best].visits.load()) best = children + i;
            if (tree_[best].visits.load() == 0) return line;
            line.push_back(tree_[best].move);
            at = best;
        }
    }

    static constexpr double kProvenScore = 1e9;

    const Board board_;
    const Side to_move_;
    const search::LeafEvaluation<Board> evaluation_;
    const Settings settings_;
    Tree& tree_;
    Rollout<Board> rollout_;
    const search::Observer observer_;
    search::SearchControl control_;
    alignas(64) std::atomic<std::uint64_t> begun_{0};  // on a cache line of its own: every thread writes it
    std::atomic<std::uint64_t> done_{0};
};

}  // namespace flipdrop::mcts

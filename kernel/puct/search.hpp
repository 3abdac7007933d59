// Monte Carlo tree search guided by a network (PUCT, as in AlphaZero) or by an evaluation, for every game.
//
// A network evaluates large batches efficiently, so a search does not call it: `gather` makes simulations until some
// leaves are pending, and `take` receives their evaluations. The caller collects the leaves of several searches in one
// batch. An evaluation takes a fraction of a microsecond: `simulate_with` values a leaf at once.
//
// Ends of games are not evaluated by the network: expanding a node detects moves that end the game, at once or by
// forced moves, and proven results are backed up as such. A position with a winning move never reaches the network.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/board.hpp"
#include "kernel/errors.hpp"
#include "kernel/puct/encoding.hpp"
#include "kernel/puct/forced_moves.hpp"
#include "kernel/puct/noise.hpp"
#include "kernel/puct/settings.hpp"
#include "kernel/puct/tree.hpp"
#include "kernel/search/report.hpp"

namespace flipdrop::puct {

/// The value of a proven result, for the side that moved into the node.
inline double proven_value(Proof proof) {
    return proof == Proof::Win ? 1 : proof == Proof::Loss ? -1 : 0;
}

template <GameBoard Board>
class Search {
public:
    Search(const Board& board, const Settings& settings)
        : board_(board), encoding_(board), settings_(settings), random_(settings.seed) {
        if (board.moves().size() == 0) throw Error("the game is over: there is no move to search");
    }

    /// Starts a search of the root, up to `simulations` visits including those it already has.
    void begin(std::uint32_t simulations, double noise) {
        if (tree_[Tree::root()].size == 0) tree_ = Tree();  // what is proven without its moves is proven anew
        simulations_ = simulations;
        noise_ = noise;
        if (tree_[Tree::root()].size > 0) add_noise();
    }

    bool done() const { return proof() != Proof::None || tree_[Tree::root()].visits >= simulations_; }
    void stop() { simulations_ = 0; }

    /// The root's proven result, for the side that moved into it: the opponent of the side to move.
    Proof proof() const { return tree_[Tree::root()].proof; }
    /// The root's value for the side to move.
    double value() const { return proof() == Proof::None ? -tree_[Tree::root()].mean() : -proven_value(proof()); }
    const Board& board() const { return board_; }
    const Tree& tree() const { return tree_; }

    /// Makes simulations until `most` leaves are pending or the search is done, and adds those leaves to the batch.
    int gather(int most, Batch& batch) {
        first_row_ = batch.size;
        while (pending_ < static_cast<std::size_t>(most) && !done() && simulate(batch)) {
        }
        return static_cast<int>(pending_);
    }

    /// Takes the network's evaluations of the leaves that the last `gather` added.
    void take(const Batch& batch) {
        const auto moves = static_cast<std::size_t>(encoding_.moves());
        for (std::size_t i = 0; i < pending_; ++i) {
            Leaf& leaf = leaves_[i];
            const std::size_t row = static_cast<std::size_t>(first_row_) + i;
            set_priors(leaf, batch.policy.data() + row * moves);
            tree_[leaf.path.back()].pending = false;
            // Step 4. Back up. The virtual loss is removed.
            back_up(leaf.path, -static_cast<double>(batch.values[row]), 0, 1);
            if (leaf.path.size() == 1) add_noise();
        }
        pending_ = 0;
    }

    /// One simulation whose leaf an evaluation values (guide.hpp): of the moves that an expansion finds it makes the
    /// policy, and the best of them is the value.
    template <class Guide>
    void simulate_with(const Guide& guide) {
        if (leaves_.empty()) leaves_.emplace_back();
        Path& path = leaves_.front().path;
        Board board = board_;
        const Index at = select_leaf(board, path);
        if (tree_[at].proof == Proof::None) {
            double best = -1e9, sum = 0;
            const bool root_moves = path.size() % 2 == 1;
            expand(at, board, [&](Node& child, const QuietPosition<Board>& after) {
                const double score = child.proof == Proof::None ? guide.move_score(after, root_moves) : 0;
                if (child.proof == Proof::Loss || child.proof == Proof::Win) return;
                child.prior = static_cast<float>(score);
                best = std::max(best, score);
            });
            if (tree_[at].proof == Proof::None) {
                const Node& node = tree_[at];
                const auto weight = [&](Node& child) {
                    if (child.proof == Proof::Loss) return 0.0;
                    return std::exp((static_cast<double>(child.prior) - best) / settings_.temperature);
                };
                for (Index i = node.children; i < node.children + node.size; ++i) sum += weight(tree_[i]);
                for (Index i = node.children; i < node.children + node.size; ++i)
                    tree_[i].prior = static_cast<float>(weight(tree_[i]) / sum);
                back_up(path, -guide.value(best), 1, 0);
                if (path.size() == 1) add_noise();
                return;
            }
        }
        back_up(path, proven_value(tree_[at].proof), 1, 0);
        back_up_proof(path);
    }

    /// Every root move's share of the visits, in the order of the root's children. Moves proven worse than others have
    /// share 0.
    std::vector<double> shares() const {
        const Node& root = tree_[Tree::root()];
        std::vector<double> shares(root.size, 0.0);
        double sum = 0;
        for (int round = 0; round < 2 && sum == 0; ++round)  // without any visits, by the priors
            for (Index i = 0; i < root.size; ++i) {
                const Node& child = tree_[root.children + i];
                if (!is_candidate(root, child)) continue;
                const double weight = child.proof == Proof::Win ? 1 : round == 0 ? child.visits : child.prior + 1e-6;
                sum += shares[i] = weight;
            }
        for (double& share : shares) share /= sum;
        return shares;
    }

    /// A root move drawn by its share of the visits; at temperature 0 the best.
    int choose(double temperature, Random& random) const {
        const Node& root = tree_[Tree::root()];
        if (temperature <= 0) return tree_[best_child()].move;
        std::vector<double> weights = shares();
        double sum = 0;
        for (double& weight : weights) sum += weight = std::pow(weight, 1 / temperature);
        double left = random.uniform_open() * sum;
        std::size_t chosen = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (weights[i] <= 0) continue;
            chosen = i;
            if ((left -= weights[i]) < 0) break;
        }
        return tree_[root.children + static_cast<Index>(chosen)].move;
    }

    /// The root moves' shares as the network numbers moves.
    void write_policy(float* policy) const {
        const std::vector<double> all = shares();
        std::fill_n(policy, encoding_.moves(), 0.0f);
        const Index first = tree_[Tree::root()].children;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const int move = tree_[first + static_cast<Index>(i)].move;
            policy[encoding_.move_number(move, 0)] = static_cast<float>(all[i]);
        }
    }

    /// Plays a move at the root and keeps its subtree.
    void play(int move) {
        const Node& root = tree_[Tree::root()];
        Index child = kNoChildren;
        for (Index i = root.children; i < root.children + root.size; ++i)
            if (tree_[i].move == move) child = i;
        if (child == kNoChildren)
            tree_ = Tree();
        else
            tree_.descend(child);
        board_.play(move);
    }

    search::Report report(double seconds) const {
        search::Report report;
        const Node& root = tree_[Tree::root()];
        report.nodes = root.visits;
        report.seconds = seconds;
        report.proven = root.proof != Proof::None;
        std::vector<Index> order;
        for (Index i = 0; i < root.size; ++i) order.push_back(root.children + i);
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return rank(a) > rank(b); });
        for (const Index index : order)
            report.moves.push_back({tree_[index].move, value_of(index), tree_[index].visits});
        report.best = report.moves.front().move;
        report.value = report.moves.front().value;
        report.line = line_from(order.front());
        report.depth = static_cast<int>(report.line.size());
        return report;
    }

protected:
    using Path = std::vector<Index>;

    /// A pending leaf: the path to it, and the symmetry through which the network sees it.
    struct Leaf {
        Path path;
        int symmetry = 0;
    };

    /// One simulation. False: it reached a pending leaf, and nothing has changed.
    bool simulate(Batch& batch) {
        if (leaves_.size() == pending_) leaves_.emplace_back();
        Leaf& leaf = leaves_[pending_];
        Board board = board_;

        const Index at = select_leaf(board, leaf.path);
        if (tree_[at].pending) return false;

        // Step 2. Expand; this may prove the node's result.
        if (tree_[at].proof == Proof::None) expand(at, board, [](Node&, const QuietPosition<Board>&) {});
        if (const Proof proof = tree_[at].proof; proof != Proof::None) {
            back_up(leaf.path, proven_value(proof), 1, 0);
            back_up_proof(leaf.path);
            return true;
        }

        // Step 3. Evaluate: the leaf is pending, with a virtual loss so that the next simulations go elsewhere.
        back_up(leaf.path, 0, 1, -1);
        tree_[at].pending = true;
        leaf.symmetry = settings_.symmetries ? random_.below(Encoding<Board>::kSymmetries) : 0;
        const auto row = static_cast<std::size_t>(kPlanes * encoding_.rows() * encoding_.columns());
        batch.planes.resize(batch.planes.size() + row);
        encoding_.write_planes(board, leaf.symmetry, batch.planes.data() + batch.planes.size() - row);
        ++batch.size;
        ++pending_;
        return true;
    }

    /// Step 1. Select: down the tree, to a node without children, pending or with a proven result.
    Index select_leaf(Board& board, Path& path) const {
        Index at = Tree::root();
        path.assign(1, at);
        while (tree_[at].size > 0 && tree_[at].proof == Proof::None && !tree_[at].pending) {
            at = select(at);
            board.play(tree_[at].move);
            path.push_back(at);
        }
        return at;
    }

    Index select(Index at) const {
        const Node& node = tree_[at];
        const bool noisy = at == Tree::root() && noise_ > 0;
        double tried = 0;
        for (Index i = node.children; i < node.children + node.size; ++i)
            if (tree_[i].visits > 0) tried += static_cast<double>(tree_[i].prior);
        const double untried = -node.mean() - (noisy ? 0 : settings_.fpu_reduction * std::sqrt(tried));
        const double scale = settings_.c * std::sqrt(static_cast<double>(node.visits));
        Index best = node.children;
        double best_score = -1e9;
        for (Index i = node.children; i < node.children + node.size; ++i) {
            const Node& child = tree_[i];
            if (child.proof == Proof::Loss) continue;
            const double value = child.proof == Proof::Draw ? 0 : child.visits == 0 ? untried : child.mean();
            const double score = value + scale * static_cast<double>(child.prior) / (1 + child.visits);
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        return best;
    }

    /// Gives a node its children. Those that end the game, at once or by forced moves, are proven, and with them
    /// perhaps the node; then their priors rank them. `visit` gets each child and the position after the moves that it
    /// forces.
    template <class Visit>
    void expand(Index at, const Board& board, Visit&& visit) {
        const auto moves = board.moves();
        Index child = tree_.grow(at, moves.size());
        moves.for_each([&](int move) {
            Board after = board;
            after.play(move);
            Node& node = tree_[child++];
            node.move = static_cast<std::uint8_t>(move);
            const QuietPosition<Board> quiet = after_forced_moves(after);
            node.proof = quiet.proof;
            node.prior = quiet.preference();
            visit(node, quiet);
        });
        prove(at);
    }

    /// The network's policy as the priors of the children: the legal moves' part of it.
    void set_priors(const Leaf& leaf, const float* logits) {
        const Node& node = tree_[leaf.path.back()];
        const auto logit = [&](Index i) { return logits[encoding_.move_number(tree_[i].move, leaf.symmetry)]; };
        float most = logit(node.children), sum = 0;
        for (Index i = node.children; i < node.children + node.size; ++i) most = std::max(most, logit(i));
        for (Index i = node.children; i < node.children + node.size; ++i)
            sum += tree_[i].prior = std::exp(logit(i) - most);
        for (Index i = node.children; i < node.children + node.size; ++i) tree_[i].prior /= sum;
    }

    void add_noise() {
        if (noise_ <= 0) return;
        const Node& root = tree_[Tree::root()];
        const std::vector<double> noise = dirichlet(root.size, settings_.alpha, random_);
        for (Index i = 0; i < root.size; ++i) {
            float& prior = tree_[root.children + i].prior;
            prior = static_cast<float>((1 - noise_) * static_cast<double>(prior) + noise_ * noise[i]);
        }
    }

    /// Adds to every node of a path, from the leaf up: a value for the side that moved into the leaf, which changes its
    /// sign on the way, some visits, and an offset: -1 for the virtual loss of a pending leaf, 1 to remove it.
    void back_up(const Path& path, double value, std::uint32_t visits, double offset) {
        for (auto i = path.rbegin(); i != path.rend(); ++i, value = -value) {
            Node& node = tree_[*i];
            node.visits += visits;
            node.sum += value + offset;
        }
    }

    void back_up_proof(const Path& path) {
        for (auto i = path.rbegin() + 1; i < path.rend() && prove(*i); ++i) {
        }
    }

    /// Whether a node's children prove its result.
    bool prove(Index at) {
        Node& node = tree_[at];
        if (node.proof != Proof::None) return true;
        bool all = true, draw = false;
        for (Index i = node.children; i < node.children + node.size; ++i) {
            const Proof proof = tree_[i].proof;
            if (proof == Proof::Win) {
                node.proof = Proof::Loss;
                return true;
            }
            all = all && proof != Proof::None;
            draw = draw || proof == Proof::Draw;
        }
        if (all) node.proof = draw ? Proof::Draw : Proof::Win;
        return all;
    }

    /// Whether a root move may be played: of moves that are certain, only those as good as the root.
    static bool is_candidate(const Node& root, const Node& child) {
        switch (root.proof) {
            case Proof::Loss: return child.proof == Proof::Win;
            case Proof::Draw: return child.proof == Proof::Draw;
            case Proof::Win: return true;  // every move loses
            case Proof::None: break;
        }
        return child.proof != Proof::Loss;
    }

    double rank(Index index) const {
        const Node& child = tree_[index];
        const double visits = child.visits + static_cast<double>(child.prior);
        return is_candidate(tree_[Tree::root()], child) ? visits + 1e12
                                                        : visits - (child.proof == Proof::Loss ? 1e12 : 0);
    }

    Index best_child() const {
        const Node& root = tree_[Tree::root()];
        Index best = root.children;
        for (Index i = root.children + 1; i < root.children + root.size; ++i)
            if (rank(i) > rank(best)) best = i;
        return best;
    }

    double value_of(Index index) const {
        const Node& child = tree_[index];
        return child.proof == Proof::None ? child.mean() : proven_value(child.proof);
    }

    /// The most visited replies, one after the other.
    std::vector<int> line_from(Index at) const {
        std::vector<int> line{tree_[at].move};
        for (;;) {
            const Node& node = tree_[at];
            if (node.size == 0) return line;
            Index best = node.children;
            const auto better = [&](Index a, Index b) {
                const double win_a = tree_[a].proof == Proof::Win, win_b = tree_[b].proof == Proof::Win;
                return win_a != win_b ? win_a > win_b : tree_[a].visits > tree_[b].visits;
            };
            for (Index i = node.children + 1; i < node.children + node.size; ++i)
                if (better(i, best)) best = i;
            if (tree_[best].visits == 0 && tree_[best].proof != Proof::Win) return line;
            line.push_back(tree_[best].move);
            at = best;
        }
    }

    Board board_;
    Encoding<Board> encoding_;
    Settings settings_;
    Random random_;
    Tree tree_;
    std::uint32_t simulations_ = 0;
    double noise_ = 0;
    std::vector<Leaf> leaves_;  // pending ones first; the others keep their memory
    std::size_t pending_ = 0;
    int first_row_ = 0;
};

}  // namespace flipdrop::puct

// One PUCT search that several threads make together, guided by an evaluation.
//
// A mutex guards the tree. A thread takes it to back up the leaves that it has valued and to descend to the next ones,
// which are pending with a virtual loss, so that other threads go elsewhere. Between, without the mutex, it plays the
// moves of its leaves and values the positions after them: most of the time of a simulation. A node that another thread
// is about to expand is not descended to.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel/puct/search.hpp"

namespace flipdrop::puct {

template <GameBoard Board>
class SharedSearch : public Search<Board> {
    using Base = Search<Board>;
    using Path = typename Base::Path;

    struct Move {
        std::uint8_t move;
        Proof proof;
        float preference;  ///< ranks the moves if they prove the leaf
        double weight;     ///< its score by the guide, then its share of the policy
    };

public:
    SharedSearch(const Board& board, const Settings& settings) : Base(board, settings) {}

    /// A leaf of one thread: where it is, and what the guide says of its moves.
    struct Leaf {
        Path path;
        Board board;
        std::vector<Move> moves;
        double value = 0;  ///< for the side to move
    };

    /// The leaves of one thread. Each keeps its memory.
    struct Leaves {
        std::vector<Leaf> all;
        std::size_t pending = 0;
    };

    /// Backs up the leaves that the thread has valued, and gives it the next ones, up to `most`. Without any, the
    /// search is done, or every way down ends at a leaf of another thread.
    std::size_t try_exchange(Leaves& leaves, std::size_t most) {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < leaves.pending; ++i) take(leaves.all[i]);
        leaves.pending = 0;
        if (this->settings_.nodes > 0 && this->tree_.size() >= this->settings_.nodes) this->stop();
        while (leaves.pending < most && !this->done() && pend(leaves)) {
        }
        done_ = this->done();
        return leaves.pending;
    }

    /// The same, but waits for other threads. False: the search is done.
    bool exchange(Leaves& leaves, std::size_t most) {
        while (try_exchange(leaves, most) == 0) {
            if (done_) return false;
            std::this_thread::yield();
        }
        return true;
    }

    /// Plays and values the moves of a leaf. The tree is not touched.
    template <class Guide>
    static void value(Leaf& leaf, const Guide& guide, double temperature) {
        const bool root_moves = leaf.path.size() % 2 == 1;
        double best = -1e9, sum = 0;
        leaf.moves.clear();
        leaf.board.moves().for_each([&](int move) {
            Board after = leaf.board;
            after.play(move);
            const QuietPosition<Board> quiet = after_forced_moves(after);
            const double score = quiet.proof == Proof::None ? guide.move_score(quiet, root_moves) : 0;
            leaf.moves.push_back({static_cast<std::uint8_t>(move), quiet.proof, quiet.preference(), score});
            if (quiet.proof != Proof::Loss) best = std::max(best, score);
        });
        for (Move& move : leaf.moves)
            sum += move.weight = move.proof == Proof::Loss ? 0 : std::exp((move.weight - best) / temperature);
        if (sum > 0)
            for (Move& move : leaf.moves) move.weight /= sum;
        leaf.value = guide.value(best);
    }

    void stop_all() {
        const std::lock_guard lock(mutex_);
        this->stop();
    }

    search::Report shared_report(double seconds) {
        const std::lock_guard lock(mutex_);
        return this->report(seconds);
    }

private:
    /// One way down: it ends at a leaf that becomes pending, or at a proven result. False: at another thread's leaf.
    bool pend(Leaves& leaves) {
        if (leaves.all.size() == leaves.pending) leaves.all.push_back({{}, this->board_, {}, 0});
        Leaf& leaf = leaves.all[leaves.pending];
        leaf.board = this->board_;
        Node& node = this->tree_[this->select_leaf(leaf.board, leaf.path)];
        if (node.pending) return false;
        if (node.proof != Proof::None) {
            this->back_up(leaf.path, proven_value(node.proof), 1, 0);
            this->back_up_proof(leaf.path);
            return true;
        }
        this->back_up(leaf.path, 0, 1, -1);
        node.pending = true;
        ++leaves.pending;
        return true;
    }

    /// Gives a leaf its children, and replaces the virtual loss by its value.
    void take(const Leaf& leaf) {
        const Index at = leaf.path.back();
        Index child = this->tree_.grow(at, static_cast<int>(leaf.moves.size()));
        for (const Move& move : leaf.moves) {
            Node& node = this->tree_[child++];
            node.move = move.move;
            node.proof = move.proof;
            node.prior = static_cast<float>(move.weight);
        }
        this->tree_[at].pending = false;
        const bool proven = this->prove(at);
        if (proven) {
            child = this->tree_[at].children;
            for (const Move& move : leaf.moves) this->tree_[child++].prior = move.preference;
        }
        this->back_up(leaf.path, proven ? proven_value(this->tree_[at].proof) : -leaf.value, 0, 1);
        if (proven) this->back_up_proof(leaf.path);
    }

    std::mutex mutex_;
    std::atomic<bool> done_{false};  // once it is, it stays so
};

}  // namespace flipdrop::puct

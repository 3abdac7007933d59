// The tree: nodes of 32 bytes, the children of a node side by side. Any number of threads may grow it at once.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

#include "kernel/assert.hpp"
#include "kernel/errors.hpp"

namespace flipdrop::mcts {

/// A proven result, for the side that moved into the node.
enum class Proof : std::uint8_t { None, Win, Draw, Loss };

using Index = std::uint32_t;
inline constexpr Index kNone = 0;

// What `Node::children` holds where it is not the index of the first child.
inline constexpr Index kUnexpanded = kNone;
inline constexpr Index kBeingExpanded = ~Index{0};
inline constexpr Index kTerminal = kBeingExpanded - 1;  ///< the game is over
constexpr bool has_children(Index children) {
    return children != kUnexpanded && children < kTerminal;
}

struct Node {
    std::atomic<double> sum{0};                ///< rewards of the side that moved into the node
    std::atomic<std::uint32_t> visits{0};      ///< simulations through it, those under way included
    std::atomic<Index> children{kUnexpanded};  ///< the first child
    std::atomic<float> rave_sum{0};            ///< rewards of simulations in which this move was played later on
    std::atomic<std::uint32_t> rave_visits{0};
    float bias = 0;  ///< the evaluation squashed to -1..1, for the side that moved into the node
    std::uint8_t move = 0;
    std::uint8_t size = 0;               ///< number of children
    std::atomic<std::uint8_t> tried{0};  ///< how many of them have been visited: they are shuffled, and tried in order
    std::atomic<Proof> proof{Proof::None};

    double mean() const {
        const auto n = visits.load(std::memory_order_relaxed);
        return n == 0 ? 0 : sum.load(std::memory_order_relaxed) / n;
    }
};
static_assert(sizeof(Node) <= 40);

static_assert(std::is_trivially_destructible_v<Node>);

/// Nodes that one thread has allocated in advance, so that threads do not contend for every few.
class NodePool {
public:
    /// `amount` nodes are taken from the tree at a time; 0: only those needed.
    explicit NodePool(Index amount) : amount_(amount) {}

private:
    friend class Tree;
    Index amount_, next_ = 0, end_ = 0;
};

/// A store of nodes that grows without moving them: each chunk is as large as all before it.
class Tree {
public:
    Tree() { allocate(1); }  // the root

    Node& operator[](Index index) { return *std::launder(reinterpret_cast<Node*>(address(index))); }
    const Node& operator[](Index index) const { return *std::launder(reinterpret_cast<const Node*>(address(index))); }

    static constexpr Index root() { return kFirst; }
    bool holds(Index index) const { return index >= kFirst && index < used_.load(std::memory_order_relaxed); }
    std::uint64_t size() const { return used_.load(std::memory_order_relaxed) - kFirst; }

    /// The first of `count` fresh nodes side by side, or kNone when the store is full.
    Index allocate(Index count) {
        FLIPDROP_ASSERT(count > 0 && count <= kFirst);
        Index first = used_.load(std::memory_order_relaxed), start;
        do {
            // Siblings do not straddle chunks: the rest of this chunk is skipped.
            start = first;
            if (chunk_of(start) != chunk_of(start + count - 1)) start = std::bit_ceil(start);
            if (start > kMax) return kNone;
        } while (!used_.compare_exchange_weak(first, start + count, std::memory_order_relaxed));
        ensure_chunk(chunk_of(start));
        for (Index i = first; i < start + count; ++i)
            new (address(i)) Node;  // every index that the tree holds is valid
        return start;
    }

    /// The right of one search to grow the tree. Throws Error if another one has it, or if the tree was grown from
    /// another position.
    class Use {
    public:
        Use(Tree& tree, std::uint64_t position) : tree_(tree) {
            if (tree_.in_use_.exchange(true))
                throw Error("another search uses the tree; one search at a time can grow it");
            const bool grown = tree_[root()].visits.load() > 0 || has_children(tree_[root()].children.load());
            if (grown && tree_.position_ != position) {
                tree_.in_use_ = false;
                throw Error("the tree was grown from another position");
            }
            tree_.position_ = position;
        }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
        ~Use() { tree_.in_use_ = false; }

    private:
        Tree& tree_;
    };

    /// Says which position a copied tree belongs to.
    void set_position(std::uint64_t position) { position_ = position; }

    /// The same from a thread's pool.
    Index allocate(Index count, NodePool& pool) {
        if (pool.amount_ < count) return allocate(count);
        if (pool.end_ - pool.next_ < count) {
            const Index first = allocate(pool.amount_);
            if (first == kNone) return kNone;
            pool.next_ = first;
            pool.end_ = first + pool.amount_;
        }
        const Index first = pool.next_;
        pool.next_ += count;
        return first;
    }

    /// The tree below one of the root's descendants, as a tree of its own; empty if `moves` lead nowhere that was
    /// visited.
    std::unique_ptr<Tree> below(const std::vector<int>& moves) const {
        Index at = root();
        for (const int move : moves) {
            at = child_by(at, move);
            if (at == kNone) return std::make_unique<Tree>();
        }
        auto copy = std::make_unique<Tree>();
        copy->copy_from(*this, at, root());
        return copy;
    }

private:
    Index child_by(Index at, int move) const {
        const Node& node = (*this)[at];
        const Index first = node.children.load();
        if (!has_children(first)) return kNone;
        for (Index i = first; i < first + node.size; ++i)
            if ((*this)[i].move == move) return i;
        return kNone;
    }

    void copy_from(const Tree& from, Index source, Index target) {
        std::vector<std::array<Index, 2>> open{{source, target}};
        while (!open.empty()) {
            const auto [old_index, new_index] = open.back();
            open.pop_back();
            const Node& old_node = from[old_index];
            Node& node = (*this)[new_index];
            node.sum = old_node.sum.load();
            node.visits = old_node.visits.load();
            node.rave_sum = old_node.rave_sum.load();
            node.rave_visits = old_node.rave_visits.load();
            node.bias = old_node.bias;
            node.move = old_node.move;
            node.proof = old_node.proof.load();
            const Index first = old_node.children.load();
            if (first == kTerminal) node.children = kTerminal;
            if (!has_children(first)) continue;
            const Index copied = allocate(old_node.size);
            if (copied == kNone) continue;
            node.size = old_node.size;
            node.tried = old_node.tried.load();
            node.children = copied;
            for (Index i = 0; i < node.size; ++i) open.push_back({first + i, copied + i});
        }
    }

    static constexpr int kBaseBits = 10;
    static constexpr Index kFirst = Index{1}
                                    << kBaseBits;  // indices below it are not used: chunks begin at powers of two
    static constexpr Index kMax = Index{1} << 30;  // 32 GB

    /// Indices below 2^(kBaseBits + 1) are in chunk 0, and each power of two from there on begins another one.
    static std::size_t chunk_of(Index index) {
        return static_cast<std::size_t>(std::bit_width(index >> (kBaseBits + 1)));
    }
    std::byte* address(Index index) const {
        FLIPDROP_ASSERT(kFirst <= index && index < kTerminal && chunk_of(index) < ready_.load());
        return chunks_[chunk_of(index)].get() + (index - std::bit_floor(index)) * sizeof(Node);
    }

    void ensure_chunk(std::size_t chunk) {
        if (ready_.load(std::memory_order_acquire) > chunk) return;
        const std::lock_guard lock(growing_);
        for (std::size_t made = ready_.load(std::memory_order_relaxed); made <= chunk; ++made) {
            chunks_[made] = std::make_unique_for_overwrite<std::byte[]>((std::size_t{kFirst} << made) * sizeof(Node));
            ready_.store(made + 1, std::memory_order_release);
        }
    }

    std::array<std::unique_ptr<std::byte[]>, 31 - kBaseBits> chunks_;
    std::atomic<std::size_t> ready_{0};
    alignas(64) std::atomic<Index> used_{kFirst};  // on a cache line of its own: the others are read all the time
    std::mutex growing_;
    std::atomic<bool> in_use_{false};
    std::uint64_t position_ = 0;  ///< hash of the root's position
};

}  // namespace flipdrop::mcts

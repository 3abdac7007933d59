// The tree of a PUCT search: nodes of 24 bytes, the children of a node side by side. It belongs to one thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernel/mcts/tree.hpp"

namespace flipdrop::puct {

using mcts::Index;
using mcts::Proof;
inline constexpr Index kNoChildren = 0;  // the root is no node's child

struct Node {
    double sum = 0;   ///< values for the side that moved into the node; a pending leaf counts as a loss (virtual loss)
    float prior = 0;  ///< the policy for the move
    std::uint32_t visits = 0;  ///< simulations through it, including pending ones
    Index children = kNoChildren;
    std::uint8_t move = 0;
    std::uint8_t size = 0;      ///< number of children
    Proof proof = Proof::None;  ///< for the side that moved into the node
    bool pending = false;       ///< waits for its evaluation

    double mean() const { return visits == 0 ? 0 : sum / visits; }
};
static_assert(sizeof(Node) == 24);

class Tree {
public:
    Tree() : nodes_(1) {}

    Node& operator[](Index index) {
        FLIPDROP_ASSERT(index < nodes_.size());
        return nodes_[index];
    }
    const Node& operator[](Index index) const {
        FLIPDROP_ASSERT(index < nodes_.size());
        return nodes_[index];
    }
    static constexpr Index root() { return 0; }
    std::size_t size() const { return nodes_.size(); }

    /// Gives a node children to be filled in. References to nodes do not outlive it.
    Index grow(Index at, int size) {
        FLIPDROP_ASSERT(nodes_[at].children == kNoChildren && size > 0 && size < 256);
        const auto first = static_cast<Index>(nodes_.size());
        nodes_.resize(nodes_.size() + static_cast<std::size_t>(size));
        nodes_[at].children = first;
        nodes_[at].size = static_cast<std::uint8_t>(size);
        return first;
    }

    /// Makes one of the root's children the root, and drops the others.
    void descend(Index child) {
        std::vector<Node> kept{nodes_[child]};
        // Breadth first: `kept` is the queue, and children stay side by side.
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const Index first = kept[i].children;
            if (first == kNoChildren) continue;
            kept[i].children = static_cast<Index>(kept.size());
            kept.insert(kept.end(), nodes_.begin() + first, nodes_.begin() + first + kept[i].size);
        }
        nodes_.swap(kept);
    }

private:
    std::vector<Node> nodes_;
};

}  // namespace flipdrop::puct

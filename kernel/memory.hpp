// Large memory for tables: zeroed, aligned to cache lines, and on huge pages where the system has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "kernel/assert.hpp"
#include "kernel/errors.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace flipdrop {

/// Huge pages save a walk through the page tables at every probe (a fifth of the time on a large table), but each is
/// zeroed as a whole when it is first touched, which a short search would pay for.
enum class Pages { Small, Huge };

/// `count` zeroed objects of a type for which all bytes zero is a valid value. The system allocates pages at first
/// touch: unused memory costs nothing.
template <class T>
class Memory {
public:
    Memory() = default;
    Memory(std::size_t count, Pages pages) : count_(count) {
        const std::size_t alignment = pages == Pages::Huge ? kHugePage : kCacheLine;
        std::size_t space = count * sizeof(T) + alignment;
        block_.reset(std::calloc(space, 1));
        if (block_ == nullptr)
            throw Error("no memory for a table of " + std::to_string(space >> 20) + " MB; ask for a smaller one");
        void* start = block_.get();
        objects_ = static_cast<T*>(std::align(alignment, count * sizeof(T), start, space));
#if defined(__linux__)
        if (pages == Pages::Huge) ::madvise(objects_, count * sizeof(T), MADV_HUGEPAGE);
#endif
    }

    std::size_t size() const { return count_; }
    T* data() const { return objects_; }
    T& operator[](std::size_t index) const {
        FLIPDROP_ASSERT(index < count_);
        return objects_[index];
    }
    void clear() { std::memset(static_cast<void*>(objects_), 0, count_ * sizeof(T)); }

private:
    static constexpr std::size_t kCacheLine = 64, kHugePage = std::size_t{2} << 20;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    std::size_t count_ = 0;
    std::unique_ptr<void, Free> block_;
    T* objects_ = nullptr;
};

}  // namespace flipdrop

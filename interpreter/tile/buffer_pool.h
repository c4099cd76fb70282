// The memory of one worker's dense tiles: power-of-two size classes with free lists. Invariant: a buffer's count is the
// number of tiles that name it; memory goes back to the system when the worker ends. Not thread-safe: one pool per
// worker. The launch-wide limit is a shared atomic sum; passing it throws MemoryLimitReached, which only the worker
// loop catches.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

#include "interpreter/tile/tile.h"

namespace lockstep::interpreter {

class MemoryLimitReached : public std::bad_alloc {};

/// Scratch of all workers of a launch, bytes: the present amount, and the maximum.
struct MemoryBudget {
  std::atomic<std::uint64_t> used{0}, peak{0};
  std::uint64_t limit = 0;  // 0: none

  /// False: that would exceed the limit, and nothing is taken.
  bool take(std::uint64_t bytes) {
    const std::uint64_t now = used.fetch_add(bytes) + bytes;
    if (now > limit && limit != 0) {
      used.fetch_sub(bytes);
      return false;
    }
    std::uint64_t most = peak.load();
    while (most < now && !peak.compare_exchange_weak(most, now)) {
    }
    return true;
  }
  void give_back(std::uint64_t bytes) { used.fetch_sub(bytes); }
};

class BufferPool {
 public:
  explicit BufferPool(MemoryBudget& budget) : budget_(budget) {}
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// A buffer of at least `bytes`, count 1, 64-byte aligned data, contents unspecified.
  Buffer* acquire(std::int64_t bytes);
  void release(Buffer* buffer) {
    if (--buffer->references == 0) free_[buffer->size_class].push_back(buffer);
  }
  /// Releases the tile's buffer, if any, and forgets it.
  void release(Tile& tile) {
    if (tile.buffer != nullptr) {
      release(tile.buffer);
      tile.buffer = nullptr;
    }
  }
  static void retain(const Tile& tile) {
    if (tile.buffer != nullptr) ++tile.buffer->references;
  }

 private:
  static constexpr int kClasses = 48;
  std::array<std::vector<Buffer*>, kClasses> free_;
  std::vector<Buffer*> all_;
  std::uint64_t bytes_ = 0;
  MemoryBudget& budget_;
};

}  // namespace lockstep::interpreter

// The undo log of kernels that work in place: the bytes that a chunk's stores are about to overwrite while other chunks
// run, so that the stores can be undone and the programs run again in program order. Invariant: after seal(), and only
// then, may the kept bytes be overwritten; put_back() over the logs of all chunks that stored to a byte restores its
// value from before the first of those stores, for any race between them. Not here: which chunks need it (commit.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "interpreter/tile/buffer_pool.h"

namespace lockstep::interpreter {

/// The log would exceed the launch's memory limit. Only the team catches it: the programs then run in order.
class NoRoomToUndo : public MemoryLimitReached {};

/// Blocks of memory for the logs of one launch, reused. A few stay with the process for the next launch (at most kSpare
/// * kBlockBytes), because fresh memory costs more than the copies. Thread-safe.
class UndoMemory {
 public:
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 18;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;  // of one launch
  static constexpr std::size_t kSpare = 16;

  explicit UndoMemory(MemoryBudget& budget) : budget_(budget) {}
  ~UndoMemory();
  UndoMemory(const UndoMemory&) = delete;
  UndoMemory& operator=(const UndoMemory&) = delete;

  /// Throws NoRoomToUndo.
  char* take();
  void give_back(std::vector<char*>& blocks);
  /// Bytes of blocks that logs hold.
  std::uint64_t in_use() const { return in_use_.load(std::memory_order_relaxed); }
  /// Orders the saves of all logs.
  std::uint64_t stamp();

 private:
  MemoryBudget& budget_;
  std::mutex mutex_;
  std::vector<char*> free_, all_;
  std::atomic<std::uint64_t> in_use_{0}, clock_{0};
};

/// The log of one chunk; used by one thread at a time.
class UndoLog {
 public:
  explicit UndoLog(UndoMemory& memory) : memory_(memory) {}
  ~UndoLog() { memory_.give_back(blocks_); }
  UndoLog(const UndoLog&) = delete;
  UndoLog& operator=(const UndoLog&) = delete;

  /// Copies the bytes at [begin, end). A run that this log has just kept is not kept again. Throws NoRoomToUndo.
  void keep(std::uint64_t begin, std::uint64_t end);
  /// Before the kept bytes are overwritten.
  void seal();
  std::uint64_t bytes() const { return bytes_; }

 private:
  friend void put_back(const std::vector<const UndoLog*>& logs);
  struct Entry {
    std::uint64_t address, bytes, stamp;  // stamp 0: not sealed, so not overwritten
    const char* saved;
  };
  struct Run {
    std::uint64_t begin = 0, end = 0;
  };

  UndoMemory& memory_;
  std::vector<Entry> entries_;
  std::vector<char*> blocks_;
  std::uint64_t left_ = 0, bytes_ = 0;  // in the last block; kept
  std::size_t sealed_ = 0;
  std::array<Run, 256> recent_{};
};

/// Restores the bytes of the logs. No program runs.
void put_back(const std::vector<const UndoLog*>& logs);

}  // namespace lockstep::interpreter

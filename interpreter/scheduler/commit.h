// Concurrent chunks of a kernel that works in place: which of them cannot have been disturbed, and which must be
// undone. A chunk is final once all chunks before it are, every concurrent chunk has ended, and none of those touched
// what it wrote or wrote what it touched; then its undo log is free again. Invariant: the memory after undo() is that
// of program order after the chunks before first_open(). Thread-safe, except for undo() and for_each_open(), which need
// that no chunk runs. Not here: running the programs (team.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "findings/finding.h"
#include "interpreter/access/access_log.h"
#include "interpreter/launch/launch.h"
#include "interpreter/scheduler/undo.h"

namespace lockstep::interpreter {

struct Machine;

/// A running chunk, and its results until it is final.
struct ChunkRecord {
  explicit ChunkRecord(UndoMemory& memory) : undo(memory) {}
  std::uint32_t chunk = 0;
  std::uint64_t begun = 0, ended = 0;  // events of the queue, rising
  UndoLog undo;
  std::vector<LoggedRange> log;      // by begin
  std::vector<LoggedRange> touched;  // for the launch's report
  bool has_lost_touched = false;     // there was too much to keep
  std::uint64_t bytes_read = 0, bytes_written = 0, bytes_streamed = 0;
  Report findings;
  std::vector<ProgramRange> finished;
};

class CommitQueue {
 public:
  /// `take_in` is called once for each final chunk, in order, by one thread at a time.
  CommitQueue(MemoryBudget& budget, std::uint64_t chunks, std::function<void(ChunkRecord&)> take_in)
      : memory_(budget), chunks_(chunks), take_in_(std::move(take_in)) {}

  bool has_more() const { return !lost_ && next_ < chunks_; }
  /// The next chunk for this thread; null: there is none, or continuing would be useless. If too much is kept already,
  /// it waits until others have ended, calling poll (false: stop) meanwhile.
  ChunkRecord* begin(const std::function<bool()>& poll);
  /// The chunk ran; moves the machine's notes over.
  void end(ChunkRecord& record, Machine& machine);
  /// Programs must run in order from first_open() on.
  void lose() { lost_ = true; }
  bool is_lost() const { return lost_; }

  std::uint64_t first_open() const { return next_final_; }
  void undo();
  template <typename Body>
  void for_each_open(Body&& body) {
    for (auto& [chunk, record] : ended_) body(*record);
    for (auto& [chunk, record] : running_) body(*record);
  }

 private:
  void check(const ChunkRecord& record);
  void make_final();

  UndoMemory memory_;  // outlives the records
  const std::uint64_t chunks_;
  std::function<void(ChunkRecord&)> take_in_;
  std::atomic<bool> lost_{false};
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_some_;
  std::uint64_t event_ = 0, next_final_ = 0;
  std::map<std::uint64_t, std::unique_ptr<ChunkRecord>> running_, ended_;
};

}  // namespace lockstep::interpreter

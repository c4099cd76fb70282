// Team: the calling thread and the workers that join it, running the remaining programs concurrently in chunks.
// Invariant: float additions reach memory in program order, a chunk's after those of all chunks before it; all other
// accesses to written storages are logged, so that programs_overlapped() can tell whether the order mattered. One team
// per launch, private to the grid.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "interpreter/scheduler/commit.h"
#include "interpreter/scheduler/launch_totals.h"
#include "interpreter/scheduler/program_runner.h"

namespace lockstep::interpreter {

class Team {
 public:
  /// For the units from `first_unit` on; results of final chunks go to `totals`.
  Team(ProgramRunner& runner, LaunchTotals& totals, std::uint64_t first_unit, unsigned threads);

  /// Runs the units; `caller` (prepared) is the calling thread's part. Returns when no worker runs any more. Rethrows
  /// exceptions of callbacks and defects.
  void run(Worker& caller);
  /// Asked once, after run().
  bool programs_overlapped();
  /// If they did: undoes the chunks that are not final. Returns the units before them (0 if nothing is undone).
  std::uint64_t take_back();
  /// After an abort: chunks that are not final count, too.
  void collect_open();
  /// Calls body(machine) for everyone's.
  template <typename Body>
  void for_each(Body&& body) {
    body(caller_->machine);
    for (const auto& worker : workers_) body(worker->machine);
  }
  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

 private:
  /// A worker's part, from its arrival to its end; never throws.
  static void join(void* team);
  /// The first unit of a chunk where programs do not work in place; left_ behind the last chunk.
  std::uint64_t first_of(std::uint64_t chunk) const;
  void work(Worker& worker);
  void work_in_place(Worker& worker);
  void deliver(Machine& machine, std::uint32_t chunk);
  /// Runs body; an exception ends the launch: out of memory with an outcome, anything else is kept for run().
  template <typename Body>
  void guard(Body&& body);

  ProgramRunner& runner_;
  LaunchTotals& totals_;
  Launch& launch_;
  const std::uint64_t first_unit_, left_;  // left_: units
  const unsigned threads_;
  std::uint64_t chunk_size_ = 1;  // units, of most chunks
  std::atomic<std::uint64_t> next_chunk_{0};
  std::optional<CommitQueue> commits_;  // where programs work in place: it hands out the chunks
  Worker* caller_ = nullptr;

  std::mutex mutex_;  // of what follows
  std::vector<std::unique_ptr<Worker>> workers_;
  std::exception_ptr defect_;

  // Float additions of finished chunks that wait for the chunks before them.
  std::mutex delivery_mutex_;
  std::condition_variable turn_;
  std::uint32_t next_delivery_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::map<std::uint32_t, FloatLog> finished_;
};

}  // namespace lockstep::interpreter

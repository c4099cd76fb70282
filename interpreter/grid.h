// The grid: all programs of a launch. Side by side on worker threads when no program can see another, in program order
// on one thread with cooperative switching when one may. Invariant: the bytes in memory afterwards are those of program
// order (x fastest), for any number of threads: kernels whose programs turn out to overlap in memory are run again in
// order from a snapshot of what they also read; float atomics are applied in program order. Findings are merged by
// program order. A wait that nobody can end is finding LS901, never a hang.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "interpreter/launch.h"
#include "interpreter/machine.h"

namespace lockstep::interpreter {

/// Runs every program of the launch and fills the report's counts, findings and outcome.
class Grid {
 public:
  Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress);

  /// `snapshot`: storages whose contents a second run would need as they are now. Returns false if the programs were
  /// not independent (memory has been restored; run_in_order next).
  bool run_in_parallel(const std::vector<memory_model::StorageId>& snapshot);
  void run_in_order();
  void fill(LaunchReport& report);

 private:
  struct Worker;
  friend struct Worker;

  std::uint64_t program_count() const;
  std::array<std::int32_t, 3> id_of(std::uint64_t number) const;
  std::unique_ptr<ProgramState> make_state(Machine& machine);
  void start(ProgramState& program, std::uint64_t number) const;
  void work(Machine& machine, bool is_caller);
  void run_chunk(Machine& machine, ProgramState& program, std::uint64_t first, std::uint64_t last);
  void deliver(Machine& machine, std::uint32_t chunk);
  /// Calls the callbacks that are due; false: stop.
  bool call_back();
  /// The machine's polls call back; for the calling thread's only.
  void watch(Machine& machine);
  void report_progress(bool now);
  void collect(Machine& machine);
  bool programs_overlapped();

  Launch& launch_;
  unsigned threads_;
  const std::function<void(const Progress&)>& progress_;
  std::chrono::steady_clock::time_point started_, last_progress_, last_poll_;
  std::uint64_t chunk_size_ = 1;
  std::atomic<std::uint64_t> next_chunk_{0};
  std::atomic<std::uint64_t> done_{0};
  bool deadlocked_ = false;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0;
  Report findings_;
  std::vector<ProgramRange> finished_;
  std::vector<LoggedRange> log_;
  bool log_overflow_ = false;
  struct Deliveries;
  std::shared_ptr<Deliveries> deliveries_;
};

/// Applies logged float atomics to memory, in order.
void apply_float_log(const FloatLog& log);

}  // namespace lockstep::interpreter

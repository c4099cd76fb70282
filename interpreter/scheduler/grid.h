// The grid: all programs of a launch. First on the calling thread alone while that is quicker than waking others, then
// concurrently on worker threads (team.h) if no program can see another, else in program order on one thread with
// cooperative switching (cooperative.h). Invariant: the bytes in memory afterwards are those of program order (x
// fastest), for any number of threads: kernels whose programs turn out to overlap in memory run again in order from the
// last undisturbed state; float atomics are applied in program order. Findings are merged by program order. A wait that
// no program can end is finding LS901, never a hang.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "interpreter/launch/launch.h"
#include "interpreter/launch/machine.h"
#include "interpreter/scheduler/launch_totals.h"
#include "interpreter/scheduler/program_runner.h"

namespace lockstep::interpreter {

struct ExecutionMode;

/// Runs every program of the launch and fills the report's counts, findings and outcome.
class Grid {
 public:
  Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress);
  /// For these programs alone. Precondition: the launch has no batches.
  Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress,
       const ProgramRange& programs);

  /// `expected_seconds`: the known time of one program, or 0: work that ends before others would wake up, or before the
  /// mode's snapshot would be taken, stays on the calling thread. Returns false if the programs were not independent
  /// (memory is as after those before next_; call run_in_order next).
  bool run_side_by_side(const ExecutionMode& mode, double expected_seconds);
  /// Runs the remaining programs.
  void run_in_order();
  void fill(LaunchReport& report);
  /// The time of the programs that ran; 0 if none did.
  double seconds_per_program() const;

 private:
  void run_alone(Worker& worker, const ExecutionMode& mode, double expected_seconds);
  /// True: all programs are apart, and the launch logs nothing.
  bool leave_out_logs();
  bool run_with_helpers(Worker& worker, const std::vector<memory_model::StorageId>& snapshot);
  /// The units before it are done; the others have not run.
  void begin_again_at(std::uint64_t unit_number);
  /// Calls the callbacks that are due; false: stop.
  bool call_back();
  /// Makes the machine's polls call back; for the calling thread's only.
  void watch(Machine& machine);
  void report_progress(bool now);

  Launch& launch_;
  ProgramRunner runner_;
  LaunchTotals totals_;
  unsigned threads_ = 1, workers_ = 1;  // allowed; that worked
  std::uint64_t next_unit_ = 0;  // units before it have run, in order
  std::uint64_t next_ = 0;       // the same in programs
  const std::function<void(const Progress&)>& progress_;
  std::chrono::steady_clock::time_point started_, last_progress_, last_poll_;
  bool deadlocked_ = false;
};

}  // namespace lockstep::interpreter

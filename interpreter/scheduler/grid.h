// The grid: all programs of a launch. First on the calling thread alone while that is quicker than waking others, then
// side by side on worker threads (team.h) when no program can see another, in program order
// on one thread with cooperative switching when one may. Invariant: the bytes in memory afterwards are those of program
// order (x fastest), for any number of threads: kernels whose programs turn out to overlap in memory are run again in
// order from where nothing had been disturbed yet; float atomics are applied in program order. Findings are merged by
// program order. A wait that nobody can end is finding LS901, never a hang.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "interpreter/launch/launch.h"
#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

struct Schedule;

/// One thread's part in a launch.
struct Worker {
  explicit Worker(Launch& launch) : machine(launch) {}
  Machine machine;
  ProgramState program;
  ProgramState batch;  // several programs that run as one; without slots until the first
};

/// Runs every program of the launch and fills the report's counts, findings and outcome.
class Grid {
 public:
  Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress);
  /// Of these programs alone. Precondition: the launch has no batches.
  Grid(Launch& launch, unsigned threads, const std::function<void(const Progress&)>& progress,
       const ProgramRange& programs);

  /// `expected_seconds`: of one program as far as is known, or 0: what is done before others would have woken up, or
  /// before the schedule's snapshot would have been taken, stays on the calling thread. Returns false if the programs
  /// were not independent (memory is as those before next_ left it; run_in_order next).
  bool run_side_by_side(const Schedule& schedule, double expected_seconds);
  /// Runs the programs that are left.
  void run_in_order();
  void fill(LaunchReport& report);
  /// Of the programs that ran; 0 if none did.
  double seconds_per_program() const;

 private:
  friend class Team;
  friend class Cooperation;

  std::array<std::int32_t, 3> id_of(std::uint64_t number) const;
  /// Programs that follow each other along x and may run as one.
  struct Unit {
    std::uint64_t first = 0;
    std::uint32_t programs = 1;
  };
  Unit unit(std::uint64_t number) const;
  /// Makes the slots of a program of the machine's plan and runs the prologue.
  void prepare(Machine& machine, ProgramState& program) const;
  void start(const Plan& plan, ProgramState& program, std::uint64_t number) const;
  /// False: the launch stops.
  bool run_program(Machine& machine, ProgramState& program, std::uint64_t number);
  bool run_unit(Worker& worker, std::uint64_t number);
  /// done: all its programs have run; bailed: none of them has; stopped.
  Status run_batch(Worker& worker, const Unit& unit);
  void note_failed_batch();
  void run_alone(Worker& worker, const Schedule& schedule, double expected_seconds);
  bool run_with_helpers(Worker& worker, const std::vector<memory_model::StorageId>& snapshot);
  /// The units before it are done; what comes behind has not been run.
  void begin_again_at(std::uint64_t unit_number);
  /// Calls the callbacks that are due; false: stop.
  bool call_back();
  /// The machine's polls call back; for the calling thread's only.
  void watch(Machine& machine);
  void report_progress(bool now);
  /// Takes the counts and findings of a machine or of a chunk (commit.h).
  template <typename Source>
  void collect(Source& source) {
    bytes_read_ += std::exchange(source.bytes_read, 0);
    bytes_written_ += std::exchange(source.bytes_written, 0);
    bytes_streamed_ += std::exchange(source.bytes_streamed, 0);
    findings_.merge(std::move(source.findings));
    finished_.insert(finished_.end(), source.finished.begin(), source.finished.end());
    source.finished.clear();
  }

  /// Of programs that ran for good.
  void keep_touched(std::vector<LoggedRange> touched, bool has_lost_some);
  void collect_touched(Machine& machine);

  Launch& launch_;
  unsigned threads_ = 1, workers_ = 1;  // allowed; that worked
  std::uint64_t programs_ = 0;
  std::uint64_t units_ = 0, units_in_row_ = 0;
  std::uint64_t next_unit_ = 0;  // units before it have run, in order
  std::uint64_t next_ = 0;       // the same in programs
  const std::function<void(const Progress&)>& progress_;
  std::chrono::steady_clock::time_point started_, last_progress_, last_poll_;
  std::atomic<std::uint64_t> done_{0};
  bool deadlocked_ = false;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0, bytes_streamed_ = 0;
  Report findings_;
  std::vector<ProgramRange> finished_;
  std::vector<LoggedRange> touched_;
  bool has_lost_touched_ = false;  // there was too much to keep
};

/// Applies logged float atomics to memory, in order.
void apply_float_log(const FloatLog& log);

}  // namespace lockstep::interpreter

// Profiler: measures a launch step by step, on request. Machine::run hands over to StepProfiler::run, which runs the
// same steps and reads the clock after each; a launch without a request has no profiler and pays one branch per
// program. Invariant: nothing that a program computes, reports or counts depends on it. Steps of a region that another
// step runs (reductions element by element) count for that step. Not here: showing it (profile_text.h).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "interpreter/launch/launch.h"
#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan.h"
#include "interpreter/profile/profile.h"

namespace lockstep::interpreter {

/// A plan whose steps are measured.
struct MeasuredPlan {
  const Plan* plan = nullptr;
  ProfilePart part = ProfilePart::program;
  std::vector<bool> is_access;  // by step: its first operand holds the addresses it reads or writes
  std::vector<StepPart> parts;  // parts_of_plan
};

/// What one worker measures. Times in ticks (profiler.cpp).
class StepProfiler final : public StepRunner {
 public:
  StepProfiler(const std::vector<MeasuredPlan>& plans, std::size_t max_slices);
  void run(Machine& machine) override;

 private:
  friend class LaunchProfiler;
  struct StepTime {
    std::uint64_t ticks = 0, calls = 0, read = 0, written = 0, scattered = 0;
  };
  struct StepSlice {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t step = 0, plan = 0;
  };
  struct RunSlice {
    std::uint64_t begin = 0, end = 0, first = 0, last = 0;  // programs
    std::size_t first_step = 0, steps = 0;                  // in step_slices_
    bool is_sampled = false, is_whole = true;
  };

  std::size_t plan_of(const Step* step) const;
  void begin_run(std::uint64_t program, std::uint64_t time);
  void end_run(std::uint64_t time);
  void note_step(std::size_t plan, const Step* step, std::uint64_t begin, std::uint64_t end);
  /// Halves the samples until they fit.
  void thin_out();
  bool samples(std::uint64_t program) const { return max_slices_ != 0 && program % every_ == 0; }

  const std::vector<MeasuredPlan>& plans_;
  std::vector<std::vector<StepTime>> times_;  // by plan, by step
  std::uint64_t arrived_ = 0, left_ = 0, in_steps_ = 0, runs_ = 0;
  std::size_t max_slices_ = 0;
  std::uint64_t every_ = 1;
  bool is_noting_ = false;
  std::vector<StepSlice> step_slices_;
  std::vector<RunSlice> run_slices_;
};

/// The measurements of a launch; outlives its machines.
class LaunchProfiler {
 public:
  explicit LaunchProfiler(const ProfileRequest& request, unsigned threads);
  /// Before the first worker: steps of `plan`, which lives as long as this, may be run.
  void add_plan(const Plan& plan, ProfilePart part);
  /// The calling thread's profiler. Any thread.
  StepProfiler& worker();
  /// Once, after all workers have ended. `threads`: those that the launch might use.
  std::shared_ptr<const Profile> finish(const LaunchReport& report, std::string kernel,
                                        std::vector<ProfileAdvice> advice);

 private:
  struct Clocks {
    std::uint64_t start = 0;
    double ns_per_tick = 1, overhead = 0;
  };
  struct RowMaker;

  void add_worker_time(const StepProfiler& worker, const Clocks& clocks, RowMaker& rows, Profile& profile) const;
  void add_slices(const StepProfiler& worker, std::uint32_t index, const Clocks& clocks, const RowMaker& rows,
                  Profile& profile) const;

  ProfileRequest request_;
  unsigned threads_;
  std::uint64_t start_ticks_;
  std::int64_t start_ns_;
  std::vector<MeasuredPlan> plans_;
  std::mutex mutex_;
  std::vector<std::pair<std::thread::id, std::unique_ptr<StepProfiler>>> workers_;
};

}  // namespace lockstep::interpreter

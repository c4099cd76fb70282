// A kernel made ready to run: its plan, its effects and everything else that does not depend on arguments, computed
// once for many launches. Invariant: nothing that affects results changes after make(), so that several threads may
// launch it at once (on address spaces of their own). It keeps pointers into the module, which must outlive it
// unchanged; the profile is copied. Not here: how programs run (grid.h) and which may run concurrently
// (execution_mode.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "interpreter/batching/batch_plan.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/launch.h"
#include "interpreter/plan/plan.h"

namespace lockstep::interpreter {

namespace apart {
class AccessPlaces;
}
class Grid;
class PlanBuilder;
struct Launch;
struct ExecutionMode;

class PreparedKernel {
 public:
  ~PreparedKernel();
  /// `function`: a tt.func of the verified module. Null: diagnosed in `sink` (an op that is not implemented yet is
  /// Severity::unsupported).
  static std::unique_ptr<const PreparedKernel> make(const ir::Module& module, const ir::Op& function,
                                                    const TargetProfile& profile, DiagnosticSink& sink,
                                                    const Tuning& tuning = default_tuning());

  /// The same with additional steps between those of the ops (PlanBuilder::instrument, set by `instrument`): no batches
  /// and no fused groups, so that every op has steps of its own. `hoists`: loop-invariant ops may run before their
  /// loop.
  static std::unique_ptr<const PreparedKernel> make_instrumented(const ir::Module& module, const ir::Op& function,
                                                                const TargetProfile& profile, DiagnosticSink& sink,
                                                                const std::function<void(PlanBuilder&)>& instrument,
                                                                bool hoists = true);

  /// For a debugger: additional steps as above, and nothing runs early or is released (PlanBuilder::keep_all).
  /// `instrument` as above.
  static std::unique_ptr<const PreparedKernel> make_kept(const ir::Module& module, const ir::Op& function,
                                                         const TargetProfile& profile, DiagnosticSink& sink,
                                                         const std::function<void(PlanBuilder&)>& instrument);

  /// Runs the programs. nullopt: the grid or an argument does not fit the kernel, with the reason in `sink`. Never
  /// throws for the kernel's faults; InternalError for a defect of Lockstep, std::bad_alloc without memory for the
  /// report.
  std::optional<LaunchReport> launch(const RunRequest& request, DiagnosticSink& sink) const;
  /// The same for these programs alone, without batches.
  std::optional<LaunchReport> launch_some(const RunRequest& request, const ProgramRange& programs,
                                          DiagnosticSink& sink) const;

  /// It follows addresses that it loads or computes from integers, so `memory` must hold everything they may reach.
  bool needs_all_storages() const;
  const ir::Op& function() const { return function_; }
  const MemoryEffects& effects() const { return effects_; }

  /// What the text and a launch's numbers show of its programs before it runs.
  struct Separation {
    /// By storage: no program loads or stores there what another one stores. Atomics are not part of this. Empty: none.
    std::vector<bool> storages;
    bool reads_memory = false;  // it may hang on numbers that memory holds now
  };
  Separation separation(const RunRequest& request) const;

 private:
  PreparedKernel(const ir::Module& module, const ir::Op& function, const TargetProfile& profile);
  friend class SteppedLaunch;
  static std::unique_ptr<const PreparedKernel> make_with(const ir::Module& module, const ir::Op& function,
                                                         const TargetProfile& profile, DiagnosticSink& sink,
                                                         const std::function<void(PlanBuilder&)>& instrument,
                                                         const Tuning& tuning);
  /// A launch's setup without its batches. nullopt: diagnosed.
  std::optional<ExecutionMode> set_up(const RunRequest& request, unsigned threads, Launch& launch,
                                 DiagnosticSink& sink) const;
  void run_programs(Grid& grid, const ExecutionMode& mode) const;
  /// True while launches stay in order because an earlier one had to run again.
  bool expects_overlap() const;
  void note_overlap() const;
  /// Decides how programs run as one in this launch.
  void choose_batches(const RunRequest& request, const ExecutionMode& mode, unsigned threads, Launch& launch) const;
  /// Decides what programs of an ordered launch compute ahead.
  void choose_ahead(const RunRequest& request, const ExecutionMode& mode, Launch& launch) const;
  void note_batches(const Launch& launch) const;
  bool check_grid(const RunRequest& request, DiagnosticSink& sink) const;

  const ir::Module& module_;
  const ir::Op& function_;
  TargetProfile profile_;
  std::int64_t stream_bytes_ = 0;
  std::unique_ptr<const Plan> plan_;
  MemoryEffects effects_;
  BatchPlans batches_;
  AheadPart ahead_part_;
  BatchPlans ahead_;
  // Lessons of earlier launches, for speed only.
  mutable std::atomic<double> seconds_per_program_{0};  // of the last one
  mutable std::atomic<double> bytes_per_program_{0};    // stored by it
  mutable std::atomic<std::uint32_t> in_order_left_{0}, in_order_next_{1};
  mutable std::atomic<std::uint32_t> unbatched_left_{0}, unbatched_next_{1};
  std::unique_ptr<const apart::AccessPlaces> places_;  // null: no launch asks for it
};

/// Threads that a launch may use.
unsigned thread_count(const RunRequest& request);

}  // namespace lockstep::interpreter

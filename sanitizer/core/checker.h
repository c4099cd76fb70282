// Checker: one kind of search for errors in kernels, over launches that run unchanged. A checker examines whole
// launches (which bytes were touched, LaunchReport::touched: cheap, the kernel runs at full speed), every execution of
// the ops that it names (steps: one thread, nothing fused), or steps only where the first look made it suspicious.
// Invariant: no checker changes a slot, memory or control flow (except for shown_outcome()); an error that it reports
// is a fact of this execution. One checker per file; registry.cpp lists them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "findings/finding.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/launch.h"
#include "sanitizer/core/check_options.h"

namespace lockstep::interpreter {
class PreparedKernel;
}

namespace lockstep::sanitizer {

class Execution;
class TouchedFacts;

/// A launch, for checkers.
struct LaunchContext {
  const ir::Module& module;
  const ir::Op& function;
  const interpreter::RunRequest& request;
  const TargetProfile& profile;
  const CheckOptions& options;
  const interpreter::MemoryEffects& effects;  // of the kernel
  bool is_second = false;                     // the launch runs again, because a checker suspected something
  interpreter::AccessTracking touches = interpreter::AccessTracking::none;  // what this run keeps: the most that any checker needs
  const TouchedFacts* touched = nullptr;                      // in end(): what the report's touched ranges say
  const interpreter::PreparedKernel* kernel = nullptr;        // as it runs unchecked; null: nobody may ask it
};

class Checker {
 public:
  virtual ~Checker() = default;

  /// What the checker needs to see of this launch. Neither: it would find nothing here and does not run. Several
  /// threads may ask an instance that lives as long as the kernel.
  struct Requirements {
    interpreter::AccessTracking touches = interpreter::AccessTracking::none;
    bool steps = false;
    bool any_thread = false;    // before() and after() keep nothing but states of values: threads may call them at once
    bool reads_memory = false;  // the answer hangs on what memory holds: to be asked again for the next launch
    /// Which ranges the next run keeps, if end() requests one and more ranges than the last run's may do without steps.
    interpreter::AccessTracking touches_again = interpreter::AccessTracking::none;
    bool may_suspect = false;  // end() may ask for another run, so that written storages are copied before the first
    /// Launches like this one will make it suspicious, too: they have steps from the start.
    bool suspicion_lasts = false;
    /// What it finds hangs on addresses and masks, not on elements. Where nobody asked by name, it looks at one launch
    /// of those that are alike, if no loaded number decides these.
    bool of_places = false;
    bool is_settled = false;  // NeedsCache: a launch like this one was looked at, and nothing was found
  };
  virtual Requirements needs(const LaunchContext& context) const = 0;

  /// The executions for which before() and after() are called. Requested once per op, for all launches.
  struct Interest {
    bool before = false, after = false;
  };
  virtual Interest wish(const ir::Op& op) const {
    (void)op;
    return {};
  }

  /// Before begin(): what `kept`, the instance of this class that lives as long as the kernel, knows of its text.
  virtual void learn_from(const Checker& kept, const LaunchContext& context) { (void)kept, (void)context; }

  // A launch, on an instance of its own and one thread. Programs may be interleaved where they wait for each other.
  virtual void begin(const LaunchContext& context) { (void)context; }
  /// The op's operands exist, its results do not yet; for control flow (scf.if, scf.for, scf.condition, cf.cond_br),
  /// its conditions exist.
  virtual void before(Execution& run) { (void)run; }
  /// The results exist; operands that died do not.
  virtual void after(Execution& run) { (void)run; }
  /// The launch ended; the checker adds its findings to report.findings. False: only a closer look can confirm a
  /// suspicion. The caller then restores memory and runs the launch again (on a new instance), with more ranges where
  /// Requirements::touches_again says so, else with steps. Only where steps were off.
  virtual bool end(const LaunchContext& context, interpreter::LaunchReport& report) {
    (void)context, (void)report;
    return true;
  }
};

/// A checker by its name for --check.
struct CheckerRow {
  std::string_view name;     // "races"
  std::string_view summary;  // one line, for help and docs
  bool is_default = false;   // looks at every launch without --check; the others where that is cheap
  std::unique_ptr<Checker> (*make)() = nullptr;
  bool is_lint = false;  // advice: only where it is named, `all` leaves it out
};
/// All, in the order of the list.
const std::vector<CheckerRow>& checker_rows();

}  // namespace lockstep::sanitizer

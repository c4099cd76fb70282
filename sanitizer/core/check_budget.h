// CheckBudget: decides which launches of a kernel the checkers examine that nobody requested by name, so that checking
// stays cheap (docs/checking.md, "Where it is cheap"). It starts from an estimate of the launch's text and learns from
// measured launches. Invariant: for a kernel's first launch the text alone decides, the same on any machine.
// Thread-safe. Not here: what checkers need (checker.h), running.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "sanitizer/core/checker.h"
#include "sanitizer/core/needs_cache.h"

namespace lockstep::sanitizer {

/// How closely the automatic checkers examine a launch. text: only those that can rule out findings without a run;
/// ranges: also those that need the touched ranges; steps: all.
enum class Look : std::uint8_t { text, ranges, steps };

/// Seconds on one measured machine: enough to tell short from long, and no more.
struct LaunchEstimate {
  double plain = 0;      // on the threads that it may have
  double stepped = 0;    // with steps for checkers, on one thread
  bool is_exact = true;  // false: loops or branches hang on what programs compute
};
LaunchEstimate estimate_launch(const LaunchContext& context);

class CheckBudget {
 public:
  /// What the checkers under the budget need from a launch.
  struct Wanted {
    bool ranges = false, steps = false;
    double copy_seconds = 0;      // for the memory that they may ask to be put back
    double seconds_left = 0;      // until the launch's timeout; 0: none
    bool is_one_of_many = false;  // of several orders of programs, which were asked for
  };

  struct Decision {
    Look look = Look::text;
    bool steps_later = false;  // how long steps take is not known: to be asked again after a run without them
  };
  /// The function calls `estimate` once for launches that are alike.
  Decision decide(const LaunchKey& key, const Wanted& wanted, const std::function<LaunchEstimate()>& estimate);
  /// Whether a closer look at a launch that took `first_seconds` without steps is worth its time, because a checker
  /// suspects something or the text does not bound the time.
  bool may_step_again(const LaunchKey& key, double first_seconds, double seconds_left) const;
  /// A launch's time.
  struct Spent {
    double seconds = 0;   // in all
    double programs = 0;  // of it, while programs ran
  };
  /// Records a launch. `has_findings`: examine launches like it whatever it costs.
  void note(const LaunchKey& key, Look look, const Spent& spent, bool has_findings);
  /// A launch like this one was examined this closely.
  bool was_looked_at(const LaunchKey& key, Look look) const;

 private:
  static constexpr std::size_t kMostKinds = 256, kLooks = 3;
  /// Launches that are alike.
  struct Kind {
    LaunchEstimate estimate;
    std::array<double, kLooks> seconds{-1, -1, -1};  // shortest, by Look; -1: not seen
    std::array<double, kLooks> around{};             // of these launches, shortest without their programs
    double charged = 0;                              // of spent_, before plain launches showed what was plain
    std::uint64_t charged_looks = 0;
    double copy_seconds = 0;
    bool has_findings = false;
  };

  double expected(const Kind& kind, Look look) const;
  static double extra(const Kind& kind, double seconds, double around);
  double modelled(const Kind& kind, Look look) const;
  double limit(double plain, double seconds_left) const;
  bool may_spend(const Kind& kind, double extra) const;
  bool may_step_later(const Kind& kind, const Wanted& wanted) const;

  mutable std::mutex mutex_;
  std::map<LaunchKey, Kind> kinds_;
  std::array<double, kLooks> measured_{}, modelled_{};  // sums over launches: how far the model is off
  double spent_ = 0, total_ = 0;                        // seconds, of looking and of everything
  bool has_looked_ = false;
};

}  // namespace lockstep::sanitizer

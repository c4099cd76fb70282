// CaughtFindings: the findings at which a debugged launch stops. Rules match the launch's own findings; for those of
// checkers, a checked run names the places, and this class sets stops there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/expression/evaluate.h"
#include "debugger/session/catches.h"
#include "debugger/session/engine_scope.h"
#include "debugger/session/problem.h"
#include "findings/finding.h"

namespace lockstep::debugger {

class CaughtFindings {
 public:
  /// Runs the same launch under checkers. nullopt: it could not run, or `stop` became true.
  using CheckedRun = std::function<std::optional<Report>(const std::atomic<bool>& stop)>;
  /// `scope`: for conditions. All must outlive it.
  CaughtFindings(Engine& engine, EngineScope& scope, const CheckedRun& checked_run)
      : engine_(engine), stop_scope_(scope), checked_run_(checked_run) {}
  CaughtFindings(const CaughtFindings&) = delete;
  CaughtFindings& operator=(const CaughtFindings&) = delete;

  /// Replaces what is caught. Problem: an unknown filter or code, a condition that is not an expression; the needed
  /// launch under checkers was stopped, or cannot run. Then the old catches stay.
  Expected<void, Problem> set(const std::vector<CatchRequest>& requests);
  const std::vector<CatchRequest>& requests() const { return requests_; }
  bool is_caught(const Finding& finding) const;
  /// The findings of the checked run; null: it has not run, or there are no checkers.
  const Report* checked() const { return checked_ ? &*checked_ : nullptr; }
  /// The stops set at findings of the checked run.
  std::size_t placed_count() const { return placed_.size(); }
  /// Caught findings of the checked run without an op: those of the launch's end.
  std::size_t placeless() const { return placeless_; }

  /// Takes our stops out of `ids`; returns their findings.
  std::vector<Finding> take_own(std::vector<std::uint32_t>& ids) const;
  /// The launch begins anew.
  void restart();

 private:
  bool condition_holds(const CatchRule& rule) const;
  Expected<void, Problem> run_checked();
  void place_all();
  void place(const Finding& finding);

  Engine& engine_;
  EngineScope& stop_scope_;
  const CheckedRun& checked_run_;
  std::vector<CatchRequest> requests_;
  std::vector<CatchRule> rules_;
  std::optional<Report> checked_;
  /// Our stops at the findings of the checked run, by the engine's id.
  struct PlacedFinding {
    Finding finding;
    std::optional<Mark> first;
  };
  std::map<std::uint32_t, PlacedFinding> placed_;
  std::size_t placeless_ = 0;
};

}  // namespace lockstep::debugger

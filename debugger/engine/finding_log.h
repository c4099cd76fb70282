// FindingLog: the findings of a launch up to its current point, and which of them the last op made. It announces
// findings that stop the launch: the launch is before the op that makes them, which has not run. Not here: moving.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "debugger/engine/programs.h"
#include "debugger/engine/stops.h"
#include "findings/finding.h"

namespace lockstep::debugger {

class FindingLog {
 public:
  using Made = std::vector<std::pair<Mark, Finding>>;

  /// By mark; includes announced ones.
  const Made& all() const { return all_; }
  /// Which findings stop the launch. Default: those of tier error.
  void set_caught(std::function<bool(const Finding&)> is_caught) { is_caught_ = std::move(is_caught); }
  bool is_caught(const Finding& finding) const { return is_caught_ && is_caught_(finding); }

  // ---- ops ----
  void begin_op(Mark at);
  void end_op(Mark at, Report& made);
  /// Moves the findings of a report here.
  void take(Mark at, Report& made);
  void add(Mark at, const Finding& finding) { all_.emplace_back(at, finding); }
  /// Those from the `first`th on belong to the last op.
  void include_from(std::size_t first) { before_ = std::min(before_, first); }
  /// Those of the last op.
  const Made& made() const { return made_; }
  void set_made(Made made) { made_ = std::move(made); }
  /// No op has run yet, so there are none.
  void begin_search();
  /// Of what ran last.
  std::vector<Finding> latest() const;

  // ---- stops ----
  /// The launch has stopped for the last op: it does not stop for it again.
  bool passes_announced() const { return passes_announced_; }
  /// The last op makes a finding that stops the launch, and the launch has not stopped for it yet.
  bool makes_caught() const;
  /// The stops of the op, and those at the end of its turn (a deadlock).
  void look(Stop& at_op, Stop& after_op) const;

  // ---- moving ----
  const std::optional<Mark>& announced() const { return announced_; }
  /// The launch is before `op`, which makes these.
  void announce(Mark op, const Made& made);
  void forget_announced();
  /// Forgets the notes about later marks.
  void forget_from(Mark here);
  /// Announces what `before` had announced, when it is there again.
  void announce_again(const FindingLog& before);

 private:
  Made all_;
  Made made_;                        // of the op that ran last
  std::size_t before_ = 0;           // the op that ran last
  std::size_t of_op_ = 0;            // of all that there are, up to those
  std::optional<Mark> announced_;  // it stands there, stopped for what the op makes: that is in all_ already
  bool passes_announced_ = false;
  std::function<bool(const Finding&)> is_caught_ = [](const Finding& finding) { return finding.tier == Tier::error; };
};

}  // namespace lockstep::debugger

// StopList: the breakpoints and watches of a launch, checked at the current point and for the last op. Invariant: no id
// is given twice; checking changes no program. Not here: moving, findings (engine.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "debugger/engine/points.h"
#include "debugger/engine/programs.h"
#include "debugger/engine/stops.h"

namespace lockstep::debugger {

class StopList {
 public:
  /// Both must outlive it.
  StopList(const DebugKernel& kernel, const Programs& programs);

  std::uint32_t add(Breakpoint breakpoint);  // the id
  std::uint32_t add(Watch watch);
  Breakpoint* breakpoint(std::uint32_t id);
  Watch* watch(std::uint32_t id);
  bool remove(std::uint32_t id);  // of either
  /// Removes those of the ids that stop only once.
  void remove_temporary(const std::vector<std::uint32_t>& ids);
  const std::map<std::uint32_t, Breakpoint>& breakpoints() const { return breakpoints_; }
  const std::map<std::uint32_t, Watch>& watches() const { return watches_; }
  void clear_hits();

  bool is_watching() const;
  /// False: nothing can stop in that program.
  bool may_stop_in(std::uint64_t program) const;

  /// For the op that is about to run; forget_accesses() comes first.
  void note_access(const Point& point, interpreter::AccessLanes& lanes);
  void forget_accesses() { seen_.accesses.clear(); }
  /// Takes the present values of watches as the old ones.
  void read_values();

  // ---- checks; `counts`: counts hits, and log points write ----
  /// Before the op that ran last.
  void look_at_last_op(Stop& stop);
  void look_at_accesses(Stop& stop, bool counts);
  /// Precondition of both: a program is at a point.
  void look_at_values(Stop& stop, bool counts);
  void look_at_point(Stop& stop, bool counts);

  /// What watches have seen up to here.
  struct Seen {
    std::vector<WatchHit> accesses;                              // of the op that ran last
    std::map<std::uint32_t, std::optional<std::string>> values;  // at the last visit
  };
  const Seen& seen() const { return seen_; }
  void set_seen(Seen seen) { seen_ = std::move(seen); }

 private:
  bool breaks(Breakpoint& breakpoint, std::size_t frame, bool counts) const;
  void index();

  const DebugKernel& kernel_;
  const Programs& programs_;
  std::uint32_t next_id_ = 1;
  std::map<std::uint32_t, Breakpoint> breakpoints_;
  std::map<std::uint32_t, Watch> watches_;
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> at_points_;  // by point: breakpoint, frame
  Seen seen_;
};

}  // namespace lockstep::debugger

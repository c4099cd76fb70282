// Timelines: a person's edits of a launch, and their marks. Each edit forks the present timeline; its future is
// forgotten. Invariant: the marks of a timeline depend only on its edits and the launch. Not here: making edits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "debugger/engine/programs.h"
#include "debugger/engine/stops.h"
#include "interpreter/plan/plan.h"

namespace lockstep::debugger {

struct TimelineFacts {
  std::uint32_t id = 0, parent = 0;
  Mark forked_at;
  Mark last;  // where it stood when it was left
};

/// An edit by a person, at a mark of a timeline.
struct TimelineEvent {
  enum class Kind : std::uint8_t { turn, value, memory } kind = Kind::turn;
  std::uint64_t number = 0;  // program, slot or address
  std::string bytes;
};

class Timelines {
 public:
  std::uint32_t current() const { return current_; }
  /// `now`: where it stands.
  std::vector<TimelineFacts> all(Mark now) const;
  bool contains(std::uint32_t id) const { return branches_.contains(id); }

  /// The present timeline ends here; another one begins.
  void fork(Mark now);
  void add(Mark now, TimelineEvent event) { events_.emplace(now, std::move(event)); }
  /// Where that timeline was left. Precondition: contains(id).
  Mark switch_to(std::uint32_t id, Mark now);

  std::vector<TimelineEvent> events_at(Mark mark) const;
  /// The first turn from that one on with an edit; nullopt: none.
  std::optional<std::uint64_t> turn_with_event(std::uint64_t from) const;
  /// At a mark in [from, until] of this timeline, an edit set the slot (of the current program), or some of the bytes.
  bool has_set(interpreter::Slot slot, Mark from, Mark until) const;
  bool has_set(ByteRange bytes, Mark from, Mark until) const;

 private:
  using Events = std::multimap<Mark, TimelineEvent>;
  struct Branch {
    TimelineFacts facts;
    Events events;
  };

  Events events_;
  std::map<std::uint32_t, Branch> branches_ = {{0, {}}};
  std::uint32_t current_ = 0;
};

}  // namespace lockstep::debugger

// Timelines: what people changed of a launch, and when. Each change forks the present timeline; its future is
// forgotten. Invariant: the changes of a timeline are all that its marks depend on beside the launch. Not here:
// making them.
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

/// Something that a person changed, at a mark of a timeline.
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

  /// The present timeline ends here; what comes is another one.
  void fork(Mark now);
  void add(Mark now, TimelineEvent event) { events_.emplace(now, std::move(event)); }
  /// Where that timeline was left. Precondition: contains(id).
  Mark switch_to(std::uint32_t id, Mark now);

  std::vector<TimelineEvent> events_at(Mark mark) const;
  /// The first turn from that one on in which something was changed; nullopt: none.
  std::optional<std::uint64_t> turn_with_event(std::uint64_t from) const;
  /// At a mark in [from, until] of this timeline somebody set the slot (of the program whose turn it was), or some
  /// of the bytes.
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

#include "debugger/engine/timelines.h"

#include <algorithm>

namespace lockstep::debugger {

std::vector<TimelineFacts> Timelines::all(Mark now) const {
  std::vector<TimelineFacts> all;
  for (const auto& [id, branch] : branches_) {
    all.push_back(branch.facts);
    if (id == current_) all.back().last = now;
  }
  return all;
}

void Timelines::fork(Mark now) {
  branches_[current_].facts.last = now;
  branches_[current_].events = events_;
  const auto id = static_cast<std::uint32_t>(branches_.size());
  branches_[id].facts = {id, current_, now, now};
  current_ = id;
  events_.erase(events_.upper_bound(now), events_.end());
}

Mark Timelines::switch_to(std::uint32_t id, Mark now) {
  branches_[current_].facts.last = now;
  branches_[current_].events = events_;
  current_ = id;
  events_ = branches_[id].events;
  return branches_[id].facts.last;
}

std::vector<TimelineEvent> Timelines::events_at(Mark mark) const {
  std::vector<TimelineEvent> found;
  const auto [first, last] = events_.equal_range(mark);
  for (auto event = first; event != last; ++event) found.push_back(event->second);
  return found;
}

std::optional<std::uint64_t> Timelines::turn_with_event(std::uint64_t from) const {
  const auto event = events_.lower_bound(Mark{from, 0});
  if (event == events_.end()) return std::nullopt;
  return event->first.turn;
}

bool Timelines::has_set(interpreter::Slot slot, Mark from, Mark until) const {
  return std::any_of(events_.lower_bound(from), events_.upper_bound(until), [&](const auto& entry) {
    return entry.second.kind == TimelineEvent::Kind::value && entry.second.number == slot;
  });
}

bool Timelines::has_set(ByteRange bytes, Mark from, Mark until) const {
  return std::any_of(events_.lower_bound(from), events_.upper_bound(until), [&](const auto& entry) {
    const TimelineEvent& event = entry.second;
    return event.kind == TimelineEvent::Kind::memory && event.number < bytes.end &&
           bytes.begin < event.number + event.bytes.size();
  });
}

}  // namespace lockstep::debugger

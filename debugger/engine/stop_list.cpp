#include "debugger/engine/stop_list.h"

#include <algorithm>

#include "interpreter/access/storage_copy.h"

#include <algorithm>

namespace lockstep::debugger {

bool HitRule::holds(std::uint64_t hits) const {
  switch (kind) {
    case Kind::always: return true;
    case Kind::equal: return hits == number;
    case Kind::at_least: return hits >= number;
    case Kind::more: return hits > number;
    case Kind::multiple: return number != 0 && hits % number == 0;
  }
  return true;
}

StopList::StopList(const DebugKernel& kernel, const Programs& programs) : kernel_(kernel), programs_(programs) {
  index();
}

// ---- the lists ----

std::uint32_t StopList::add(Breakpoint breakpoint) {
  breakpoint.id = next_id_++;
  const std::uint32_t id = breakpoint.id;
  breakpoints_[id] = std::move(breakpoint);
  index();
  return id;
}

std::uint32_t StopList::add(Watch watch) {
  watch.id = next_id_++;
  const std::uint32_t id = watch.id;
  watches_[id] = std::move(watch);
  read_values();
  return id;
}

Breakpoint* StopList::breakpoint(std::uint32_t id) {
  const auto found = breakpoints_.find(id);
  return found == breakpoints_.end() ? nullptr : &found->second;
}

Watch* StopList::watch(std::uint32_t id) {
  const auto found = watches_.find(id);
  return found == watches_.end() ? nullptr : &found->second;
}

bool StopList::remove(std::uint32_t id) {
  seen_.values.erase(id);
  const bool was_there = breakpoints_.erase(id) + watches_.erase(id) != 0;
  index();
  return was_there;
}

void StopList::remove_temporary(const std::vector<std::uint32_t>& ids) {
  for (const std::uint32_t id : ids) {
    if (breakpoints_.at(id).is_temporary) remove(id);
  }
}

void StopList::index() {
  at_points_.assign(kernel_.points().size(), {});
  for (const auto& [id, breakpoint] : breakpoints_) {
    for (const Breakpoint::At& at : breakpoint.at) at_points_[at.point].emplace_back(id, at.frame);
  }
}

void StopList::clear_hits() {
  for (auto& [id, breakpoint] : breakpoints_) breakpoint.hits = 0;
  for (auto& [id, watch] : watches_) watch.hits = 0;
}

bool StopList::is_watching() const {
  return std::any_of(watches_.begin(), watches_.end(), [](const auto& entry) { return entry.second.is_enabled; });
}

bool StopList::may_stop_in(std::uint64_t program) const {
  return is_watching() || std::any_of(breakpoints_.begin(), breakpoints_.end(), [&](const auto& entry) {
           const Breakpoint& breakpoint = entry.second;
           return breakpoint.is_enabled && (!breakpoint.may_hold || breakpoint.may_hold(program));
         });
}

// ---- watches ----

void StopList::note_access(const Point& point, interpreter::AccessLanes& lanes) {
  for (const auto& [id, each] : watches_) {
    const Watch& watch = each;  // a lambda takes it: clang 14 takes no structured binding
    using Kind = Watch::Kind;
    const bool is_load = lanes.kind() == interpreter::TouchKind::load;
    const bool is_store = lanes.kind() == interpreter::TouchKind::store;
    const bool sees = watch.kind == Kind::access || (watch.kind == Kind::read ? !is_store : !is_load);
    if (!watch.is_enabled || !sees || watch.bytes.empty()) continue;
    std::optional<ByteRange> hit;
    lanes.for_each_run([&](std::uint64_t begin, std::int64_t bytes) {
      for (const ByteRange& range : watch.bytes) {
        if (begin < range.end && range.begin < begin + static_cast<std::uint64_t>(bytes)) hit = range;
      }
    });
    if (!hit) continue;
    const char* from = interpreter::bytes_at(hit->begin);
    seen_.accesses.push_back(
        {id, &point, programs_.current().state.number, *hit, std::string(from, hit->end - hit->begin), {}});
  }
}

void StopList::read_values() {
  seen_.values.clear();
  if (programs_.point() == nullptr) return;
  for (const auto& [id, watch] : watches_) {
    if (watch.value) seen_.values[id] = watch.value();
  }
}

// ---- looking ----

void StopList::look_at_last_op(Stop& stop) {
  if (programs_.point() == nullptr) return;
  for (const auto& [id, frame] : at_points_[programs_.point()->number]) {
    Breakpoint& breakpoint = breakpoints_.at(id);
    if (!breakpoint.is_of_last_op || !breaks(breakpoint, frame, false)) continue;
    stop.ids.push_back(id);
    if (stop.reason == Stop::Reason::arrived) stop.reason = Stop::Reason::breakpoint;
  }
}

bool StopList::breaks(Breakpoint& breakpoint, std::size_t frame, bool counts) const {
  if (!breakpoint.is_enabled) return false;
  if (frame != Breakpoint::kAnyTime) {
    const std::size_t level = programs_.point()->frames.size() - 1 - frame;
    if (programs_.current().new_level > level) return false;
  }
  if (breakpoint.condition && !breakpoint.condition()) return false;
  if (!counts) return !breakpoint.log;
  ++breakpoint.hits;
  if (breakpoint.ignore > 0) return --breakpoint.ignore, false;
  if (!breakpoint.rule.holds(breakpoint.hits)) return false;
  if (!breakpoint.log) return true;
  breakpoint.log();
  return false;
}

void StopList::look_at_accesses(Stop& stop, bool counts) {
  for (WatchHit hit : seen_.accesses) {
    const auto found = watches_.find(hit.id);
    if (found == watches_.end()) continue;
    const char* now = interpreter::bytes_at(hit.bytes.begin);
    hit.after.assign(now, hit.bytes.end - hit.bytes.begin);
    Watch& watch = found->second;
    if (watch.kind == Watch::Kind::change && hit.before == hit.after) continue;
    if (watch.condition && (programs_.point() == nullptr || !watch.condition())) continue;
    if (counts) ++watch.hits;
    stop.watches.push_back(std::move(hit));
    if (stop.reason == Stop::Reason::arrived) stop.reason = Stop::Reason::watch;
  }
}

void StopList::look_at_values(Stop& stop, bool counts) {
  for (auto& [id, watch] : watches_) {
    if (!watch.is_enabled || !watch.value) continue;
    std::optional<std::string> now = watch.value();
    std::optional<std::string>& before = seen_.values[id];
    if (!now) continue;  // another frame or program: what it was stays what it was
    const bool has_changed = before && *before != *now;
    if (has_changed && (!watch.condition || watch.condition())) {
      if (counts) ++watch.hits;
      stop.watches.push_back({id, nullptr, programs_.current().state.number, {}, *before, *now});
      if (stop.reason == Stop::Reason::arrived) stop.reason = Stop::Reason::watch;
    }
    before = std::move(now);
  }
}

void StopList::look_at_point(Stop& stop, bool counts) {
  for (const auto& [id, frame] : at_points_[programs_.point()->number]) {
    Breakpoint& breakpoint = breakpoints_.at(id);
    if (breakpoint.is_of_last_op || !breaks(breakpoint, frame, counts)) continue;
    stop.ids.push_back(id);
    stop.reason = Stop::Reason::breakpoint;
  }
}

}  // namespace lockstep::debugger

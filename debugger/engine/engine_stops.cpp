#include <algorithm>

#include "debugger/engine/engine.h"

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

// ---- the lists ----

std::uint32_t Engine::add(Breakpoint breakpoint) {
  breakpoint.id = next_id_++;
  const std::uint32_t id = breakpoint.id;
  breakpoints_[id] = std::move(breakpoint);
  index_breakpoints();
  return id;
}

std::uint32_t Engine::add(Watch watch) {
  watch.id = next_id_++;
  const std::uint32_t id = watch.id;
  watches_[id] = std::move(watch);
  read_values();
  return id;
}

Breakpoint* Engine::breakpoint(std::uint32_t id) {
  const auto found = breakpoints_.find(id);
  return found == breakpoints_.end() ? nullptr : &found->second;
}

Watch* Engine::watch(std::uint32_t id) {
  const auto found = watches_.find(id);
  return found == watches_.end() ? nullptr : &found->second;
}

bool Engine::remove(std::uint32_t id) {
  values_.erase(id);
  const bool was_there = breakpoints_.erase(id) + watches_.erase(id) != 0;
  index_breakpoints();
  return was_there;
}

void Engine::index_breakpoints() {
  at_points_.assign(kernel_->points().size(), {});
  for (const auto& [id, breakpoint] : breakpoints_) {
    for (const Breakpoint::At& at : breakpoint.at) at_points_[at.point].emplace_back(id, at.frame);
  }
}

// ---- looking ----

/// The op that ran last makes what stops the launch, and it has not stopped for it yet.
bool Engine::makes_caught() const {
  return !passes_announced_ &&
         std::any_of(made_.begin(), made_.end(), [&](const auto& entry) { return is_caught(entry.second); });
}

/// Those of the op, and those that came when its turn was over (a deadlock).
void Engine::look_at_findings(Found& found) const {
  const auto add = [this](Stop& stop, const Finding& finding) {
    if (!is_caught(finding)) return;
    stop.findings.push_back(finding);
    stop.reason = Stop::Reason::finding;
  };
  if (!passes_announced_) {
    for (const auto& [moment, finding] : made_) add(found.at_op, finding);
  }
  for (std::size_t i = findings_of_op_; i < findings_.size(); ++i) add(found.after_op, findings_[i].second);
}

void Engine::look_at_last_op(Stop& stop) {
  if (point() == nullptr || passes_announced_) return;
  for (const auto& [id, frame] : at_points_[point()->number]) {
    Breakpoint& breakpoint = breakpoints_.at(id);
    if (!breakpoint.is_of_last_op || !breaks(breakpoint, frame, false)) continue;
    stop.ids.push_back(id);
    if (stop.reason == Stop::Reason::arrived) stop.reason = Stop::Reason::breakpoint;
  }
}

/// Where there is a stop before the op that ran last, nothing else is looked at: it is yet to come.
Engine::Found Engine::look(const Goal& is_there, bool counts) {
  Found found;
  look_at_findings(found);
  look_at_last_op(found.at_op);
  if (counts && found.at_op.reason != Stop::Reason::arrived) return found;
  look_at_watches(found.after_op, counts);
  if (point() == nullptr) return found;
  look_at_values(found.after_op, counts);
  for (const auto& [id, frame] : at_points_[point()->number]) {
    Breakpoint& breakpoint = breakpoints_.at(id);
    if (!breakpoint.is_of_last_op && breaks(breakpoint, frame, counts)) {
      found.at_point.ids.push_back(id);
      found.at_point.reason = Stop::Reason::breakpoint;
    }
  }
  found.is_there = is_there && is_there();
  return found;
}

bool Engine::breaks(Breakpoint& breakpoint, std::size_t frame, bool counts) const {
  if (!breakpoint.is_enabled) return false;
  if (frame != Breakpoint::kAnyTime) {
    const std::size_t level = point()->frames.size() - 1 - frame;
    if (programs_->current().new_level > level) return false;
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

void Engine::look_at_watches(Stop& stop, bool counts) {
  for (WatchHit hit : touched_) {
    const auto found = watches_.find(hit.id);
    if (found == watches_.end()) continue;
    const char* now = interpreter::bytes_at(hit.bytes.begin);
    hit.after.assign(now, hit.bytes.end - hit.bytes.begin);
    Watch& watch = found->second;
    if (watch.kind == Watch::Kind::change && hit.before == hit.after) continue;
    if (watch.condition && (point() == nullptr || !watch.condition())) continue;
    if (counts) ++watch.hits;
    stop.watches.push_back(std::move(hit));
    if (stop.reason == Stop::Reason::arrived) stop.reason = Stop::Reason::watch;
  }
}

void Engine::look_at_values(Stop& stop, bool counts) {
  for (auto& [id, watch] : watches_) {
    if (!watch.is_enabled || !watch.value) continue;
    std::optional<std::string> now = watch.value();
    std::optional<std::string>& before = values_[id];
    if (!now) continue;  // another frame or program: what it was stays what it was
    const bool has_changed = before && *before != *now;
    if (has_changed && (!watch.condition || watch.condition())) {
      if (counts) ++watch.hits;
      stop.watches.push_back({id, nullptr, program(), {}, *before, *now});
      if (stop.reason == Stop::Reason::arrived) stop.reason = Stop::Reason::watch;
    }
    before = std::move(now);
  }
}

void Engine::read_values() {
  values_.clear();
  if (point() == nullptr) return;
  for (const auto& [id, watch] : watches_) {
    if (watch.value) values_[id] = watch.value();
  }
}

}  // namespace lockstep::debugger

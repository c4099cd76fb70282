#include "debugger/session/caught_findings.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace lockstep::debugger {

namespace {

bool is_of_value(FindingCode code) {
  return code == FindingCode::LS601 || code == FindingCode::LS602 || code == FindingCode::LS603;
}

/// A NaN (LS601, LS602) or an infinity (LS603) is among the elements.
bool has_born(const Tensor& tensor, FindingCode code) {
  if (!tensor.is_floating()) return false;
  return std::any_of(tensor.floats.begin(), tensor.floats.end(), [&](double value) {
    return code == FindingCode::LS603 ? std::isinf(value) || std::isnan(value) : std::isnan(value);
  });
}

}  // namespace

bool CaughtFindings::condition_holds(const CatchRule& rule) const {
  if (rule.condition.empty() || engine_.point() == nullptr) return true;
  stop_scope_.set_level(0);
  const auto answer = evaluate_condition(rule.condition.front(), stop_scope_);
  return !answer || *answer;
}

/// The engine asks this even for programs that it ran at full speed: conditions count only where the launch is in the
/// program.
bool CaughtFindings::is_caught(const Finding& finding) const {
  const bool stands = engine_.point() != nullptr && engine_.program_id(engine_.program()) == finding.program;
  return std::any_of(rules_.begin(), rules_.end(),
                     [&](const CatchRule& rule) { return rule.wants(finding) && (!stands || condition_holds(rule)); });
}

Expected<void, Problem> CaughtFindings::set(const std::vector<CatchRequest>& requests) {
  std::vector<CatchRule> rules;
  for (const CatchRequest& request : requests) {
    auto rule = make_rule(request);
    if (!rule) return Unexpected{rule.error()};
    rules.push_back(std::move(*rule));
  }
  if (std::any_of(rules.begin(), rules.end(), [](const CatchRule& rule) { return rule.needs_checkers(); })) {
    if (const auto done = run_checked(); !done) return done;
  }
  requests_ = requests;
  rules_ = std::move(rules);
  place_all();
  return {};
}

Expected<void, Problem> CaughtFindings::run_checked() {
  if (checked_ || !checked_run_) return {};
  engine_.forget_pause();
  checked_ = checked_run_(engine_.is_pausing());
  if (checked_) return {};
  if (engine_.is_pausing()) return Unexpected{stopped()};
  return Unexpected{Problem{"the launch could not run under checkers", ""}};
}

void CaughtFindings::place_all() {
  for (const auto& [id, placed] : placed_) engine_.stops().remove(id);
  placed_.clear();
  placeless_ = 0;
  if (!checked_) return;
  for (const Finding& finding : checked_->findings()) {
    const bool is_wanted = std::any_of(rules_.begin(), rules_.end(), [&](const CatchRule& rule) {
      return rule.needs_checkers() && rule.wants(finding);
    });
    // What a run finds without checkers, this run finds, too, and in the same execution.
    if (!is_wanted || is_found_by_running(finding.code)) continue;
    const std::size_t before = placed_.size();
    place(finding);
    if (placed_.size() == before) ++placeless_;
  }
}

/// Stops in the finding's program before its op, at the first visit; for a NaN or an infinity, at the first one among
/// the op's results.
void CaughtFindings::place(const Finding& finding) {
  const auto& points = engine_.kernel().points();
  const auto program = engine_.number_of(finding.program);
  const std::string place = finding.location.file_text();
  if (!program || place.empty()) return;
  for (const Point& point : points) {
    if (point.op->spelling() != finding.op || point.location.file_text() != place) continue;
    const bool is_value = is_of_value(finding.code) && point.op->result_count() == 1 &&
                          point.number + 1 < points.size() && point.op->regions().empty();
    const ir::Value* made = is_value ? point.op->result(0) : nullptr;
    const std::uint32_t activation = point.activation;
    Breakpoint breakpoint;
    breakpoint.is_of_last_op = is_value;
    breakpoint.at = {{is_value ? point.number + 1 : point.number, Breakpoint::kAnyTime}};
    breakpoint.may_hold = [program](std::uint64_t number) { return number == *program; };
    const auto id = std::make_shared<std::uint32_t>(0);
    breakpoint.condition = [this, program, made, activation, id] {
      if (engine_.program() != *program) return false;
      PlacedFinding& placed = placed_.at(*id);
      if (placed.first && *placed.first < engine_.mark()) return false;
      if (made != nullptr) {
        const Datum datum = read(engine_, engine_.kernel().slot_of(*made, activation));
        if (!has_born(decode_tensor(datum.kind, datum.shape, datum.bytes), placed.finding.code)) return false;
      }
      placed.first = engine_.mark();
      return std::any_of(rules_.begin(), rules_.end(),
                         [&](const CatchRule& rule) { return rule.wants(placed.finding) && condition_holds(rule); });
    };
    *id = engine_.stops().add(std::move(breakpoint));
    placed_[*id] = {finding, std::nullopt};
  }
}

std::vector<Finding> CaughtFindings::take_own(std::vector<std::uint32_t>& ids) const {
  std::vector<Finding> findings;
  for (const std::uint32_t id : ids) {
    const auto placed = placed_.find(id);
    if (placed != placed_.end()) findings.push_back(placed->second.finding);
  }
  std::erase_if(ids, [this](std::uint32_t id) { return placed_.contains(id); });
  return findings;
}

void CaughtFindings::restart() {
  for (auto& [id, placed] : placed_) placed.first.reset();
}

}  // namespace lockstep::debugger

#include "debugger/engine/finding_log.h"

#include <algorithm>

namespace lockstep::debugger {

void FindingLog::begin_op(Mark at) {
  passes_announced_ = announced_ == at;
  forget_announced();
  before_ = all_.size();
}

void FindingLog::end_op(Mark at, Report& made) {
  take(at, made);
  of_op_ = all_.size();
  made_.assign(all_.begin() + static_cast<std::ptrdiff_t>(before_), all_.end());
}

void FindingLog::take(Mark at, Report& made) {
  if (made.findings().empty()) return;
  for (const Finding& finding : made.findings()) add(at, finding);
  made = {};
}

void FindingLog::begin_search() {
  before_ = of_op_ = all_.size();
  made_.clear();
}

std::vector<Finding> FindingLog::latest() const {
  std::vector<Finding> latest;
  for (std::size_t i = before_; i < all_.size(); ++i) latest.push_back(all_[i].second);
  return latest;
}

bool FindingLog::makes_caught() const {
  return !passes_announced_ &&
         std::any_of(made_.begin(), made_.end(), [&](const auto& entry) { return is_caught(entry.second); });
}

void FindingLog::look(Stop& at_op, Stop& after_op) const {
  const auto stop_for = [this](Stop& stop, const Finding& finding) {
    if (!is_caught(finding)) return;
    stop.findings.push_back(finding);
    stop.reason = Stop::Reason::finding;
  };
  if (!passes_announced_) {
    for (const auto& [mark, finding] : made_) stop_for(at_op, finding);
  }
  for (std::size_t i = of_op_; i < all_.size(); ++i) stop_for(after_op, all_[i].second);
}

void FindingLog::announce(Mark op, const Made& made) {
  announced_ = op;
  all_.insert(all_.end(), made.begin(), made.end());
  before_ = of_op_ = all_.size();
}

void FindingLog::forget_announced() {
  if (!announced_) return;
  std::erase_if(all_, [&](const auto& entry) { return entry.first >= *announced_; });
  announced_.reset();
}

void FindingLog::forget_from(Mark here) {
  std::erase_if(all_, [&](const auto& entry) { return entry.first >= here; });
  announced_.reset();
  passes_announced_ = false;
  before_ = of_op_ = all_.size();
}

void FindingLog::announce_again(const FindingLog& before) {
  if (before.announced_) all_ = before.all_;
  announced_ = before.announced_;
}

}  // namespace lockstep::debugger

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

// ---- forward by one point ----

Engine::Next Engine::move(std::uint64_t bound) {
  const Moment at = moment();
  touched_.clear();
  passes_announced_ = announced_ == at;
  forget_announced();
  findings_before_ = findings_.size();
  is_silent_ = at < furthest_;
  watch_access(*point());
  const Next next = programs_->advance();
  furthest_ = std::max(furthest_, moment());
  take_findings(at);
  findings_of_op_ = findings_.size();
  made_.assign(findings_.begin() + static_cast<std::ptrdiff_t>(findings_before_), findings_.end());
  if (next != Next::turn_over) return settle(next);
  if (may_stop_here_ && makes_caught()) return next;  // it goes back: nobody needs to run yet
  const Made made = made_;
  const Next then = begin_turn(bound);
  made_ = made;  // on the way there others may have run
  return then;
}

/// The op that it stands before has not run: what it makes is not made yet.
void Engine::forget_announced() {
  if (!announced_) return;
  std::erase_if(findings_, [&](const auto& entry) { return entry.first >= *announced_; });
  announced_.reset();
}

/// What follows from where it came to stand.
Engine::Next Engine::settle(Next next) {
  if (next == Next::visit) {
    if (moment().step == 0 && programs_->current().steps == 0) first_turns_.emplace_back(moment().turn, program());
    history_->keep_present();
    apply_events();
    return point() != nullptr ? Next::visit : next;
  }
  const interpreter::Launch& launch = launch_->launch();
  if (next == Next::deadlocked) outcome_ = interpreter::Outcome::deadlocked;
  if (next == Next::aborted)
    outcome_ = launch.out_of_memory ? interpreter::Outcome::out_of_memory : interpreter::Outcome::timed_out;
  return next;
}

/// Stands at the first point of whoever is next, or at the end.
Engine::Next Engine::begin_turn(std::uint64_t bound) {
  if (const auto turn = run_ahead(bound)) {
    const bool may_stop_here = std::exchange(may_stop_here_, false);
    back_to_start();
    const Next next = begin_turn(*turn);
    const bool is_there = next != Next::visit || forward_to({*turn, 0});
    may_stop_here_ = may_stop_here;
    return is_there ? next : Next::ended;
  }
  const std::size_t before = findings_.size();
  const Next next = programs_->begin_turn();
  take_findings(moment());
  if (next == Next::deadlocked) findings_before_ = std::min(findings_before_, before);
  return settle(next);
}

void Engine::take_findings(Moment moment) {
  Report& made = machine().findings;
  if (made.findings().empty()) return;
  for (const Finding& finding : made.findings()) findings_.emplace_back(moment, finding);
  made = {};
}

void Engine::watch_access(const Point& point) {
  const interpreter::LaneLookup* lookup = kernel_->lookup(point);
  const bool is_watched =
      std::any_of(watches_.begin(), watches_.end(), [](const auto& entry) { return entry.second.is_enabled; });
  if (lookup == nullptr || (!point.writes && !witness_ && !is_watched)) return;
  interpreter::AccessLanes lanes(machine(), *lookup);
  if (witness_) witness_(point, lanes);
  if (point.writes) history_->note_write(lanes);
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
    touched_.push_back({id, &point, program(), *hit, std::string(from, hit->end - hit->begin), {}});
  }
}

/// Lines of tt.print come once, however often the way is gone.
void Engine::prepare_print() {
  request_.print = [this](const std::string& line) {
    if (is_silent_) return;
    if (print_) {
      print_(line);
    } else {
      std::cout << line;
    }
  };
}

// ---- programs that need not be looked at ----

bool Engine::may_stop_in(std::uint64_t program) const {
  if (target_program_) return program == *target_program_;
  for (const auto& [id, watch] : watches_) {
    if (watch.is_enabled) return true;
  }
  return std::any_of(breakpoints_.begin(), breakpoints_.end(), [&](const auto& entry) {
    const Breakpoint& breakpoint = entry.second;
    return breakpoint.is_enabled && (!breakpoint.may_hold || breakpoint.may_hold(program));
  });
}

/// The first program from `fresh` on that must be run point by point.
std::uint64_t Engine::ahead_end(std::uint64_t fresh, std::uint64_t bound) const {
  const std::uint64_t turn = programs_->next_turn();
  const auto event = events_.lower_bound(Moment{turn, 0});
  if (event != events_.end()) bound = std::min(bound, event->first.turn);
  if (bound <= turn) return fresh;
  const std::uint64_t end = fresh + std::min(program_count() - fresh, bound - turn);
  std::uint64_t program = fresh;
  while (program < end && !may_stop_in(program)) ++program;
  return program;
}

std::optional<std::uint64_t> Engine::run_ahead(std::uint64_t bound) {
  constexpr std::uint64_t kFirst = 8;  // programs; twice as many as long as it is quick, so that pause() is heard
  constexpr auto kQuick = std::chrono::milliseconds(30);
  const auto fresh = programs_->next_fresh();
  if (!options_.runs_ahead || launch_->is_in_order() || witness_ || !fresh) return std::nullopt;
  const std::uint64_t end = ahead_end(*fresh, bound);
  std::uint64_t count = may_stop_here_ || is_away_ ? kFirst : end - *fresh;
  for (std::uint64_t first = *fresh; first < end;) {
    const auto before = std::chrono::steady_clock::now();
    const std::uint64_t next = first + std::min(count, end - first);
    if (const auto turn = run_some(first, next)) return turn;
    give_way();
    if (may_stop_here_ && on_way_) on_way_();
    if (may_stop_here_ && is_pausing_) break;
    if (std::chrono::steady_clock::now() - before < kQuick) count *= 2;
    first = next;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Engine::run_some(std::uint64_t first, std::uint64_t end) {
  const std::uint64_t turn = programs_->next_turn();
  history_->note_unlogged();
  is_silent_ = Moment{turn, 0} < furthest_;
  DiagnosticSink sink;
  const auto report = fast_->launch_some(request_, {first, end - 1}, sink);
  LOCKSTEP_CHECK(report.has_value(), "a launch that was bound before does not bind any more");
  give_way();
  if (report->outcome != interpreter::Outcome::completed) return turn;  // point by point it shows where
  for (const Finding& finding : report->findings.findings()) {
    if (!target_program_ && is_caught_ && is_caught_(finding)) return turn + (*number_of(finding.program) - first);
  }
  for (const Finding& finding : report->findings.findings()) findings_.emplace_back(Moment{turn, 0}, finding);
  programs_->skip_to(end);
  gaps_.push_back({turn, first, end - first, report->finished});
  furthest_ = std::max(furthest_, moment());
  return std::nullopt;
}

// ---- to another moment ----

bool Engine::forward_to(Moment moment) {
  while (point() != nullptr && this->moment() < moment) {
    move(moment.turn);
    give_way();
  }
  return point() != nullptr && this->moment() == moment;
}

void Engine::back_to(Moment moment) {
  history_->back_to(moment);
  if (point() == nullptr) foreign_.put_back();
  forget_from_here();
  if (point() == nullptr) {
    begin_turn(moment.turn);
  } else {
    apply_events();
  }
}

void Engine::back_to_start() {
  history_->back_to_start();
  foreign_.put_back();
  forget_from_here();
}

/// What was noted about moments that are to come again.
void Engine::forget_from_here() {
  const Moment here = point() == nullptr ? Moment{} : moment();
  std::erase_if(findings_, [&](const auto& entry) { return entry.first >= here; });
  std::erase_if(gaps_, [&](const Gap& gap) { return Moment{gap.first_turn, 0} >= here; });
  std::erase_if(first_turns_, [&](const auto& entry) { return Moment{entry.first, 0} > here || (point() == nullptr); });
  touched_.clear();
  announced_.reset();
  passes_announced_ = false;
  findings_before_ = findings_of_op_ = findings_.size();
  outcome_ = interpreter::Outcome::completed;
  interpreter::Launch& launch = launch_->launch();
  launch.abort = launch.timed_out = launch.out_of_memory = false;
  machine().findings = {};
}

bool Engine::go_to(Moment moment) {
  if (point() == nullptr || moment < this->moment()) back_to(moment);
  forward_to(moment);
  read_values();
  return point() != nullptr && this->moment() == moment;
}

}  // namespace lockstep::debugger

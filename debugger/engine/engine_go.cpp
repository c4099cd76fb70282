// Going until something stops the launch.
#include <algorithm>
#include <utility>

#include "debugger/engine/engine.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kNoBound = ~std::uint64_t{0};

/// The latest mark that is not `end`.
Mark just_before(Mark end) {
  return end.step != 0 ? Mark{end.turn, end.step - 1} : Mark{end.turn - 1, kNoBound};
}

Stop join(Stop a, const Stop& b) {
  if (a.reason == Stop::Reason::arrived) a.reason = b.reason;
  a.ids.insert(a.ids.end(), b.ids.begin(), b.ids.end());
  a.watches.insert(a.watches.end(), b.watches.begin(), b.watches.end());
  a.findings.insert(a.findings.end(), b.findings.begin(), b.findings.end());
  return a;
}

}  // namespace

Stop Engine::stop_of(Next next) {
  Stop stop;
  switch (next) {
    case Next::deadlocked: stop.reason = Stop::Reason::deadlock; break;
    case Next::aborted: stop.reason = Stop::Reason::limit; break;
    default: stop.reason = Stop::Reason::ended;
  }
  stop.findings = log_.latest();
  return stop;
}

Stop Engine::go(Direction direction, const Goal& is_there) {
  is_pausing_ = false;
  may_stop_here_ = direction == Direction::forward;
  Stop stop = direction == Direction::forward ? forward(is_there) : backward(is_there);
  may_stop_here_ = false;
  return stop;
}

// ---- forward ----

/// With a stop before the op that ran last, nothing else counts: it is yet to come.
Engine::Found Engine::look(const Goal& is_there, bool counts) {
  Found found;
  log_.look(found.at_op, found.after_op);
  if (!log_.passes_announced()) stops_->look_at_last_op(found.at_op);
  if (counts && found.at_op.reason != Stop::Reason::arrived) return found;
  stops_->look_at_accesses(found.after_op, counts);
  if (point() == nullptr) return found;
  stops_->look_at_values(found.after_op, counts);
  stops_->look_at_point(found.at_point, counts);
  found.is_there = is_there && is_there();
  return found;
}

Stop Engine::forward(const Goal& is_there) {
  stops_->read_values();
  while (point() != nullptr) {
    const Mark at = mark();
    const Next next = move(is_there ? 0 : kNoBound);
    const Found found = look(is_there, true);
    if (found.at_op.reason != Stop::Reason::arrived) {
      if (next == Next::aborted) return found.at_op;  // a limit ended the launch within the op
      stand_before(at, log_.made());
      return found.at_op;
    }
    Stop stop = join(found.after_op, found.at_point);
    stops_->remove_temporary(stop.ids);
    if (stop.reason != Stop::Reason::arrived || found.is_there) return stop;
    if (next != Next::visit) return stop_of(next);
    if (was_paused()) return {Stop::Reason::paused, {}, {}, {}};
  }
  return stop_of(outcome_ == interpreter::Outcome::deadlocked  ? Next::deadlocked
                 : outcome_ == interpreter::Outcome::completed ? Next::ended
                                                               : Next::aborted);
}

bool Engine::was_paused() {
  constexpr std::uint32_t kVisits = 64;  // a few microseconds each
  if (on_way_ && ++visits_ >= kVisits) {
    visits_ = 0;
    on_way_();
  }
  return is_pausing_.exchange(false);
}

// ---- backward ----

Stop Engine::backward(const Goal& is_there) {
  Mark end = mark();
  while (end > Mark{} && !is_pausing_) {
    start_search(end, static_cast<bool>(is_there));
    const Mark from = mark();
    if (const auto found = last_stop_before(end, is_there)) {
      if (found->is_for_op) {
        stand_before(found->at, found->made);
      } else {
        seek(found->at);
      }
      return found->stop;
    }
    end = from;
  }
  const bool was_paused = is_pausing_.exchange(false);
  seek(end);
  return {was_paused ? Stop::Reason::paused : Stop::Reason::begin, {}, {}, {}};
}

void Engine::start_search(Mark end, bool has_goal) {
  Mark want{end.step == 0 ? end.turn - 1 : end.turn, 0};
  if (history_->reaches(want, end)) return back_to(just_before(end));
  const auto gap = ahead_.gap_at(want.turn);
  if (!has_goal && gap) {  // over the programs in which nothing can stop
    while (want.turn > gap->first_turn && !may_stop_in(gap->first_program + (want.turn - gap->first_turn))) --want.turn;
  }
  back_to(want);
  forward_to(want);
}

std::optional<Engine::Past> Engine::last_stop_before(Mark end, const Goal& is_there) {
  std::optional<Past> last;
  stops_->forget_accesses();
  log_.begin_search();
  stops_->read_values();
  Mark before = mark();
  const auto note = [&](const Found& found) {
    const bool is_for_op = found.at_op.reason != Stop::Reason::arrived;
    if (is_for_op || found.after_op.reason != Stop::Reason::arrived)
      last = Past{before, join(found.at_op, found.after_op), log_.made(), is_for_op};
    const bool is_at = point() != nullptr && mark() < end;
    if (is_at && (found.at_point.reason != Stop::Reason::arrived || found.is_there))
      last = Past{mark(), found.at_point, {}, false};
  };
  Found first = look(is_there, false);
  first.at_op = {};  // that op did not run
  note(first);
  while (point() != nullptr && mark() < end && !is_pausing_) {
    before = mark();
    move(is_there ? 0 : end.turn);
    note(look(is_there, false));
  }
  return last;
}

void Engine::stand_before(Mark op, const FindingLog::Made& made) {
  const FindingLog::Made announced = made;  // going there forgets them
  const bool may_stop_here = std::exchange(may_stop_here_, false);
  seek(op);
  may_stop_here_ = may_stop_here;
  log_.announce(op, announced);
}

// ---- to programs ----

Stop Engine::go_to_program(std::uint64_t number) {
  if (number >= program_count()) return {Stop::Reason::ended, {}, {}, {}};
  if (const auto turn = ahead_.turn_of(number)) {
    seek({*turn, 0});
    return {};
  }
  target_program_ = number;
  Next next = Next::visit;
  while (point() != nullptr && program() != number && !(is_away_ && is_pausing_)) next = move(kNoBound);
  target_program_.reset();
  throw_if_paused();
  stops_->read_values();
  return point() != nullptr ? Stop{} : stop_of(next);
}

bool Engine::go_behind(std::uint64_t number, const ir::Op& op, std::uint64_t execution) {
  go_to_program(number);
  std::uint64_t passed = 0;
  bool was_at = false;
  while (point() != nullptr) {
    throw_if_paused();
    if (was_at && program() == number) break;
    if (program() == number && point()->op == &op) was_at = ++passed == execution;
    if (programs_->has_ended(number)) break;
    move(0);
  }
  stops_->read_values();
  return was_at;
}

Stop Engine::restart() {
  log_.forget_announced();
  seek({});
  stops_->clear_hits();
  return {point() == nullptr ? Stop::Reason::ended : Stop::Reason::arrived, {}, {}, {}};
}

}  // namespace lockstep::debugger

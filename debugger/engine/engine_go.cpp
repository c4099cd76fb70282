#include <algorithm>
#include <utility>

#include "debugger/engine/engine.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kNoBound = ~std::uint64_t{0};

/// The latest moment that is not `end`.
Moment just_before(Moment end) {
  return end.step != 0 ? Moment{end.turn, end.step - 1} : Moment{end.turn - 1, kNoBound};
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
  for (std::size_t i = findings_before_; i < findings_.size(); ++i) stop.findings.push_back(findings_[i].second);
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

Stop Engine::forward(const Goal& is_there) {
  read_values();
  while (point() != nullptr) {
    const Moment at = moment();
    const Next next = move(is_there ? 0 : kNoBound);
    const Found found = look(is_there, true);
    if (found.at_op.reason != Stop::Reason::arrived) {
      if (next == Next::aborted) return found.at_op;  // a limit ended the launch within the op
      stand_before(at, made_);
      return found.at_op;
    }
    Stop stop = join(found.after_op, found.at_point);
    for (const std::uint32_t id : stop.ids) {
      if (breakpoints_.at(id).is_temporary) remove(id);
    }
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
  Moment end = moment();
  while (end > Moment{} && !is_pausing_) {
    start_search(end, static_cast<bool>(is_there));
    const Moment from = moment();
    if (const auto found = last_stop_before(end, is_there)) {
      if (found->is_for_op) {
        stand_before(found->at, found->made);
      } else {
        go_to(found->at);
      }
      return found->stop;
    }
    end = from;
  }
  const bool was_paused = is_pausing_.exchange(false);
  go_to(end);
  return {was_paused ? Stop::Reason::paused : Stop::Reason::begin, {}, {}, {}};
}

void Engine::start_search(Moment end, bool has_goal) {
  Moment want{end.step == 0 ? end.turn - 1 : end.turn, 0};
  if (history_->reaches(want, end)) return back_to(just_before(end));
  const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [&](const Gap& known) {
    return known.first_turn <= want.turn && want.turn < known.first_turn + known.count;
  });
  if (!has_goal && gap != gaps_.end()) {  // over the programs in which nothing can stop
    const Gap over = *gap;
    while (want.turn > over.first_turn && !may_stop_in(over.first_program + (want.turn - over.first_turn))) --want.turn;
  }
  back_to(want);
  forward_to(want);
}

std::optional<Engine::Past> Engine::last_stop_before(Moment end, const Goal& is_there) {
  std::optional<Past> last;
  touched_.clear();
  findings_before_ = findings_of_op_ = findings_.size();
  made_.clear();
  read_values();
  Moment before = moment();
  const auto note = [&](const Found& found) {
    const bool is_for_op = found.at_op.reason != Stop::Reason::arrived;
    if (is_for_op || found.after_op.reason != Stop::Reason::arrived)
      last = Past{before, join(found.at_op, found.after_op), made_, is_for_op};
    const bool is_at = point() != nullptr && moment() < end;
    if (is_at && (found.at_point.reason != Stop::Reason::arrived || found.is_there))
      last = Past{moment(), found.at_point, {}, false};
  };
  Found first = look(is_there, false);
  first.at_op = {};  // that op did not run
  note(first);
  while (point() != nullptr && moment() < end && !is_pausing_) {
    before = moment();
    move(is_there ? 0 : end.turn);
    note(look(is_there, false));
  }
  return last;
}

void Engine::stand_before(Moment op, const Made& made) {
  const Made announced = made;  // going there forgets them
  const bool may_stop_here = std::exchange(may_stop_here_, false);
  go_to(op);
  may_stop_here_ = may_stop_here;
  announced_ = op;
  findings_.insert(findings_.end(), announced.begin(), announced.end());
  findings_before_ = findings_of_op_ = findings_.size();
}

// ---- steps ----

Stop Engine::step_op(Direction direction) {
  if (point() == nullptr) return go(direction, [] { return true; });
  const std::uint64_t number = program();
  if (direction == Direction::forward) {
    return go(direction, [this, number] { return program() == number || !programs_->has_live(number); });
  }
  if (programs_->current().steps == 0) return go(direction, [] { return true; });
  return go(direction, [this, number] { return program() == number; });
}

Stop Engine::step_line(Direction direction, bool over) {
  if (point() == nullptr) return go(direction, [this] { return programs_->current().is_statement_start(); });
  const std::uint64_t number = program();
  const std::size_t depth = point()->frames.size();
  const auto begins = [this, depth, over] {
    const LiveProgram& program = programs_->current();
    return program.is_statement_start() && (!over || program.new_level < depth);
  };
  if (direction == Direction::forward) {
    return go(direction, [=, this] {
      if (!programs_->has_live(number)) return true;
      return program() == number && begins();
    });
  }
  if (programs_->current().steps == 0)
    return go(direction, [this] { return programs_->current().is_statement_start(); });
  return go(direction, [=, this] { return program() == number && (begins() || programs_->current().steps == 0); });
}

Stop Engine::finish(Direction direction) {
  if (point() == nullptr) return step_op(direction);
  const std::uint64_t number = program();
  const std::size_t depth = point()->frames.size();
  const bool is_outermost = depth <= 1;
  if (direction == Direction::backward) {
    return go(direction, [=, this] {
      if (program() != number) return programs_->find(number) == nullptr;
      return is_outermost ? programs_->current().steps == 0 : point()->frames.size() < depth;
    });
  }
  return go(direction, [=, this] {
    if (!programs_->has_live(number)) return true;
    if (program() != number) return false;
    if (!is_outermost) return point()->frames.size() < depth;
    return point()->activation == 0 && ir::is_return(*point()->op);
  });
}

// ---- to programs ----

Stop Engine::go_to_program(std::uint64_t number) {
  if (number >= program_count()) return {Stop::Reason::ended, {}, {}, {}};
  const auto known =
      std::find_if(first_turns_.begin(), first_turns_.end(), [&](const auto& entry) { return entry.second == number; });
  std::optional<std::uint64_t> turn;
  if (known != first_turns_.end()) turn = known->first;
  for (const Gap& gap : gaps_) {
    if (gap.first_program <= number && number < gap.first_program + gap.count)
      turn = gap.first_turn + (number - gap.first_program);
  }
  if (turn) {
    go_to({*turn, 0});
    return {};
  }
  target_program_ = number;
  Next next = Next::visit;
  while (point() != nullptr && program() != number && !(is_away_ && is_pausing_)) next = move(kNoBound);
  target_program_.reset();
  give_way();
  read_values();
  return point() != nullptr ? Stop{} : stop_of(next);
}

bool Engine::go_behind(std::uint64_t number, const ir::Op& op, std::uint64_t execution) {
  go_to_program(number);
  std::uint64_t passed = 0;
  bool was_at = false;
  while (point() != nullptr) {
    give_way();
    if (was_at && program() == number) break;
    if (program() == number && point()->op == &op) was_at = ++passed == execution;
    if (programs_->has_ended(number)) break;
    move(0);
  }
  read_values();
  return was_at;
}

Stop Engine::restart() {
  forget_announced();
  go_to({});
  for (auto& [id, breakpoint] : breakpoints_) breakpoint.hits = 0;
  for (auto& [id, watch] : watches_) watch.hits = 0;
  return {point() == nullptr ? Stop::Reason::ended : Stop::Reason::arrived, {}, {}, {}};
}

}  // namespace lockstep::debugger

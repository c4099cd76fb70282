#include "interpreter/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

std::uint64_t SplitMix64::below(std::uint64_t bound) {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t bits = state_;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return (bits ^ bits >> 31) % bound;
}

// ---- who starts ----

std::uint64_t StartOrder::take(SplitMix64& random) {
  constexpr std::size_t kWindow = 256;
  const auto next = [this] {
    while (early_.erase(next_) != 0) ++next_;
    return next_++;
  };
  if (!is_mixed_) return next();
  while (end_ - next_ > early_.size() && window_.size() < kWindow) window_.push_back(next());
  std::swap(window_[random.below(window_.size())], window_.back());
  const std::uint64_t taken = window_.back();
  window_.pop_back();
  return taken;
}

void StartOrder::take_early(std::uint64_t program) {
  if (program >= next_) {
    early_.insert(program);
  } else {
    window_.erase(std::find(window_.begin(), window_.end(), program));
  }
}

bool StartOrder::has_taken(std::uint64_t program) const {
  if (program >= next_) return early_.contains(program);
  return std::find(window_.begin(), window_.end(), program) == window_.end();
}

std::optional<std::uint64_t> StartOrder::next_of_all() const {
  if (is_mixed_ || !early_.empty() || !has_more()) return std::nullopt;
  return next_;
}

void ReversalState::note_atomic(std::uint64_t program) {
  if (!is_on()) return;
  if (program == order_->held) ++held_;
  if (program == order_->awaited && ++awaited_ == order_->awaited_at) is_released_ = true;
}

bool ReversalState::release() { return is_on() && !std::exchange(is_released_, true); }

bool Scheduler::may_start() const {
  const bool is_there = starts_.has_more() || (put_off_ && !reversal_.holds(*put_off_));
  return is_there && (resident_ == 0 || live_.size() < resident_);
}

/// A program that is held back from its start comes later. nullopt: there is no other.
std::optional<std::uint64_t> Scheduler::next_to_start() {
  if (put_off_ && !reversal_.holds(*put_off_)) return std::exchange(put_off_, std::nullopt);
  const std::uint64_t next = starts_.take(random_);
  if (!reversal_.holds(next)) return next;
  put_off_ = next;
  return starts_.has_more() ? std::optional(starts_.take(random_)) : std::nullopt;
}

std::optional<std::uint64_t> Scheduler::next_of_all() const {
  return reversal_.is_on() ? std::nullopt : starts_.next_of_all();
}

// ---- turns ----

Scheduler::TimeSlice Scheduler::next(std::uint64_t changes) {
  if (std::exchange(goes_on_, false)) return {TimeSlice::Kind::resume, now_.program, now_.seat};
  return is_drawn() ? next_drawn(changes) : next_in_order(changes);
}

Scheduler::TimeSlice Scheduler::resume(std::size_t index, std::uint64_t changes) {
  index_ = index;
  now_ = live_[index];
  turn_changes_ = changes;
  return {TimeSlice::Kind::resume, now_.program, now_.seat};
}

Scheduler::TimeSlice Scheduler::start(std::uint64_t program) {
  index_.reset();
  now_ = {};
  now_.program = program;
  if (free_seats_.empty()) {
    now_.seat = seats_++;
  } else {
    now_.seat = free_seats_.back();
    free_seats_.pop_back();
  }
  return {TimeSlice::Kind::start, now_.program, now_.seat};
}

void Scheduler::begin_round(std::uint64_t changes) {
  is_in_round_ = true;
  has_ended_ = false;
  changes_ = changes;
  at_ = 0;
}

/// False: nothing moved.
bool Scheduler::end_round(std::uint64_t changes) {
  is_in_round_ = false;
  std::erase_if(live_, [](const Seated& one) { return one.has_ended; });
  return has_ended_ || changes != changes_;
}

Scheduler::TimeSlice Scheduler::next_in_order(std::uint64_t changes) {
  for (;;) {
    if (!is_in_round_) begin_round(changes);
    while (at_ < live_.size() && (live_[at_].has_ended || reversal_.holds(live_[at_].program))) ++at_;
    if (at_ < live_.size()) return resume(at_, changes);
    const bool has_moved = end_round(changes);
    if (has_moved) idle_rounds_ = 0;
    if (has_moved && !live_.empty()) continue;
    if (may_start()) {
      if (const auto program = next_to_start()) return start(*program);
      continue;
    }
    if (reversal_.release()) continue;
    return {live_.empty() ? TimeSlice::Kind::over : TimeSlice::Kind::idle, 0, 0};
  }
}

/// A random program of those that may continue, or a new one.
Scheduler::TimeSlice Scheduler::next_drawn(std::uint64_t changes) {
  constexpr std::size_t kMostAtOnce = 64;  // unless all of them wait
  if (changes_ != changes) {
    changes_ = changes;
    idle_rounds_ = 0;
    asleep_ = 0;  // whoever waits may find what it waits for
  }
  const std::size_t awake = live_.size() - asleep_;
  const bool may_begin = may_start() && (awake == 0 || live_.size() < kMostAtOnce);
  if (awake == 0 && !may_begin) {
    asleep_ = 0;
    return {live_.empty() ? TimeSlice::Kind::over : TimeSlice::Kind::idle, 0, 0};
  }
  const std::size_t drawn = random_.below(awake + (may_begin ? 1 : 0));
  return drawn == awake ? start(*next_to_start()) : resume(asleep_ + drawn, changes);
}

// ---- ends of turns ----

void Scheduler::note_end() {
  reversal_.note_end(now_.program);
  free_seats_.push_back(now_.seat);
  if (!index_) return;
  if (is_drawn()) {
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(*index_));
    return;
  }
  live_[*index_].has_ended = has_ended_ = true;
  at_ = *index_ + 1;
}

/// After its first turn, it counts as live.
void Scheduler::sit_down() {
  if (index_) return;
  index_ = live_.size();
  live_.push_back(now_);
}

void Scheduler::note_yield(bool has_more_to_do, std::uint64_t changes) {
  if (has_more_to_do) reversal_.note_atomic(now_.program);
  if (has_more_to_do && reversal_.is_on() && !reversal_.holds(now_.program)) {
    goes_on_ = true;
    return;
  }
  const bool was_first = !index_;
  sit_down();
  if (is_drawn()) {
    settle_drawn(*index_, was_first ? changes : now_.seen.value_or(turn_changes_), has_more_to_do, changes);
  } else if (!was_first) {
    at_ = *index_ + 1;
  }
}

/// `seen`: changes of memory at the program's last look before its turn.
void Scheduler::settle_drawn(std::size_t index, std::uint64_t seen, bool has_more_to_do, std::uint64_t changes) {
  live_[index].seen.reset();
  if (has_more_to_do) {
    live_[index].seen = changes;
  } else if (seen == changes) {  // else what it saw is not what is there
    std::swap(live_[index], live_[asleep_++]);
  }
}

Scheduler::TimeSlice Scheduler::take_over(std::uint64_t program, std::uint64_t changes) {
  goes_on_ = false;
  sit_down();
  if (is_drawn() && !live_[*index_].seen) live_[*index_].seen = turn_changes_;
  const auto found = std::find_if(live_.begin(), live_.end(),
                                  [&](const Seated& one) { return one.program == program && !one.has_ended; });
  if (found == live_.end()) {
    if (put_off_ == program) {
      put_off_.reset();
    } else {
      starts_.take_early(program);
    }
    return start(program);
  }
  auto index = static_cast<std::size_t>(found - live_.begin());
  if (!is_drawn()) {
    if (!is_in_round_) begin_round(changes);
    at_ = index;
  } else if (index < asleep_) {
    std::swap(live_[index], live_[--asleep_]);
    index = asleep_;
  }
  return resume(index, changes);
}

// ---- no program can move, it seems ----

std::vector<Scheduler::TimeSlice> Scheduler::waiting() const {
  std::vector<TimeSlice> turns;
  for (const Seated& one : live_) turns.push_back({TimeSlice::Kind::resume, one.program, one.seat});
  return turns;
}

Scheduler::Outlook Scheduler::look_around(const std::vector<ProgramState*>& states) {
  Outlook outlook;
  outlook.is_proven = std::all_of(states.begin(), states.end(), [](const auto* p) { return p->is_stuck; });
  if (!outlook.is_proven && ++idle_rounds_ < kMaxIdleRounds) return outlook;
  const auto first = std::find_if(states.begin(), states.end(),
                                  [](const auto* p) { return p->polling != nullptr && p->poll_may_expire; });
  if (first == states.end()) {
    outlook.is_over = true;
    return outlook;
  }
  (*first)->poll_expired = true;
  outlook.expired = *first;
  return outlook;
}

}  // namespace lockstep::interpreter

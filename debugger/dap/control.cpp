#include "debugger/dap/control.h"

#include <algorithm>
#include <utility>

namespace lockstep::debugger::dap {

void Control::begin(std::function<void()> pause, bool may_be_poked, std::optional<std::int64_t> request) {
  const std::lock_guard lock(mutex_);
  pause_ = std::move(pause);
  may_be_poked_ = may_be_poked;
  request_ = request;
  begun_ = std::chrono::steady_clock::now();
  if (request_ && request_ == cancelled_) wanted_ = std::max(wanted_, Interruption::pause);
}

Interruption Control::end() {
  const std::lock_guard lock(mutex_);
  pause_ = nullptr;
  return std::exchange(wanted_, Interruption::none);
}

bool Control::interrupt(Interruption why) {
  const std::lock_guard lock(mutex_);
  const bool is_kept = !pause_ && expected_ != 0 && why == Interruption::pause;
  if (!is_kept && (!pause_ || (why == Interruption::poke && !may_be_poked_))) return false;
  wanted_ = std::max(wanted_, why);
  if (pause_) pause_();
  return true;
}

void Control::cancel(std::int64_t request) {
  const std::lock_guard lock(mutex_);
  cancelled_ = request;
  if (!pause_ || request_ != request) return;
  wanted_ = std::max(wanted_, Interruption::pause);
  pause_();
}

void Control::expect() {
  const std::lock_guard lock(mutex_);
  ++expected_;
}

void Control::settle() {
  const std::lock_guard lock(mutex_);
  if (--expected_ == 0) wanted_ = Interruption::none;
}

void Control::tick() {
  const std::lock_guard lock(mutex_);
  if (pause_ && wanted_ != Interruption::none) pause_();
}

void Control::look_at_clock() {
  if (!makes_slices() || std::chrono::steady_clock::now() - begun_ < slice_) return;
  interrupt(Interruption::poke);
}

}  // namespace lockstep::debugger::dap

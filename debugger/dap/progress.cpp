#include "debugger/dap/progress.h"

namespace lockstep::debugger::dap {

void Progress::enable() {
  const std::lock_guard lock(mutex_);
  is_enabled_ = true;
}

void Progress::begin(const std::string& title, bool is_cancellable, bool at_once) {
  const std::lock_guard lock(mutex_);
  if (!is_enabled_) return;
  is_running_ = true;
  is_told_ = false;
  is_cancellable_ = is_cancellable;
  title_ = title;
  due_ = Clock::now() + kPatience;
  if (at_once) start();
}

void Progress::start() {
  is_told_ = true;
  id_ = "lockstep-" + std::to_string(next_id_++);
  due_ = Clock::now() + kUpdates;
  channel_.event("progressStart",
                 Json::record({{"progressId", id_}, {"title", title_}, {"cancellable", is_cancellable_}}));
}

void Progress::end() {
  const std::lock_guard lock(mutex_);
  if (is_told_ && is_running_) channel_.event("progressEnd", Json::record({{"progressId", id_}}));
  is_running_ = is_told_ = false;
}

bool Progress::tick() {
  const std::lock_guard lock(mutex_);
  if (!is_running_ || Clock::now() < due_) return false;
  if (is_told_) return true;
  start();
  return false;
}

void Progress::update(const std::string& message, std::int64_t percentage) {
  const std::lock_guard lock(mutex_);
  if (!is_running_ || !is_told_ || Clock::now() < due_) return;
  due_ = Clock::now() + kUpdates;
  Json body = Json::record({{"progressId", id_}, {"message", message}});
  if (percentage >= 0) body.set("percentage", percentage);
  channel_.event("progressUpdate", std::move(body));
}

bool Progress::is_current(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return is_running_ && is_told_ && id == id_;
}

}  // namespace lockstep::debugger::dap

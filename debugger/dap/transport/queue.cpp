#include "debugger/dap/transport/queue.h"

#include <algorithm>

namespace lockstep::debugger::dap {

void Queue::push(Request request) {
  std::unique_lock lock(mutex_);
  has_room_.wait(lock, [this] { return waiting_.size() < kMaxWaiting || is_closed_; });
  if (is_closed_) return;
  waiting_.push_back(std::move(request));
  has_some_.notify_one();
}

std::optional<Request> Queue::pop() {
  std::unique_lock lock(mutex_);
  has_some_.wait(lock, [this] { return !waiting_.empty() || is_closed_; });
  if (waiting_.empty()) return std::nullopt;
  Request request = std::move(waiting_.front());
  waiting_.pop_front();
  has_room_.notify_one();
  return request;
}

std::optional<Request> Queue::pop_if(const std::function<bool(const Request&)>& is_wanted) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty() || !is_wanted(waiting_.front())) return std::nullopt;
  Request request = std::move(waiting_.front());
  waiting_.pop_front();
  has_room_.notify_one();
  return request;
}

bool Queue::has(const std::function<bool(const Request&)>& is_wanted) {
  const std::lock_guard lock(mutex_);
  return std::any_of(waiting_.begin(), waiting_.end(), is_wanted);
}

std::optional<Request> Queue::withdraw(std::int64_t seq) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(waiting_.begin(), waiting_.end(), [seq](const Request& request) { return request.seq == seq; });
  if (found == waiting_.end()) return std::nullopt;
  Request request = std::move(*found);
  waiting_.erase(found);
  has_room_.notify_one();
  return request;
}

void Queue::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  has_some_.notify_all();
  has_room_.notify_all();
}

}  // namespace lockstep::debugger::dap

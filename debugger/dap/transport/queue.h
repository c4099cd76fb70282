// Queue: requests on their way from the thread that reads them to the one that answers, and the client's withdrawals of
// them. Bounded: a client that asks faster than answers come has to wait. From any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "debugger/dap/transport/channel.h"

namespace lockstep::debugger::dap {

class Queue {
 public:
  static constexpr std::size_t kMaxWaiting = 1000;

  /// Waits for room.
  void push(Request request);
  /// Waits for one; nullopt: closed, and none is left.
  std::optional<Request> pop();
  /// The first one if `is_wanted` holds for it; does not wait.
  std::optional<Request> pop_if(const std::function<bool(const Request&)>& is_wanted);
  /// A wanted one is waiting.
  bool has(const std::function<bool(const Request&)>& is_wanted);
  /// Takes out the one with that number; nullopt: none is waiting.
  std::optional<Request> withdraw(std::int64_t seq);
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable has_some_, has_room_;
  std::deque<Request> waiting_;
  bool is_closed_ = false;
};

}  // namespace lockstep::debugger::dap

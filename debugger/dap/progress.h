// Progress: tells the client about long work, one thing at a time: that it runs, how far it is, that it is over;
// nothing at first. From any thread. Not here: the work itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "debugger/dap/transport/channel.h"

namespace lockstep::debugger::dap {

class Progress {
 public:
  static constexpr std::chrono::milliseconds kPatience{500}, kUpdates{1000};

  explicit Progress(Channel& channel) : channel_(channel) {}

  /// The client asks for it; before that, nothing is sent.
  void enable();
  /// `at_once`: without patience.
  void begin(const std::string& title, bool is_cancellable, bool at_once = false);
  void end();
  /// Called now and then. True: an update is due.
  bool tick();
  /// `percentage`: 0 to 100, or negative: unknown.
  void update(const std::string& message, std::int64_t percentage);
  /// It is running, and the client knows it under that name.
  bool is_current(const std::string& id);

 private:
  using Clock = std::chrono::steady_clock;
  void start();

  Channel& channel_;
  std::mutex mutex_;
  bool is_enabled_ = false, is_running_ = false, is_told_ = false, is_cancellable_ = false;
  std::string title_, id_;
  std::int64_t next_id_ = 1;
  Clock::time_point due_;
};

}  // namespace lockstep::debugger::dap

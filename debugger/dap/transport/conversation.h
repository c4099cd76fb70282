// Conversation: answers a client's requests, one after the other, and reports the launch's events.
#pragma once

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

class Conversation {
 public:
  Conversation(Channel& channel, const Offer& offer, Control& control, Progress& progress, Queue& queue)
      : state_(channel, offer, control, progress, queue) {}

  /// Sends exactly one response, and events.
  void handle(const Request& request);
  /// The client said goodbye.
  bool has_ended() const { return state_.has_ended; }

  // ---- where runs are made in slices (Control::make_slices) ----
  /// A run has stopped at the end of its slice; it is not answered for yet.
  bool is_under_way() const { return state_.unfinished.has_value(); }
  void go_on();
  /// It ends at its current point: as a pause, or silently.
  void stop_run();
  void leave_run();

 private:
  State state_;
};

}  // namespace lockstep::debugger::dap

// PauseOnInterrupt: while it lives, Ctrl-C (SIGINT) pauses a running session, and does nothing between moves. Nestable:
// the innermost one's session pauses.
#pragma once

#include <csignal>

#include "debugger/session/session.h"

namespace lockstep::debugger {

class PauseOnInterrupt {
 public:
  explicit PauseOnInterrupt(Session& session);
  ~PauseOnInterrupt();
  PauseOnInterrupt(const PauseOnInterrupt&) = delete;
  PauseOnInterrupt& operator=(const PauseOnInterrupt&) = delete;

 private:
  Session* around_;
  struct sigaction before_ = {};
};

/// How many times the user typed Ctrl-C during a PauseOnInterrupt.
unsigned interrupts_seen();

}  // namespace lockstep::debugger

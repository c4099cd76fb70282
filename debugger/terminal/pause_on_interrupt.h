// PauseOnInterrupt: while it lives, Ctrl-C (SIGINT) pauses a session that runs, and does nothing between moves. They
// may be nested; the innermost one's session is paused.
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

/// How many times Ctrl-C was typed while there was a PauseOnInterrupt.
unsigned interrupts_seen();

}  // namespace lockstep::debugger

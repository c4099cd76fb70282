// Ctrl-C: the first one stops the launch at its next step, a second one ends the process at once (exit code 130).
#pragma once

#include <atomic>
#include <csignal>

namespace lockstep::cli {

/// Installs the handler of SIGINT for the life of the object, and restores the handler before it. May be nested.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  /// Becomes true with the first Ctrl-C.
  const std::atomic<bool>* flag() const;

 private:
  struct sigaction before_ = {};
};

}  // namespace lockstep::cli

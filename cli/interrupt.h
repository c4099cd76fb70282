// Ctrl-C: the first one asks the launch to stop at its next step, a second one ends the process at once (exit code
// 130).
#pragma once

#include <atomic>
#include <csignal>

namespace lockstep::cli {

/// Installs the handler of SIGINT for the life of the object, and restores what was there before. May be nested.
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

#include "cli/interrupt.h"

#include <unistd.h>

#include "cli/exit_code.h"

namespace lockstep::cli {
namespace {

std::atomic<bool> is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void handle_interrupt(int) {
  if (is_interrupted.exchange(true)) _exit(static_cast<int>(ExitCode::interrupted));
}

}  // namespace

InterruptGuard::InterruptGuard() {
  is_interrupted = false;
  struct sigaction action = {};
  action.sa_handler = handle_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}
InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool>* InterruptGuard::flag() const { return &is_interrupted; }

}  // namespace lockstep::cli

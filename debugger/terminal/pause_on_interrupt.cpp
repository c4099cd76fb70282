#include "debugger/terminal/pause_on_interrupt.h"

#include <atomic>

namespace lockstep::debugger {

namespace {

std::atomic<Session*> running{nullptr};
std::atomic<unsigned> count{0};

void pause_running(int) {
  ++count;
  if (Session* session = running) session->engine().pause();
}

}  // namespace

unsigned interrupts_seen() { return count; }

PauseOnInterrupt::PauseOnInterrupt(Session& session) : around_(running.exchange(&session)) {
  struct sigaction action = {};
  action.sa_handler = pause_running;
  action.sa_flags = SA_RESTART;  // a read that is interrupted would look like the end of the input
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}

PauseOnInterrupt::~PauseOnInterrupt() {
  sigaction(SIGINT, &before_, nullptr);
  running = around_;
}

}  // namespace lockstep::debugger

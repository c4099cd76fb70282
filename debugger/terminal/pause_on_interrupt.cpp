#include "debugger/terminal/pause_on_interrupt.h"

#include <atomic>

namespace lockstep::debugger {

namespace {

std::atomic<Session*> running{nullptr};

void pause_running(int) {
  if (Session* session = running) session->pause();
}

}  // namespace

PauseOnInterrupt::PauseOnInterrupt(Session& session) : around_(running.exchange(&session)) {
  struct sigaction action = {};
  action.sa_handler = pause_running;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}

PauseOnInterrupt::~PauseOnInterrupt() {
  sigaction(SIGINT, &before_, nullptr);
  running = around_;
}

}  // namespace lockstep::debugger

#include "interpreter/launch/machine.h"

#include <chrono>

namespace lockstep::interpreter {

using Clock = std::chrono::steady_clock;

namespace {
/// About a millisecond; some steps cost up to twenty times their nominal cost.
constexpr std::int64_t kCostBetweenPolls = 250'000;
}  // namespace

Tile Machine::allocate(const TileType& type) {
  Tile made;
  made.form = Form::dense;
  made.is_contiguous = true;
  made.buffer = pool.acquire(type.bytes());
  made.base = reinterpret_cast<std::uint64_t>(made.buffer->data());
  set_row_major(type, made.stride);
  return made;
}

void Machine::run() {
  if (runner != nullptr) return runner->run(*this);
  status = Status::running;
  const Step* step = program->next;
  while (step != nullptr) {
    if (!poll(step->cost)) [[unlikely]] {
      program->next = step;
      return;
    }
    step = step->run(*this, step);
  }
}

bool Machine::poll_slowly() {
  if (launch.stop != nullptr && launch.stop->load(std::memory_order_relaxed)) {
    launch.interrupted = true;
    launch.abort = true;
  }
  if (launch.deadline != Clock::time_point::max() && Clock::now() >= launch.deadline) {
    launch.timed_out = true;
    launch.abort = true;
  }
  if (program != nullptr && program->steps > launch.max_steps) {
    launch.timed_out = true;
    launch.abort = true;
  }
  if (on_poll && !on_poll()) {
    launch.interrupted = true;
    launch.abort = true;
  }
  if (!launch.abort.load(std::memory_order_relaxed)) {
    poll_budget = kCostBetweenPolls;
    return true;
  }
  poll_budget = 0;  // whoever polls next stops as well
  status = Status::stopped;
  return false;
}

}  // namespace lockstep::interpreter

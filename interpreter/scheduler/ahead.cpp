#include "interpreter/scheduler/ahead.h"

#include "interpreter/batching/batch_plan.h"

namespace lockstep::interpreter {

void Ahead::run_from(std::uint64_t program) {
  const std::uint32_t programs = plan_->function->programs;
  const auto row = static_cast<std::uint64_t>(runner_.launch().grid[0]);
  if (program % row + programs > row) return;
  const Plan* plan = machine_.plan;
  const std::uint64_t bytes_read = machine_.bytes_read;  // programs count their loads themselves
  machine_.ahead = {};
  machine_.plan = plan_->plan.get();
  machine_.batch.programs = programs;
  machine_.batch.has_failed = false;
  if (state_.slots.empty()) runner_.prepare(machine_, state_);
  machine_.program = &state_;
  machine_.slots = state_.slots.data();
  runner_.start(*machine_.plan, state_, program);
  machine_.run();
  machine_.plan = plan;
  machine_.batch.programs = 0;
  machine_.bytes_read = bytes_read;
  if (machine_.status == Status::done && !machine_.batch.has_failed) {
    machine_.ahead = {program, programs, plan_, &state_};
    ++runner_.launch().ahead_runs;
  } else {
    plan_ = nullptr;
  }
}

}  // namespace lockstep::interpreter

#include "interpreter/launch/stepped_launch.h"

#include "interpreter/scheduler/execution_mode.h"

namespace lockstep::interpreter {

std::unique_ptr<SteppedLaunch> SteppedLaunch::make(const PreparedKernel& kernel, const RunRequest& request,
                                                   DiagnosticSink& sink) {
  std::unique_ptr<SteppedLaunch> made(new SteppedLaunch());
  Launch& launch = made->launch_;
  const auto schedule = kernel.set_up(request, 1, launch, sink);
  if (!schedule) return nullptr;
  made->is_in_order_ = schedule->in_order;
  made->written_ = written_storages(request, kernel.effects_);
  for (ViewRange& view : launch.views) view.is_constant = view.is_streamed = false;
  launch.is_ordered = true;
  launch.logs_updates = false;
  made->programs_ = static_cast<std::uint64_t>(launch.grid[0]) * static_cast<std::uint64_t>(launch.grid[1]) *
                    static_cast<std::uint64_t>(launch.grid[2]);
  made->machine_ = std::make_unique<Machine>(launch);
  return made;
}

std::array<std::int32_t, 3> SteppedLaunch::id_of(std::uint64_t number) const {
  const auto x = static_cast<std::uint64_t>(launch_.grid[0]), y = static_cast<std::uint64_t>(launch_.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

void SteppedLaunch::begin(ProgramState& program, std::uint64_t number) {
  const Plan& plan = *launch_.plan;
  for (Tile& tile : program.slots) machine_->pool.release(tile);
  program = {};
  program.number = number;
  program.id = id_of(number);
  program.slots.resize(plan.slot_types.size());
  for (const auto& [slot, tile] : plan.constants) program.slots[slot] = tile;
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) program.slots[plan.arguments[i]] = launch_.arguments[i];
  program.next = plan.prologue;
  machine_->program = &program;
  machine_->slots = program.slots.data();
  machine_->run();  // the prologue: empty where values are kept, apart from its end
  program.next = plan.entry;
}

}  // namespace lockstep::interpreter

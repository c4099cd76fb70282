#include "interpreter/scheduler/program_runner.h"

#include <algorithm>

#include "support/check.h"

namespace lockstep::interpreter {

namespace {

/// After so many failed batches, with fewer than so many whole ones for each, the rest of the launch runs without.
constexpr std::uint64_t kFailedBatches = 4, kWholePerFailed = 4;

}  // namespace

ProgramRunner::ProgramRunner(Launch& launch) : launch_(launch) {
  programs_ = static_cast<std::uint64_t>(launch_.grid[0]) * static_cast<std::uint64_t>(launch_.grid[1]) *
              static_cast<std::uint64_t>(launch_.grid[2]);
  if (!launch_.only.empty()) {
    programs_ = units_ = units_in_row_ = launch_.only.size();
    return;
  }
  const auto row = static_cast<std::uint64_t>(launch_.grid[0]);
  units_in_row_ = (row + launch_.batch_programs - 1) / launch_.batch_programs;
  units_ = row == 0 ? 0 : programs_ / row * units_in_row_;
}

void ProgramRunner::stop_before(std::uint64_t end) {
  LOCKSTEP_CHECK(launch_.batch_programs == 1, "some programs of a grid run without batches");
  programs_ = units_ = std::min(end, programs_);
}

std::uint64_t ProgramRunner::first_program(std::uint64_t unit_number) const {
  return unit_number < units_ ? unit(unit_number).first : programs_;
}

std::array<std::int32_t, 3> ProgramRunner::id_of(std::uint64_t number) const {
  const auto x = static_cast<std::uint64_t>(launch_.grid[0]), y = static_cast<std::uint64_t>(launch_.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

ProgramRunner::Unit ProgramRunner::unit(std::uint64_t number) const {
  if (!launch_.only.empty()) return {number, 1};
  const auto row = static_cast<std::uint64_t>(launch_.grid[0]);
  const std::uint64_t x = number % units_in_row_ * launch_.batch_programs;
  return {number / units_in_row_ * row + x,
          static_cast<std::uint32_t>(std::min<std::uint64_t>(launch_.batch_programs, row - x))};
}

void ProgramRunner::prepare(Machine& machine, ProgramState& program) const {
  const Plan& plan = *machine.plan;
  program.slots.resize(plan.slot_types.size());
  for (const auto& [slot, tile] : plan.constants) program.slots[slot] = tile;
  for (std::size_t i = 0; i < launch_.arguments.size(); ++i) program.slots[plan.arguments[i]] = launch_.arguments[i];
  program.next = plan.prologue;
  machine.program = &program;
  machine.slots = program.slots.data();
  machine.run();
}

void ProgramRunner::start(const Plan& plan, ProgramState& program, std::uint64_t number) const {
  program.number = launch_.only.empty() ? number : launch_.only[number];
  program.id = id_of(program.number);
  program.next = plan.entry;
  program.observed = program.last_observed = program.carried = program.back_edges = program.steps = 0;
  program.clock = 0;
  program.changed_memory = true;
  program.is_stuck = program.is_faulted = false;
  program.waiting_at = nullptr;
  program.polling = nullptr;
}

bool ProgramRunner::run_program(Machine& machine, ProgramState& program, std::uint64_t number) {
  start(*launch_.plan, program, number);
  machine.run();
  if (machine.status != Status::done) return false;
  machine.note_end(program);
  note_done();
  return true;
}

// ---- batches ----

Status ProgramRunner::run_batch(Worker& worker, const Unit& unit) {
  Machine& machine = worker.machine;
  const std::uint64_t bytes_read = machine.bytes_read, bytes_written = machine.bytes_written;
  machine.plan = launch_.plan_of_batches;
  machine.batch.programs = unit.programs;
  machine.batch.has_failed = false;
  machine.batch.stores.clear();
  if (worker.batch.slots.empty()) prepare(machine, worker.batch);
  machine.program = &worker.batch;
  machine.slots = worker.batch.slots.data();
  start(*machine.plan, worker.batch, unit.first);
  machine.run();
  machine.plan = launch_.plan;
  machine.batch.programs = 0;
  machine.program = &worker.program;
  machine.slots = worker.program.slots.data();
  if (machine.status == Status::done && machine.batch.has_failed) machine.status = Status::bailed;
  if (machine.status == Status::done) {
    machine.note_end(worker.batch, unit.programs);
    note_done(unit.programs);
    launch_.batches.fetch_add(1, std::memory_order_relaxed);
  } else if (machine.status == Status::bailed) {
    machine.bytes_read = bytes_read;
    machine.bytes_written = bytes_written;
    note_failed_batch();
  }
  return machine.status;
}

/// If too many batches fail, they only cost time.
void ProgramRunner::note_failed_batch() {
  const std::uint64_t failed = launch_.failed_batches.fetch_add(1, std::memory_order_relaxed) + 1;
  const std::uint64_t whole = launch_.batches.load(std::memory_order_relaxed);
  if (failed >= kFailedBatches && failed * kWholePerFailed > whole) launch_.gave_up_batches = true;
}

bool ProgramRunner::run_unit(Worker& worker, std::uint64_t number) {
  const Unit programs = unit(number);
  if (programs.programs == launch_.batch_programs && programs.programs > 1 &&
      !launch_.gave_up_batches.load(std::memory_order_relaxed)) {
    const Status status = run_batch(worker, programs);
    if (status != Status::bailed) return status == Status::done;
  }
  for (std::uint32_t i = 0; i < programs.programs; ++i) {
    if (!run_program(worker.machine, worker.program, programs.first + i)) return false;
  }
  return true;
}

}  // namespace lockstep::interpreter

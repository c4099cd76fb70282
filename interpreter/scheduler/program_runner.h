// ProgramRunner: runs programs of a launch, and batches of them that run as one, to their end on a thread's machine.
// Invariant: a program depends on its number and memory alone, not on the thread. Any thread; a Worker belongs to one.
// Not here: which programs run when, and on which thread (grid.h, team.h, cooperative.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "interpreter/launch/machine.h"

namespace lockstep::interpreter {

/// One thread's part in a launch.
struct Worker {
  explicit Worker(Launch& launch) : machine(launch) {}
  Machine machine;
  ProgramState program;
  ProgramState batch;  // several programs that run as one; without slots until the first
};

class ProgramRunner {
 public:
  explicit ProgramRunner(Launch& launch);

  Launch& launch() { return launch_; }
  /// Programs of the grid, or those of Launch::only; they are counted 0, 1, ... here.
  std::uint64_t programs() const { return programs_; }
  /// Adjacent programs along x that may run as one.
  struct Unit {
    std::uint64_t first = 0;
    std::uint32_t programs = 1;
  };
  std::uint64_t units() const { return units_; }
  Unit unit(std::uint64_t number) const;
  /// The first program of a unit, or programs() after the last one.
  std::uint64_t first_program(std::uint64_t unit_number) const;
  /// Leaves out the programs from `end` on. Precondition: the launch has no batches.
  void stop_before(std::uint64_t end);

  /// Makes the slots of a program for the machine's plan and runs the prologue.
  void prepare(Machine& machine, ProgramState& program) const;
  /// Puts a prepared program at the start of the plan.
  void start(const Plan& plan, ProgramState& program, std::uint64_t number) const;
  /// The worker's program is prepared. False: the launch stops.
  bool run_unit(Worker& worker, std::uint64_t number);

  /// Programs that have run.
  std::uint64_t done() const { return done_.load(); }
  void note_done(std::uint64_t programs = 1) { done_.fetch_add(programs, std::memory_order_relaxed); }
  /// Those before it have run, and the others do not count.
  void set_done(std::uint64_t programs) { done_ = programs; }

 private:
  std::array<std::int32_t, 3> id_of(std::uint64_t number) const;
  bool run_program(Machine& machine, ProgramState& program, std::uint64_t number);
  /// done: all its programs have run; bailed: none of them has; stopped.
  Status run_batch(Worker& worker, const Unit& unit);
  void note_failed_batch();

  Launch& launch_;
  std::uint64_t programs_ = 0;
  std::uint64_t units_ = 0, units_in_row_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

}  // namespace lockstep::interpreter

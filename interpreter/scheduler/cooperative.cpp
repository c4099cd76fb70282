#include "interpreter/scheduler/cooperative.h"

#include <memory>
#include <vector>

#include "interpreter/scheduler/ahead.h"
#include "interpreter/scheduler/deadlock.h"
#include "interpreter/scheduler/scheduler.h"

namespace lockstep::interpreter {

namespace {

/// A launch's programs that have started and not ended, and the actions on them.
class Cooperation {
 public:
  Cooperation(ProgramRunner& runner, Machine& machine, std::uint64_t first)
      : runner_(runner),
        launch_(runner.launch()),
        machine_(machine),
        ahead_(runner, machine),
        order_(first, runner.programs(), launch_.schedule, launch_.resident) {}

  /// False: a deadlock.
  bool run() {
    using Kind = Scheduler::TimeSlice::Kind;
    for (;;) {
      const Scheduler::TimeSlice turn = order_.next(machine_.memory_changes);
      if (turn.kind == Kind::over || !machine_.poll()) return true;
      if (turn.kind == Kind::idle) {
        if (!wait_or_give_up()) return false;
        continue;
      }
      if (turn.kind == Kind::start) start(turn);
      resume(*seats_[turn.seat]);
      if (launch_.abort) return true;
    }
  }

 private:
  void start(const Scheduler::TimeSlice& turn) {
    ahead_.before_start(turn.program);
    if (turn.seat == seats_.size()) {
      seats_.push_back(std::make_unique<ProgramState>());
      runner_.prepare(machine_, *seats_.back());
    }
    runner_.start(*launch_.plan, *seats_[turn.seat], turn.program);
  }

  void resume(ProgramState& program) {
    machine_.program = &program;
    machine_.slots = program.slots.data();
    program.has_more_to_do = false;
    machine_.run();
    if (machine_.status == Status::yielded) return order_.note_yield(program.has_more_to_do, machine_.memory_changes);
    if (machine_.status != Status::done) return;
    order_.note_end();
    machine_.note_end(program);
    runner_.note_done();
  }

  /// False: no program will move any more.
  bool wait_or_give_up() {
    std::vector<ProgramState*> states;
    for (const Scheduler::TimeSlice& one : order_.waiting()) states.push_back(seats_[one.seat].get());
    const Scheduler::Outlook outlook = order_.look_around(states);
    if (!outlook.is_over) return true;
    report_deadlock(machine_, {states.begin(), states.end()},
                    {outlook.is_proven, Scheduler::kMaxIdleRounds, order_.not_started()});
    return false;
  }

  ProgramRunner& runner_;
  Launch& launch_;
  Machine& machine_;
  Ahead ahead_;
  Scheduler order_;
  std::vector<std::unique_ptr<ProgramState>> seats_;  // of programs that live, and of some that have ended
};

}  // namespace

bool run_cooperatively(ProgramRunner& runner, Machine& machine, std::uint64_t first) {
  return Cooperation(runner, machine, first).run();
}

}  // namespace lockstep::interpreter

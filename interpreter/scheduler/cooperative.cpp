// Programs in order, on one thread, as TurnOrder says: one that only waits gives way, and a state in which nobody can
// ever move again is a proven deadlock.
#include <exception>
#include <memory>

#include "interpreter/scheduler/deadlock.h"
#include "interpreter/scheduler/grid.h"
#include "interpreter/scheduler/turn_order.h"

namespace lockstep::interpreter {

/// A launch's programs that were started and have not ended, and what may be done with them.
class Cooperation {
 public:
  explicit Cooperation(Grid& grid)
      : grid_(grid),
        launch_(grid.launch_),
        machine_(grid.launch_),
        order_(grid.next_, grid.programs_, grid.launch_.schedule, grid.launch_.resident) {
    grid_.watch(machine_);
  }
  Machine& machine() { return machine_; }

  void run() {
    using Kind = TurnOrder::Turn::Kind;
    for (;;) {
      const TurnOrder::Turn turn = order_.next(machine_.memory_changes);
      if (turn.kind == Kind::over || !machine_.poll()) return;
      if (turn.kind == Kind::idle) {
        if (!wait_or_give_up()) return;
        continue;
      }
      if (turn.kind == Kind::start) start(turn);
      resume(*seats_[turn.seat]);
      if (launch_.abort) return;
    }
  }

 private:
  void start(const TurnOrder::Turn& turn) {
    if (turn.seat == seats_.size()) {
      seats_.push_back(std::make_unique<ProgramState>());
      grid_.prepare(machine_, *seats_.back());
    }
    grid_.start(*launch_.plan, *seats_[turn.seat], turn.program);
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
    grid_.done_.fetch_add(1, std::memory_order_relaxed);
  }

  /// False: nobody will move any more.
  bool wait_or_give_up() {
    std::vector<ProgramState*> states;
    for (const TurnOrder::Turn& one : order_.waiting()) states.push_back(seats_[one.seat].get());
    const TurnOrder::Outlook outlook = order_.look_around(states);
    if (!outlook.is_over) return true;
    report_deadlock(machine_, {states.begin(), states.end()},
                    {outlook.is_proven, TurnOrder::kMaxIdleRounds, order_.not_started()});
    grid_.deadlocked_ = true;
    return false;
  }

  Grid& grid_;
  Launch& launch_;
  Machine machine_;
  TurnOrder order_;
  std::vector<std::unique_ptr<ProgramState>> seats_;  // of programs that live, and of some that have ended
};

void Grid::run_in_order() {
  launch_.is_ordered = true;
  Cooperation programs(*this);
  try {
    programs.run();
  } catch (const std::bad_alloc&) {
    launch_.out_of_memory = true;
  }
  collect(programs.machine());
  collect_touched(programs.machine());
}

}  // namespace lockstep::interpreter

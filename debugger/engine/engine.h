// Engine: runs a launch under a debugger, forwards and backwards: until something stops it, to programs, along
// timelines that people change, and into the past and back. Going backwards is exact: the engine restores a checkpoint
// with its memory, and runs again from there. Invariants: those of Runner, which moves it. Thread: one, apart from
// pause(). Memory: see Options. Not here: terminals, DAP, expressions, steps by op and line (steps.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debugger/engine/runner.h"

namespace lockstep::debugger {

enum class Direction : std::uint8_t { forward, backward };

class Engine : public Runner {
 public:
  /// `request`: without stop, poll and progress. Lines of tt.print go to request.print once. Null: diagnosed (also if
  /// the copy of the kernel's outputs does not fit into history_bytes: LS3012).
  static std::unique_ptr<Engine> make(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                                      const interpreter::RunRequest& request, const Options& options,
                                      DiagnosticSink& sink);
  ~Engine() = default;

  // ---- results so far ----
  /// By mark; includes those of the next op, if the launch stopped for them.
  const std::vector<std::pair<Mark, Finding>>& findings() const { return log_.all(); }
  /// Programs that ended without a finding of tier error, rising, as in LaunchReport.
  std::vector<interpreter::ProgramRange> finished() const;
  /// The outcome so far; not completed only after Stop::Reason::limit or deadlock.
  interpreter::Outcome outcome() const { return outcome_; }
  /// A hash of everything that decides what happens next, and of what was written: equal states have equal hashes.
  std::uint64_t state_hash() const;

  // ---- going ----
  /// Goes until `is_there` holds at a point (asked there, after at least one step), or something stops it. Empty: until
  /// something does.
  using Goal = std::function<bool()>;
  Stop go(Direction direction, const Goal& is_there);
  /// Goes to the first point of the program in its first turn; runs earlier programs in order, or goes back.
  Stop go_to_program(std::uint64_t number);
  /// Goes to after the `number`th execution (from 1) of an op in a program, without stopping before. False: the program
  /// does not execute it so often; then the engine stops somewhere else. On a scoped replay: throws Paused.
  bool go_behind(std::uint64_t program, const ir::Op& op, std::uint64_t number);
  /// The program takes its turn now, out of order if need be; part of this timeline from now on. False: it has ended,
  /// or no program is at a point.
  bool switch_to(std::uint64_t number);
  Stop restart();  // stands at the first point
  /// From any thread or a signal handler: go() returns soon, with Reason::paused; a scoped replay ends soon.
  void pause() { is_pausing_ = true; }
  /// pause() came and was not handled yet. Becomes false when something moves, or a scoped replay begins.
  const std::atomic<bool>& is_pausing() const { return is_pausing_; }
  void forget_pause() { is_pausing_ = false; }
  /// Called now and then while go() goes forward, so that a host with one thread can call pause(). Empty: nothing.
  void set_on_way(std::function<void()> on_way) { on_way_ = std::move(on_way); }
  /// Stops before an op that makes a finding for which this holds: the launch finds it by running the op, and goes back
  /// to before it. Continuing from there passes the op without stopping for it again. Default: tier error.
  void catch_findings(std::function<bool(const Finding&)> is_caught) { log_.set_caught(std::move(is_caught)); }

  // ---- edits: the present timeline forks at the present mark; its future is forgotten ----
  /// Bytes of a value of the current program, row-major, of the slot's type.
  void set_value(interpreter::Slot slot, const std::string& bytes);
  /// Admitted bytes of a storage of the launch.
  void set_memory(std::uint64_t address, const std::string& bytes);
  /// Several places at once: one fork.
  struct MemoryEdit {
    std::uint64_t address = 0;
    std::string bytes;
  };
  void set_memory(const std::vector<MemoryEdit>& edits);
  /// Goes to where that timeline was left. False: there is none.
  bool switch_timeline(std::uint32_t id);

  /// Bytes of one storage before the launch.
  bool read_before(std::uint64_t address, std::size_t bytes, char* out) const;
  /// Calls `act` with memory as it was before the launch, and restores it afterwards. False: there is no room for a
  /// copy of what the kernel may write, and `act` was not called.
  bool with_memory_before(const std::function<void()>& act);

  // ---- the past again, for questions ----
  /// Runs [from, to) again, without breakpoints and without running ahead. `visit`: called at each point, and at its
  /// end; each may be empty. Stays there. Precondition: within a scoped replay; throws Paused.
  void replay(Mark from, Mark to, const std::function<void()>& visit, const AccessObserver& witness);
  /// While it lives, somebody looks at the past. Afterwards the engine is where it was, with all that was known there:
  /// at once if the history had room for a copy of the present, else by running again.
  class ScopedReplay {
   public:
    explicit ScopedReplay(Engine& engine);
    ~ScopedReplay();
    ScopedReplay(const ScopedReplay&) = delete;
    ScopedReplay& operator=(const ScopedReplay&) = delete;
    /// The engine stays here for good.
    void stay();

   private:
    struct Kept;
    Engine& engine_;
    std::unique_ptr<Kept> kept_;  // null: it stays
  };
  /// The present position, to come back to.
  struct ReturnMark {
    Mark mark;
    bool is_end = false;
  };
  ReturnMark home() const { return {mark(), point() == nullptr}; }

 private:
  using Runner::Runner;

  /// What stops the launch at its current point.
  struct Found {
    Stop at_op;     // before the op that ran last: findings, breakpoints that look at its results
    Stop after_op;  // behind it: watches, findings of the turn's end
    Stop at_point;  // breakpoints
    bool is_there = false;
  };
  Found look(const Goal& is_there, bool counts);
  Stop forward(const Goal& is_there);
  /// Whether pause() came; clears it.
  bool was_paused();
  Stop backward(const Goal& is_there);
  /// Goes to a mark before `end` from which a search sees everything up to `end`.
  void start_search(Mark end, bool has_goal);
  struct Past {
    Mark at;
    Stop stop;
    FindingLog::Made made;   // by the op there
    bool is_for_op = false;  // it stops for what the op makes
  };
  std::optional<Past> last_stop_before(Mark end, const Goal& is_there);
  Stop stop_of(Next next);
  /// Goes to before the op that makes the findings, and stops for them.
  void stand_before(Mark op, const FindingLog::Made& made);
  void fork();
  void return_to(const ReturnMark& home);

  std::uint32_t visits_ = 0;  // since on_way_ was called
};

}  // namespace lockstep::debugger

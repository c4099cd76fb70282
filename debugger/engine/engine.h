// Engine: runs a launch under a debugger, forwards and backwards: until something stops it, to programs, along
// timelines that people change, and into the past and back. Going backwards is exact: a checkpoint is put back, memory
// with it, and the way from there is run again. Invariants: those of Runner, which moves it; nothing here knows a
// terminal, DAP or expressions. Thread: one, apart from pause(). Memory: see Options. Not here: steps by op and line
// (steps.h).
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
  /// `request`: without stop, poll and progress. Lines of tt.print go to request.print once. Null: diagnosed (also
  /// where the copy of what the kernel writes does not fit into history_bytes: LS3012).
  static std::unique_ptr<Engine> make(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                                      const interpreter::RunRequest& request, const Options& options,
                                      DiagnosticSink& sink);
  ~Engine() = default;

  // ---- what has come about ----
  /// Up to now, by mark; also those of the op that it stands before, where it stopped for them.
  const std::vector<std::pair<Mark, Finding>>& findings() const { return log_.all(); }
  /// Programs that ended without a finding of tier error, rising, as in LaunchReport.
  std::vector<interpreter::ProgramRange> finished() const;
  /// The outcome so far; not completed only after Stop::Reason::limit or deadlock.
  interpreter::Outcome outcome() const { return outcome_; }
  /// Of everything that decides what happens next and of what was written: equal states have equal hashes.
  std::uint64_t state_hash() const;

  // ---- going ----
  /// Goes until `is_there` holds at a point (asked standing there, after at least one step), or something stops it.
  /// Empty: until something does.
  using Goal = std::function<bool()>;
  Stop go(Direction direction, const Goal& is_there);
  /// Stands at the first point of the program in its first turn; runs what comes before it in order, or goes back.
  Stop go_to_program(std::uint64_t number);
  /// Stands behind the `number`th execution (from 1) of an op in a program, without stopping on the way. False: the
  /// program does not execute it so often; it stands somewhere else then. On a scoped replay: throws Paused.
  bool go_behind(std::uint64_t program, const ir::Op& op, std::uint64_t number);
  /// The program takes its turn now, out of order where it is not its turn; part of this timeline from now on. False:
  /// it has ended, or nobody stands at a point.
  bool switch_to(std::uint64_t number);
  Stop restart();  // stands at the first point
  /// From any thread or a signal handler: go() returns soon, with Reason::paused; a scoped replay ends soon.
  void pause() { is_pausing_ = true; }
  /// pause() came and nobody has heard of it. Becomes false when something moves, or a scoped replay begins.
  const std::atomic<bool>& is_pausing() const { return is_pausing_; }
  void forget_pause() { is_pausing_ = false; }
  /// Called now and then while go() goes forward, so that a host with one thread can call pause(). Empty: nothing.
  void set_on_way(std::function<void()> on_way) { on_way_ = std::move(on_way); }
  /// Stops before an op that makes a finding for which this holds: it is found when the op has run, and the launch goes
  /// back to before it. Going on from there passes the op without stopping for it again. Default: tier error.
  void catch_findings(std::function<bool(const Finding&)> is_caught) { log_.set_caught(std::move(is_caught)); }

  // ---- what if: the present timeline forks at the present mark; its future is forgotten ----
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

  /// Bytes of one storage as the launch found them.
  bool read_before(std::uint64_t address, std::size_t bytes, char* out) const;
  /// Calls `act` while memory is as the launch found it; afterwards it is as it is now. False: there is no room for a
  /// copy of what the kernel may write, and nothing was called.
  bool with_memory_before(const std::function<void()>& act);

  // ---- the past once more, for questions ----
  /// Runs [from, to) again; no breakpoint stops it, nothing is run ahead. `visit`: standing at each point of it, and
  /// where it ends; each may be empty. Stands there then. Precondition: a scoped replay is under way; throws Paused.
  void replay(Mark from, Mark to, const std::function<void()>& visit, const AccessObserver& witness);
  /// While it lives somebody looks at the past. Afterwards it stands where it stood, with all that was known there: at
  /// once where there was room in the history for a copy of the present, else the way is run once more.
  class ScopedReplay {
   public:
    explicit ScopedReplay(Engine& engine);
    ~ScopedReplay();
    ScopedReplay(const ScopedReplay&) = delete;
    ScopedReplay& operator=(const ScopedReplay&) = delete;
    /// It stands here for good.
    void stay();

   private:
    struct Kept;
    Engine& engine_;
    std::unique_ptr<Kept> kept_;  // null: it stays
  };
  /// Where it stands, to come back to.
  struct ReturnMark {
    Mark mark;
    bool is_end = false;
  };
  ReturnMark home() const { return {mark(), point() == nullptr}; }

 private:
  using Runner::Runner;

  /// What stops the launch where it stands.
  struct Found {
    Stop at_op;     // before the op that ran last: findings, breakpoints that look at its results
    Stop after_op;  // behind it: watches, findings of the turn's end
    Stop at_point;  // breakpoints
    bool is_there = false;
  };
  Found look(const Goal& is_there, bool counts);
  Stop forward(const Goal& is_there);
  /// Whether pause() came, which is forgotten then.
  bool was_paused();
  Stop backward(const Goal& is_there);
  /// Stands at a mark before `end` from which everything up to `end` can be looked at.
  void start_search(Mark end, bool has_goal);
  struct Past {
    Mark at;
    Stop stop;
    FindingLog::Made made;   // by the op there
    bool is_for_op = false;  // it stops for what the op makes
  };
  std::optional<Past> last_stop_before(Mark end, const Goal& is_there);
  Stop stop_of(Next next);
  /// Goes to before the op that makes the findings, which it stops for.
  void stand_before(Mark op, const FindingLog::Made& made);
  void fork();
  void return_to(const ReturnMark& home);

  std::uint32_t visits_ = 0;  // since on_way_ was called
};

}  // namespace lockstep::debugger

// Engine: runs a launch under a debugger, forwards and backwards. It stands at a point of one program (before an op),
// or at the end of the launch. Going backwards is exact: a checkpoint is put back, memory with it, and the way from
// there is run again. Programs in which nothing can stop are run at full speed. Invariants: the state at a Moment of a
// timeline is always the same, however it was reached; nothing here knows a terminal, DAP or expressions. Thread: one,
// apart from pause(). Memory: see Options.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debugger/engine/history.h"
#include "debugger/engine/points.h"
#include "debugger/engine/programs.h"
#include "debugger/engine/stops.h"
#include "interpreter/launch/stepped_launch.h"

namespace lockstep::debugger {

enum class Direction : std::uint8_t { forward, backward };

class Engine {
 public:
  struct Options {
    /// Of copies for going backwards: what the kernel may write (once), what was overwritten since, tiles of
    /// checkpoints. Where it does not suffice checkpoints are thinned out, and going backwards takes longer.
    std::uint64_t history_bytes = std::uint64_t{512} << 20;
    /// Points between checkpoints; 0: as is quick. Results do not depend on it.
    std::uint64_t checkpoint_distance = 0;
    bool runs_ahead = true;  // programs in which nothing can stop run at full speed
  };
  /// `request`: without stop, poll and progress. Lines of tt.print go to request.print once. Null: diagnosed (also
  /// where the copy of what the kernel writes does not fit into history_bytes: LS3012).
  static std::unique_ptr<Engine> make(const ir::Module& module, const ir::Op& function, const TargetProfile& profile,
                                      const interpreter::RunRequest& request, const Options& options,
                                      DiagnosticSink& sink);
  ~Engine();

  // ---- where it stands ----
  const DebugKernel& kernel() const { return *kernel_; }
  void set_renamings(std::vector<Definitions::Renaming> all) { kernel_->set_renamings(std::move(all)); }
  void add_intermediate(const ir::Value& value) { kernel_->add_intermediate(value); }
  /// A name of a value that the kernel's text has and its IR has not.
  void add_name(const ir::Value& value, Definitions::Result name) { kernel_->add_name(value, std::move(name)); }
  const Programs& programs() const { return *programs_; }
  /// Null: the launch has ended (or never began: an empty grid).
  const Point* point() const { return programs_->point(); }
  Moment moment() const { return programs_->moment(); }
  /// Number of the program that stands at point().
  std::uint64_t program() const { return programs_->current().state.number; }
  ProgramId program_id(std::uint64_t number) const { return launch_->id_of(number); }
  std::optional<std::uint64_t> number_of(const ProgramId& id) const;  // nullopt: outside the grid
  std::uint64_t program_count() const { return launch_->programs(); }
  const std::array<std::int64_t, 3>& grid() const { return launch_->launch().grid; }
  /// For reading values and lanes of the program that stands: its slots are the machine's.
  interpreter::Machine& machine() const { return launch_->machine(); }
  const memory_model::AddressSpace& memory() const { return *request_.memory; }
  const interpreter::RunRequest& request() const { return request_; }
  /// Up to now, by moment; also those of the op that it stands before, where it stopped for them.
  const std::vector<std::pair<Moment, Finding>>& findings() const { return findings_; }
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
  /// One op of the same program (others may run in between where it gives way). A program that ends: the next one's
  /// first point. Backwards: a program's first point is preceded by the last one of the turn before.
  Stop step_op(Direction direction);
  /// To where a line begins: in any frame, or (`over`) not in one deeper than where it stands.
  Stop step_line(Direction direction, bool over);
  /// Out of the innermost frame; in the outermost one to the end of the program (backwards: to its beginning).
  Stop finish(Direction direction);
  /// Without stopping on the way. False: there is no such moment (it stands at the end then).
  bool go_to(Moment moment);
  /// Stands at the first point of the program in its first turn; runs what comes before it in order, or goes back.
  Stop go_to_program(std::uint64_t number);
  /// Stands behind the `number`th execution (from 1) of an op in a program, without stopping on the way. False: the
  /// program does not execute it so often; it stands somewhere else then. On an excursion: throws Paused.
  bool go_behind(std::uint64_t program, const ir::Op& op, std::uint64_t number);
  /// The program takes its turn now, out of order where it is not its turn; part of this timeline from now on. False:
  /// it has ended, or nobody stands at a point.
  bool switch_to(std::uint64_t number);
  Stop restart();  // stands at the first point
  /// From any thread or a signal handler: go() returns soon, with Reason::paused; an excursion ends soon.
  void pause() { is_pausing_ = true; }
  /// pause() came and nobody has heard of it. Becomes false when something moves, or an excursion begins.
  const std::atomic<bool>& is_pausing() const { return is_pausing_; }
  void forget_pause() { is_pausing_ = false; }
  /// Called now and then while go() goes forward, so that a host with one thread can call pause(). Empty: nothing.
  void set_on_way(std::function<void()> on_way) { on_way_ = std::move(on_way); }

  // ---- stops ----
  std::uint32_t add(Breakpoint breakpoint);  // the id
  std::uint32_t add(Watch watch);
  Breakpoint* breakpoint(std::uint32_t id);
  Watch* watch(std::uint32_t id);
  bool remove(std::uint32_t id);  // of either
  const std::map<std::uint32_t, Breakpoint>& breakpoints() const { return breakpoints_; }
  const std::map<std::uint32_t, Watch>& watches() const { return watches_; }
  /// Stops before an op that makes a finding for which this holds: it is found when the op has run, and the launch goes
  /// back to before it. Going on from there passes the op without stopping for it again. Default: tier error.
  void catch_findings(std::function<bool(const Finding&)> is_caught) { is_caught_ = std::move(is_caught); }

  // ---- what if: the present timeline forks at the present moment; its future is forgotten ----
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
  struct Timeline {
    std::uint32_t id = 0, parent = 0;
    Moment forked_at;
    Moment last;  // where it stood when it was left
  };
  std::vector<Timeline> timelines() const;
  std::uint32_t timeline() const { return timeline_; }
  /// At a moment in [from, until] of this timeline somebody set the slot (of the program whose turn it was), or some
  /// of the bytes.
  bool has_set(interpreter::Slot slot, Moment from, Moment until) const;
  bool has_set(ByteRange bytes, Moment from, Moment until) const;
  /// Goes to where that timeline was left. False: there is none.
  bool switch_timeline(std::uint32_t id);

  const History& history() const { return *history_; }
  /// Bytes of one storage as the launch found them.
  bool read_before(std::uint64_t address, std::size_t bytes, char* out) const;
  /// Calls `act` while memory is as the launch found it; afterwards it is as it is now. False: there is no room for a
  /// copy of what the kernel may write, and nothing was called.
  bool with_memory_before(const std::function<void()>& act);

  // ---- the past once more, for questions ----
  /// Called for every access while the launch is run point by point, before it happens.
  using Witness = std::function<void(const Point& point, interpreter::AccessLanes& lanes)>;
  /// Runs [from, to) again; no breakpoint stops it, nothing is run ahead. `visit`: standing at each point of it, and
  /// where it ends; each may be empty. Stands there then. Precondition: an excursion is under way; throws Paused.
  void replay(Moment from, Moment to, const std::function<void()>& visit, const Witness& witness);
  /// Thrown on an excursion where pause() came.
  struct Paused {};
  void give_way() const {
    if (is_away_ && is_pausing_) throw Paused();
  }
  /// While it lives somebody looks at the past. Afterwards it stands where it stood, with all that was known there: at
  /// once where there was room in the history for a copy of the present, else the way is run once more.
  class Excursion {
   public:
    explicit Excursion(Engine& engine);
    ~Excursion();
    Excursion(const Excursion&) = delete;
    Excursion& operator=(const Excursion&) = delete;
    /// It stands here for good.
    void stay();

   private:
    struct Kept;
    Engine& engine_;
    std::unique_ptr<Kept> kept_;  // null: it stays
  };
  /// Where it stands, to come back to.
  struct Home {
    Moment moment;
    bool is_end = false;
  };
  Home home() const { return {moment(), point() == nullptr}; }

 private:
  using Next = Programs::Next;
  using Made = std::vector<std::pair<Moment, Finding>>;
  /// Something that a person changed, at a moment of a timeline.
  struct Event {
    enum class Kind : std::uint8_t { turn, value, memory } kind = Kind::turn;
    std::uint64_t number = 0;  // program, slot or address
    std::string bytes;
  };
  using Events = std::multimap<Moment, Event>;
  /// Programs that were run ahead: turns [first_turn, first_turn + count) are those of programs [first_program, ...).
  struct Gap {
    std::uint64_t first_turn = 0, first_program = 0, count = 0;
    std::vector<interpreter::ProgramRange> finished;
  };

  Engine(const interpreter::RunRequest& request, const Options& options) : options_(options), request_(request) {}

  // engine_move.cpp: one visit on, without looking at stops. `bound`: no program whose turn is this one or later is run
  // ahead.
  Next move(std::uint64_t bound);
  Next begin_turn(std::uint64_t bound);
  /// The turn of a program that made a caught finding, so that it must be run point by point; nullopt: nothing is in
  /// the way.
  std::optional<std::uint64_t> run_ahead(std::uint64_t bound);
  std::uint64_t ahead_end(std::uint64_t fresh, std::uint64_t bound) const;
  /// Programs [first, end), at full speed: run_ahead's answer.
  std::optional<std::uint64_t> run_some(std::uint64_t first, std::uint64_t end);
  bool may_stop_in(std::uint64_t program) const;
  void watch_access(const Point& point);
  void take_findings(Moment moment);
  void forget_announced();
  Next settle(Next next);
  void apply_events();
  void take_over(std::uint64_t number);
  void apply(const Event& event);
  void prepare_print();
  void back_to(Moment moment);
  void back_to_start();
  void forget_from_here();
  /// From where it stands, not backwards; nothing stops. False: the launch ends before.
  bool forward_to(Moment moment);
  void come_home(const Home& home);

  // engine_stops.cpp
  struct Found {
    Stop at_op;     // before the op that ran last: findings, breakpoints that look at its results
    Stop after_op;  // behind it: watches, findings of the turn's end
    Stop at_point;  // breakpoints
    bool is_there = false;
  };
  Found look(const Goal& is_there, bool counts);
  bool is_caught(const Finding& finding) const { return is_caught_ && is_caught_(finding); }
  bool makes_caught() const;
  void look_at_findings(Found& found) const;
  void look_at_last_op(Stop& stop);
  bool breaks(Breakpoint& breakpoint, std::size_t frame, bool counts) const;
  void look_at_watches(Stop& stop, bool counts);
  void look_at_values(Stop& stop, bool counts);
  void read_values();
  void index_breakpoints();

  // engine_go.cpp
  Stop forward(const Goal& is_there);
  /// Whether pause() came, which is forgotten then.
  bool was_paused();
  Stop backward(const Goal& is_there);
  /// Stands at a moment before `end` from which everything up to `end` can be looked at.
  void start_search(Moment end, bool has_goal);
  struct Past {
    Moment at;
    Stop stop;
    Made made;               // by the op there
    bool is_for_op = false;  // it stops for what the op makes
  };
  std::optional<Past> last_stop_before(Moment end, const Goal& is_there);
  Stop stop_of(Next next);
  /// Goes to before the op that makes the findings, which it stops for.
  void stand_before(Moment op, const Made& made);
  void fork();

  Options options_;
  interpreter::RunRequest request_;
  std::function<void(const std::string&)> print_;  // the user's
  std::unique_ptr<DebugKernel> kernel_;
  std::unique_ptr<const interpreter::PreparedKernel> fast_;
  std::unique_ptr<interpreter::SteppedLaunch> launch_;
  std::unique_ptr<Programs> programs_;
  std::unique_ptr<History> history_;
  std::vector<Gap> gaps_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> first_turns_;  // turn, program; of programs that ran by points
  std::optional<std::uint64_t> target_program_;                       // the only one that may not be run ahead
  MemoryLog foreign_;                                                 // edits of memory that the kernel does not write
  std::vector<std::pair<Moment, Finding>> findings_;
  interpreter::Outcome outcome_ = interpreter::Outcome::completed;
  Moment furthest_;         // of this timeline: what came before it was printed
  bool is_silent_ = false;  // what runs now was printed before
  std::atomic<bool> is_pausing_{false};
  std::function<void()> on_way_;
  std::uint32_t visits_ = 0;    // since on_way_ was called
  bool is_away_ = false;        // on an excursion
  bool may_stop_here_ = false;  // go() is under way: where programs run ahead it may stop between any two of them

  std::uint32_t next_id_ = 1;
  std::map<std::uint32_t, Breakpoint> breakpoints_;
  std::map<std::uint32_t, Watch> watches_;
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> at_points_;  // by point: breakpoint, frame
  std::function<bool(const Finding&)> is_caught_ = [](const Finding& finding) { return finding.tier == Tier::error; };
  std::vector<WatchHit> touched_;                               // by the op that ran last
  std::map<std::uint32_t, std::optional<std::string>> values_;  // of watches on values, at the last visit
  std::size_t findings_before_ = 0;                             // the op that ran last
  Witness witness_;

  Events events_;
  struct Branch {
    Timeline facts;
    Events events;
  };
  std::map<std::uint32_t, Branch> branches_;
  std::uint32_t timeline_ = 0;

  Made made_;                        // findings of the op that ran last
  std::size_t findings_of_op_ = 0;   // of all that there are, up to those
  std::optional<Moment> announced_;  // it stands there, stopped for what the op makes: that is in findings_ already
  bool passes_announced_ = false;    // the op that ran last is one that it had stopped for
};

}  // namespace lockstep::debugger

// Runner: a launch that runs point by point and backwards. It is at a point of one program (before an op), or at the
// end of the launch, and moves to other marks; programs in which nothing can stop run ahead at full speed. Invariants:
// the state at a Mark of a timeline is always the same, however it was reached; nothing stops it on the way. Not here:
// stops, edits, the past (engine.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "debugger/engine/ahead_runs.h"
#include "debugger/engine/finding_log.h"
#include "debugger/engine/history.h"
#include "debugger/engine/points.h"
#include "debugger/engine/programs.h"
#include "debugger/engine/stop_list.h"
#include "debugger/engine/timelines.h"
#include "interpreter/launch/stepped_launch.h"

namespace lockstep::debugger {

class Runner {
 public:
  struct Options {
    /// Bytes for going backwards: copies of what the kernel may write (once), overwritten bytes since, tiles of
    /// checkpoints. If that is not enough, it drops checkpoints, and going backwards takes longer.
    std::uint64_t history_bytes = std::uint64_t{512} << 20;
    /// Points between checkpoints; 0: the quickest choice. Results do not depend on it.
    std::uint64_t checkpoint_distance = 0;
    bool runs_ahead = true;  // programs in which nothing can stop run at full speed
  };

  // ---- the position ----
  const DebugKernel& kernel() const { return *kernel_; }
  /// For names that the kernel's text has and its IR lacks.
  DebugKernel& kernel() { return *kernel_; }
  const Programs& programs() const { return *programs_; }
  /// Null: the launch has ended (or never began: an empty grid).
  const Point* point() const { return programs_->point(); }
  Mark mark() const { return programs_->mark(); }
  /// Number of the program at point().
  std::uint64_t program() const { return programs_->current().state.number; }
  ProgramId program_id(std::uint64_t number) const { return launch_->id_of(number); }
  std::optional<std::uint64_t> number_of(const ProgramId& id) const;  // nullopt: outside the grid
  std::uint64_t program_count() const { return launch_->programs(); }
  const std::array<std::int64_t, 3>& grid() const { return launch_->launch().grid; }
  /// For values and lanes of the current program: its slots are the machine's.
  interpreter::Machine& machine() const { return launch_->machine(); }
  const memory_model::AddressSpace& memory() const { return *request_.memory; }
  const interpreter::RunRequest& request() const { return request_; }
  const History& history() const { return *history_; }
  const Timelines& timelines() const { return timelines_; }
  StopList& stops() { return *stops_; }
  const StopList& stops() const { return *stops_; }

  /// Called for every access while the launch is run point by point, before it happens.
  using AccessObserver = std::function<void(const Point& point, interpreter::AccessLanes& lanes)>;
  /// Thrown in a scoped replay (Engine::ScopedReplay) after pause().
  struct Paused {};
  void throw_if_paused() const {
    if (is_away_ && is_pausing_) throw Paused();
  }
  /// Without stopping on the way. False: there is no such mark; then it is at the end.
  bool seek(Mark mark);

 protected:
  using Next = Programs::Next;

  Runner(const interpreter::RunRequest& request, const Options& options) : options_(options), request_(request) {}
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  /// Goes to the first point. False: diagnosed.
  bool begin(const ir::Module& module, const ir::Op& function, const TargetProfile& profile, DiagnosticSink& sink);

  /// Goes one visit further, without checking stops. `bound`: no program whose turn is this one or later runs ahead.
  Next move(std::uint64_t bound);
  Next begin_turn(std::uint64_t bound);
  /// From the current mark, not backwards. False: the launch ends before.
  bool forward_to(Mark mark);
  void back_to(Mark mark);
  void back_to_start();
  bool may_stop_in(std::uint64_t program) const;
  /// Another program takes its turn.
  void take_over(std::uint64_t number);
  /// What a person changed.
  void apply(const TimelineEvent& event);

  Options options_;
  interpreter::RunRequest request_;
  std::unique_ptr<DebugKernel> kernel_;
  std::unique_ptr<const interpreter::PreparedKernel> fast_;
  std::unique_ptr<interpreter::SteppedLaunch> launch_;
  std::unique_ptr<Programs> programs_;
  std::unique_ptr<History> history_;
  std::unique_ptr<StopList> stops_;
  FindingLog log_;
  Timelines timelines_;
  AheadRuns ahead_;
  std::optional<std::uint64_t> target_program_;  // the only one that may not be run ahead
  MemoryLog foreign_;                            // edits of memory that the kernel does not write
  interpreter::Outcome outcome_ = interpreter::Outcome::completed;
  Mark furthest_;  // of this timeline: what came before it was printed
  std::atomic<bool> is_pausing_{false};
  std::function<void()> on_way_;
  bool is_away_ = false;        // on a scoped replay
  bool may_stop_here_ = false;  // go() is under way: where programs run ahead it may stop between any two of them
  AccessObserver observer_;

 private:
  /// The turn of a program that made a caught finding, which must run point by point; nullopt: there is none.
  std::optional<std::uint64_t> run_ahead(std::uint64_t bound);
  std::uint64_t ahead_end(std::uint64_t fresh, std::uint64_t bound) const;
  /// Programs [first, end), at full speed: run_ahead's answer.
  std::optional<std::uint64_t> run_some(std::uint64_t first, std::uint64_t end);
  void watch_access(const Point& point);
  Next settle(Next next);
  void apply_events();
  void forget_from_here();

  std::function<void(const std::string&)> print_;  // the user's
  bool is_silent_ = false;                         // what runs now was printed before
};

}  // namespace lockstep::debugger

// Session: a debugged launch in people's terms: stops, watches and catches as texts, expressions, frames, findings of a
// checked run, sources; for the terminal, DAP and the web. It moves the engine and reports why it stopped. Invariant:
// every text is checked before anything changes; problems are values with a hint, never exceptions. Thread: one, apart
// from pause(). Not here: commands, screens, protocols.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"
#include "debugger/expression/evaluate.h"
#include "debugger/expression/parser.h"
#include "debugger/expression/target.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/catches.h"
#include "debugger/session/caught_findings.h"
#include "debugger/session/engine_scope.h"
#include "debugger/session/launch_queries.h"
#include "debugger/session/listing.h"
#include "debugger/session/problem.h"
#include "debugger/session/session_stops.h"

namespace lockstep::debugger {

class Padding;  // queries/padding.h

/// A frame outside of the kernel, of the program that made the launch: a compiled model's graph, a model's line.
struct OuterFrame {
  std::string name, file;
  std::uint32_t line = 0;
};

/// The current position, and the reason for the stop.
struct StopEvent {
  Stop stop;                          // ids of internal stops are left out
  std::vector<Finding> findings;      // caught here: the engine's, and those that the checked run places here
  std::vector<std::string> problems;  // conditions that could not be evaluated, so that it stopped
  bool has_ended() const {
    using R = Stop::Reason;
    return stop.reason == R::ended || stop.reason == R::deadlock || stop.reason == R::limit;
  }
};

class Session {
 public:
  struct Setup {
    const ir::Module* module = nullptr;
    const ir::Op* function = nullptr;
    TargetProfile profile;
    interpreter::RunRequest request;
    Engine::Options engine;
    std::string kernel_name;
    /// Names that the TTIR no longer has: constexpr parameters, arguments that are 1 or None. Name, value.
    std::vector<std::pair<std::string, Value>> constants;
    /// Bytes of the launch's memory that must not change.
    std::vector<ByteRange> read_only;
    /// ref("c"); empty: there is no reference.
    std::function<Scope::Found(std::string_view name)> reference;
    /// Runs the same launch under checkers, on a copy of its memory, for catch; empty: no checkers. Called at its first
    /// use. nullopt: it could not run, or `stop` became true.
    CaughtFindings::CheckedRun checked_run;
    /// For diff, bisect, lint and cost; null: they have no answer. Must outlive the session.
    LaunchQueries* whole = nullptr;
    /// Frames around the kernel's own, innermost first, for the line where it stands; empty: none is known.
    std::function<std::vector<OuterFrame>(const Place& here)> outer;
    /// Log points' lines, each with its newline. Default: standard output.
    std::function<void(const std::string&)> output;
  };
  /// Null: diagnosed. Starts at the first point; it catches "fault", and the stops are the kernel's own breakpoint()
  /// lines.
  static std::unique_ptr<Session> make(Setup setup, DiagnosticSink& sink);
  ~Session();

  const Setup& setup() const { return setup_; }
  Engine& engine() { return *engine_; }
  const Engine& engine() const { return *engine_; }
  const std::string& kernel_name() const { return setup_.kernel_name; }
  const StopEvent& stop_event() const { return stop_event_; }
  /// "breakpoint 1", "watch 2: out[17,3] 0 -> 1.5", "finding LS101: ...", "the launch has ended"; empty: arrived.
  std::string why() const;

  // ---- going; each returns stop_event() and looks at the innermost frame afterwards ----
  const StopEvent& go(Direction direction);  // continue
  /// Of the group of warps that stands here.
  const StopEvent& step_line(Direction direction, bool over);
  const StopEvent& step_op(Direction direction);
  /// Until that group of warps of this program stands at the start of a line, or at an op. Problem: it has not begun, or
  /// has ended.
  Expected<void, Problem> step_group(Direction direction, std::uint32_t group, bool by_op = false);
  const StopEvent& finish(Direction direction);
  /// To the start of the next turn, of any program; backwards to the start of this one, or the one before.
  const StopEvent& step_turn(Direction direction);
  const StopEvent& restart();
  /// From the start: stops there if a stop holds at the first point, else continues.
  const StopEvent& run();
  /// To the next such place, in the same program or a later one.
  const StopEvent& go_to_where(Direction direction, const Where& where);
  /// To the first op of iteration `number` (from 0) of the loop with that variable (empty: the innermost around, or the
  /// next one that begins) in the current program, forwards or backwards.
  Expected<void, Problem> go_to_iteration(std::int64_t number, std::string_view variable = {});
  const StopEvent& go_to_program(std::uint64_t number);
  /// The program takes its turn now, out of order. Problem: it has ended.
  Expected<void, Problem> switch_to(std::uint64_t number);
  Expected<void, Problem> switch_timeline(std::uint32_t id);
  /// Removes all stops and goes to the end of the launch. False: it was paused before.
  bool run_to_end();

  // ---- stops ----
  /// See break_locations.h for the texts. `here`: the place near a bare line number.
  Expected<Where, Problem> resolve(std::string_view text) const;
  SessionStops& stops() { return *stops_; }
  const SessionStops& stops() const { return *stops_; }
  CaughtFindings& caught() { return *caught_; }

  // ---- looking ----
  /// Levels are those of point()->frames; 0 the innermost. After a move: hidden_levels().
  std::size_t level() const { return level_; }
  std::size_t level_count() const;
  /// The number of inner frames that are calls beginning at this very point: the program is before them, and
  /// step_line() enters one without moving.
  std::size_t hidden_levels() const { return hidden_; }
  bool set_level(std::size_t level);  // false: there is none
  /// The kernel's name, or that of the frame's function. Precondition: engine().point().
  std::string function_name(std::size_t level) const;
  /// Precondition: engine().point().
  Frame frame() const { return Frame(*engine_, level_); }
  /// The scope of the selected frame; valid even after the launch (arguments' memory then).
  const EngineScope& scope() const { return *scope_; }
  const InlinedCalls& calls() const { return *calls_; }
  /// After something else moved the engine.
  const StopEvent& look_again();

  /// Of the function's points, in the order of the text.
  const Listing& listing() const { return *listing_; }

  /// Which lanes of the current program's values come from masked-off loads.
  Padding& padding() { return *padding_; }

 private:
  explicit Session(Setup setup);

  void begin_move();
  const StopEvent& arrive(Stop stop, bool enters);

  Setup setup_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<InlinedCalls> calls_;
  std::unique_ptr<EngineScope> scope_;
  std::unique_ptr<EngineScope> stop_scope_;  // of conditions and log messages
  std::unique_ptr<const Listing> listing_;
  std::size_t level_ = 0, hidden_ = 0;
  StopEvent stop_event_;
  std::unique_ptr<SessionStops> stops_;
  std::unique_ptr<CaughtFindings> caught_;
  std::unique_ptr<Padding> padding_;
};

}  // namespace lockstep::debugger

// Session: a launch under a debugger as people speak of it: stops, watches and catches given as texts, expressions,
// frames, findings of a checked run, sources; for the terminal, DAP and the web alike. It moves the engine and says why
// it stopped. Invariant: every text is checked before anything changes; problems are values with a hint, never
// exceptions. Thread: one, apart from pause(). Not here: commands, screens, protocols.
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
#include "debugger/session/catches.h"
#include "debugger/session/engine_scope.h"
#include "debugger/session/listing.h"
#include "debugger/session/places.h"
#include "debugger/session/problem.h"
#include "debugger/session/whole_launch.h"

namespace lockstep::debugger {

class Padding;  // questions/padding.h

/// A breakpoint or log point as it was asked for. Empty texts: none.
struct StopRequest {
  std::string condition;  // expression
  std::string hits;       // "5", "==5", ">=5", ">100", "%16", "%16==0"
  std::string log;        // message with {expressions}: written instead of stopping
  bool is_temporary = false;
};

struct StopFacts {
  std::uint32_t id = 0;
  Where where;
  StopRequest request;
};

struct WatchFacts {
  std::uint32_t id = 0;
  std::uint64_t program = 0;  // of a variable's
  Target target;
  Watch::Kind kind = Watch::Kind::change;
  std::string condition;
};

/// Where it stands now, and why.
struct Halt {
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
    /// Names that the TTIR does not have any more: constexpr parameters, arguments that are 1 or None. Name, value.
    std::vector<std::pair<std::string, Value>> constants;
    /// Bytes of the launch's memory that nobody may change.
    std::vector<ByteRange> read_only;
    /// ref("c"); empty: there is no reference.
    std::function<Scope::Found(std::string_view name)> reference;
    /// Makes the same launch under checkers, on a copy of its memory, for catch; empty: no checkers. Called when first
    /// needed. nullopt: it could not be made, or `stop` became true.
    std::function<std::optional<Report>(const std::atomic<bool>& stop)> checked_run;
    /// For diff, bisect, lint and cost; null: they have no answer. Must outlive the session.
    WholeLaunch* whole = nullptr;
    /// Log points' lines, each with its newline. Default: standard output.
    std::function<void(const std::string&)> output;
  };
  /// Null: diagnosed. Stands at the first point; what is caught is "fault", and the stops are the kernel's own
  /// breakpoint() lines.
  static std::unique_ptr<Session> make(Setup setup, DiagnosticSink& sink);
  ~Session();

  Engine& engine() { return *engine_; }
  const Engine& engine() const { return *engine_; }
  const std::string& kernel_name() const { return setup_.kernel_name; }
  const Halt& halt() const { return halt_; }
  /// "breakpoint 1", "watch 2: out[17,3] 0 -> 1.5", "finding LS101: ...", "the launch has ended"; empty: arrived.
  std::string why() const;

  // ---- going; each returns halt() and looks at the innermost frame afterwards ----
  const Halt& go(Direction direction);  // continue
  const Halt& step_line(Direction direction, bool over);
  const Halt& step_op(Direction direction);
  const Halt& finish(Direction direction);
  /// To where the next turn begins, whoever takes it; backwards to where this one did, or the one before.
  const Halt& step_turn(Direction direction);
  const Halt& restart();
  /// From the start: stops there if a stop holds at the first point, else continues.
  const Halt& run();
  /// To the next place there, in the same program or a later one.
  const Halt& go_to_where(Direction direction, const Where& where);
  /// To the first op of iteration `number` (from 0) of the loop with that variable (empty: the innermost around, or the
  /// next one that begins) in the program that stands, forwards or backwards.
  Expected<void, Problem> go_to_iteration(std::int64_t number, std::string_view variable = {});
  const Halt& go_to_program(std::uint64_t number);
  /// It takes its turn now, out of order. Problem: it has ended.
  Expected<void, Problem> switch_to(std::uint64_t number);
  Expected<void, Problem> switch_timeline(std::uint32_t id);
  /// Takes all stops away and goes to the end of the launch. False: it was paused on the way.
  bool run_to_end();
  void pause() { engine_->pause(); }

  // ---- stops ----
  /// See places.h for the texts. `here`: what a bare line number is of.
  Expected<Where, Problem> resolve(std::string_view text) const;
  Expected<std::uint32_t, Problem> add_stop(const Where& where, const StopRequest& request);
  /// Problem: not a breakpoint's id, or the request is wrong.
  Expected<void, Problem> change_stop(std::uint32_t id, const StopRequest& request);
  Expected<void, Problem> set_ignore(std::uint32_t id, std::uint64_t count);
  /// "out[17,3]", "out", "out[:4]", "acc[0,0]", "%12". Kinds read and access: memory only.
  Expected<std::uint32_t, Problem> add_watch(std::string_view target, Watch::Kind kind, std::string_view condition);
  /// Bytes [begin, end) of one argument's storage.
  Expected<std::uint32_t, Problem> add_watch(ByteRange bytes, Watch::Kind kind, std::string_view condition);
  Expected<void, Problem> enable(std::uint32_t id, bool is_enabled);  // of either
  Expected<void, Problem> remove(std::uint32_t id);
  const std::map<std::uint32_t, StopFacts>& stops() const { return stops_; }
  const std::map<std::uint32_t, WatchFacts>& watches() const { return watches_; }

  /// Replaces what is caught. Problem: an unknown filter or code, a condition that is no expression; the launch under
  /// checkers that it takes was stopped, or cannot be made. What was caught before is caught then.
  Expected<void, Problem> catch_findings(const std::vector<CatchRequest>& requests);
  const std::vector<CatchRequest>& catches() const { return catches_; }

  // ---- looking ----
  /// Levels are those of point()->frames; 0 the innermost. After a move: hidden_levels().
  std::size_t level() const { return level_; }
  std::size_t level_count() const;
  /// So many inner frames are calls that begin at this very point: it stands before them, step_line() enters one
  /// without moving.
  std::size_t hidden_levels() const { return hidden_; }
  bool set_level(std::size_t level);  // false: there is none
  /// The kernel's name, or that of the function that the frame is of. Precondition: engine().point().
  std::string function_name(std::size_t level) const;
  /// Precondition: engine().point().
  Frame frame() const { return Frame(*engine_, level_); }
  /// Of the frame that is looked at; also where the launch has ended (arguments' memory then).
  const Scope& scope() const { return *scope_; }
  const InlinedCalls& calls() const { return *calls_; }
  /// Of the inlined function that is looked at.
  const std::vector<PassedParameter>& parameters() const { return scope_->parameters(); }
  Evaluated evaluate(std::string_view text) const { return debugger::evaluate(text, *scope_); }
  /// `target` = `expression`: a fork of the timeline. What was set, as text. Also bytes (writeMemory).
  Expected<std::string, Problem> set(std::string_view target, std::string_view expression);
  Expected<void, Problem> write_memory(std::uint64_t address, const std::string& bytes);

  /// Of the function's points, in the order of the text.
  const Listing& listing() const { return *listing_; }
  const std::vector<std::pair<std::string, Value>>& constants() const { return setup_.constants; }
  /// Stops of ours, where findings of the checked run are born.
  std::size_t births() const { return births_.size(); }
  /// Caught findings of the checked run that no op makes: those of the launch's end.
  std::size_t placeless() const { return placeless_; }
  // ---- the launch as a whole: answers of Setup::whole; Problem also where there is none ----
  /// Memory as it is now against a reference. `words`: empty (everything), a tensor's name, or a .capsule file.
  Expected<DiffReport, Problem> diff(std::string_view words);
  /// Programs that have not ended: what they will write is pending.
  std::uint64_t unfinished() const;
  /// The op in which an element ("out[17,3]"; a tensor, or nothing: the farthest from the reference) was made wrong;
  /// stands behind it then, where there is one. Problem also on a timeline that was changed.
  Expected<Culprit, Problem> bisect(std::string_view words);
  Expected<Report, Problem> lint();
  Expected<LaunchCost, Problem> cost(std::string_view gpu);

  /// Which lanes of the values of the program that stands come from masked-off loads.
  Padding& padding() { return *padding_; }

  /// What the checked run found; null: not run yet, or there are no checkers.
  const Report* checked() const { return checked_ ? &*checked_ : nullptr; }
  /// What it made, beside the references that were given.
  std::vector<ComparedOutput> compared_outputs() const {
    return checked_ && setup_.whole != nullptr ? setup_.whole->compared_outputs() : std::vector<ComparedOutput>{};
  }

 private:
  explicit Session(Setup setup);

  // session.cpp
  void begin_move();
  const Halt& arrive(Stop stop, bool enters);
  void take_internal(Stop& stop);
  std::size_t hidden_at(const Stop& stop, bool enters) const;
  bool stops_here(Breakpoint& breakpoint) const;
  std::size_t frame_of_stop(std::uint32_t id) const;
  const Halt& step_over_hidden(Direction direction);

  // session_stops.cpp
  void add_written_stops();
  Expected<void, Problem> fill(Breakpoint& breakpoint, const StopRequest& request);
  bool holds(const Expression& condition, std::uint32_t id, const std::string& name);
  void write_log(const std::vector<MessagePart>& message, std::uint32_t id);
  Expected<void, Problem> change_memory(const std::vector<Engine::MemoryEdit>& edits);
  Expected<void, Problem> set_window(const MemoryWindow& window, const Tensor& value);
  Expected<void, Problem> set_variable(const Target& target, const Tensor& value);
  Expected<std::uint32_t, Problem> add_watch(WatchFacts facts, Watch watch);
  std::optional<std::string> watched_text(const WatchFacts& watch) const;
  std::string watch_text(const WatchHit& hit) const;

  // session_whole.cpp
  template <typename Ask>
  auto until_stopped(const Ask& ask) -> decltype(ask());

  // session_catch.cpp
  bool is_caught(const Finding& finding) const;
  bool condition_holds(const CatchRule& rule) const;
  Expected<void, Problem> run_checked();
  void place_checked_findings();
  void place(const Finding& finding);

  Setup setup_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<InlinedCalls> calls_;
  std::unique_ptr<EngineScope> scope_;
  std::unique_ptr<EngineScope> stop_scope_;  // of conditions and log messages
  std::unique_ptr<const Listing> listing_;
  std::size_t level_ = 0, hidden_ = 0;
  Halt halt_;
  std::vector<std::string> problems_;  // of the move that is under way
  std::map<std::uint32_t, StopFacts> stops_;
  std::map<std::uint32_t, WatchFacts> watches_;
  std::vector<std::shared_ptr<std::uint32_t>> ids_;  // what closures of stops know their id by
  std::vector<CatchRequest> catches_;
  std::vector<CatchRule> rules_;
  std::optional<Report> checked_;
  /// Stops of ours where findings of the checked run are born, by the engine's id.
  struct Birth {
    Finding finding;
    std::optional<Moment> first;
  };
  std::map<std::uint32_t, Birth> births_;
  std::size_t placeless_ = 0;
  std::unique_ptr<Padding> padding_;
};

}  // namespace lockstep::debugger

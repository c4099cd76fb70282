// SessionStops: breakpoints, log points and watches as people give them: texts that are checked before anything
// changes. The engine holds them as functions; this class keeps the requests. Not here: catches (caught_findings.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/expression/evaluate.h"
#include "debugger/expression/parser.h"
#include "debugger/expression/target.h"
#include "debugger/session/break_locations.h"
#include "debugger/session/buffers.h"
#include "debugger/session/engine_scope.h"
#include "debugger/session/problem.h"

namespace lockstep::debugger {

/// A requested breakpoint or log point. Empty texts: none.
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
  std::optional<BufferPart> buffer = std::nullopt;  // instead of the target's memory or variable
};

class SessionStops {
 public:
  /// `scope`: of the selected frame; `stop_scope`: for conditions and log messages; `output`: receives log points'
  /// lines. All must outlive it.
  SessionStops(Engine& engine, const EngineScope& scope, EngineScope& stop_scope,
               const std::function<void(const std::string&)>& output)
      : engine_(engine), scope_(scope), stop_scope_(stop_scope), output_(output) {}
  SessionStops(const SessionStops&) = delete;
  SessionStops& operator=(const SessionStops&) = delete;

  const std::map<std::uint32_t, StopFacts>& all() const { return stops_; }
  const std::map<std::uint32_t, WatchFacts>& watches() const { return watches_; }
  Expected<std::uint32_t, Problem> add(const Where& where, const StopRequest& request);
  /// A stop for each line of the kernel with a breakpoint().
  void add_written();
  /// Problem: not a breakpoint's id, or the request is wrong.
  Expected<void, Problem> change(std::uint32_t id, const StopRequest& request);
  Expected<void, Problem> set_ignore(std::uint32_t id, std::uint64_t count);
  /// "out[17,3]", "out", "out[:4]", "acc[0,0]", "%12". Kinds read and access: memory only.
  Expected<std::uint32_t, Problem> add_watch(std::string_view target, Watch::Kind kind, std::string_view condition);
  /// The text is a buffer in shared or tensor memory ("ring[1]"), which can be watched for writes.
  bool is_buffer(std::string_view text) const;
  /// Bytes [begin, end) of one argument's storage.
  Expected<std::uint32_t, Problem> add_watch(ByteRange bytes, Watch::Kind kind, std::string_view condition);
  Expected<void, Problem> enable(std::uint32_t id, bool is_enabled);  // of either
  Expected<void, Problem> remove(std::uint32_t id);
  void remove_all();

  /// Forgets the problems of the move before.
  void begin_move();
  /// Conditions that failed on the move, so that it stopped.
  std::vector<std::string> take_problems() { return std::exchange(problems_, {}); }
  /// Forgets those of these stops that were temporary.
  void forget_ended(const std::vector<std::uint32_t>& ids);
  /// Whether the stop holds at the current point; counts as a hit.
  bool stops_here(std::uint32_t id);
  /// The frame of the stop, at the current point.
  std::size_t frame_of(std::uint32_t id) const;
  /// "watch 2: out[17,3] 0 -> 1.5, by ...".
  std::string watch_text(const WatchHit& hit) const;

 private:
  Expected<void, Problem> fill(Breakpoint& breakpoint, const StopRequest& request);
  bool holds(const Expression& condition, std::uint32_t id, const std::string& name);
  void write_log(const std::vector<MessagePart>& message, std::uint32_t id);
  Expected<std::uint32_t, Problem> add_watch(WatchFacts facts, Watch watch);
  std::string buffer_change_text(const BufferPart& part, const WatchHit& hit) const;
  Expected<std::uint32_t, Problem> add_buffer_watch(BufferPart part, Watch::Kind kind, std::string_view condition);
  std::optional<std::string> watched_text(const WatchFacts& watch) const;

  Engine& engine_;
  const EngineScope& scope_;
  EngineScope& stop_scope_;
  const std::function<void(const std::string&)>& output_;
  std::vector<std::string> problems_;  // of the move that is under way
  std::map<std::uint32_t, StopFacts> stops_;
  std::map<std::uint32_t, WatchFacts> watches_;
  std::vector<std::shared_ptr<std::uint32_t>> ids_;  // what closures of stops know their id by
};

}  // namespace lockstep::debugger

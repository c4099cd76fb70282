// Stops: the reasons to stop before the end: breakpoints at points, watches on bytes of memory or on a value, findings.
// Plain data and small predicates; conditions come from outside (expressions are not the engine's). Texts: none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "debugger/engine/programs.h"
#include "findings/finding.h"

namespace lockstep::debugger {

/// "== 5", "% 16 == 0", "> 100" of the number of hits.
struct HitRule {
  enum class Kind : std::uint8_t { always, equal, at_least, more, multiple } kind = Kind::always;
  std::uint64_t number = 0;
  bool holds(std::uint64_t hits) const;
};

struct Breakpoint {
  /// Where it stops: at these points, if the statement of the frame with the same index (0: innermost) begins there;
  /// kAnyTime: at every visit of the point.
  static constexpr std::size_t kAnyTime = ~std::size_t{0};
  struct At {
    std::uint32_t point = 0;
    std::size_t frame = kAnyTime;
  };

  std::uint32_t id = 0;  // given by the engine
  std::vector<At> at;
  bool is_enabled = true, is_temporary = false;
  /// The condition looks at the results of the op right before a point of `at`: it stops before that op.
  bool is_of_last_op = false;
  /// Asked when the program is there. Empty: holds. Must not move the engine.
  std::function<bool()> condition;
  /// False: the condition cannot hold in that program, so the program need not run step by step. Empty: unknown.
  std::function<bool(std::uint64_t program)> may_hold;
  /// Called instead of stopping, forwards.
  std::function<void()> log;
  HitRule rule;
  std::uint64_t ignore = 0;  // hits that are still to be passed over
  std::uint64_t hits = 0;    // forwards
};

/// Bytes of memory.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
};

struct Watch {
  enum class Kind : std::uint8_t { write, read, access, change } kind = Kind::write;
  std::uint32_t id = 0;
  bool is_enabled = true;
  std::vector<ByteRange> bytes;
  /// Instead of bytes: a text of the watched value, read at every point of the launch; it stops where the text changes
  /// (nullopt: it has no value there, which is not a change).
  std::function<std::optional<std::string>()> value;
  std::function<bool()> condition;  // after the access
  std::uint64_t hits = 0;
};

/// What a watch saw.
struct WatchHit {
  std::uint32_t id = 0;
  const Point* by = nullptr;
  std::uint64_t program = 0;
  ByteRange bytes;            // the range of the watch that was touched
  std::string before, after;  // those bytes, or texts
};

struct Stop {
  enum class Reason : std::uint8_t {
    arrived,     // where it was to go
    breakpoint,  // before an op; `ids`
    watch,       // after the access (forwards), before it (backwards); `watches`
    finding,     // before the op that makes it; `findings`
    ended,       // all programs have
    begin,       // the first point of the launch, going backwards
    deadlock,    // `findings` has LS901
    paused,
    limit,  // of time or memory: the launch is over
  } reason = Reason::arrived;
  std::vector<std::uint32_t> ids;
  std::vector<WatchHit> watches;
  std::vector<Finding> findings;
};

}  // namespace lockstep::debugger

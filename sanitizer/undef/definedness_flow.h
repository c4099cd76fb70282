// Definedness: which elements of a value are undefined, where they come from and which op carried them to other lanes.
// Invariant: a state is null where every element is defined; states never change once they are set. Private to the
// checker `definedness` and to undef_probe.h. Not here: what is reported (definedness.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sanitizer/core/execution.h"

namespace lockstep::sanitizer {

/// What left elements undefined.
struct UndefinedOrigin {
  enum class Kind : std::uint8_t { masked, memory } kind = Kind::masked;
  Finding at;  // code, message, place, op, program and lane as they were; LS201 for memory, LS205 for masked lanes
};

/// How undefined elements came into a value.
struct UndefPath {
  std::shared_ptr<const UndefinedOrigin> origin;
  Location spread;        // of the first op that carried them to other lanes
  std::string spread_op;  // "tt.reduce"; "": none did
};

/// State of a value.
struct Undefined {
  std::vector<std::uint8_t> lanes;  // row-major; 0: defined, k: undefined by ways[k - 1]
  std::vector<UndefPath> ways;   // at most 255; more share the last
};
using UndefinedState = std::shared_ptr<const Undefined>;

/// The state of a result whose operands have `states` (one each, null: defined), by the row's rule. Before the op.
UndefinedState flow_undefined(Execution& run, std::size_t result, const std::vector<UndefinedState>& states);

/// Loads and atomics that may leave lanes of their result without a value: masked off without `other`, or outside of a
/// block pointer's tensor without padding.
bool may_leave_lanes(const ir::Op& op);
/// Those lanes, whatever `other` says: 1 if there is no value; empty: all have one. Before the op.
std::vector<std::uint8_t> lanes_without_value(Execution& run);

/// `b` where `a` is defined. Either may be null; both are of one size.
UndefinedState join_undefined(const UndefinedState& a, const UndefinedState& b);

}  // namespace lockstep::sanitizer

// Slice: how the value of some bytes of memory was computed: the store that wrote them, the lanes of the ops that led
// to it, the loads, and so on back to elements of arguments, through memory that other programs wrote before. Computed
// backwards over the recorded path of each program that took part. Invariant: an element outside the slice cannot have
// changed the value on this execution's path (same branches, same trip counts); conditions and bounds that decided the
// path are slices, too. Not here: text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/queries/lane_needs.h"
#include "debugger/queries/padding.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

/// An execution of an op that took part.
struct SliceStep {
  Mark mark;
  const Point* point = nullptr;
  std::uint64_t program = 0;
  std::size_t result = 0;  // of the op; of a store its value
  LaneSet lanes;
  std::string first_value;  // bytes of the first of the lanes
  ScalarKind kind = ScalarKind::i32;
  bool has_nan = false, has_infinity = false;  // in any of the lanes
  /// For an op that brings lanes together (a reduction, a scan): the origins of the lanes that went into `lanes`; for
  /// others, those of `lanes`. Without padding: nothing.
  PaddingCounts origins;
  bool brings_together = false;
};

struct Slice {
  /// In the order of time, without constants. The last is the store itself. Empty: no program wrote the bytes.
  std::vector<SliceStep> steps;
  /// Bytes that were read before any program of this launch wrote them: by storage, by rising address, without overlap.
  std::vector<ByteRange> inputs;
  /// Numbers (kernel parameters) of scalar arguments that took part.
  std::vector<std::uint32_t> scalars;
  bool uses_program_id = false;
  bool is_truncated = false;  // more than kMostSteps took part: `steps` has the latest of them, inputs are complete
};

inline constexpr std::size_t kMostSteps = 20'000;

/// Of the bytes as they are now. Problem: pause() came.
Expected<Slice, Problem> find_slice(Engine& engine, ByteRange bytes);

}  // namespace lockstep::debugger

// The state that OverflowChecker keeps for values, lane by lane. Private to overflow*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

/// The correct integers, by lane; `origin` 0: the actual ones are correct.
struct ExactLanes {
  std::vector<Wide> exact;
  std::vector<std::uint32_t> origin;
};
/// For pointers: which wrapped number moved them.
struct MovedLanes {
  std::vector<std::uint32_t> origin;
};
/// The bits that a mask would have if no number had wrapped; `origin` 0: the actual ones.
struct DecidedLanes {
  std::vector<std::uint8_t> exact;
  std::vector<std::uint32_t> origin;
};

}  // namespace lockstep::sanitizer

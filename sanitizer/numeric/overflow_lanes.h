// What OverflowChecker keeps of values, lane by lane. Private to overflow*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

/// What integers should have been, by lane; `origin` 0: they are what they should be.
struct ExactLanes {
  std::vector<Wide> exact;
  std::vector<std::uint32_t> origin;
};
/// Of pointers: which wrapped number moved them.
struct MovedLanes {
  std::vector<std::uint32_t> origin;
};
/// What bits of a mask would be, had no number wrapped; `origin` 0: they are what they should be.
struct DecidedLanes {
  std::vector<std::uint8_t> exact;
  std::vector<std::uint32_t> origin;
};

}  // namespace lockstep::sanitizer

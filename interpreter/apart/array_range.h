// The smallest and the largest number of an array in memory.
#pragma once

#include <cstdint>

#include "interpreter/apart/range_rules.h"

namespace lockstep::interpreter::apart {

/// Of `count` integers of 32 or 64 bits, and 0: what a load gives in lanes that are masked off or out of bounds.
Range range_of_array(const char* data, std::uint64_t count, ScalarKind kind);

}  // namespace lockstep::interpreter::apart

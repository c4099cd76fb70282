// What tt.dot and tt.dot_scaled share: the accumulator that a product is added to. Not here: what is multiplied
// (dot.cpp, dot_scaled.cpp) and the product itself (kernels/dot.cpp).
#pragma once

#include "interpreter/machine.h"

namespace lockstep::interpreter {

/// Operand 2 of the step as a contiguous tile of the result's type that only this step sees; in place when it dies
/// here.
Tile take_accumulator(Machine& machine, const Step* step);

/// Scratch of the given size from the worker's pool; held by the caller's Temporary. A tile without a buffer for 0
/// bytes.
Tile acquire_scratch(Machine& machine, std::int64_t bytes);

}  // namespace lockstep::interpreter

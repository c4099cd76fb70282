// Joined dots: dots of a loop that only add to a tile which the loop carries may wait for each other, because nobody but
// the next of them reads the sum before the loop ends. By the IR alone. Not here: how they wait and are added in one run
// (evaluators/dot.cpp, kernels/dot.h).
#pragma once

#include <cstddef>

#include "ir/op.h"

namespace lockstep::interpreter {

/// The last of the dots that make the next value of what `loop` (scf.for) carries at `index`: each adds to the result of
/// the one before it, the first to the value itself, and nobody else reads any of them. Null: it is not so.
const ir::Op* last_of_sum(const ir::Op& loop, std::size_t index);

/// Whether a dot is the only reader of the value, as one of its factors.
bool is_factor_alone(const ir::Value& value);

/// What the loop around `dot` carries and its dots add to, of which this is one. Null: it is not so.
const ir::Value* sum_joined_by(const ir::Op& dot);

}  // namespace lockstep::interpreter

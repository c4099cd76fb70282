// What a BlockState holds, without what is over and without padding: two states are the same exactly if these are.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/shared_memory/block_layout.h"

namespace lockstep::interpreter {

/// In the order of the fields; a step is its place in the plan, a set its words. Bytes of entries that are free, and of
/// fields without a meaning at the moment, are no part of it.
std::vector<std::uint64_t> state_words(const BlockState& state, const Plan& plan);

}  // namespace lockstep::interpreter

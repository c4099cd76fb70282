// What branches and loops share: code whose names and ops are kept apart until what it changes is known.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// What was there when a branch or loop was entered.
struct SubRegion {
  Scope live_in;
  Scope previous_definitions;
  ir::Block* block;
};

SubRegion enter_sub_region(LoweringContext& in);
/// Behind the branch or loop: names and insertion point as they were.
void leave_sub_region(LoweringContext& in, SubRegion&& region);
/// False, and reported, for a tensor in a constexpr, which Triton does not look into here.
bool is_plain_condition(LoweringContext& in, const Value& test);

}  // namespace lockstep::frontend

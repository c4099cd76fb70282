// Shared by branches and loops: keeps the names and ops of code apart until its changes are known.
#pragma once

#include "frontend/lowering/lowering_context.h"

namespace lockstep::frontend {

/// The state at the entry of a branch or loop.
struct SubRegion {
  Scope live_in;
  Scope previous_definitions;
  ir::Block* block;
};

SubRegion enter_sub_region(LoweringContext& in);
/// After the branch or loop: restores names and insertion point.
void leave_sub_region(LoweringContext& in, SubRegion&& region);
/// False, and reported, for a tensor in a constexpr, which Triton does not unwrap here.
bool is_plain_condition(LoweringContext& in, const Value& test);

}  // namespace lockstep::frontend

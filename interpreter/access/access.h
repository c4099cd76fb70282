// Access: loads and stores of whole tiles, as ops of several kinds use them: through pointers (access.cpp), block
// pointers (block_pointer.cpp) and tensor descriptors (descriptor.cpp). Invariant: no byte is touched that the bounds
// (bounds.h) did not admit. It does not know where pointers and masks come from.
#pragma once

#include "interpreter/access/bounds.h"
#include "interpreter/plan/plan_builder.h"

namespace lockstep::interpreter {

/// Operands of one access while it is carried out.
struct Lanes {
  const Tile* pointer = nullptr;
  const Tile* mask = nullptr;   // null: every lane
  const Tile* other = nullptr;  // of loads; null: 0
};

/// Loads; the result has access.value's type and holds its own count.
Tile load_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes);
/// Stores a tile of access.value's type.
void store_tile(Machine& machine, const Step* step, const Access& access, const Lanes& lanes, const Tile& value);
/// In ordered launches: what a program read tells whether it is waiting for others. Does nothing unless
/// access.is_observed.
void observe_tile(Machine& machine, const Step* step, const Access& access, const Tile& pointer, const Tile& value);

/// The steps of tt.load and tt.store for tiles in any form (access.cpp).
const Step* step_load_tile(Machine& machine, const Step* step);
const Step* step_store_tile(Machine& machine, const Step* step);

/// Hooks for tt.load and tt.store of block pointers (block_pointer.cpp).
bool evaluate_block_load(PlanBuilder& builder, const ir::Op& op);
bool evaluate_block_store(PlanBuilder& builder, const ir::Op& op);

}  // namespace lockstep::interpreter

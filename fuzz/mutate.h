// Changes a kernel a little, in its structure: other operands, attributes, ops, element types and extents; ops removed,
// doubled, moved. For the structure-aware fuzz target and tests. The result is well-formed IR (use lists are right, it
// prints), but need not verify: the tests include that refusal.
#pragma once

#include "fuzz/random.h"
#include "ir/module.h"

namespace lockstep::fuzz {

/// One random change. False: the drawn kind of change found no place.
bool mutate(ir::Module& module, Random& random);

// The kinds of change, for tests.
bool change_operand(ir::Module& module, Random& random);
bool change_attribute(ir::Module& module, Random& random);
/// Another row with as many operands, results and regions replaces the op.
bool change_row(ir::Module& module, Random& random);
/// One element type becomes another everywhere (f32 -> bf16), constants with it.
bool change_element_type(ir::Module& module, Random& random);
/// One extent becomes another everywhere (64 -> 16), ranges and splat constants with it.
bool change_extent(ir::Module& module, Random& random);
bool remove_op(ir::Module& module, Random& random);
bool duplicate_op(ir::Module& module, Random& random);
bool move_op(ir::Module& module, Random& random);

}  // namespace lockstep::fuzz

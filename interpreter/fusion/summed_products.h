// Summed products: a product of f32 tiles whose only reader is a sum along the last axis, as one step. The products need
// no memory, which would leave the first-level cache. Invariant: the bytes of the two steps, which run instead where a
// factor is not a dense tile. Not here: the sum (kernels/ops.h), sums with a GPU's order of bits.
#pragma once

#include <vector>

#include "interpreter/plan/op_note.h"

namespace lockstep::interpreter {

struct SummedProducts {
  Step product, sum;
};

/// Step function of a SummedProducts record.
const Step* step_sum_products(Machine& machine, const Step* step);

/// Joins the products of `steps` with their sums, where only movable steps lie between; `notes` are changed with them. A
/// joined product leaves a step that does nothing, so that labels stay right.
void join_summed_products(Plan& plan, std::vector<Step>& steps, OpNotes& notes);

}  // namespace lockstep::interpreter

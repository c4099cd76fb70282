// Steps on ranges, pointers and masks of one to three dimensions: the usual index arithmetic of kernels, each as
// straight code over a few numbers. Facts of the types (ends of the kind, extents, whether 64-bit arithmetic can wrap
// at all) are found at planning. Invariant: a step here gives exactly the tile of the general one (structure_step.h),
// and hands over to that if an operand has another form, a value would leave its kind, or the result has no cheap form.
// Not here: dense tiles, rows, more dimensions, division.
#pragma once

#include <cstdint>

#include "interpreter/evaluators/elementwise.h"

namespace lockstep::interpreter {

inline constexpr std::size_t kMaxAffineRank = 3;

/// The limits of the op's types; for any op on integers or masks.
AffineLimits affine_limits(const Elementwise& op);
/// Of tt.addptr.
AffineLimits offset_limits(const TileType& offset);
/// The step of the op, if there is one here; else null.
StepFunction affine_step(const Elementwise& op);
/// True for every result of affine_step.
bool is_affine_step(StepFunction run);

/// The record of tt.addptr.
struct AddPointer {
  std::int64_t element_bytes = 1;
  const TileType* pointer = nullptr;
  const TileType* offset = nullptr;
  AffineLimits limits;  // of the offsets
};
/// For tiles in any form (elementwise_ops.cpp).
const Step* step_add_pointer(Machine& machine, const Step* step);
/// The best step for the record's types.
StepFunction add_pointer_step(const AddPointer& record);

}  // namespace lockstep::interpreter

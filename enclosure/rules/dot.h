// The product of enclosed matrices, whatever made them: tt.dot takes its operands as they are, tt.dot_scaled scales
// them first. Private to the room.
#pragma once

#include <cstdint>

#include "enclosure/enclose_context.h"
#include "enclosure/rules/product.h"

namespace lockstep::enclosure {

struct DotOperands {
  BoundsRef a, b;     // [batches, m, k] and [batches, k, n]
  ScalarKind kind{};  // what the product is taken in
  MatrixShape shape;
  std::int64_t batches = 1;
};

/// Sets the bounds of op's result, operand 2 being what the sums start from; the result is of floats.
bool enclose_matrices(EncloseContext& context, const ir::Op& op, const DotOperands& operands);

}  // namespace lockstep::enclosure

// The product of enclosed matrices: tt.dot uses its operands directly, tt.dot_scaled scales them first. Private to the
// room.
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

/// The product plus `start`, of floats of this kind.
BoundsRef enclosed_product(EncloseContext& context, const ir::Op& op, const DotOperands& operands, const Bounds& start,
                           ScalarKind kind);
/// Sets the bounds of op's result, which is of floats; the sums start from operand 2.
bool enclose_matrices(EncloseContext& context, const ir::Op& op, const DotOperands& operands);

}  // namespace lockstep::enclosure

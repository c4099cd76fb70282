// Matrix products, shared by emit_dot_converted.cpp and emit_dot_scaled.cpp: both operands are written to shared
// memory, then multiplied. Invariant: one product is one exchange. Not here: which instruction (dot_shape.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/layout/dot_shape.h"

namespace lockstep::backend_cuda {

/// One side of a product.
struct DotSide {
  std::string type;  // C++ type of the elements in shared memory
  int bytes = 2;     // of one
  /// Writes all elements to this place (a char pointer as C++ text); panels (prelude: Stored).
  std::function<void(const std::string& place)> write;
};

/// Writes sum += a * b. `first`: bytes of the scratch that `prepare` fills before it, with a barrier in between.
void write_product(EmitContext& context, const DotShape& shape, const DotSide& a, const DotSide& b, const Variable& sum,
                   std::int64_t first = 0, const std::function<void(const std::string& place)>& prepare = nullptr);
/// Operands of a loop's dots that the loop does not change: written to shared memory before the loop and bound there.
std::vector<const ir::Value*> place_resident_operands(EmitContext& context, const ir::Op& loop);
/// A dot that is_converted_dot.
bool emit_converted_dot(EmitContext& context, const ir::Op& op);
/// The accumulators: f32 for results of 16 bits. Starts at `c`'s elements; "": at zero.
Variable start_sum(EmitContext& context, const Variable& result, const std::string& c);

}  // namespace lockstep::backend_cuda

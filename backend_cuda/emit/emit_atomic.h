// Atomic updates of one element as device lambdas: PTX's own instruction where there is one, else a loop around
// compare-and-swap (8 and 16 bits, extremes of floats, bf16 sums before sm_90). Order and scope are those of the op.
// Not here: which thread runs them.
#pragma once

#include <string>
#include <string_view>

#include "backend_cuda/emit/emit_context.h"

namespace lockstep::backend_cuda {

/// PTX's words: "acq_rel", "gpu".
struct MemoryOrder {
  std::string_view semantic = "relaxed", scope = "gpu";
};
MemoryOrder memory_order_of(const ir::Op& op);

/// Writes a lambda T(T* to, T value) that returns the old value; returns its name. `update`: and or xor add fadd max
/// min umax umin exch fmax fmin inc dec.
std::string write_update(EmitContext& context, std::string_view update, ScalarKind kind, MemoryOrder order);
/// Writes a lambda T(T* to, T expected, T value) that compares bits; returns its name.
std::string write_compare_and_swap(EmitContext& context, ScalarKind kind, MemoryOrder order);

}  // namespace lockstep::backend_cuda

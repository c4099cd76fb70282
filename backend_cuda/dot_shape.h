// Which instruction a dot uses and the layout of its accumulators. Not here: text (emit_dot.cpp).
#pragma once

#include "backend_cuda/layout.h"
#include "backend_cuda/target.h"
#include "ir/op.h"

namespace lockstep::backend_cuda {

enum class DotKind : unsigned char {
  scalar,  // fused multiply-adds of single elements: f32 with ieee precision, f64, odd shapes
  mma,     // mma.sync m16n8
};

struct DotShape {
  DotKind kind = DotKind::scalar;
  std::int64_t batch = 1, rows = 1, columns = 1, depth = 1;  // M, N, K
  int step = 1;                                              // K of one instruction
  int warp_rows = 1;                                         // warps along M; the others along N
};

DotShape dot_shape(const ir::Op& op, const Target& target);
Layout dot_layout(const ir::Op& op, const Target& target);

}  // namespace lockstep::backend_cuda

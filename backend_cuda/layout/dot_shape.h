// Which instruction a dot uses and the layouts of its accumulators and of an A operand that stays in registers. Not
// here: text (emit_dot.cpp).
#pragma once

#include <cstdint>

#include "backend_cuda/layout/layout.h"
#include "backend_cuda/target.h"
#include "ir/op.h"

namespace lockstep::backend_cuda {

enum class DotKind : unsigned char {
  scalar,  // fused multiply-adds of single elements: f32 with ieee precision, f64, odd shapes
  mma,     // mma.sync m16n8: one warp
  wgmma,   // wgmma m64: four warps, B (and A, if not in registers) read from shared memory by the tensor core; sm_90
};

struct DotShape {
  DotKind kind = DotKind::scalar;
  std::int64_t batch = 1, rows = 1, columns = 1, depth = 1;  // M, N, K
  int step = 1;                                              // K of one instruction
  int warp_rows = 1;                                         // warps along M; the others along N
  /// Columns of one warp.
  std::int64_t warp_columns(int warps) const;
};

/// The shape of a tt.dot whose operands go to the instruction unchanged.
DotShape dot_shape(const ir::Op& op, const Target& target);
/// True if the elements are converted on their way to shared memory (emit_dot_converted.cpp): tt.dot_scaled, f32 in
/// several products, results of 16 bits.
bool is_converted_dot(const ir::Op& op, const Target& target);
DotShape converted_dot_shape(const ir::Op& op, const Target& target);
/// Whether the instruction reads only operands whose runs go along K: wgmma of f8.
bool reads_along_k(const ir::Op& op, const Target& target);
/// Whether it reads operand `operand` from shared memory as it is there; `is_transposed`: runs go down the columns.
bool reads_as_stored(const ir::Op& op, std::size_t operand, bool is_transposed, const Target& target);
Layout dot_layout(const ir::Op& op, const Target& target);
/// A in registers: the layout of mma m16k16. A thread keeps the part of a row that an accumulator's layout gives it.
Layout a_fragment_layout(const DotShape& shape, int warps);
/// Whether A may stay in registers with its present layout.
bool keeps_a_in_registers(const ir::Op& op, const DotShape& shape, const Layout& a, int warps);

}  // namespace lockstep::backend_cuda

// The operands of a matrix product: in a tile's form, and in the matrix kernels' form. Plain data. Not here: bringing
// one into that form (dot_prepare.h), multiplying (dot.h).
#pragma once

#include <cstdint>

#include "interpreter/kernels/ops.h"
#include "support/scalar.h"

namespace lockstep::interpreter::kernels {

/// A matrix operand: element (i, j) is at data[i * row_stride + j * column_stride], in elements of `kind`.
struct DotOperand {
  const void* data = nullptr;
  ScalarKind kind = ScalarKind::f32;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
  const std::uint64_t* rows = nullptr;  // the address of each row, instead of data and row_stride; columns are neighbours
};

/// Elements that a product takes two at a time along k, in four bytes.
enum class PairKind : std::uint8_t { none, i8, bf16 };

enum class Side : std::uint8_t { left, right };

/// An operand in the matrix kernels' form: one matrix per piece (S-70), of the kind in which the dot multiplies; i8 as
/// pairs of i16 along k, bf16 perhaps as pairs of bf16. Strides in those elements.
struct PreparedOperand {
  const char* data = nullptr;    // of the first piece
  std::int64_t piece_bytes = 0;  // from one piece to the next
  std::int64_t row_stride = 0, column_stride = 1;
  Magnitudes magnitudes = {};  // of pairs of bf16
};

}  // namespace lockstep::interpreter::kernels

// Brings one operand of a dot into the matrix kernels' form: converted to the kind of the multiplication (or to one
// piece of it, or to pairs along k), without gaps, b with neighbouring columns. Only kernels/dot.cpp uses it.
// Not here: when that pays.
#pragma once

#include <cstdint>

#include "interpreter/kernels/dot_operand.h"
#include "interpreter/kernels/ops.h"

namespace lockstep::interpreter::kernels {

inline std::int64_t padded(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

struct MatrixStrides {
  std::int64_t row = 0, column = 1;
};

/// One operand, rows x columns of its own elements.
struct Preparation {
  const Table& kernels;
  const DotOperand& operand;
  ScalarKind wide;
  PairKind pairs;
  ConvertFn widen;  // the operand's elements to `wide`, or to the piece; null: they are copied
  std::int64_t rows, columns;
  Side side;
  Bf16Products bf16 = {};  // for pairs of bf16

  /// Writes all of it; returns the strides of the result, in elements of `wide`, and the magnitudes of pairs of bf16.
  MatrixStrides run(char* out, Magnitudes& magnitudes) const;

 private:
  bool makes_pairs() const { return pairs != PairKind::none; }
  /// What makes an odd last element's product add nothing to a sum, be that -0: -0 in a, +0 in b.
  std::uint16_t empty() const { return side == Side::left ? 0x8000 : 0; }
  /// The operand is read line by line: by rows, unless only its columns have neighbouring elements.
  bool by_rows() const { return operand.rows != nullptr || operand.column_stride == 1 || operand.row_stride != 1; }
  std::int64_t pitch() const { return by_rows() ? operand.row_stride : operand.column_stride; }  // of lines
  std::int64_t step() const { return by_rows() ? operand.column_stride : operand.row_stride; }   // within a line
  bool lines_run_along_k() const { return by_rows() == (side == Side::left); }
  std::int64_t source_lines() const { return by_rows() ? rows : columns; }
  std::int64_t source_length() const { return by_rows() ? columns : rows; }
  std::int64_t lines() const;   // that make_line makes
  std::int64_t length() const;  // of each, in elements of `wide`
  void convert(char* out, const void* in, std::int64_t n) const;
  const void* source(std::int64_t line, std::int64_t begin, std::int64_t n, char* strip) const;
  void pair_lines(char* out, const void* line, const void* other, std::int64_t n) const;
  void pair_neighbours(char* out, const void* in, std::int64_t n) const;
  void make_strip(char* out, std::int64_t line, std::int64_t begin, std::int64_t n) const;
  void make_line(char* out, std::int64_t line, std::int64_t begin, std::int64_t n) const;
  bool pairs_at_once(char* out, Magnitudes& magnitudes) const;
  void make_all(char* out) const;
  void make_transposed(char* out) const;
};

}  // namespace lockstep::interpreter::kernels

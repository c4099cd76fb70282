// The matrix product of a dot in two parts: bringing an operand into the form that the matrix kernels read (which a
// caller may keep and use again), and multiplying. Invariant: the result has the same bytes for every layout of the
// operands, every instruction set and whether an operand was prepared or used in place (S-42, S-70). Not here: tiles,
// programs, kept operands (interpreter/evaluators/dot.cpp, interpreter/evaluators/dot_cache.h).
#pragma once

#include <cstdint>
#include <span>

#include "interpreter/kernels/dot_operand.h"
#include "interpreter/kernels/ops.h"
#include "support/scalar.h"

namespace lockstep::interpreter::kernels {

/// A dot: a[m,k] b[k,n] added to c[m,n] of `result`. Operand kinds: floats up to f32 (result f32 or f16, accumulated in
/// f32 and rounded to f16 at the end), f64 (result f64), i8 signed (result i32, wrapping).
struct Dot {
  ScalarKind result = ScalarKind::f32;
  DotPrecision precision = DotPrecision::ieee;  // matters for f32 operands only; S-70
  std::int64_t m = 0, n = 0, k = 0;
};
/// False if the kinds of result and operands do not fit together.
bool dot_is_supported(ScalarKind result, ScalarKind a, ScalarKind b);

/// The start of a product: m x n neighbouring elements of the dot's result, or one value for all of them.
struct DotStart {
  const void* data = nullptr;
  bool is_uniform = false;
};

/// What one product multiplies.
struct DotFactors {
  PreparedOperand a, b;
};

struct Table;
/// One product of a split dot: the pieces of each side. `is_last`: the sum before it loses its NaNs, because the small
/// pieces of an infinity are NaN, and the large ones decide.
struct DotProduct {
  std::uint8_t a = 0, b = 0;
  bool is_last = false;
};

/// A dot of given kinds and shape, with everything decided that does not depend on addresses. The kinds must fit
/// together.
class DotRecipe {
 public:
  DotRecipe(const Dot& dot, ScalarKind a, ScalarKind b);
  DotRecipe(const Dot& dot, ScalarKind a, ScalarKind b, const Table& kernels);

  /// True if the operand can be multiplied in place.
  bool is_ready(Side side, const DotOperand& operand) const;
  static PreparedOperand as_it_lies(const DotOperand& operand);
  /// Bytes that prepare() writes, a multiple of 64.
  std::int64_t prepared_bytes(Side side) const;
  /// `memory`: prepared_bytes(side), at least 16-byte aligned (64 is fastest); the result points into it.
  PreparedOperand prepare(Side side, const DotOperand& operand, char* memory) const;

  /// Bytes of scratch of run(), a multiple of 64; often 0.
  std::int64_t scratch_bytes() const;
  /// out[m,n], neighbouring elements = start + a b. `out` may be start.data.
  void run(void* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b, char* scratch) const;

  /// So many products onto one sum, one after the other, are worth a single run: sums stay in registers meanwhile. 1:
  /// they cannot be joined. At most kMostJoined.
  std::size_t products_to_join() const;
  static constexpr std::size_t kMostJoined = 64;
  /// Whether one run can have both.
  static bool go_together(const DotFactors& one, const DotFactors& other);
  /// The same bytes as run() for each of them in turn. 1 to products_to_join() factors, which all go together.
  void run_joined(void* out, const DotStart& start, std::span<const DotFactors> factors) const;

  /// The kind of the factors that prepare() makes.
  ScalarKind wide() const { return pairs_ == PairKind::bf16 ? ScalarKind::bf16 : wide_; }
  /// The precision that decides the factors, else ieee.
  DotPrecision split_precision() const { return is_split_ ? precision_ : DotPrecision::ieee; }

 private:
  bool multiplies_pairs() const { return pairs_ != PairKind::none; }
  void find_products();
  void find_conversions();
  std::span<const DotPiece> pieces() const;
  std::span<const DotProduct> products() const;
  PreparedOperand piece(const PreparedOperand& operand, std::uint8_t which) const;
  GemmFn choose(const DotProduct& product, const PreparedOperand& a, const PreparedOperand& b, std::int64_t k) const;
  Gemm gemm_of(void* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b) const;
  void multiply(char* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b,
                const DotProduct& product) const;
  void multiply_pieces(char* out, const DotStart& start, const PreparedOperand& a, const PreparedOperand& b,
                       float* sum) const;

  const Table* kernels_;
  ScalarKind result_, wide_, kind_[2];
  DotPrecision precision_;  // whole where it does not matter
  PairKind pairs_ = PairKind::none;
  bool is_split_ = false;   // f32 operands: `precision_` counts
  std::int64_t m_, n_, k_;
  ConvertFn widen_[2][3] = {};  // by side and piece; null: copied
  ConvertFn from_result_ = nullptr, to_result_ = nullptr;
  GemmFn gemm_ = nullptr, exact_gemm_ = nullptr;  // the second one where it is another, for operands that it fits
};

}  // namespace lockstep::interpreter::kernels

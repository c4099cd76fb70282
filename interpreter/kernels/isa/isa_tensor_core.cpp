// Sums of products in the manner of an H200's tensor core (S-71): sixteen products and the sum so far are cut, toward
// zero, 25 bits below the leading one of the largest, added exactly, and the sum is cut to the 24 bits of an f32.
// Compiled once per instruction set. Not here: the GPU's order of K, and values that are not finite
// (kernels/tensor_core.h).
#include <cstdint>

#include "interpreter/kernels/isa/isa_loops.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

constexpr Index kBlock = 16;    // products that are added at once
constexpr Index kColumns = 32;  // of the result that go together: products of a block stay in the first-level cache
constexpr double kKept = 0x1p25;
constexpr std::uint64_t kExponentBits = 0x7FF0000000000000u, kBeyondF32 = (std::uint64_t{1} << 29) - 1;

double without_bits(double x, std::uint64_t bits) {
  return bits_as<double>(bits_as<std::uint64_t>(x) & ~bits);
}
/// The power of two below |x|; 0 for 0.
double power_below(double x) { return bits_as<double>(bits_as<std::uint64_t>(x) & kExponentBits); }

/// The integer part: |x| < 2^31. The conversion to i32 has an instruction everywhere.
double whole(double x) { return static_cast<double>(static_cast<std::int32_t>(x)); }

/// `count` products of one row of a with `columns` neighbouring columns of b are added to `sum`.
void add_block(double* sum, const TensorCore& t, Index row, Index first, Index count, Index column, Index columns) {
  double products[kBlock][kColumns], largest[kColumns];
  for (Index j = 0; j < columns; ++j) largest[j] = power_below(sum[j]);
  for (Index k = 0; k < count; ++k) {
    const double a = t.a[row * t.k + first + k], power = t.a_power[row * t.k + first + k];
    const double* b = t.b + (first + k) * t.n + column;
    const double* b_power = t.b_power + (first + k) * t.n + column;
    for (Index j = 0; j < columns; ++j) {
      products[k][j] = a * b[j];
      const double both = power * b_power[j];
      largest[j] = both > largest[j] ? both : largest[j];
    }
  }
  double scale[kColumns], total[kColumns];
  for (Index j = 0; j < columns; ++j) {
    scale[j] = largest[j] > 0 ? kKept / largest[j] : 0;
    total[j] = whole(sum[j] * scale[j]);
  }
  for (Index k = 0; k < count; ++k)
    for (Index j = 0; j < columns; ++j) total[j] += whole(products[k][j] * scale[j]);
  // A sum of zeros is +0: total[j] is a sum of integers.
  for (Index j = 0; j < columns; ++j) sum[j] = without_bits(total[j] * (largest[j] / kKept), kBeyondF32) + 0.0;
}

}  // namespace

void tensor_core(const TensorCore& product) {
  for (Index row = 0; row < product.m; ++row) {
    for (Index column = 0; column < product.n; column += kColumns) {
      const Index columns = product.n - column < kColumns ? product.n - column : kColumns;
      double* sum = product.sum + row * product.n + column;
      for (Index k = 0; k < product.k; k += kBlock)
        add_block(sum, product, row, k, product.k - k < kBlock ? product.k - k : kBlock, column, columns);
    }
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA

// A matrix product into f32 with the bits of an H200's tensor core (S-71, S-74): its order of K, and its infinities and
// NaNs. Invariant: the same bytes on every instruction set. Not here: the sums of sixteen products
// (isa_tensor_core.cpp), and products whose order is Lockstep's own (dot.h, S-42).
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/kernels/dot.h"

namespace lockstep::interpreter::kernels {

/// How Triton 3.6 passes a product to the tensor core on sm_90.
enum class Contraction : std::uint8_t {
  warp_group,  // wgmma: K as it lies, sixteen at a time
  warp,        // mma.sync, operands in runs of eight elements of K a thread
  warp_of_f4,  // mma.sync, runs of sixteen: an operand has four bits an element
};
/// The order of positions of K: a permutation of 0 .. k-1; a block of sixteen is added at once.
std::vector<std::int64_t> contraction_order(Contraction contraction, std::int64_t k);

/// In an order: a place that holds no element, which counts as zero and changes no sum.
inline constexpr std::int64_t kNothing = -1;
/// K as it lies, `products` (16 or fewer) at a time.
std::vector<std::int64_t> blocks_of(std::int64_t products, std::int64_t k);

/// out[m,n] = start[m,n] + a[m,k] b[k,n], all row-major f32; a and b hold numbers of f16, bf16
/// or tf32.
class TensorCoreProduct {
 public:
  /// `order`: from contraction_order or blocks_of.
  TensorCoreProduct(std::int64_t m, std::int64_t n, std::vector<std::int64_t> order);
  /// Bytes of scratch of run(), a multiple of 64.
  std::int64_t scratch_bytes() const;
  /// `out` may be start.data. `scratch`: aligned to 64 bytes.
  void run(float* out, const DotStart& start, const float* a, const float* b, char* scratch) const;

 private:
  std::int64_t m_, n_;
  std::vector<std::int64_t> order_;
  std::int64_t elements_;  // of K
};

}  // namespace lockstep::interpreter::kernels

// The product of pairs of i16 with the instructions that every processor of the set has; isa_dot_vnni.cpp has it with
// one more.
#include "interpreter/kernels/isa/isa_dot_pairs.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

GemmFn find_gemm_of_pairs() { return gemm_loop<PairProducts, std::uint32_t>; }

void pair_lines(void* out, const void* a, const void* b, std::int64_t n) {
  const auto* x = static_cast<const std::int8_t*>(a);
  const auto* y = static_cast<const std::int8_t*>(b);
  auto* pairs = static_cast<std::uint32_t*>(out);
  const auto word = [](std::int8_t value) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(value)); };
  if (y == nullptr) {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) pairs[i] = word(x[i]) & 0xffffu;
  } else {
    LOCKSTEP_NO_CARRY
    for (Index i = 0; i < n; ++i) pairs[i] = (word(x[i]) & 0xffffu) | word(y[i]) << 16;
  }
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA

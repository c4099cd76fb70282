// Declares, in the namespace of the instruction set LOCKSTEP_ISA, the sums of isa_reduce.cpp that are chosen by sums.cpp.
// Included once per instruction set by it, so it has no include guard on purpose.
#include <cstdint>

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

void sum_products(float* out, const float* x, const float* y, std::int64_t outer, std::int64_t n);

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA

// The product of pairs of i16 with the instruction that multiplies and adds both at once (VNNI), if the processor
// reports it. Invariant: no code that other files of the instruction set share is compiled after the pragma.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "interpreter/kernels/isa/isa_loops.h"
#include "interpreter/kernels/processor.h"

#if defined(__AVX512F__)
#define LOCKSTEP_VNNI_NAME "avx512vnni"
#define LOCKSTEP_DPWSSD_256 _mm256_dpwssd_epi32
#elif defined(__AVX2__)
#define LOCKSTEP_VNNI_NAME "avxvnni"
#define LOCKSTEP_DPWSSD_256 _mm256_dpwssd_avx_epi32
#endif

#ifdef LOCKSTEP_VNNI_NAME
#define LOCKSTEP_HAS_VNNI
#if defined(__clang__)
#if defined(__AVX512F__)
#pragma clang attribute push(__attribute__((target("avx512vnni,avx512vl"))), apply_to = function)
#else
#pragma clang attribute push(__attribute__((target("avxvnni"))), apply_to = function)
#endif
#else
#pragma GCC push_options
#if defined(__AVX512F__)
#pragma GCC target("avx512vnni,avx512vl")
#else
#pragma GCC target("avxvnni")
#endif
#endif
#include "interpreter/kernels/isa/isa_dot_pairs.h"

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {
namespace {

void gemm_of_pairs(const Gemm& g) { gemm_loop<PairProducts, std::uint32_t>(g); }

}  // namespace
}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

GemmFn find_gemm_of_pairs_at_once() {
#ifdef LOCKSTEP_VNNI_NAME
  if (processor_has(LOCKSTEP_VNNI_NAME)) return gemm_of_pairs;
#endif
  return nullptr;
}

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA

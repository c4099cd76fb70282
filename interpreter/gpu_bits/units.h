// The multi-function unit (MUFU) of sm_90: its operations on the bits of f32. Invariant: no state; every bit pattern
// has an answer. Subnormal arguments are zero and subnormal results are flushed, but mufu_tanh gives subnormals back.
#pragma once

#include <cstdint>

namespace lockstep::interpreter::gpu_bits {

std::uint32_t mufu_rcp(std::uint32_t x);
std::uint32_t mufu_rsq(std::uint32_t x);
std::uint32_t mufu_sqrt(std::uint32_t x);
std::uint32_t mufu_ex2(std::uint32_t x);
std::uint32_t mufu_lg2(std::uint32_t x);
/// Of an angle in turns.
std::uint32_t mufu_sin(std::uint32_t x);
std::uint32_t mufu_cos(std::uint32_t x);
std::uint32_t mufu_tanh(std::uint32_t x);

}  // namespace lockstep::interpreter::gpu_bits

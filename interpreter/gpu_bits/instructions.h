// PTX's approximate instructions with the bits of sm_90: the unit's operations (units.h) in the sequences that ptxas
// makes of the instructions. Invariant: no state; every bit pattern has an answer; a NaN is 0x7fffffff (f16, bf16:
// 0x7fff).
//
// Source: measured on an H100 (driver 580.159.04, 2026-11-23), all 2^32 arguments of every function of f32, all of f16
// and bf16, and 2^20 quotients; the sequences are read from the SASS that Triton's ptxas makes. The models agree with
// every answer (tests/unit/interpreter/gpu_bits_test.cpp has a share, tests/tools/gpu_bits_all.cpp all).
#pragma once

#include <cstdint>

namespace lockstep::interpreter::gpu_bits {

/// `.ftz`: subnormal arguments and results are zero. Without, ptxas scales around the unit, which flushes always.
enum class Subnormals : std::uint8_t { keep, flush };

std::uint32_t ex2_approx(std::uint32_t x, Subnormals subnormals);
std::uint32_t lg2_approx(std::uint32_t x, Subnormals subnormals);
std::uint32_t rcp_approx(std::uint32_t x, Subnormals subnormals);
std::uint32_t rsqrt_approx(std::uint32_t x, Subnormals subnormals);
std::uint32_t sqrt_approx(std::uint32_t x, Subnormals subnormals);
/// The same with and without `.ftz`.
std::uint32_t sin_approx(std::uint32_t x);
std::uint32_t cos_approx(std::uint32_t x);
std::uint32_t tanh_approx(std::uint32_t x);

std::uint32_t div_approx(std::uint32_t a, std::uint32_t b, Subnormals subnormals);
std::uint32_t div_full(std::uint32_t a, std::uint32_t b, Subnormals subnormals);

std::uint16_t ex2_approx_f16(std::uint16_t x);
/// `.ftz`, which PTX demands for bf16.
std::uint16_t ex2_approx_bf16(std::uint16_t x);
std::uint16_t tanh_approx_f16(std::uint16_t x);
std::uint16_t tanh_approx_bf16(std::uint16_t x);

}  // namespace lockstep::interpreter::gpu_bits

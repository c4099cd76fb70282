// Exact conversions between f64/f32 and the small float formats, by integer arithmetic on the bits: the reference for
// every vectorised conversion. Rounding to nearest even unless said; NaN stays NaN (quiet). Overflow: to infinity where
// the format has one (IEEE rule), unless `saturate`. Source: IEEE 754-2019; OCP OFP8 v1.0; sm_90 behaviour in
// ../docs/semantics.md.
#pragma once

#include <cstdint>

#include "support/scalar.h"

namespace lockstep {

enum class Rounding : std::uint8_t { nearest_even, toward_zero };

/// Value of `bits` in format `kind` (any float kind), exact in f64.
double decode_float(ScalarKind kind, std::uint64_t bits);
/// `value` rounded once to format `kind`. f32/f64 kinds return their own bits.
std::uint64_t encode_float(ScalarKind kind, double value, Rounding rounding = Rounding::nearest_even,
                           bool saturate = false);

std::uint16_t f32_to_f16(float value);  // round to nearest even
float f16_to_f32(std::uint16_t bits);
std::uint16_t f32_to_bf16(float value);  // round to nearest even
float bf16_to_f32(std::uint16_t bits);

}  // namespace lockstep

// The rows of every function of the unit. Plain data, found from an H100's answers (see instructions.h).
#pragma once

#include "interpreter/gpu_bits/interpolator.h"

namespace lockstep::interpreter::gpu_bits {

using Pieces64 = std::array<Row, 64>;

extern const std::array<Row, 128> kReciprocal;  // of [1, 2), in units of 2^-24
extern const Pieces64 kReciprocalRootOfOne;     // of [1, 2), in 2^-24
extern const Pieces64 kReciprocalRootOfTwo;     // of [2, 4), in 2^-24
extern const Pieces64 kRootOfOne;               // of [1, 2), in 2^-23
extern const Pieces64 kRootOfTwo;               // of [2, 4), in 2^-23
extern const Pieces64 kPowerOfTwo;              // of [0, 1), in 2^-23
extern const Pieces64 kLogarithm;               // of [1, 2), in 2^-23
extern const Pieces64 kSine;                    // of [0, 1/4) turns, in 2^-24
extern const std::array<Row, 51> kTangent;      // the hyperbolic one: of [2^-8, 8), in 2^-24; units.cpp numbers them

}  // namespace lockstep::interpreter::gpu_bits

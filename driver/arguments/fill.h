// Fills a tensor's dense memory from its specification. Values are computed in double (or as exact integers) and
// rounded to the type once, to nearest even; `rand` is rounded toward zero so that it stays below 1. Does not allocate
// or read files.
#pragma once

#include <cstdint>
#include <string_view>

#include "driver/arguments/arguments.h"

namespace lockstep::driver {

/// `data`: count elements of spec.element, row-major, zeroed. `name`: the argument's, for the random stream.
void fill(const TensorSpec& spec, std::string_view name, std::uint64_t seed, std::byte* data, std::int64_t count);

/// The bits of a number in a type, zero-extended: integers modulo 2^width, floats rounded to nearest even.
std::uint64_t number_bits(const ScalarValue& number, ScalarKind kind);

}  // namespace lockstep::driver

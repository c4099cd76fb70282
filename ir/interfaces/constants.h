// Constants as bits. Not here: their values (constants are printed by ir/text).
#pragma once

#include <cstdint>
#include <optional>

#include "ir/attribute.h"

namespace lockstep::ir {

/// Bits of an integer, a float, or every element of a splat of elements of at most 64 bits (zeros above); nullopt: `value`
/// is none, or elements differ.
std::optional<std::uint64_t> constant_bits(Attribute value);

}  // namespace lockstep::ir

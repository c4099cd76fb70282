// What can be read off the basis vectors of an encoding: the shape that they cover and the order of its dimensions.
// Source: basesPerDim, orderPerDim and identityStandardND of Triton 3.9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

/// The smallest powers of two that hold every vector, per dimension. Empty where there is no vector.
Extents shape_of(std::initializer_list<const Bases*> inputs);

/// Dimensions by the first vector that moves along them; those without one follow, the last dimension first.
Extents order_of(const Bases& bases, std::size_t rank);

/// Walks through `shape` (powers of two), the dimension order[0] first.
Bases identity_bases(const Extents& shape, const Extents& order);

/// Vectors along each dimension, as a factor: 2 to their number.
Extents sizes_per_dimension(const Bases& bases, std::size_t rank);

/// Blocks along each dimension, copies counted with the dimension that was moved along last. Triton: getCTAsPerCGA.
Extents blocks_per_dimension(const Bases& bases, std::size_t rank);

inline bool is_power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace lockstep::ir

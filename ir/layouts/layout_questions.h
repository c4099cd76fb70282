// Questions about a layout of registers: who holds an element, what a thread holds, and what a conversion between two
// layouts costs. Layouts come from to_linear_layout.
// Source: emitIndices and getFreeVariableMasks (who acts of several holders), minimalCvtLayout and
// getWarpLayoutConvertDecomposition of Triton 3.6.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

/// Where a value of a tensor lies.
struct RegisterPlace {
  std::int32_t reg = 0, lane = 0, warp = 0, block = 0;
  friend auto operator<=>(const RegisterPlace&, const RegisterPlace&) = default;
};

/// The place as the input of a layout of registers.
std::vector<InputPlace> inputs_of(const RegisterPlace& place);

/// All places that hold the element, in order of block, warp, lane, register.
std::vector<RegisterPlace> holders_of(const LinearLayout& layout, const std::vector<std::int32_t>& element);

/// The coordinates that a thread holds, in the order of its registers; copies are listed again.
std::vector<std::vector<std::int32_t>> elements_of_thread(const LinearLayout& layout, std::int32_t lane,
                                                          std::int32_t warp, std::int32_t block = 0);

/// True of the one holder of each element that stores it, prints it or makes its atomic: all bits of copies are 0.
bool acts_for_element(const LinearLayout& layout, const RegisterPlace& place);

/// What a convert_layout has to do, cheapest first.
enum class ConversionCost : std::uint8_t {
  nothing,        // every register stays
  registers,      // values change their registers
  shuffle,        // values change lanes of their warp
  shared_memory,  // values change warps, or lanes in more ways than one shuffle can
  cluster         // values change blocks
};

/// The smallest part of a conversion: from places of `target` to places of `source` that hold the same. Inputs that
/// stay as they are, from block inwards, are left out. minimalCvtLayout.
LinearLayout minimal_conversion(const LinearLayout& source, const LinearLayout& target);
ConversionCost conversion_cost(const LinearLayout& source, const LinearLayout& target);

}  // namespace lockstep::ir

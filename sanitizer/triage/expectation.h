// What a launch's outputs should be, for the search for a mistake: how far memory is from it now. Invariant: compare()
// reads memory and changes nothing. Not here: what counts as equal, reading expectations (driver).
#pragma once

#include <cstdint>
#include <functional>

#include "memory_model/view.h"

namespace lockstep::sanitizer {

/// The elements of an output that differ from its expectation, in memory as it is now.
struct Outside {
  std::uint64_t elements = 0, compared = 0;  // elements: outside the tolerance
  std::int64_t worst = 0;                    // the farthest of them, C order; the others are valid if there is one
  double got = 0, expected = 0;
  double largest = 0;  // distance of all elements, also of those inside
};

/// Of a row-major element number.
inline std::uint64_t address_of_element(const memory_model::View& view, std::int64_t number) {
  std::int64_t offset = 0;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    offset += number % view.shape[d] * view.strides[d];
    number /= view.shape[d];
  }
  return view.base + static_cast<std::uint64_t>(offset * size_bytes(view.element));
}

/// An output that something is expected of.
struct Expectation {
  memory_model::ViewId view;
  std::function<Outside()> compare;
};

}  // namespace lockstep::sanitizer

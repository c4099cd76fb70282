// The elements of a view, one after the other, for any strides: for walks over tensors, not for kernels' accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "memory_model/view.h"

namespace lockstep::memory_model {

/// Calls body(flat index, address) in row-major order; an element reached by several indices comes as often.
template <typename Body>
void for_each_element(const View& view, const Body& body) {
  const std::int64_t count = view.element_count(), bytes = size_bytes(view.element);
  std::vector<std::int64_t> index(view.shape.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    body(i, view.base + static_cast<std::uint64_t>(offset * bytes));
    for (std::size_t d = view.shape.size(); d-- > 0;) {
      offset += view.strides[d];
      if (++index[d] < view.shape[d]) break;
      offset -= view.strides[d] * view.shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace lockstep::memory_model

#include "ir/layouts/encoding_bases.h"

#include <algorithm>
#include <bit>

namespace lockstep::ir {
namespace {

/// The dimension that a vector moves along first; its size if it is a copy.
std::size_t dimension_of(const std::vector<std::int32_t>& basis) {
  return static_cast<std::size_t>(std::find_if(basis.begin(), basis.end(), [](auto v) { return v != 0; }) -
                                  basis.begin());
}

Extents count_per_dimension(const Bases& bases, std::size_t rank, bool counts_copies) {
  Extents sizes(rank, 1);
  std::size_t last = 0;
  for (const auto& basis : bases) {
    const std::size_t dim = dimension_of(basis);
    if (dim < basis.size()) {
      last = dim;
    } else if (!counts_copies) {
      continue;
    }
    sizes[last] *= 2;
  }
  return sizes;
}

}  // namespace

Extents shape_of(std::initializer_list<const Bases*> inputs) {
  Extents shape;
  for (const Bases* bases : inputs) {
    for (const auto& basis : *bases) {
      shape.resize(std::max(shape.size(), basis.size()), 1);
      for (std::size_t dim = 0; dim < basis.size(); ++dim) {
        shape[dim] = std::max(shape[dim], std::bit_ceil(static_cast<std::uint32_t>(basis[dim]) + 1));
      }
    }
  }
  return shape;
}

Extents order_of(const Bases& bases, std::size_t rank) {
  Extents order;
  const auto add = [&order](std::size_t dim) {
    const auto number = static_cast<std::uint32_t>(dim);
    if (std::find(order.begin(), order.end(), number) == order.end()) order.push_back(number);
  };
  for (const auto& basis : bases) {
    if (const std::size_t dim = dimension_of(basis); dim < basis.size()) add(dim);
  }
  for (std::size_t dim = rank; dim > 0; --dim) add(dim - 1);
  return order;
}

Bases identity_bases(const Extents& shape, const Extents& order) {
  Bases bases;
  for (const std::uint32_t dim : order) {
    for (std::uint32_t step = 1; step < shape[dim]; step *= 2) {
      bases.emplace_back(shape.size(), 0)[dim] = static_cast<std::int32_t>(step);
    }
  }
  return bases;
}

Extents sizes_per_dimension(const Bases& bases, std::size_t rank) { return count_per_dimension(bases, rank, false); }
Extents blocks_per_dimension(const Bases& bases, std::size_t rank) { return count_per_dimension(bases, rank, true); }

}  // namespace lockstep::ir

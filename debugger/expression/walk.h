// Walks over tensors of one shape that is broadcast from several: offsets of N operands for each element of the result.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace lockstep::debugger {

/// Row-major strides of `shape`, 0 where it is broadcast to `to`, a shape of at least its rank.
inline std::vector<std::int64_t> broadcast_strides(const std::vector<std::int64_t>& shape,
                                                   const std::vector<std::int64_t>& to) {
  std::vector<std::int64_t> strides(to.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const std::size_t at = d + to.size() - shape.size();
    strides[at] = shape[d] == 1 ? 0 : stride;
    stride *= shape[d];
  }
  return strides;
}

/// Calls body(offsets) row-major for each element of `shape`, `strides` being those of the N operands; stops where it
/// returns false.
template <std::size_t N, typename Body>
void walk(const std::vector<std::int64_t>& shape, const std::array<std::vector<std::int64_t>, N>& strides,
          const Body& body) {
  for (const std::int64_t extent : shape) {
    if (extent == 0) return;
  }
  std::array<std::int64_t, N> offsets{};
  std::vector<std::int64_t> index(shape.size(), 0);
  while (true) {
    if (!body(offsets)) return;
    std::size_t d = shape.size();
    while (d-- > 0) {
      for (std::size_t n = 0; n < N; ++n) offsets[n] += strides[n][d];
      if (++index[d] < shape[d]) break;
      for (std::size_t n = 0; n < N; ++n) offsets[n] -= strides[n][d] * shape[d];
      index[d] = 0;
    }
    if (d == ~std::size_t{0}) return;
  }
}

}  // namespace lockstep::debugger

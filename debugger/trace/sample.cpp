#include "debugger/trace/sample.h"

#include <algorithm>

namespace lockstep::debugger::trace {

namespace {

std::uint64_t count_of(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}

}  // namespace

Sample sample_of(std::string_view bytes, const std::vector<std::int64_t>& shape, std::uint64_t size,
                 std::uint64_t most) {
  Sample sample{shape, std::vector<std::int64_t>(shape.size(), 1), {}};
  while (count_of(sample.shape) * size > most && count_of(sample.shape) > 1) {
    const auto widest =
        static_cast<std::size_t>(std::max_element(sample.shape.begin(), sample.shape.end()) - sample.shape.begin());
    sample.every[widest] *= 2;
    sample.shape[widest] = (shape[widest] + sample.every[widest] - 1) / sample.every[widest];
  }
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::uint64_t taken = 0, all = count_of(sample.shape); taken < all; ++taken) {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + index[d] * sample.every[d];
    sample.bytes += bytes.substr(static_cast<std::uint64_t>(flat) * size, size);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < sample.shape[d]) break;
      index[d] = 0;
    }
  }
  return sample;
}

}  // namespace lockstep::debugger::trace

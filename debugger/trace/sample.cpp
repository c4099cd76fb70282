#include "debugger/trace/sample.h"

#include <algorithm>
#include <utility>

namespace lockstep::debugger::trace {

namespace {

std::uint64_t count_of(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}

}  // namespace

std::uint64_t Spread::count() const { return count_of(shape); }

Spread spread_of(const std::vector<std::int64_t>& shape, std::uint64_t most) {
  Spread spread{shape, std::vector<std::int64_t>(shape.size(), 1)};
  while (spread.count() > std::max<std::uint64_t>(1, most)) {
    const auto widest =
        static_cast<std::size_t>(std::max_element(spread.shape.begin(), spread.shape.end()) - spread.shape.begin());
    spread.every[widest] *= 2;
    spread.shape[widest] = (shape[widest] + spread.every[widest] - 1) / spread.every[widest];
  }
  return spread;
}

Sample sample_of(std::string_view bytes, const std::vector<std::int64_t>& shape, std::uint64_t size,
                 std::uint64_t most) {
  Spread spread = spread_of(shape, most / size);
  Sample sample{std::move(spread.shape), std::move(spread.every), {}};
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

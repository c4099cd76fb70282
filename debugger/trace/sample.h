// Sample: some elements of a tile that is too large to keep: every nth along each dimension.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::debugger::trace {

struct Sample {
  std::vector<std::int64_t> shape, every;  // by dimension: elements that are there, and how far they are apart
  std::string bytes;
};
/// Row-major elements of `size` bytes; at most `most` bytes, and at least one element, remain.
/// Evenly spread places of a shape.
struct Spread {
  std::vector<std::int64_t> shape, every;  // how many along each dimension, how far apart
  std::uint64_t count() const;
};
/// At most so many, but one at least: the widest dimension is thinned out first.
Spread spread_of(const std::vector<std::int64_t>& shape, std::uint64_t most);

Sample sample_of(std::string_view bytes, const std::vector<std::int64_t>& shape, std::uint64_t size,
                 std::uint64_t most);

}  // namespace lockstep::debugger::trace

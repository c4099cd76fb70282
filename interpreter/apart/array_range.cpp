#include "interpreter/apart/array_range.h"

#include <algorithm>
#include <cstring>

namespace lockstep::interpreter::apart {

namespace {

template <typename Element>
Range scan(const char* data, std::uint64_t count) {
  Element low = 0, high = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Element value;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return {low, high};
}

}  // namespace

Range range_of_array(const char* data, std::uint64_t count, ScalarKind kind) {
  return kind == ScalarKind::i32 ? scan<std::int32_t>(data, count) : scan<std::int64_t>(data, count);
}

}  // namespace lockstep::interpreter::apart

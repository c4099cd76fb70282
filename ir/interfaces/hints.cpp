#include "ir/interfaces/hints.h"

#include <algorithm>
#include <cstddef>

namespace lockstep::ir {

std::vector<std::int64_t> promised(const Attribute& hint, std::size_t rank) {
  if (!hint) return {};
  if (hint.is_integer()) return {hint->integer};
  const std::size_t width = hint.is_dense() ? hint->type.element().integer_width() / 8 : 0;
  if (width == 0 || width > 8) return {};
  std::vector<std::int64_t> values;
  for (std::size_t d = 0; d < std::max<std::size_t>(rank, 1); ++d) {
    const std::size_t at = (hint->is_splat ? 0 : d) * width;
    if (at + width > hint->data.size()) return {};
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < width; ++i) bits |= static_cast<std::uint64_t>(hint->data[at + i]) << (8 * i);
    values.push_back(static_cast<std::int64_t>(bits));
  }
  return values;
}

}  // namespace lockstep::ir

#include "ir/interfaces/constants.h"

#include <cstring>

namespace lockstep::ir {

std::optional<std::uint64_t> constant_bits(Attribute value) {
  if (!value) return std::nullopt;
  if (value.is_integer()) return static_cast<std::uint64_t>(value->integer);
  if (value.is_float()) return value->float_bits;
  std::uint64_t bits = 0;
  const std::size_t size = value.is_dense() ? value->data.size() : 0;
  if (size == 0 || size > sizeof bits || !value->is_splat) return std::nullopt;
  std::memcpy(&bits, value->data.data(), size);
  return bits;
}

}  // namespace lockstep::ir

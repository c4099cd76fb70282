// Selection: the part of a shape that x[3, ::-1, None, ...] takes: an offset, a shape and strides, for tensors and
// memory alike. Python's rules for negative numbers and slices. Errors are sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debugger/expression/value.h"

namespace lockstep::debugger {

struct Subscript {
  enum class Kind : std::uint8_t { number, slice, ellipsis, new_axis } kind = Kind::number;
  std::int64_t number = 0;
  std::optional<std::int64_t> start, stop, step;
};

/// Element (i, j, ...) is at offset + i * strides[0] + j * strides[1] + ...
struct Selection {
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
};

/// The whole: row-major strides.
Selection whole(const std::vector<std::int64_t>& shape);
Expected<Selection, std::string> select_part(const Selection& from, const std::vector<Subscript>& subscripts);
/// Copies the part of a row-major tensor. Precondition: at most kMaxElements.
Tensor take_part(const Tensor& from, const Selection& part);
/// Row-major numbers, in a tensor of row-major elements, of the part's elements.
std::vector<std::int64_t> offsets_of(const Selection& part);

}  // namespace lockstep::debugger

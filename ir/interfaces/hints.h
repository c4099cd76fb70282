// Hints: what an op promises the compiler of its result: tt.divisibility, tt.contiguity, tt.constancy. Not here: whether
// they hold (sanitizer/core/hints.cpp for a launch, prove/hints.h for all).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/op.h"

namespace lockstep::ir {

inline constexpr std::string_view kDivisibility = "tt.divisibility";
inline constexpr std::string_view kContiguity = "tt.contiguity";
inline constexpr std::string_view kConstancy = "tt.constancy";
inline constexpr std::int64_t kWidestAccess = 16;  // bytes, or elements of one byte: what is promised beyond is harmless

/// One number per dimension (1: no promise); empty: no such hint.
std::vector<std::int64_t> promised(const Attribute& hint, std::size_t rank);

inline bool has_hint(const Op& op) {
  return op.result_count() == 1 && (op.attribute(kDivisibility) || op.attribute(kContiguity) || op.attribute(kConstancy));
}

}  // namespace lockstep::ir

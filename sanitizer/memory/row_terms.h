// RowTerms: the offset of an access's pointers from its argument as a sum of terms, factor times number, with the
// factors and the ranges that one launch gives them: "12800*[0,7] + 50*[0,31] + 1*[0,31]". Found from the IR, through
// sums, products by what is one number in this launch, copies of tiles and pointers that a loop moves on. Invariant:
// every offset of the access is a sum of its terms. Private to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sanitizer/memory/value_ranges.h"

namespace lockstep::sanitizer {

struct RowTerm {
  Wide factor = 1;
  Range range;
  /// Of the tile: lanes are adjacent numbers along it (tt.make_range); -1: the term is something else.
  int dimension = -1;
};

struct RowTerms {
  std::size_t argument = 0;  // the kernel's parameter
  std::vector<RowTerm> terms;
};

/// For a plain load, store or atomic; nullopt: its pointers are not such sums.
std::optional<RowTerms> row_terms(const ir::Op& access, const ir::Op& function, const ValueRanges& ranges);
/// What the mask does along a dimension of the tile.
enum class MaskAlong : std::uint8_t {
  none,    // it does not look at it
  always,  // what looks at it is true of every lane of this launch
  cuts,    // it may switch lanes by where they are
};
MaskAlong mask_along(const ir::Op& access, int dimension, const ValueRanges& ranges);

}  // namespace lockstep::sanitizer

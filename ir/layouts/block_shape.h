// The part of a tensor or buffer that one block of a cluster holds, and the part that one TMA copy moves.
// Source: getCGALayout, getShapePerCTA and getTMABlockShape of Triton 3.6.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

/// Which part of a tensor each block of a cluster holds: a vector per bit of its number, in parts. A slice and an
/// operand have their parent's, without the dimension. getCGALayout.
Bases cluster_bases(const Encoding& encoding);
/// The part of one block. getShapePerCTA.
std::vector<std::int64_t> shape_per_block(const Encoding& encoding, const std::vector<std::int64_t>& shape);

/// The box that one TMA copy moves, per dimension. getTMABlockShape.
std::vector<std::int64_t> tma_box(const NvmmaSharedEncoding& encoding, const std::vector<std::int64_t>& block_shape,
                                  bool counts_packed = true);

}  // namespace lockstep::ir

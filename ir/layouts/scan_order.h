// In which order a scan along one dimension combines the elements that a layout distributes: a thread's neighbours one
// after another, then threads of a warp by shuffles, then what a warp covers, chunk after chunk.
// Source: Analysis/Utility.cpp (ScanLoweringHelper) and ScanOpToLLVM.cpp of Triton 3.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

struct ScanOrder {
  std::int64_t per_thread = 1;  // neighbours along the axis that a thread has
  std::int64_t lanes = 1;       // threads of a warp along the axis, each with other elements
};

/// `order`: the dimensions, the fastest first. nullopt: neighbours, lanes, warps and copies do not follow one another along
/// the axis, which Triton's scan needs.
std::optional<ScanOrder> scan_order(const LinearLayout& source, std::size_t axis, const Extents& order);

}  // namespace lockstep::ir

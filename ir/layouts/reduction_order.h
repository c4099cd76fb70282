// In which order a reduction along one dimension combines the elements that a layout distributes: registers of a thread
// first, then lanes of a warp by shuffles, then warps through shared memory.
// Source: ReduceOpToLLVM.cpp of Triton 3.6. The order within a thread was read from the PTX of 3.6.0, 3.7.1, 3.8.0 and
// 3.9.0: one after another up to 3.7, a balanced tree since 3.8 (both for sm_80 and sm_90).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/layouts/linear_layout.h"

namespace lockstep::ir {

enum class ThreadOrder : std::uint8_t { one_after_another, balanced_tree };

/// combine(a, b): a is the side that is kept in the register, b the one that comes from elsewhere.
struct ReductionOrder {
  /// Per element of the result that a thread makes: its registers, in order, without copies.
  std::vector<std::vector<std::int32_t>> registers;
  /// Masks of the shuffles, in order: lane l takes combine(own, that of l xor mask).
  std::vector<std::int32_t> lane_masks;
  /// Bits of a warp's number that tell the partial results apart, lowest first; none: no shared memory is needed.
  std::vector<int> warp_bits;
  /// Masks over the partial results' numbers, in order, as those of lanes.
  std::vector<std::int32_t> part_masks;

  bool needs_shared_memory() const { return !warp_bits.empty(); }
};

/// `axis` must not be divided among blocks of a cluster.
ReductionOrder reduction_order(const LinearLayout& source, std::size_t axis);

/// The tree over `count` values of a thread, as calls of `combine` on their numbers; the result is at number 0.
void combine_in_thread(ThreadOrder order, std::size_t count,
                       const std::function<void(std::size_t into, std::size_t from)>& combine);

}  // namespace lockstep::ir

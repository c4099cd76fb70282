#include "ir/layouts/reduction_order.h"

#include <map>
#include <set>

#include "support/check.h"

namespace lockstep::ir {
namespace {

/// Masks of the bits whose vectors move along the dimension, the highest first.
std::vector<std::int32_t> masks_along(const Bases& bases, std::size_t axis) {
  std::vector<std::int32_t> masks;
  for (std::size_t bit = bases.size(); bit > 0; --bit) {
    if (bases[bit - 1][axis] != 0) masks.push_back(std::int32_t{1} << (bit - 1));
  }
  return masks;
}

}  // namespace

ReductionOrder reduction_order(const LinearLayout& source, std::size_t axis) {
  for (const auto& basis : source.bases("block")) {
    LOCKSTEP_CHECK(basis[axis] == 0, "a reduction across blocks of a cluster");
  }
  ReductionOrder order;
  std::map<std::vector<std::int32_t>, std::size_t> results;  // by the coordinates without the axis
  std::set<std::vector<std::int32_t>> seen;
  for (std::int32_t reg = 0; reg < source.input_size("register"); ++reg) {
    std::vector<std::int32_t> element = source.apply({{"register", reg}});
    if (!seen.insert(element).second) continue;
    element[axis] = 0;
    const auto [it, is_new] = results.emplace(std::move(element), order.registers.size());
    if (is_new) order.registers.emplace_back();
    order.registers[it->second].push_back(reg);
  }
  order.lane_masks = masks_along(source.bases("lane"), axis);
  const Bases& warps = source.bases("warp");
  for (std::size_t bit = 0; bit < warps.size(); ++bit) {
    if (warps[bit][axis] != 0) order.warp_bits.push_back(static_cast<int>(bit));
  }
  for (std::size_t bit = order.warp_bits.size(); bit > 0; --bit) {
    order.part_masks.push_back(std::int32_t{1} << (bit - 1));
  }
  return order;
}

void combine_in_thread(ThreadOrder order, std::size_t count,
                       const std::function<void(std::size_t into, std::size_t from)>& combine) {
  if (order == ThreadOrder::one_after_another) {
    for (std::size_t i = 1; i < count; ++i) combine(0, i);
    return;
  }
  for (std::size_t step = 1; step < count; step *= 2) {
    for (std::size_t i = 0; i + step < count; i += 2 * step) combine(i, i + step);
  }
}

}  // namespace lockstep::ir

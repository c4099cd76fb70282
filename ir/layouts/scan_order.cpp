#include "ir/layouts/scan_order.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::ir {
namespace {

/// Neighbours by dimension: the longest run of registers that walks the dimensions in their order. getContigPerThread.
std::vector<std::int32_t> neighbours(const Bases& registers, const Extents& order) {
  std::vector<std::int32_t> run(order.size(), 1);
  auto next = registers.begin();
  for (const std::uint32_t d : order) {
    for (; next != registers.end(); ++next) {
      std::vector<std::int32_t> step(order.size(), 0);
      step[d] = run[d];
      if (*next != step) break;
      run[d] *= 2;
    }
  }
  return run;
}

/// Steps along the axis, without copies.
std::vector<std::int32_t> steps_along(const Bases& bases, std::size_t axis) {
  std::vector<std::int32_t> steps;
  for (const auto& basis : bases)
    if (basis[axis] != 0) steps.push_back(basis[axis]);
  return steps;
}

}  // namespace

std::optional<ScanOrder> scan_order(const LinearLayout& source, std::size_t axis, const Extents& order) {
  const LinearLayout layout = source.without_copies("register");
  ScanOrder made;
  made.per_thread = neighbours(layout.bases("register"), order)[axis];
  std::int64_t next = 1;
  const auto follows = [&next](const std::vector<std::int32_t>& steps) {
    return std::all_of(steps.begin(), steps.end(), [&next](std::int32_t step) { return step == std::exchange(next, 2 * next); });
  };
  std::vector<std::int32_t> own = steps_along(layout.bases("register"), axis), chunks;
  while (!own.empty() && own.back() >= made.per_thread) {
    chunks.insert(chunks.begin(), own.back());
    own.pop_back();
  }
  const auto lanes = steps_along(layout.bases("lane"), axis);
  made.lanes = std::int64_t{1} << lanes.size();
  if (!follows(own) || !follows(lanes) || !follows(steps_along(layout.bases("warp"), axis)) || !follows(chunks))
    return std::nullopt;
  return steps_along(layout.bases("block"), axis).empty() ? std::optional(made) : std::nullopt;
}

}  // namespace lockstep::ir

#include "interpreter/fusion/group_boxes.h"

#include <utility>

namespace lockstep::interpreter {

bool is_nested(const AddressBox& box, int bytes) {
  std::int64_t reach = bytes;
  for (std::size_t d = static_cast<std::size_t>(box.rank); d-- > 0;) {
    if (box.shape[d] == 1) continue;
    if (box.stride[d] < reach) return false;
    reach += box.stride[d] * (box.shape[d] - 1);
  }
  return true;
}

namespace {

/// The outermost step of a nested box (0: it has one element), and the bytes below each of its multiples.
std::pair<std::uint64_t, std::uint64_t> outer_step(const AddressBox& box) {
  std::size_t d = 0;
  while (d < static_cast<std::size_t>(box.rank) && box.shape[d] == 1) ++d;
  if (d == static_cast<std::size_t>(box.rank)) return {0, box.end - box.begin};
  const auto step = static_cast<std::uint64_t>(box.stride[d]);
  return {step, box.end - box.begin - step * static_cast<std::uint64_t>(box.shape[d] - 1)};
}

}  // namespace

bool are_apart(const AddressBox& a, const AddressBox& b) {
  if (a.begin >= b.end || b.begin >= a.end) return true;
  const auto [step, reach] = outer_step(a);
  const auto [other_step, other_reach] = outer_step(b);
  if (step == 0 || step != other_step) return false;
  const std::uint64_t behind = a.begin > b.begin ? (a.begin - b.begin) % step : 0;
  const std::uint64_t gap = a.begin > b.begin ? (behind == 0 ? 0 : step - behind) : (b.begin - a.begin) % step;
  return gap >= reach && gap + other_reach <= step;
}

}  // namespace lockstep::interpreter

// The rectangle that a plain access touches, found and admitted by a few numbers: the start of the steps of frequent
// accesses (access_step.cpp) and of fused groups (contiguous_path.cpp). Invariant: a found part lies wholly inside its
// view. Not here: other forms of pointers and masks (find_addresses), views with gaps, findings.
#pragma once

#include <algorithm>
#include <cstdint>

#include "interpreter/access/bounds.h"

namespace lockstep::interpreter {

/// The part of a tile of some dimensions that an access touches.
template <std::size_t rank>
struct Part {
  std::uint64_t origin, begin, end;  // addresses: of its first element, of all its bytes
  std::int64_t count;
  std::array<std::int64_t, rank> low;
};

/// The mask of the step's access; null: every lane.
inline const Tile* mask_of(const Machine& machine, const Step* step, const Access& access) {
  return access.mask >= 0 ? &machine.slots[step->operand[static_cast<std::size_t>(access.mask)]] : nullptr;
}

/// False: no plain addresses or mask, no lane at all, or a byte that is not plainly inside.
template <std::size_t rank>
bool find_part(const Machine& machine, const Access& access, const Tile& pointer, const Tile* mask, Part<rank>& part) {
  if (pointer.form != Form::affine) return false;
  const bool is_box = mask != nullptr && mask->form == Form::box;
  if (!is_box && mask != nullptr && (mask->form != Form::uniform || (mask->base & 1) == 0)) return false;
  part.origin = pointer.base;
  part.count = 1;
  std::int64_t below = 0, above = access.bytes;
  bool wraps = false;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t stride = pointer.stride[d];
    part.low[d] = is_box ? mask->low(d) : 0;
    const std::int64_t shape = is_box ? mask->high(d) - part.low[d] : access.extent[d];
    std::int64_t span = 0;
    wraps |= __builtin_mul_overflow(stride, shape - 1, &span);
    wraps |= __builtin_add_overflow(below, std::min<std::int64_t>(span, 0), &below);
    wraps |= __builtin_add_overflow(above, std::max<std::int64_t>(span, 0), &above);
    part.origin += static_cast<std::uint64_t>(part.low[d]) * static_cast<std::uint64_t>(stride);
    part.count *= shape;
  }
  wraps |= __builtin_add_overflow(part.origin, below, &part.begin);
  wraps |= __builtin_add_overflow(part.origin, above, &part.end);
  return !wraps && is_plainly_inside(machine, pointer.provenance, part.begin, part.end);
}

}  // namespace lockstep::interpreter

// IndexOrigin: which loaded integer led an access out of bounds. Where a lane went wrong, its address is worked out
// again from the kernel's IR for this one lane of this one program; if it comes out the same, and would be inside with
// 0 in place of a number that was loaded, that number is at fault. Only called for findings. Invariant: nothing is said
// that did not come out the same (what a loop carries, what other programs may write, is not worked out). Not here:
// findings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ir/op.h"

namespace lockstep::interpreter {

struct Machine;

struct IndexOrigin {
  const ir::Op* load = nullptr;
  std::int64_t value = 0;
  std::string source;  // "idx[3]"
};

/// `pointer`: of the access; `base`: of the argument; `address`: where its lane pointed; `is_inside`: whether the
/// access may go there. nullopt: no loaded number is known to be at fault.
std::optional<IndexOrigin> find_index_origin(const Machine& machine, const ir::Value& pointer, std::int64_t lane,
                                             std::uint64_t base, std::uint64_t address,
                                             const std::function<bool(std::uint64_t)>& is_inside);

}  // namespace lockstep::interpreter
